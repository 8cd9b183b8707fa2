// SPDX-License-Identifier: GPL-3.0-or-later
// The frame around the pages: navigation, command palette, sizes, wheel and layout.
#include "gui/window_test.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/power_timeline.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <set>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using testing::HasSubstr;

class FrameTest : public test::WindowTest {
protected:
    QDialog& openPalette(const QString& words)
    {
        press(Qt::Key_K, Qt::ControlModifier);
        auto& palette = find<QDialog>("commandPalette");
        QTest::keyClicks(&find<QLineEdit>("paletteQuery"), words);
        return palette;
    }
    std::string firstMatch()
    {
        const auto& list = find<QListWidget>("paletteList");
        return list.count() > 0 ? list.item(0)->text().toStdString() : std::string();
    }
    void choosePalette(const QString& words)
    {
        openPalette(words);
        QTest::keyClick(&find<QLineEdit>("paletteQuery"), Qt::Key_Return);
        ASSERT_TRUE(waitFor([this] { return !seek<QDialog>("commandPalette"); }));
    }
    static void turnWheel(QWidget& over)
    {
        const QPointF at = over.rect().center();
        QWheelEvent wheel(at, over.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&over, &wheel);
    }
};

TEST_F(FrameTest, TheNavigationGoesToEveryPageByClickAndKeys)
{
    openWindow();
    int expected = 0;
    for (const char* entry : {"navigationLive", "navigationAnalysis", "navigationHistory",
                              "navigationCompare", "navigationInsights"}) {
        click(entry);
        EXPECT_EQ(page(), expected++);
        EXPECT_TRUE(find<QToolButton>(entry).isChecked());
    }
    find<QToolButton>("navigationInsights").setFocus(Qt::TabFocusReason);
    press(Qt::Key_Up);
    EXPECT_EQ(page(), 3);
    EXPECT_TRUE(find<QToolButton>("navigationCompare").hasFocus());
    press(Qt::Key_1, Qt::ControlModifier); // the menu shortcut also moves the mark
    EXPECT_TRUE(find<QToolButton>("navigationLive").isChecked());
}

TEST_F(FrameTest, TheNavigationFoldsToIconsAndStaysSo)
{
    openWindow();
    window().resize(1280, 760);
    auto& rail = find<QWidget>("navigation");
    const int wide = rail.sizeHint().width();
    EXPECT_EQ(find<QToolButton>("navigationLive").toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    click("navigationFold");
    EXPECT_EQ(find<QToolButton>("navigationLive").toolButtonStyle(), Qt::ToolButtonIconOnly);
    EXPECT_LT(rail.sizeHint().width(), wide);
    openWindow();
    window().resize(1280, 760);
    EXPECT_EQ(find<QToolButton>("navigationLive").toolButtonStyle(), Qt::ToolButtonIconOnly);
    click("navigationFold");
    EXPECT_EQ(find<QToolButton>("navigationLive").toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
    window().resize(800, 500); // too narrow for words
    EXPECT_TRUE(waitFor([this] {
        return find<QToolButton>("navigationLive").toolButtonStyle() == Qt::ToolButtonIconOnly;
    }));
    EXPECT_FALSE(find<QToolButton>("navigationFold").isVisible());
}

TEST_F(FrameTest, ThePaletteFindsActionsRunsModelsAndPartsOfTheRun)
{
    openWindow();
    runToTheEnd(QStringLiteral("fox and hen"), 6);
    const auto& listed = *find<QTableView>("historyTable").model();
    ASSERT_TRUE(waitFor([&] { return listed.rowCount() == 1; }));
    choosePalette(QStringLiteral("compare"));
    EXPECT_EQ(page(), 3);
    openPalette(QStringLiteral("fox"));
    EXPECT_THAT(firstMatch(), HasSubstr("Run › fox and hen"));
    QTest::keyClick(&find<QLineEdit>("paletteQuery"), Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return page() == 1 && messageOf("analysisMessage").isEmpty(); }));
    choosePalette(QStringLiteral("q_proj"));
    EXPECT_TRUE(waitFor([this] {
        return labelText("selectionText").contains(QLatin1String("q_proj"));
    })) << labelText("selectionText").toStdString();
    choosePalette(QStringLiteral("layer 1"));
    EXPECT_TRUE(waitFor([this] {
        return labelText("selectionText").contains(QLatin1String("layer 1"));
    })) << labelText("selectionText").toStdString();
    find<QToolButton>("selectionClear").click();
    choosePalette(QStringLiteral("token 2"));
    EXPECT_TRUE(waitFor([this] {
        return labelText("selectionText").contains(QLatin1String("token 2"));
    })) << labelText("selectionText").toStdString();
    choosePalette(QStringLiteral("model tiny"));
    EXPECT_TRUE(waitFor([this] { return page() == 0; }));
}

