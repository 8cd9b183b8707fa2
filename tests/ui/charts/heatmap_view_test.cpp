// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "chart_run.h"
#include "heatmap_scene.h"
#include "widget_fixture.h"

#include "ep/ui/charts/heatmap_view.h"

namespace ep::ui {
namespace {

class HeatmapViewTest : public test::WidgetTest {
protected:
    static std::shared_ptr<const viz::HeatmapData> dataOf(viz::HeatmapMetric metric,
                                                          const test::ChartRunShape& shape)
    {
        viz::HeatmapAccumulator accumulator;
        accumulator.add(test::makeChartRun(shape)->trace);
        return std::make_shared<viz::HeatmapData>(
            accumulator.data(metric, viz::CellReduction::Mean));
    }

    static QPoint centreOf(const HeatmapView& view, int layer, int column)
    {
        return test::pixel(view.geometryForTests().cell(layer, column).centre());
    }
};

TEST_F(HeatmapViewTest, AClickActivatesTheCellUnderIt)
{
    HeatmapView view;
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 8, .tokens = 3}));
    show(view, {900, 500});
    QSignalSpy activated(&view, &HeatmapView::cellActivated);
    QSignalSpy moved(&view, &HeatmapView::currentChanged);

    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 5, 1));
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].toInt(), 5);
    EXPECT_EQ(activated[0][1].value<Component>(), Component::QProj);
    EXPECT_EQ(view.current(), (HeatmapView::Current{5, Component::QProj}));
    EXPECT_EQ(moved.count(), 1);

    // Pressed on one cell and released on another: not a click.
    QTest::mousePress(&view, Qt::LeftButton, {}, centreOf(view, 0, 0));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, centreOf(view, 2, 2));
    QTest::mouseClick(&view, Qt::LeftButton, {}, {2, 2});
    EXPECT_EQ(activated.count(), 1);
}

TEST_F(HeatmapViewTest, KeysMoveTheCursorAndStopAtTheEdges)
{
    HeatmapView view;
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 3, .tokens = 2}));
    show(view, {900, 400});
    QSignalSpy activated(&view, &HeatmapView::cellActivated);

    QTest::keyClick(&view, Qt::Key_Down); // the first key shows the cursor
    EXPECT_EQ(view.current(), (HeatmapView::Current{0, Component::InputLayernorm}));
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(view.current(), (HeatmapView::Current{0, Component::InputLayernorm}));
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(view.current(), (HeatmapView::Current{1, Component::QProj}));
    QTest::keyClick(&view, Qt::Key_PageDown);
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(view.current(), (HeatmapView::Current{2, Component::DownProj}));
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Layer 2, down_proj: ")));
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][1].value<Component>(), Component::DownProj);
}

TEST_F(HeatmapViewTest, TheToolTipHasValueUnitAndProvenance)
{
    HeatmapView view;
    view.setData(
        dataOf(viz::HeatmapMetric::EnergyMj, {.layers = 4, .tokens = 3, .modelled = true}));
    show(view, {900, 400});
    const QString tip = toolTipAt(view, centreOf(view, 1, 11));
    EXPECT_TRUE(tip.startsWith(QStringLiteral("Layer 1, down_proj: "))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("mJ (modelled, mean of 3 tokens)")))
        << tip.toStdString();
    EXPECT_TRUE(toolTipAt(view, {1, 1}).isEmpty());
}

TEST_F(HeatmapViewTest, TheToolTipOfATimeNamesNoSensor)
{
    HeatmapView view;
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 4, .tokens = 3}));
    show(view, {900, 400});
    const QString tip = toolTipAt(view, centreOf(view, 1, 11));
    EXPECT_TRUE(tip.contains(QStringLiteral("Time: recorded during the run"))) << tip.toStdString();
    EXPECT_FALSE(tip.contains(QStringLiteral("sensor"))) << tip.toStdString();
}

TEST_F(HeatmapViewTest, CountsTheStepsOfABatch)
{
    auto run = std::make_shared<ep::Run>(*test::makeChartRun({.layers = 4, .tokens = 3}));
    SelectionController controller;
    controller.setRun(run);
    HeatmapView view;
    view.setController(&controller);
    view.setData(dataOf(viz::HeatmapMetric::EnergyMj, {.layers = 4, .tokens = 3}));
    show(view, {900, 400});
    EXPECT_TRUE(view.describe(1, 2).contains(QStringLiteral("mean of 3 tokens")));
    run = std::make_shared<ep::Run>(*run);
    run->info.batch.resize(3);
    controller.setRun(run);
    EXPECT_TRUE(view.describe(1, 2).contains(QStringLiteral("mean of 3 steps")))
        << view.describe(1, 2).toStdString();
}

