// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_fixture.h"

#include "ep/ui/charts/sankey_view.h"
#include "ep/ui/charts/treemap_view.h"

#include <algorithm>

namespace ep::ui {
namespace {

class TreemapViewTest : public test::CostChartTest {
protected:
    static int itemOf(const TreemapView& view, const viz::CostTree& tree, const viz::CostKey& key)
    {
        const auto& cells = view.geometryForTests().cells;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!cells[i].other() && tree.nodes[cells[i].node].key == key)
                return static_cast<int>(i);
        ADD_FAILURE() << "no such cell";
        return 0;
    }
};

TEST_F(TreemapViewTest, ADoubleClickGoesInAndThePathGoesBack)
{
    const auto tree = treeOf({.operations = true});
    TreemapView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setTree(tree);
    show(view, {900, 600});

    const viz::CostKey layer{.phase = Phase::Prefill, .layer = 1};
    const int item = itemOf(view, *tree, layer);
    const QRectF cell = view.itemRect(static_cast<std::size_t>(item));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, (cell.topLeft() + QPointF(6, 6)).toPoint());
    EXPECT_EQ(view.root(), *tree->find(layer));
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Layer 1: ")))
        << view.accessibleDescription().toStdString();

    QTest::mouseClick(&view, Qt::LeftButton, {}, view.crumbRect(1).center().toPoint());
    EXPECT_EQ(view.root(), *tree->find({.phase = Phase::Prefill}));

    // Double-clicking a leaf opens the box that contains it.
    const auto leaf = std::ranges::find_if(view.geometryForTests().cells, [&](const auto& each) {
        if (each.other())
            return false;
        const auto& node = tree->nodes[each.node];
        return node.children.empty() && node.parent != view.root() && each.rect.width > 12.0
            && each.rect.height > 12.0;
    });
    ASSERT_NE(leaf, view.geometryForTests().cells.end());
    const std::size_t box = tree->nodes[leaf->node].parent;
    QTest::mouseDClick(&view, Qt::LeftButton, {}, test::pixel(leaf->rect.centre()));
    EXPECT_EQ(view.root(), box);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.crumbRect(0).center().toPoint());
    EXPECT_EQ(view.root(), 0U);
}

// When a single phase is chosen, its parts do not repeat its name.
TEST_F(TreemapViewTest, TheNameOfAChosenPhaseIsSaidOnce)
{
    ep::Run run = test::makeCostRun({});
    std::erase_if(run.trace.phases,
                  [](const PhaseSpan& span) { return span.phase != Phase::Decode; });
    run.trace.time = run.trace.phases.front().time;
    run.metrics.duration_ns = run.trace.time.duration_ns();
    run.metrics.energy = run.trace.phases.front().energy;
    const RunBreakdown parts = breakDown(run.trace);
    const auto tree =
        std::make_shared<const viz::CostTree>(viz::buildCostTree(run, &parts, "Decode"));
    ASSERT_EQ(tree->nodes.front().children.size(), 1U);
    TreemapView view;
    view.setTree(tree);
    show(view, {640, 400});
    view.setRoot(tree->nodes.front().children.front());
    EXPECT_FALSE(view.crumbRect(0).isEmpty());
    EXPECT_TRUE(view.crumbRect(1).isEmpty());
    view.setRoot(*tree->find({.phase = Phase::Decode, .layer = 1}));
    EXPECT_FALSE(view.crumbRect(1).isEmpty());
    EXPECT_TRUE(view.crumbRect(2).isEmpty());
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.crumbRect(0).center().toPoint());
    EXPECT_EQ(view.root(), tree->nodes.front().children.front());
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_EQ(view.root(), 0U);
}