TEST_F(FrameTest, ThePaletteIsLeftWithEscapeAndMovesWithArrows)
{
    openWindow();
    openPalette(QStringLiteral("e"));
    auto& list = find<QListWidget>("paletteList");
    ASSERT_GT(list.count(), 2);
    auto& query = find<QLineEdit>("paletteQuery");
    QTest::keyClick(&query, Qt::Key_Down);
    EXPECT_EQ(list.currentRow(), 1);
    QTest::keyClick(&query, Qt::Key_Up);
    QTest::keyClick(&query, Qt::Key_Up); // wraps around
    EXPECT_EQ(list.currentRow(), list.count() - 1);
    const int before = page();
    QTest::keyClick(&query, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([this] { return !seek<QDialog>("commandPalette"); }));
    EXPECT_EQ(page(), before);
}

TEST_F(FrameTest, TheWheelNeverEdits)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    chooseInCombo("powerCombo", QStringLiteral("modelled"));
    auto& watts = find<QDoubleSpinBox>("idleWatts");
    auto& tokens = find<QSpinBox>("maxTokens");
    auto& power = find<QComboBox>("powerCombo");
    const double wattsBefore = watts.value();
    const int tokensBefore = tokens.value();
    for (const bool focused : {false, true}) {
        for (QWidget* field : {static_cast<QWidget*>(&watts), static_cast<QWidget*>(&tokens),
                               static_cast<QWidget*>(&power)}) {
            if (focused)
                field->setFocus();
            turnWheel(*field);
        }
        EXPECT_EQ(watts.value(), wattsBefore);
        EXPECT_EQ(tokens.value(), tokensBefore);
        EXPECT_EQ(power.currentData().toString().toStdString(), "modelled");
    }
}

TEST_F(FrameTest, EveryPageFitsASmallWindow)
{
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 6);
    window().resize(800, 500);
    ASSERT_TRUE(waitFor([this] {
        return window().size() == QSize(800, 500)
            && find<QToolButton>("navigationLive").toolButtonStyle() == Qt::ToolButtonIconOnly;
    }));
    auto& pages = find<QStackedWidget>("pages");
    for (int each = 0; each < pages.count(); ++each) {
        window().showPage(static_cast<ui::Page>(each));
        QApplication::processEvents();
        const auto& scroll = *qobject_cast<QScrollArea*>(pages.currentWidget());
        // Labels that wrap only know the size they need once they have a width.
        const auto needed = [&] { return scroll.widget()->minimumSizeHint(); };
        const auto scrolls = [&] { return scroll.verticalScrollBar()->maximum() > 0; };
        EXPECT_TRUE(waitFor([&] {
            return scrolls() == (needed().height() > scroll.viewport()->height());
        })) << each
            << ": what does not fit is reached by scrolling";
        if (each < static_cast<int>(ui::Page::Compare)) {
            EXPECT_LE(needed().width(), scroll.viewport()->width()) << each;
        }
        // No widget is smaller than it needs to be, whatever size the page asks for.
        for (const QWidget* widget : scroll.widget()->findChildren<QWidget*>()) {
            if (!widget->isVisible()
                || widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                continue;
            EXPECT_GE(widget->width(),
                      std::min(widget->minimumSizeHint().width(), widget->maximumWidth()))
                << each << ": " << widget->metaObject()->className() << " "
                << widget->objectName().toStdString();
            // An area that cannot scroll sideways would hide what its vertical scroll bar covers.
            const auto* area = qobject_cast<const QScrollArea*>(widget);
            if (area && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff) {
                EXPECT_GE(area->width() - area->verticalScrollBar()->sizeHint().width(),
                          area->widget()->minimumSizeHint().width())
                    << each << ": " << widget->objectName().toStdString();
            }
        }
    }
    window().showPage(ui::Page::Live);
    for (const char* reach : {"startStopButton", "liveChoices", "liveAnalyse"}) {
        const auto& button = find<QAbstractButton>(reach);
        const QRect seen = button.visibleRegion().boundingRect();
        EXPECT_EQ(seen.size(), button.size()) << reach;
    }
}

