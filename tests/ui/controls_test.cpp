// SPDX-License-Identifier: GPL-3.0-or-later
// How many controls each page shows at first sight, in a window of 1280 x 800.
#include "gui/window_test.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTableView>

namespace {

using namespace ep;

// Whether it is a part of another control, such as the field of a spin box.
bool isPartOfControl(const QWidget& widget)
{
    for (const QWidget* parent = widget.parentWidget(); parent && !parent->isWindow();
         parent = parent->parentWidget()) {
        if (qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent)
            || qobject_cast<const QTabBar*>(parent) || qobject_cast<const QLineEdit*>(parent)
            || qobject_cast<const QAbstractItemView*>(parent))
            return true;
    }
    return false;
}

// What a user can click or type into: each tab and each button counts, a list counts once.
int controlsOf(const QWidget& widget)
{
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return tabs->count();
    const auto* text = qobject_cast<const QPlainTextEdit*>(&widget);
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget)
            || qobject_cast<const QLineEdit*>(&widget)
            || qobject_cast<const QAbstractSpinBox*>(&widget)
            || qobject_cast<const QSlider*>(&widget) || (text && !text->isReadOnly())
            || (qobject_cast<const QAbstractItemView*>(&widget)
                && !qobject_cast<const QHeaderView*>(&widget))
        ? 1
        : 0;
}

class ControlsTest : public test::WindowTest {
protected:
    int count(const char* page, std::string& names)
    {
        int all = 0;
        for (const QWidget* widget : find<QWidget>(page).findChildren<QWidget*>()) {
            const int own =
                widget->isVisible() && !isPartOfControl(*widget) ? controlsOf(*widget) : 0;
            all += own;
            if (own > 0)
                names += widget->objectName().toStdString() + ' ';
        }
        return all;
    }
};

TEST_F(ControlsTest, EachPageShowsFew)
{
    openWindow();
    window().resize(1280, 760);
    ASSERT_TRUE(waitForModel());
    for (int i = 0; i < 2; ++i)
        runToTheEnd(QStringLiteral("hello"), 12);
    struct {
        ui::Page page;
        const char* name;
        int most;
    } const pages[] = {
        {ui::Page::Analysis, "analysisPage", 23},
        {ui::Page::History, "historyPage", 5},
        {ui::Page::Insights, "insightsPage", 2},
    };
    for (const auto& [page, name, most] : pages) {
        window().showPage(page);
        if (page == ui::Page::Analysis) {
            ASSERT_TRUE(waitFor([this] { return !labelText("answerSentence").isEmpty(); }));
        }
        QApplication::processEvents();
        std::string names;
        EXPECT_LE(count(name, names), most) << name << ": " << names;
        EXPECT_GT(count(name, names), 0) << name;
    }
}

} // namespace