TEST_F(TreemapViewTest, TheSearchDimsBoxesAndNodesThatDoNotMatch)
{
    const auto tree = treeOf({.operations = true});
    SelectionController controller;
    controller.setRun(runOf());
    TreemapView map;
    SankeyView flow;
    for (ItemView* view : std::initializer_list<ItemView*>{&map, &flow})
        view->setController(&controller);
    map.setTree(tree);
    flow.setTree(tree);
    show(map, {900, 600});
    show(flow, {900, 600});
    const auto dimmed = [](const ItemView& view) {
        std::size_t count = 0;
        for (std::size_t item = 0; item < view.itemCount(); ++item)
            count += view.isDimmed(item) ? 1 : 0;
        return count;
    };
    const auto cell = [&](std::int32_t layer, Component component) {
        return static_cast<std::size_t>(
            itemOf(map, *tree, {.phase = Phase::Prefill, .layer = layer, .component = component}));
    };
    EXPECT_EQ(dimmed(map) + dimmed(flow), 0U);
    const QImage before = map.grab().toImage();
    controller.setSearchText(QStringLiteral("DOWN_proj"));
    EXPECT_FALSE(map.isDimmed(cell(2, Component::DownProj)));
    EXPECT_TRUE(map.isDimmed(cell(2, Component::InputLayernorm)));
    EXPECT_GT(dimmed(flow), 0U);
    EXPECT_LT(dimmed(flow), flow.itemCount());
    EXPECT_NE(map.grab().toImage(), before);
    EXPECT_FALSE(flow.grab().isNull());
    controller.setSearchText(QStringLiteral("layer 1"));
    EXPECT_FALSE(map.isDimmed(cell(1, Component::DownProj))); // dims nothing in the layer
    EXPECT_TRUE(map.isDimmed(cell(2, Component::DownProj)));
    controller.setSearchText({});
    EXPECT_EQ(dimmed(map) + dimmed(flow), 0U);
    EXPECT_EQ(map.grab().toImage(), before);
}

TEST_F(TreemapViewTest, KeysGoThroughTheCellsInAndOut)
{
    const auto tree = treeOf();
    TreemapView view;
    view.setTree(tree);
    show(view, {900, 600});
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.currentItem(), 0);
    EXPECT_EQ(view.accessibleDescription(), view.describeItem(0));
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.currentItem(), 1);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_NE(view.root(), 0U);
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_EQ(view.root(), 0U);
}

TEST_F(TreemapViewTest, AClickChoosesForAllChartsAndFollowsThem)
{
    const auto tree = treeOf();
    SelectionController controller;
    controller.setRun(runOf());
    ChartDetails pinned;
    QObject::connect(&controller, &SelectionController::pinned,
                     [&](const ChartDetails& details) { pinned = details; });
    TreemapView view;
    view.setController(&controller);
    view.setTree(tree);
    show(view, {900, 600});
    const int item = itemOf(
        view, *tree, {.phase = Phase::Prefill, .layer = 2, .component = Component::Attention});
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, item));
    EXPECT_EQ(controller.selection().layer, 2);
    EXPECT_EQ(controller.selection().component, Component::Attention);
    EXPECT_EQ(controller.selection().phase, Phase::Prefill);
    EXPECT_EQ(pinned.title, QStringLiteral("Prefill › Layer 2 › Attention"));
    ASSERT_FALSE(pinned.rows.empty());
    EXPECT_TRUE(pinned.rows.front().value.startsWith(QStringLiteral("4.00 ms")));
    controller.selectPart(1, Component::DownProj);
    EXPECT_EQ(view.currentItem(),
              itemOf(view, *tree,
                     {.phase = Phase::Prefill, .layer = 1, .component = Component::DownProj}));
    controller.clear();
    EXPECT_EQ(view.currentItem(), -1);
}

TEST_F(TreemapViewTest, TipsHavePathFigureShareAndProvenance)
{
    const auto tree = treeOf();
    TreemapView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setTree(tree);
    show(view, {900, 600});
    const int item = itemOf(
        view, *tree, {.phase = Phase::Prefill, .layer = 0, .component = Component::Attention});
    const QString tip = toolTipAt(view, centreOf(view, item));
    for (const char* part :
         {"Prefill › Layer 0 › Attention: 40.0 mJ (attributed)", "% of Run", "in 4.00 ms"})
        EXPECT_TRUE(tip.contains(QString::fromUtf8(part))) << tip.toStdString();
}