TEST_F(FrameTest, AtTheFirstSizeTheChartsHaveRoom)
{
    engineScript.layers = 12;
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 6);
    window().resize(1280, 800);
    click("liveAnalyse");
    ASSERT_TRUE(waitFor([this] { return find<ui::HeatmapView>("runHeatmap").isVisible(); }));
    QApplication::processEvents();
    const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    ASSERT_EQ(heatmap.data()->layers, 12);
    EXPECT_GE(heatmap.height(), 300);
    EXPECT_GE(find<ui::PowerTimeline>("runPower").height(), 230);
    EXPECT_GE(find<ui::PowerTimeline>("runPower").plotForTests().height(), 180.0);
}

// Uses the Tab key alone, from the navigation all the way round to it.
TEST_F(FrameTest, TheKeyboardReachesEveryControlOfEveryPage)
{
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 6);
    click("liveAnalyse");
    ASSERT_TRUE(waitFor([this] { return find<ui::HeatmapView>("runHeatmap").isVisible(); }));
    const auto& pages = find<QStackedWidget>("pages");
    for (const ui::Page page :
         {ui::Page::Live, ui::Page::Analysis, ui::Page::History, ui::Page::Insights}) {
        window().showPage(page);
        QApplication::processEvents();
        std::set<const QWidget*> reached;
        QWidget* at = pages.currentWidget();
        while ((at = QApplication::focusWidget() ? QApplication::focusWidget() : at)
               && reached.insert(at).second)
            QTest::keyClick(at, Qt::Key_Tab);
        EXPECT_GT(reached.size(), 3U);
        for (const QWidget* control : pages.currentWidget()->findChildren<QWidget*>()) {
            if (!control->isVisible() || !control->isEnabled() || control->focusProxy()
                || (control->focusPolicy() & Qt::TabFocus) == 0)
                continue;
            // A focused field inside a spin box or an editable list counts for the whole control.
            const bool inside = reached.contains(control->parentWidget());
            EXPECT_TRUE(inside || reached.contains(control))
                << static_cast<int>(page) << ' ' << control->metaObject()->className() << ' '
                << control->objectName().toStdString();
        }
    }
}

TEST_F(FrameTest, AFirstWindowIsNoLargerThanTheScreen)
{
    openWindow();
    const QSize first = window().size();
    window().fitInto({1920, 1200});
    EXPECT_EQ(window().size(), first);
    window().fitInto({1024, 600});
    EXPECT_EQ(window().size(), QSize(1024, 600));
    window().fitInto({640, 400}); // 1280 x 800 at a scale factor of 2
    EXPECT_EQ(window().size(), QSize(640, 400));
}

TEST_F(FrameTest, FullScreenIsEnteredAndLeftByOneAction)
{
    openWindow();
    auto& action = find<QAction>("actionFullScreen");
    EXPECT_FALSE(action.shortcuts().isEmpty());
    action.trigger();
    EXPECT_TRUE(window().isFullScreen());
    action.trigger();
    EXPECT_FALSE(window().isFullScreen());
}

TEST_F(FrameTest, NoDialogIsLargerThanTheScreen)
{
    openWindow();
    const QRect screen = window().screen()->availableGeometry();
    for (const auto& [action, name] :
         {std::pair{"actionMachine", "machineDialog"}, std::pair{"actionLibrary", "modelLibrary"},
          std::pair{"actionNewStudy", "studyDialog"},
          std::pair{"actionPreferences", "preferencesDialog"}}) {
        find<QAction>(action).trigger();
        auto& dialog = find<QDialog>(name);
        ASSERT_TRUE(waitFor([&] { return dialog.isVisible(); }));
        EXPECT_TRUE(screen.contains(dialog.frameGeometry()))
            << name << ' ' << dialog.x() << ' ' << dialog.y() << ' ' << dialog.width() << " x "
            << dialog.height();
        // The dialog must also be able to fit: 640 x 400 is 1280 x 800 at a scale factor of 2.
        EXPECT_LE(dialog.minimumSizeHint().width(), 640) << name;
        EXPECT_LE(dialog.minimumSizeHint().height(), 400) << name;
        dialog.close();
    }
}

TEST_F(FrameTest, TheLayoutCanBeReset)
{
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 2);
    window().resize(1000, 600);
    auto& splitter = find<QSplitter>("liveSplitter");
    splitter.setSizes({600, 100});
    const QList<int> moved = splitter.sizes();
    click("liveChoices");
    EXPECT_TRUE(find<QPlainTextEdit>("promptEdit").isHidden()
                || !find<QPlainTextEdit>("promptEdit").isVisible());
    find<QAction>("actionResetLayout").trigger();
    QApplication::processEvents();
    EXPECT_TRUE(find<QPlainTextEdit>("promptEdit").isVisible());
    EXPECT_NE(splitter.sizes(), moved);
    EXPECT_EQ(window().width(), 1280);
}

} // namespace
