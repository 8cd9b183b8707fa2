// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"
#include "pages/analysis_page.h"
#include "repository/run_document.h"

#include "ep/session/explain.h"
#include "ep/store/store.h"
#include "ep/ui/charts/flame_view.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include <algorithm>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;

// A window with a finished run in Analysis.
class AnalysisTest : public test::WindowTest {
protected:
    void explore(int tokens = 12)
    {
        openWindow();
        ASSERT_TRUE(waitForModel());
        runToTheEnd(QStringLiteral("hello"), tokens);
        press(Qt::Key_2, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([this] { return pipeline().isVisible(); }));
    }

    ui::PipelineView& pipeline() { return find<ui::PipelineView>("pipeline"); }
    ui::TokenStreamView& tokens() { return find<ui::TokenStreamView>("runTokenStream"); }
    ui::HeatmapView& heatmap() { return find<ui::HeatmapView>("runHeatmap"); }
    std::string chosen() { return labelText("selectionText").toStdString(); }
    QString figure(const QString& name) // figure of the selection
    {
        const auto& table = find<QTableWidget>("selectionFigures");
        for (int row = 0; row < table.rowCount(); ++row) {
            if (table.item(row, 0)->text() == name)
                return table.item(row, 1)->text();
        }
        return QStringLiteral("no ") + name;
    }
    void clickPhase(const std::string& title)
    {
        for (const auto& row : pipeline().geometryForTests().rows) {
            if (row.title == title) {
                const viz::Point at = row.row.centre();
                QTest::mouseClick(&pipeline(), Qt::LeftButton, {}, QPointF(at.x, at.y).toPoint());
                return;
            }
        }
        ADD_FAILURE() << "no row " << title;
    }
    void clickToken(int index)
    {
        QTest::mouseClick(tokens().viewport(), Qt::LeftButton, {},
                          tokens().chipRect(index).center());
    }
};

TEST_F(AnalysisTest, WhatIsChosenInOneChartIsChosenInAll)
{
    explore();
    EXPECT_THAT(chosen(), HasSubstr("Nothing selected"));
    EXPECT_EQ(figure(QStringLiteral("Tokens")), QStringLiteral("12"));
    clickPhase("Decode");
    EXPECT_EQ(chosen(), "Selected: Decode");
    EXPECT_EQ(figure(QStringLiteral("Tokens")), QStringLiteral("11"));
    EXPECT_EQ(find<QLabel>("pinnedDetailsTitle").text(), QStringLiteral("Decode"));
    clickToken(4);
    EXPECT_EQ(chosen(), "Selected: token 4");
    EXPECT_EQ(figure(QStringLiteral("Tokens")), QStringLiteral("1"));
    heatmap().setFocus();
    QTest::keyClick(&heatmap(), Qt::Key_Right);
    EXPECT_THAT(chosen(), HasSubstr("token 4 · layer 0 · input_layernorm"));
    EXPECT_TRUE(find<QTableView>("componentTable").currentIndex().isValid());

    QTest::keyClick(&heatmap(), Qt::Key_Escape); // each press goes one level up
    EXPECT_EQ(chosen(), "Selected: token 4 · layer 0");
    QTest::keyClick(&heatmap(), Qt::Key_Escape);
    QTest::keyClick(&heatmap(), Qt::Key_Escape);
    EXPECT_THAT(chosen(), HasSubstr("Nothing selected"));
}

TEST_F(AnalysisTest, HeaderDetailsAndTableAgreeOnAComponent)
{
    explore();
    const auto line = [this] { return labelText("runFigures").split(QStringLiteral(" · ")); };
    const auto hasFirstToken = [&] {
        return line().back().startsWith(QStringLiteral("first token after"));
    };
    const QString whole = line().front();
    EXPECT_EQ(whole, figure(QStringLiteral("Energy")));
    clickToken(4);
    heatmap().setFocus();
    QTest::keyClick(&heatmap(), Qt::Key_Right);
    const auto agree = [&] {
        return line().front() == figure(QStringLiteral("Energy"))
            && line().contains(figure(QStringLiteral("Time")))
            && line().contains(figure(QStringLiteral("Energy per output token")) + u"/token"_s);
    };
    ASSERT_TRUE(waitFor(agree)) << line().front().toStdString() << " and "
                                << figure(QStringLiteral("Energy")).toStdString();
    const QString ofOne = line().front();
    EXPECT_NE(ofOne, whole);
    EXPECT_FALSE(hasFirstToken()) << "a component has none";

    chooseTab("analysisViews", QStringLiteral("Tokens"));
    click("tokenNext"); // the same component in another token
    chooseTab("analysisViews", QStringLiteral("Overview"));
    EXPECT_TRUE(waitFor(agree));
    EXPECT_TRUE(find<QTableView>("componentTable").selectionModel()->hasSelection());
    EXPECT_EQ(find<QSlider>("tokenSlider").value(), 5);
    for (int level = 0; level < 3; ++level)
        QTest::keyClick(&heatmap(), Qt::Key_Escape);
    EXPECT_THAT(chosen(), HasSubstr("Nothing selected"));
    EXPECT_EQ(find<QSlider>("tokenSlider").value(), 0); // all tokens: at its beginning
    EXPECT_TRUE(waitFor([&] { return line().front() == whole && agree(); }));
    EXPECT_TRUE(hasFirstToken());
}

