// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard, focus, wheel and words: what every page must provide.
#include "gui/window_test.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTranslator>
#include <QWheelEvent>

#include <set>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

constexpr std::array kPages{ui::Page::Live, ui::Page::Analysis, ui::Page::History,
                            ui::Page::Compare, ui::Page::Insights};

std::string nameOf(const QWidget& widget)
{
    return widget.metaObject()->className() + (" " + widget.objectName().toStdString());
}

class ReachTest : public test::WindowTest {
protected:
    // Opens two runs, the second of them in Analysis and both in Compare.
    void openWithEverything()
    {
        openWindow();
        window().resize(1280, 760);
        for (const char* prompt : {"the quick", "brown fox"})
            runToTheEnd(QString::fromUtf8(prompt), 6);
        window().showPage(ui::Page::History);
        ASSERT_TRUE(waitForRuns(2));
        table().selectAll();
        click("historyCompare");
        ASSERT_TRUE(waitFor(
            [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
    }
    QWidget& show(ui::Page page)
    {
        window().showPage(page);
        QApplication::processEvents();
        return *find<QStackedWidget>("pages").currentWidget();
    }
    // Calls look() for each tab of the widget in turn; once if it has none.
    template <typename Look>
    void eachTab(QWidget& root, const Look& look)
    {
        QTabWidget* tabs = nullptr;
        for (auto* one : root.findChildren<QTabWidget*>()) {
            if (one->isVisible() && (!tabs || one->isAncestorOf(tabs)))
                tabs = one;
        }
        for (int i = 0; i < (tabs ? tabs->count() : 1); ++i) {
            if (tabs)
                tabs->setCurrentIndex(i);
            QApplication::processEvents();
            SCOPED_TRACE(tabs ? tabs->tabText(i).toStdString() : std::string());
            look();
        }
        if (tabs)
            tabs->setCurrentIndex(0);
    }
    static std::vector<QWidget*> tabStops(QWidget& root)
    {
        std::vector<QWidget*> stops;
        for (auto* control : root.findChildren<QWidget*>()) {
            if (control->isVisible() && control->isEnabled() && !control->focusProxy()
                && (control->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
                stops.push_back(control);
        }
        return stops;
    }
    // A picture that includes the surroundings: a focus ring may be outside the control.
    QImage pictureOf(QWidget& control)
    {
        constexpr int kRing = 4;
        for (QWidget* at = control.parentWidget(); at; at = at->parentWidget()) {
            if (auto* area = qobject_cast<QScrollArea*>(at))
                area->ensureWidgetVisible(&control, kRing, kRing);
        }
        const QRect place(control.mapTo(&window(), QPoint()), control.size());
        return window().grab(place.adjusted(-kRing, -kRing, kRing, kRing)).toImage();
    }
    static QString valueOf(const QWidget& field)
    {
        if (const auto* combo = qobject_cast<const QComboBox*>(&field))
            return combo->currentText();
        if (const auto* box = qobject_cast<const QAbstractSpinBox*>(&field))
            return box->text();
        if (const auto* slider = qobject_cast<const QAbstractSlider*>(&field))
            return QString::number(slider->value());
        const auto* tabs = qobject_cast<const QTabBar*>(&field);
        return tabs ? QString::number(tabs->currentIndex()) : QString();
    }
    static bool edits(const QWidget& widget)
    {
        return !qobject_cast<const QScrollBar*>(&widget)
            && (qobject_cast<const QComboBox*>(&widget)
                || qobject_cast<const QAbstractSpinBox*>(&widget)
                || qobject_cast<const QAbstractSlider*>(&widget)
                || qobject_cast<const QTabBar*>(&widget));
    }
    static int turnTheWheelOverFields(QWidget& root)
    {
        int fields = 0;
        for (auto* field : root.findChildren<QWidget*>()) {
            if (!field->isVisible() || !field->isEnabled() || !edits(*field))
                continue;
            ++fields;
            const QString before = valueOf(*field);
            for (const bool focused : {false, true}) {
                if (focused)
                    field->setFocus();
                for (const int way : {-120, 120}) {
                    const QPointF at = field->rect().center();
                    QWheelEvent wheel(at, field->mapToGlobal(at), {}, {0, way}, Qt::NoButton,
                                      Qt::NoModifier, Qt::NoScrollPhase, false);
                    QApplication::sendEvent(field, &wheel);
                    EXPECT_EQ(valueOf(*field).toStdString(), before.toStdString())
                        << nameOf(*field);
                }
            }
        }
        return fields;
    }
};

TEST_F(ReachTest, TheKeyboardReachesEveryControlOfCompare)
{
    openWithEverything();
    QWidget& page = show(ui::Page::Compare);
    eachTab(page, [&] {
        std::set<const QWidget*> reached;
        QWidget* at = &page;
        while ((at = QApplication::focusWidget() ? QApplication::focusWidget() : at)
               && reached.insert(at).second)
            QTest::keyClick(at, Qt::Key_Tab);
        EXPECT_GT(reached.size(), 5U);
        for (const QWidget* control : tabStops(page)) {
            const bool inside = reached.contains(control->parentWidget());
            EXPECT_TRUE(inside || reached.contains(control)) << nameOf(*control);
        }
    });
}

// A focused control looks different from an unfocused one, in both themes.
TEST_F(ReachTest, TheFocusIsVisible)
{
    openWithEverything();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    auto& elsewhere = find<QToolButton>("navigationFold");
    for (const char* theme : {"actionThemeLight", "actionThemeDark"}) {
        find<QAction>(theme).trigger();
        elsewhere.setFocus();
        QTest::keyClick(&elsewhere, Qt::Key_Tab); // with the mouse alone, no ring is shown
        for (const ui::Page each : kPages) {
            QWidget& page = show(each);
            eachTab(page, [&] {
                for (QWidget* control : tabStops(page)) {
                    elsewhere.setFocus(Qt::TabFocusReason);
                    QApplication::processEvents();
                    if (!control->isVisible())
                        continue;
                    const QImage without = pictureOf(*control);
                    control->setFocus(Qt::TabFocusReason);
                    QApplication::processEvents();
                    ASSERT_TRUE(control->hasFocus()) << nameOf(*control);
                    EXPECT_TRUE(pictureOf(*control) != without)
                        << theme << ", page " << static_cast<int>(each) << ": " << nameOf(*control);
                }
            });
        }
    }
}

TEST_F(ReachTest, TheWheelEditsOnNoPage)
{
    openWithEverything();
    for (const ui::Page each : kPages) {
        QWidget& page = show(each);
        if (each == ui::Page::History)
            click("historyFilter"); // its fields are folded until they are wanted
        SCOPED_TRACE(static_cast<int>(each));
        int fields = 0;
        eachTab(page, [&] { fields += turnTheWheelOverFields(page); });
        EXPECT_GT(fields, 0);
    }
    for (const auto& [action, name] : {std::pair{"actionPreferences", "preferencesDialog"},
                                       std::pair{"actionNewStudy", "studyDialog"}}) {
        find<QAction>(action).trigger();
        auto& dialog = find<QDialog>(name);
        ASSERT_TRUE(waitFor([&] { return dialog.isVisible(); }));
        auto* titles = dialog.findChild<QListWidget*>(u"settingsTitles"_s);
        int fields = 0;
        for (int row = 0; row < (titles ? titles->count() : 1); ++row) {
            if (titles)
                titles->setCurrentRow(row);
            fields += turnTheWheelOverFields(dialog);
        }
        EXPECT_GT(fields, 3) << name;
        dialog.close();
    }
}

} // namespace