// Without numbers in the cells, the means of the rows would be "<1" in the unit of the cells.
TEST_F(HeatmapViewTest, MeansBesideNarrowCellsHaveTheirOwnRoom)
{
    const QFontMetricsF metrics(QApplication::font());
    viz::HeatmapGeometry geometry;
    geometry.plot = {0.0, 0.0, 15.0, 20.0};
    geometry.row_edges = {0.0, 20.0};
    geometry.column_edges = {0.0, 15.0};
    geometry.row_means = {20.0, 0.0, metrics.horizontalAdvance(QStringLiteral("0000000")), 20.0};
    const auto mean = [&] {
        return gridNumbers(viz::HeatmapMetric::EnergyMj, 1.07, numberWidth(geometry),
                           sceneFontOf(metrics))
            .text(0.31);
    };
    EXPECT_EQ(mean(), "310"); // µJ
    geometry.cell_labels = true;
    EXPECT_EQ(numberWidth(geometry), 15.0);
}

// All cells have the same unit and the same number of decimals.
TEST_F(HeatmapViewTest, TheNumbersOfAGridHaveOneFormat)
{
    const QFontMetricsF metrics(QApplication::font());
    const double wide = metrics.horizontalAdvance(QStringLiteral("0000000"));
    const auto texts = [&](double high, double width) {
        const GridNumbers numbers =
            gridNumbers(viz::HeatmapMetric::EnergyMj, high, width, sceneFontOf(metrics));
        QStringList all{QString::fromStdString(numbers.unit.suffix)};
        for (const double value : {0.81, 0.1, 0.02, 0.009, 0.0001, -0.0001})
            all << QString::fromStdString(numbers.text(value));
        return all;
    };
    EXPECT_EQ(texts(0.81, wide),
              QStringList({QStringLiteral("µJ"), QStringLiteral("810"), QStringLiteral("100"),
                           QStringLiteral("20"), QStringLiteral("9"), QStringLiteral("<1"),
                           QStringLiteral("0")}));
    // In the unit of the largest number, the small ones would be strings of zeros.
    EXPECT_EQ(texts(1.4, wide).front(), QStringLiteral("µJ"));
    EXPECT_EQ(texts(42.0, wide),
              QStringList({QStringLiteral("mJ"), QStringLiteral("0.8"), QStringLiteral("0.1"),
                           QStringLiteral("<0.1"), QStringLiteral("<0.1"), QStringLiteral("<0.1"),
                           QStringLiteral("0")}));
    // With narrow cells, all numbers lose their decimals.
    const double narrow = metrics.horizontalAdvance(QStringLiteral("000"));
    EXPECT_EQ(texts(42.0, narrow)[1], QStringLiteral("1"));
    EXPECT_EQ(gridNumbers(viz::HeatmapMetric::EnergyMj, 42.0, wide, sceneFontOf(metrics)).text({}),
              "—");
}

TEST_F(HeatmapViewTest, MissingIsAnEmDashNeverZero)
{
    HeatmapView view;
    view.setData(dataOf(viz::HeatmapMetric::EnergyMj, {.layers = 4, .tokens = 3, .energy = false}));
    show(view, {900, 400});
    EXPECT_EQ(view.describe(0, 0).toStdString(), "Layer 0, input_layernorm: — (missing)");
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("missing")));
    const QImage image = view.grab().toImage();
    EXPECT_FALSE(contains(image, view.theme().scale(0.0))); // nothing is painted as a low value
}

TEST_F(HeatmapViewTest, SaysWhyAFigureIsMissing)
{
    viz::HeatmapAccumulator accumulator;
    accumulator.setFacts({.idle = {}, .depth = Depth::Module});
    accumulator.add(test::makeChartRun({.layers = 4, .tokens = 2})->trace);
    using enum viz::HeatmapMetric;
    const struct {
        viz::HeatmapMetric metric;
        QString reason;
    } cases[] = {
        {KillRatio, QStringLiteral("Kill ratio is recorded only at depth deep.")},
        {AttentionEntropy, QStringLiteral("Attention entropy is recorded only at depth deep.")},
        {NetEnergyMj, QStringLiteral("needs the idle power, which was not measured")},
    };
    HeatmapView view;
    SelectionController controller;
    view.setController(&controller);
    show(view, {900, 400});
    for (const auto& [metric, reason] : cases) {
        view.setData(
            std::make_shared<viz::HeatmapData>(accumulator.data(metric, viz::CellReduction::Mean)));
        ASSERT_TRUE(view.data()->allMissing());
        EXPECT_TRUE(view.accessibleDescription().contains(reason))
            << view.accessibleDescription().toStdString();
        const QString tip = toolTipAt(view, centreOf(view, 1, 1));
        EXPECT_TRUE(tip.contains(reason)) << tip.toStdString();
        QSignalSpy pinned(&controller, &SelectionController::pinned);
        QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 1, 1));
        ASSERT_EQ(pinned.count(), 1);
        const auto details = pinned[0][0].value<ChartDetails>();
        EXPECT_EQ(details.rows.front().value, QString::fromUtf8("\u2014"));
        EXPECT_TRUE(details.rows.back().value.contains(reason));
        EXPECT_FALSE(view.grab().isNull());
    }
}