TEST_F(AnalysisTest, WithoutLayersTheChartsHaveTheWholeWidth)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    for (const char* depth : {"none", "module", "none"}) {
        window().showPage(ui::Page::Live);
        chooseInCombo("depthCombo", QString::fromLatin1(depth));
        runToTheEnd(u"a"_s, 6);
        window().showPage(ui::Page::Analysis);
        const bool layers = std::string_view(depth) != "none";
        auto& parts = find<QWidget>("runComponents");
        ASSERT_TRUE(waitFor([&] { return parts.isVisible() == layers; })) << depth;
        QApplication::processEvents();
        auto& power = find<QWidget>("runPower");
        const int room = find<QWidget>("analysisViews").width();
        EXPECT_EQ(power.width() > room * 9 / 10, !layers) << power.width() << " of " << room;
        EXPECT_EQ(find<QWidget>("runTokenStream").width() > room * 9 / 10, !layers);
        auto& missing = find<QLabel>("runMissing");
        EXPECT_EQ(missing.isVisible(), !layers);
        if (layers)
            continue;
        EXPECT_THAT(missing.text().toStdString(), HasSubstr("recorded no layers"));
    }
}

TEST_F(AnalysisTest, AWideWindowShowsFiguresOnceAndPowerBelowThePhases)
{
    openWindow();
    window().resize(2400, 1300);
    ASSERT_TRUE(waitForModel());
    runToTheEnd(u"hello"_s, 12);
    press(Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return pipeline().isVisible(); }));
    QApplication::processEvents();
    EXPECT_TRUE(find<QWidget>("selectionFigures").isVisible());
    EXPECT_FALSE(find<QWidget>("runFigures").isVisible()) << "the details have it";
    const auto& scroll = find<QWidget>("pipelineScroll");
    const int phases = pipeline().sizeHint().height();
    EXPECT_EQ(scroll.height(), phases);
    clickPhase("Decode"); // its sections have room, too
    const int sections = pipeline().sizeHint().height();
    ASSERT_GT(sections, phases);
    const int most = (window().height() - 600) / 3;
    EXPECT_TRUE(waitFor([&] { return scroll.height() >= std::min(sections, most); }))
        << scroll.height() << " of " << sections;
    EXPECT_LE(scroll.height(), sections);
}

TEST_F(AnalysisTest, OpensWithTheAnswer)
{
    explore();
    ASSERT_TRUE(waitFor([this] { return !labelText("answerSentence").isEmpty(); }));
    const QString sentence = labelText("answerSentence");
    EXPECT_TRUE(find<QAbstractButton>("answerBar0").isVisible());
    chooseTab("analysisViews", QStringLiteral("Why"));
    const auto labels = find<QWidget>("whyTab").findChildren<QLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->text() == sentence;
    })) << sentence.toStdString();
}

TEST_F(AnalysisTest, ABarOfTheAnswerLeadsToItsPlace)
{
    explore();
    ASSERT_TRUE(waitFor([this] { return !labelText("answerSentence").isEmpty(); }));
    auto& page = find<ui::AnalysisPage>("analysisPage");
    struct {
        energy::CausePlace place;
        const char* tab;
        const char* chosen;
    } const places[] = {
        {{"roofline", Phase::Decode}, "Why", "Selected: Decode"},
        {{"power"}, "Timeline", "Selected: Decode"},
        {{"tokens", Phase::Decode}, "Tokens", "Selected: Decode"},
        {{"phases", Phase::Prefill}, "Timeline", "Selected: Prefill"},
        {{"heatmap", std::nullopt, Component::QProj}, "Overview", "q_proj"},
    };
    for (const auto& [place, tab, selected] : places) {
        SCOPED_TRACE(tab);
        session::Explanation explanation;
        explanation.bars = {{"A cause", "1 J", 0.5, place}};
        page.document().setExplanation(std::make_shared<const session::Explanation>(explanation));
        chooseTab("analysisViews", QStringLiteral("Overview"));
        QTest::mouseClick(&find<QAbstractButton>("answerBar0"), Qt::LeftButton);
        auto& views = find<QTabWidget>("analysisViews");
        EXPECT_EQ(views.tabText(views.currentIndex()).toStdString(), tab);
        EXPECT_THAT(chosen(), HasSubstr(selected));
    }
}

