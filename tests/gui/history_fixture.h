// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/window_test.h"

#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <initializer_list>

namespace ep::test {

// A window that shows History.
class HistoryTest : public WindowTest {
protected:
    // Opens a window with a finished run for each prompt and shows History.
    void openWithRuns(std::initializer_list<const char*> prompts)
    {
        openWindow();
        for (const char* prompt : prompts)
            runToTheEnd(QString::fromUtf8(prompt), 6);
        press(Qt::Key_3, Qt::ControlModifier);
        ASSERT_EQ(page(), 2);
        const int expected = static_cast<int>(prompts.size());
        ASSERT_TRUE(waitForRuns(expected));
    }

    void clickRow(int row, int column = 2)
    {
        const QModelIndex index = table().model()->index(row, column);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                          table().visualRect(index).center());
    }
};

} // namespace ep::test
