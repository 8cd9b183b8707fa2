// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/selection_controller.h"

namespace ep::ui {
namespace {

using test::WidgetTest;

class SelectionControllerTest : public WidgetTest {
protected:
    SelectionControllerTest() { m_controller.setRun(m_run); }

    RunPtr m_run = test::makeChartRun();
    SelectionController m_controller;
};

TEST_F(SelectionControllerTest, StartsWithAllOfTheRun)
{
    EXPECT_TRUE(m_controller.selection().empty());
    EXPECT_TRUE(m_controller.visible().contains(m_run->trace.time));
    EXPECT_TRUE(m_controller.full().contains(m_controller.visible()));
    EXPECT_EQ(m_controller.consideredTime(), m_run->trace.time);
    EXPECT_FALSE(m_controller.canUndo());
}

TEST_F(SelectionControllerTest, ShowsTheRunAndNotItsLongBaseline)
{
    auto run = std::make_shared<ep::Run>(*m_run);
    const TimeRange time = run->trace.time;
    PowerSample idle = run->trace.samples.front();
    idle.window = {time.begin_ns - 20 * time.duration_ns(), time.begin_ns};
    run->trace.samples.insert(run->trace.samples.begin(), idle);
    m_controller.setRun(run);
    EXPECT_EQ(m_controller.full().begin_ns, idle.window.begin_ns);
    EXPECT_TRUE(m_controller.visible().contains(time));
    EXPECT_LE(m_controller.visible().duration_ns(), 13 * time.duration_ns() / 10);
    m_controller.zoomToFit();
    EXPECT_EQ(m_controller.visible(), m_controller.full());
}

TEST_F(SelectionControllerTest, TellsOnlyOfChanges)
{
    const QSignalSpy selections(&m_controller, &SelectionController::selectionChanged);
    const QSignalSpy views(&m_controller, &SelectionController::visibleChanged);
    m_controller.selectPhase(Phase::Decode);
    m_controller.selectPhase(Phase::Decode);
    EXPECT_EQ(selections.count(), 1);
    EXPECT_EQ(views.count(), 0);
    m_controller.zoomToSelection();
    EXPECT_EQ(views.count(), 1);
    EXPECT_EQ(m_controller.visible(), *m_controller.selection().time);
    m_controller.zoomToSelection(); // a second time: zooms out to everything
    EXPECT_EQ(m_controller.visible(), m_controller.full());
    EXPECT_EQ(selections.count(), 1);
}

TEST_F(SelectionControllerTest, KeepsThePartWhenTheTimeChanges)
{
    m_controller.selectPart(1, Component::QProj);
    m_controller.selectToken(2);
    EXPECT_EQ(m_controller.token(), 2);
    EXPECT_EQ(m_controller.selection().layer, 1);
    EXPECT_EQ(m_controller.consideredTime(), m_run->trace.tokens[2].time);
    m_controller.selectTime(std::nullopt);
    EXPECT_EQ(m_controller.token(), std::nullopt);
    EXPECT_EQ(m_controller.selection().component, Component::QProj);
    EXPECT_TRUE(m_controller.clearLevel());
    EXPECT_TRUE(m_controller.clearLevel());
    EXPECT_FALSE(m_controller.clearLevel());
}

TEST_F(SelectionControllerTest, GoesBackAndForth)
{
    const TimeRange atFirst = m_controller.visible();
    m_controller.selectToken(1);
    m_controller.zoomAt(m_run->trace.time.begin_ns, 0.5);
    const viz::Selection chosen = m_controller.selection();
    const TimeRange visible = m_controller.visible();
    m_controller.undo();
    EXPECT_EQ(m_controller.visible(), atFirst);
    m_controller.undo();
    EXPECT_TRUE(m_controller.selection().empty());
    m_controller.undo(); // nothing more to undo
    m_controller.redo();
    m_controller.redo();
    EXPECT_EQ(m_controller.selection(), chosen);
    EXPECT_EQ(m_controller.visible(), visible);
    m_controller.setRun(m_run);
    EXPECT_FALSE(m_controller.canUndo());
}

TEST_F(SelectionControllerTest, ManagesWithoutARun)
{
    m_controller.setRun(nullptr);
    m_controller.zoomAt(5, 0.5);
    m_controller.panBy(0.5);
    m_controller.zoomToFit();
    m_controller.selectToken(0);
    EXPECT_TRUE(m_controller.selection().empty());
    EXPECT_TRUE(m_controller.visible().empty());
}

TEST_F(SelectionControllerTest, SharesCursorMetricAndSearch)
{
    const QSignalSpy cursors(&m_controller, &SelectionController::cursorChanged);
    const QSignalSpy metrics(&m_controller, &SelectionController::metricChanged);
    const QSignalSpy searches(&m_controller, &SelectionController::searchChanged);
    for (int i = 0; i < 2; ++i) {
        m_controller.setCursor(5);
        m_controller.setMetric(viz::HeatmapMetric::TimeMs);
        m_controller.setSearchText(QStringLiteral("proj"));
    }
    EXPECT_EQ(cursors.count(), 1);
    EXPECT_EQ(metrics.count(), 1);
    EXPECT_EQ(searches.count(), 1);
    m_controller.setRun(nullptr);
    EXPECT_EQ(m_controller.cursor(), std::nullopt);
}

} // namespace
} // namespace ep::ui