TEST_F(AnalysisTest, ARangeOfTimeIsAnnotated)
{
    explore();
    auto& button = find<QToolButton>("annotateButton");
    const auto menu = [&] {
        Q_EMIT button.menu()->aboutToShow();
        return button.menu()->actions();
    };
    EXPECT_TRUE(button.isHidden()) << "no time is selected";
    clickPhase("Decode");
    ASSERT_TRUE(waitFor([&] { return button.isVisible(); })) << "once the run is stored";
    const TimeRange time = *pipeline().controller()->selection().time;
    menu().front()->trigger();
    auto* dialog = seek<QInputDialog>("annotationDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->setTextValue(QStringLiteral("the fan starts"));
    dialog->accept();
    const auto& kept = pipeline().controller()->annotations();
    ASSERT_TRUE(waitFor([&] { return kept.size() == 1; }));
    EXPECT_EQ(kept.front().time(), time);
    const auto id = find<ui::AnalysisPage>("analysisPage").run()->info.id;
    const auto storedNow = [&] {
        const auto store = store::Store::openToRead(database());
        EXPECT_TRUE(store);
        return (*store)->overview(id)->run.info.annotations;
    };
    EXPECT_EQ(storedNow(), kept);

    find<QAction>("actionUndoView").trigger();
    ASSERT_EQ(menu().size(), 3) << "add, a line, and the annotation";
    const auto choices = menu().back()->menu()->actions();
    choices.front()->trigger();
    EXPECT_EQ(pipeline().controller()->selection().time, time);
    menu().back()->menu()->actions().back()->trigger();
    EXPECT_TRUE(waitFor([&] { return kept.empty(); }));
    EXPECT_TRUE(storedNow().empty());
}

TEST_F(AnalysisTest, UndoAndRedoByKeyMenuAndButton)
{
    explore();
    EXPECT_FALSE(find<QAction>("actionUndoView").isEnabled());
    clickToken(2);
    clickToken(5);
    pipeline().setFocus();
    press(Qt::Key_BracketLeft, Qt::ControlModifier);
    EXPECT_EQ(chosen(), "Selected: token 2");
    EXPECT_EQ(tokens().current(), 2);
    press(Qt::Key_BracketRight, Qt::ControlModifier);
    EXPECT_EQ(chosen(), "Selected: token 5");
    find<QAction>("actionUndoView").trigger();
    find<QAction>("actionUndoView").trigger();
    EXPECT_THAT(chosen(), HasSubstr("Nothing selected"));
    EXPECT_FALSE(find<QAction>("actionUndoView").isEnabled());
    find<QAction>("actionRedoView").trigger();
    EXPECT_EQ(chosen(), "Selected: token 2");
    click("selectionClear");
    EXPECT_TRUE(find<QToolButton>("selectionClear").isHidden());
}

TEST_F(AnalysisTest, SearchCountsDimsAndGoesFromHitToHit)
{
    explore();
    press(Qt::Key_F, Qt::ControlModifier);
    auto& search = find<QLineEdit>("analysisSearch");
    ASSERT_TRUE(search.hasFocus());
    QTest::keyClicks(&search, QStringLiteral("q_proj"));
    EXPECT_THAT(labelText("analysisHits").toStdString(), HasSubstr("2 cells"));
    QTest::keyClick(&search, Qt::Key_Return);
    EXPECT_EQ(chosen(), "Selected: layer 0 · q_proj");
    QTest::keyClick(&search, Qt::Key_Return);
    EXPECT_EQ(chosen(), "Selected: layer 1 · q_proj");
    QTest::keyClick(&search, Qt::Key_Return); // wraps around
    EXPECT_EQ(chosen(), "Selected: layer 0 · q_proj");
    QTest::keyClick(&search, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(chosen(), "Selected: layer 1 · q_proj");
    EXPECT_EQ(heatmap().current(), (ui::HeatmapView::Current{1, Component::QProj}));
    QTest::keyClick(&search, Qt::Key_Escape);
    EXPECT_TRUE(search.text().isEmpty());
    EXPECT_TRUE(labelText("analysisHits").isEmpty());
}

TEST_F(AnalysisTest, TheTimelineZoomsToWhatIsChosen)
{
    explore();
    clickPhase("Decode");
    chooseTab("analysisViews", QStringLiteral("Timeline"));
    auto& power = find<ui::PowerTimeline>("timelinePower");
    ASSERT_TRUE(power.isVisible());
    find<QAction>("actionZoomToSelection").trigger();
    EXPECT_EQ(power.controller()->visible(), *power.controller()->selection().time);
    find<QAction>("actionZoomToAll").trigger();
    EXPECT_EQ(power.controller()->visible(), power.controller()->full());
    EXPECT_EQ(power.table().empty(), power.controller()->run()->trace.samples.empty());
}

TEST_F(AnalysisTest, TheChartWithTheFocusIsCopied)
{
    explore();
    heatmap().setFocus();
    QGuiApplication::clipboard()->clear();
    press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QImage copied = QGuiApplication::clipboard()->image();
    EXPECT_EQ(copied.width(), heatmap().width() * 2);
    EXPECT_GT(copied.height(), heatmap().height() * 2); // title and run are above it
}

TEST_F(AnalysisTest, PaintTimesAreShownOnDemand)
{
    explore();
    EXPECT_FALSE(ui::PaintedView::paintTimesShown);
    find<QAction>("actionPaintTimes").trigger();
    EXPECT_TRUE(ui::PaintedView::paintTimesShown);
    EXPECT_FALSE(pipeline().grab().isNull());
    find<QAction>("actionPaintTimes").trigger();
    EXPECT_FALSE(ui::PaintedView::paintTimesShown);
}

TEST_F(AnalysisTest, AStoredRunReadsTheStepsThatAreLookedAt)
{
    explore();
    openWindow(); // makes it forget the run in memory
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(1));
    table().selectRow(0);
    table().setFocus();
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return pipeline().isVisible() && heatmap().data(); }));
    EXPECT_EQ(heatmap().data()->tokens, 12);

    clickToken(3);
    EXPECT_TRUE(waitFor([this] { return heatmap().data()->tokens == 1; }));
    tokens().setFocus();
    QTest::keyClick(&tokens(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_TRUE(waitFor([this] { return heatmap().data()->tokens == 2; }));
    const auto& flame = find<ui::FlameView>("spanTimeline").data();
    EXPECT_TRUE(waitFor([&] { return flame.hasStep(0) && flame.hasStep(11); })); // all in view
    EXPECT_FALSE(flame.spans(viz::FlameLevel::Component).empty());
    click("selectionClear");
    EXPECT_EQ(heatmap().data()->tokens, 12);
}

TEST_F(AnalysisTest, AClickOnAPhaseMeansAllOfIt)
{
    explore();
    heatmap().setFocus();
    QTest::keyClick(&heatmap(), Qt::Key_Right);
    EXPECT_THAT(chosen(), HasSubstr("input_layernorm"));
    clickPhase("Prefill");
    EXPECT_EQ(chosen(), "Selected: Prefill");
    chooseTab("analysisViews", QStringLiteral("Where It Goes"));
    auto& map = find<ui::TreemapView>("treemap");
    ASSERT_TRUE(waitFor([&] { return !map.wholeRunRect().isEmpty(); }));
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.wholeRunRect().center().toPoint());
    EXPECT_THAT(chosen(), HasSubstr("Nothing selected"));
    EXPECT_TRUE(map.wholeRunRect().isEmpty());
}

