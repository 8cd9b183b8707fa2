// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/window_test.h"

#include "ep/ui/charts/item_view.h"

#include <QSlider>

namespace ep::test {

class AnalysisChartsTest : public WindowTest {
protected:
    // Opens a finished run of ten tokens in Analysis.
    void openWithRun()
    {
        openWindow();
        runToTheEnd(QStringLiteral("the quick"), 10);
        press(Qt::Key_2, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([this] { return find<QSlider>("tokenSlider").maximum() == 9; }));
    }

    void showView(const QString& title) { chooseTab("analysisViews", title); }

    static QPoint centreOf(const ui::ItemView& view, int item)
    {
        return view.itemRect(static_cast<std::size_t>(item)).center().toPoint();
    }
};

} // namespace ep::test