TEST_F(HeatmapViewTest, EmptyStateSaysWhy)
{
    HeatmapView view;
    show(view, {500, 300});
    view.setEmptyText(QStringLiteral("Depth none records no layers."));
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Depth none records no layers."));
    EXPECT_FALSE(view.accessibleName().isEmpty());
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {250, 150});
    EXPECT_EQ(view.current(), std::nullopt);
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(HeatmapViewTest, TheCursorSurvivesNewDataAndGoesWithItsCell)
{
    HeatmapView view;
    show(view, {900, 400});
    view.setCurrent(1, Component::QProj); // it has no data, so it is ignored
    EXPECT_EQ(view.current(), std::nullopt);
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 4, .tokens = 1}));
    view.setCurrent(3, Component::OProj);
    view.setCurrent(4, Component::OProj); // no such layer
    view.setCurrent(0, Component::Router); // no such component
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 4, .tokens = 2}));
    EXPECT_EQ(view.current(), (HeatmapView::Current{3, Component::OProj}));
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 2, .tokens = 2}));
    EXPECT_EQ(view.current(), std::nullopt);
    view.setData(nullptr);
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(HeatmapViewTest, FollowsThePaletteAndPaintsOpaquely)
{
    HeatmapView view;
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 4, .tokens = 2}));
    show(view, {900, 400});
    for (const bool dark : {true, false}) {
        view.setPalette(test::paletteOf(dark));
        EXPECT_EQ(view.theme().dark, dark);
        const QImage image = view.grab().toImage();
        EXPECT_EQ(image.pixelColor(4, image.height() - 5), view.theme().surface);
        EXPECT_TRUE(contains(image, view.theme().scale(1.0)));
    }
}

TEST_F(HeatmapViewTest, DegenerateSizesAndShapesPaint)
{
    HeatmapView view;
    show(view, {900, 400});
    for (const int layers : {1, 126})
        for (const QSize size : {QSize(1, 1), QSize(40, 40), QSize(240, 160), QSize(2560, 1440)}) {
            view.resize(size);
            view.setData(dataOf(viz::HeatmapMetric::PowerMw, {.layers = layers, .tokens = 1}));
            EXPECT_FALSE(view.grab().isNull());
        }
}

TEST_F(HeatmapViewTest, SharesTheChosenCellAndDimsWhatIsNotSearched)
{
    SelectionController controller;
    controller.setRun(test::makeChartRun({.layers = 4, .tokens = 2}));
    HeatmapView view;
    view.setController(&controller);
    view.setData(dataOf(viz::HeatmapMetric::TimeMs, {.layers = 4, .tokens = 2}));
    show(view, {900, 400});
    QSignalSpy pinned(&controller, &SelectionController::pinned);

    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 2, 1));
    EXPECT_EQ(controller.selection().layer, 2);
    EXPECT_EQ(controller.selection().component, Component::QProj);
    EXPECT_EQ(pinned.count(), 1);
    controller.selectPart(3, Component::DownProj); // as selected in another chart
    EXPECT_EQ(view.current(), (HeatmapView::Current{3, Component::DownProj}));
    controller.undo();
    EXPECT_EQ(view.current(), (HeatmapView::Current{2, Component::QProj}));

    const viz::HeatmapGeometry& geometry = view.geometryForTests();
    QTest::mouseClick(
        &view, Qt::LeftButton, {},
        test::pixel({geometry.row_header.centre().x, geometry.cell(1, 0).centre().y}));
    EXPECT_EQ(controller.selection().layer, 1);
    EXPECT_EQ(controller.selection().component, std::nullopt);
    EXPECT_EQ(view.current(), std::nullopt);
    QTest::mouseClick(
        &view, Qt::LeftButton, {},
        test::pixel({geometry.cell(0, 1).centre().x, geometry.column_header.centre().y}));
    EXPECT_EQ(controller.selection().layer, std::nullopt);
    EXPECT_EQ(controller.selection().component, Component::QProj);

    controller.clear();
    const QImage before = view.grab().toImage();
    controller.setSearchText(QStringLiteral("q_PROJ"));
    const QImage after = view.grab().toImage();
    const auto at = [&](const QImage& image, int layer, int column) {
        const viz::Rect cell = geometry.cell(layer, column);
        return image.pixelColor(static_cast<int>(cell.x) + 2, static_cast<int>(cell.y) + 2);
    };
    EXPECT_EQ(at(before, 0, 1), at(after, 0, 1));
    EXPECT_NE(at(before, 0, 2), at(after, 0, 2));
}

TEST_F(HeatmapViewTest, TheTableHasARowForEachLayer)
{
    HeatmapView view;
    EXPECT_TRUE(view.table().empty());
    view.setData(dataOf(viz::HeatmapMetric::EnergyMj, {.layers = 5, .tokens = 2}));
    const ChartTable table = view.table();
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(table.rows[0].size(), static_cast<std::size_t>(table.headings.size()));
    EXPECT_EQ(table.headings[1], QStringLiteral("input_layernorm (mJ)"));
    EXPECT_EQ(table.rows[3][2].raw.toDouble(), view.data()->at(3, 1));
}

} // namespace
} // namespace ep::ui
