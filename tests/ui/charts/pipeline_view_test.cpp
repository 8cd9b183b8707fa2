// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/pipeline_view.h"

#include <algorithm>

namespace ep::ui {
namespace {

class PipelineViewTest : public test::WidgetTest {
protected:
    static QPoint rowCentre(const PipelineView& view, std::size_t row)
    {
        return test::pixel(view.geometryForTests().rows[row].row.centre());
    }
    static std::size_t rowOf(const PipelineView& view, const std::string& title)
    {
        const auto& rows = view.geometryForTests().rows;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].title == title)
                return i;
        ADD_FAILURE() << "no row " << title;
        return 0;
    }
};

TEST_F(PipelineViewTest, AClickTogglesTheSectionsOfAPhase)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 2, .tokens = 4}));
    show(view, {900, 500});
    const std::size_t collapsed = view.geometryForTests().rows.size();
    const int height = view.sizeHint().height();

    QTest::mouseClick(&view, Qt::LeftButton, {}, rowCentre(view, rowOf(view, "Decode")));
    EXPECT_TRUE(view.isExpanded(Phase::Decode));
    EXPECT_GT(view.geometryForTests().rows.size(), collapsed);
    EXPECT_GT(view.sizeHint().height(), height);

    QTest::mouseClick(&view, Qt::LeftButton, {}, rowCentre(view, rowOf(view, "LM head")));
    EXPECT_TRUE(view.isExpanded(Phase::Decode));

    QTest::mouseClick(&view, Qt::LeftButton, {}, rowCentre(view, rowOf(view, "Decode")));
    EXPECT_EQ(view.geometryForTests().rows.size(), collapsed);
}

TEST_F(PipelineViewTest, TheStripAnswersToo)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 2, .tokens = 4}));
    show(view, {900, 500});
    const auto& strip = view.geometryForTests().strip;
    ASSERT_FALSE(strip.empty());
    const auto prefill = std::find_if(strip.begin(), strip.end(),
                                      [](const auto& s) { return s.phase == Phase::Prefill; });
    ASSERT_NE(prefill, strip.end());
    QTest::mouseClick(&view, Qt::LeftButton, {}, test::pixel(prefill->rect.centre()));
    EXPECT_TRUE(view.isExpanded(Phase::Prefill));
}

TEST_F(PipelineViewTest, IsUsableByKeysAlone)
{
    PipelineView view;
    view.setRun(test::makeChartRun({.layers = 2, .tokens = 4}));
    show(view, {900, 500});
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Prefill: ")));
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_TRUE(view.isExpanded(Phase::Prefill));
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Prefill › Embedding: ")))
        << view.accessibleDescription().toStdString();
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_FALSE(view.isExpanded(Phase::Prefill));
    QTest::keyClick(&view, Qt::Key_End);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_TRUE(view.isExpanded(Phase::PreInference));
}

TEST_F(PipelineViewTest, ToolTipsCarryFiguresAndProvenance)
{
    PipelineView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setRun(test::makeChartRun({.layers = 2, .tokens = 4, .modelled = true}));
    show(view, {900, 500});
    const QString tip = toolTipAt(view, rowCentre(view, rowOf(view, "Prefill")));
    for (const char* part : {"Prefill: ", " ms, ", " J (modelled)", " % of the run's energy",
                             "not from a sensor", "Click to show the sections."})
        EXPECT_TRUE(tip.contains(QLatin1String(part))) << tip.toStdString();
}

TEST_F(PipelineViewTest, MissingEnergyIsSaidInWords)
{
    PipelineView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setRun(test::makeChartRun({.layers = 2, .tokens = 2, .energy = false}));
    show(view, {900, 500});
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Energy is missing for all phases"));
    EXPECT_TRUE(view.describeItem(0).contains(QStringLiteral("no sensor covered this part")));
    view.setMetric(viz::CostMetric::Time);
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Time by phase: ")));
}

TEST_F(PipelineViewTest, EmptyAndPaletteAndRunChanges)
{
    PipelineView view;
    view.setEmptyText(QStringLiteral("Choose a run in History."));
    show(view, {900, 300});
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Choose a run in History."));
    QTest::mouseClick(&view, Qt::LeftButton, {}, {50, 50});
    QTest::keyClick(&view, Qt::Key_Down);
    view.setExpanded(Phase::Decode, true);
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 1}));
    EXPECT_TRUE(view.isExpanded(Phase::Decode)); // remembered across runs
    for (const bool dark : {true, false}) {
        view.setPalette(test::paletteOf(dark));
        EXPECT_TRUE(contains(view.grab().toImage(), view.theme().phase(Phase::Prefill)));
    }
    view.setRun(nullptr);
    EXPECT_TRUE(view.geometryForTests().rows.empty());
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(PipelineViewTest, ClicksChoosePhasesAndTheStripIsTheOverview)
{
    const RunPtr run = test::makeChartRun({.layers = 2, .tokens = 8});
    SelectionController controller;
    controller.setRun(run);
    PipelineView view;
    view.setController(&controller);
    view.setRun(run);
    show(view, {900, 500});
    QSignalSpy pinned(&controller, &SelectionController::pinned);
    const TimeRange before = controller.visible();

    QTest::mouseClick(&view, Qt::LeftButton, {}, rowCentre(view, rowOf(view, "Decode")));
    EXPECT_EQ(controller.selection().phase, Phase::Decode);
    EXPECT_EQ(controller.visible(), before);
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned[0][0].value<ChartDetails>().title, QStringLiteral("Decode"));

    QTest::mouseDClick(&view, Qt::LeftButton, {}, rowCentre(view, rowOf(view, "Prefill")));
    EXPECT_EQ(controller.selection().phase, Phase::Prefill);
    EXPECT_EQ(controller.visible(), *controller.selection().time);

    const viz::Rect strip = view.geometryForTests().strip_rect;
    const QPoint from(static_cast<int>(strip.x + strip.width * 0.5),
                      static_cast<int>(strip.centre().y));
    const QPoint to(static_cast<int>(strip.x + strip.width * 0.75), from.y());
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(to), view.mapToGlobal(QPointF(to)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
    ASSERT_TRUE(controller.selection().time);
    const auto whole = static_cast<double>(run->trace.time.duration_ns());
    EXPECT_NEAR(static_cast<double>(controller.selection().time->duration_ns()) / whole, 0.25,
                0.01);
    EXPECT_EQ(controller.selection().phase, std::nullopt);

    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(controller.visible(), *controller.selection().time);
    EXPECT_FALSE(view.grab().isNull()); // paints window and brush on the strip
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_TRUE(controller.selection().empty());
}

} // namespace
} // namespace ep::ui