TEST_F(TreemapViewTest, MissingIsSaidAndNeverDrawnAsNothing)
{
    TreemapView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setEmptyText(QStringLiteral("Open a run."));
    show(view, {500, 300});
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Open a run."));
    view.setTree(treeOf({.energy = false}));
    EXPECT_EQ(view.itemCount(), 0U);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {250, 150});
    EXPECT_FALSE(view.grab().isNull());
    const ChartTable table = view.table();
    ASSERT_FALSE(table.empty());
    EXPECT_FALSE(table.rows[0][2].raw.isValid()); // its energy is missing, not zero
}

TEST_F(TreemapViewTest, PicturesInBothThemes)
{
    TreemapView view;
    view.setTree(treeOf({.operations = true}));
    show(view, {900, 600});
    expectPicture(view, [](const Theme& theme) { return theme.part(RunPart::Mlp); });
    for (const QSize size : {QSize(1, 1), QSize(60, 40), QSize(2560, 1440)}) {
        view.resize(size);
        EXPECT_FALSE(view.grab().isNull());
    }
}

class SankeyViewTest : public test::CostChartTest {
protected:
    static int nodeOf(const SankeyView& view, const std::string& title)
    {
        const auto& nodes = view.graphForTests().nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].title == title)
                return static_cast<int>(i);
        ADD_FAILURE() << title;
        return 0;
    }
};

TEST_F(SankeyViewTest, PointingAtANodeLightsItsPathsAndAClickKeepsThem)
{
    SelectionController controller;
    controller.setRun(runOf());
    SankeyView view;
    view.setController(&controller);
    view.setMetric(viz::CostMetric::Energy);
    view.setTree(treeOf());
    show(view, {1000, 600});
    EXPECT_TRUE(view.highlighted().empty());
    const int layer = nodeOf(view, "Layer 1");
    moveMouse(view, centreOf(view, layer));
    EXPECT_FALSE(view.highlighted().empty());
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, layer));
    EXPECT_EQ(controller.selection().layer, 1);
    moveMouse(view, {2, 2});
    EXPECT_FALSE(view.highlighted().empty());
    EXPECT_EQ(view.currentItem(), layer);
}

TEST_F(SankeyViewTest, TipsOfNodesAndLinks)
{
    SankeyView view;
    view.setMetric(viz::CostMetric::Energy);
    view.setTree(treeOf());
    show(view, {1000, 600});
    const QString node = toolTipAt(view, centreOf(view, nodeOf(view, "Layers")));
    EXPECT_TRUE(node.contains(QStringLiteral("of the run"))) << node.toStdString();
    EXPECT_TRUE(node.contains(QStringLiteral("(attributed)"))) << node.toStdString();
    EXPECT_TRUE(node.contains(QStringLiteral("→ Layer 0: 130 mJ"))) << node.toStdString();
    std::size_t link = 0;
    while (view.graphForTests().nodes[view.graphForTests().links[link].to].title != "Layers")
        ++link;
    const auto& band = view.geometryForTests().links[link].bands.front();
    const double x = (band.x0 + band.x1) / 2.0;
    const QPoint middle(static_cast<int>(x),
                        static_cast<int>(viz::bandTop(band, x) + band.width * 0.9));
    EXPECT_TRUE(toolTipAt(view, middle).contains(QStringLiteral("Input → ")));
}

TEST_F(SankeyViewTest, KeysMissingAndPictures)
{
    SankeyView view;
    view.setTree(treeOf());
    show(view, {1000, 600});
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(view.currentItem(), 1);
    EXPECT_FALSE(view.table().empty());
    expectPicture(view, [](const Theme& theme) { return theme.part(RunPart::Attention); });
    view.setMetric(viz::CostMetric::NetEnergy); // the run has no baseline
    EXPECT_EQ(view.itemCount(), 0U);
    EXPECT_FALSE(view.accessibleDescription().isEmpty());
    for (const QSize size : {QSize(1, 1), QSize(60, 40)}) {
        view.resize(size);
        view.setMetric(viz::CostMetric::Time);
        EXPECT_FALSE(view.grab().isNull());
    }
}

} // namespace
} // namespace ep::ui