TEST_F(AnalysisTest, OpensTheLastRunAfterARestart)
{
    explore();
    const std::string id = find<ui::AnalysisPage>("analysisPage").run()->info.id;
    openWindow();
    press(Qt::Key_2, Qt::ControlModifier);
    auto& page = find<ui::AnalysisPage>("analysisPage");
    ASSERT_TRUE(waitFor([&] { return page.run() != nullptr; }));
    EXPECT_EQ(page.run()->info.id, id);
}

TEST_F(AnalysisTest, LayersCanBeSortedByWhatIsShown)
{
    engineScript.layers = 5;
    explore();
    auto& order = find<QAction>("heatmapLargestFirst");
    order.setChecked(true);
    const viz::HeatmapData& sorted = *heatmap().data();
    ASSERT_EQ(sorted.row_layers.size(), 5U);
    for (int row = 1; row < 5; ++row)
        EXPECT_GE(*sorted.rowMean(row - 1), *sorted.rowMean(row));
    find<ui::PipelineView>("pipeline").controller()->selectPart(3, Component::QProj);
    EXPECT_EQ(heatmap().current(), (ui::HeatmapView::Current{3, Component::QProj}));
    order.setChecked(false);
    EXPECT_EQ(heatmap().current(), (ui::HeatmapView::Current{3, Component::QProj}));
}

} // namespace
