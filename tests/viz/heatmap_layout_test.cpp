// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/heatmap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep::viz {
namespace {

HeatmapData dataOf(int layers, int columns)
{
    HeatmapData data;
    data.layers = layers;
    for (int c = 0; c < columns; ++c)
        data.components.push_back(static_cast<Component>(c));
    data.values.assign(static_cast<std::size_t>(layers * columns), 1.0);
    return data;
}

struct Size {
    double width;
    double height;
};
constexpr Size kSizes[] = {{320, 240}, {617, 333}, {1280, 800}, {2560, 1440}};
constexpr int kLayers[] = {1, 2, 22, 80, 126};

TEST(HeatmapLayout, NothingToShowIsAnEmptyGeometry)
{
    const HeatmapStyle style;
    EXPECT_TRUE(layoutHeatmap({}, 800, 600, style).empty());
    EXPECT_TRUE(layoutHeatmap(dataOf(0, 3), 800, 600, style).empty());
    EXPECT_TRUE(layoutHeatmap(dataOf(3, 0), 800, 600, style).empty());
    EXPECT_TRUE(layoutHeatmap(dataOf(126, 12), 800, 90, style).empty());
    EXPECT_TRUE(layoutHeatmap(dataOf(4, 12), 10, 600, style).empty());
    EXPECT_EQ(layoutHeatmap({}, 800, 600, style).hit({1, 1}), std::nullopt);
}

TEST(HeatmapLayout, CellsTileThePlotInsideTheView)
{
    for (const Size size : kSizes)
        for (const int layers : kLayers) {
            const auto g = layoutHeatmap(dataOf(layers, 12), size.width, size.height, {});
            ASSERT_FALSE(g.empty()) << layers;
            EXPECT_GE(g.plot.x, 0.0);
            EXPECT_LE(g.plot.right(), size.width);
            EXPECT_LE(g.plot.bottom(), size.height);
            EXPECT_LE(g.legend.bottom(), size.height); // empty if there is no room for it
            EXPECT_LE(g.row_means.right(), size.width);
            EXPECT_EQ(g.row_edges.front(), g.plot.y);
            EXPECT_EQ(g.row_edges.back(), g.plot.bottom());
            EXPECT_EQ(g.column_edges.front(), g.plot.x);
            EXPECT_EQ(g.column_edges.back(), g.plot.right());
            for (int layer = 0; layer < layers; ++layer) {
                const Rect cell = g.cell(layer, 11);
                ASSERT_FALSE(cell.empty());
                ASSERT_EQ(cell.y, std::floor(cell.y)); // whole pixels
                ASSERT_LE(cell.bottom(), g.row_edges[static_cast<std::size_t>(layer) + 1]);
            }
        }
}

TEST(HeatmapLayout, HitTestRoundTrips)
{
    for (const Size size : kSizes)
        for (const int layers : kLayers) {
            const auto g = layoutHeatmap(dataOf(layers, 12), size.width, size.height, {});
            for (int layer = 0; layer < layers; ++layer)
                for (int column = 0; column < 12; ++column) {
                    const Rect cell = g.cell(layer, column);
                    const GridCell expected{layer, column};
                    ASSERT_EQ(g.hit(cell.centre()), expected);
                    ASSERT_EQ(g.hit({cell.x, cell.y}), expected);
                }
            EXPECT_EQ(g.hit({g.plot.x - 1.0, g.plot.centre().y}), std::nullopt);
            EXPECT_EQ(g.hit({g.plot.right(), g.plot.centre().y}), std::nullopt);
            EXPECT_EQ(g.hit({g.plot.centre().x, g.plot.bottom()}), std::nullopt);
        }
}

TEST(HeatmapLayout, NumbersAppearFromSixCharactersOn)
{
    HeatmapStyle style;
    style.char_width = 10.0;
    style.line_height = 20.0;
    bool seen = false;
    for (double width = 200; width < 1600; width += 10) {
        const auto g = layoutHeatmap(dataOf(4, 8), width, 500, style);
        ASSERT_FALSE(g.empty());
        const Rect cell = g.cell(0, 0);
        const double narrowest = std::floor(g.plot.width / 8) - g.gap;
        if (g.cell_labels) {
            seen = true;
            EXPECT_GE(cell.width, 59.0);
            EXPECT_GE(cell.height, 20.0);
        } else {
            EXPECT_LT(narrowest, 60.0);
        }
    }
    EXPECT_TRUE(seen);
    // Wide enough, but the rows are lower than a line of text.
    EXPECT_FALSE(layoutHeatmap(dataOf(60, 8), 1600, 500, style).cell_labels);
}

TEST(HeatmapLayout, ManyLayersAreNotAllNumbered)
{
    const auto few = layoutHeatmap(dataOf(8, 12), 800, 600, {});
    EXPECT_EQ(few.row_label_step, 1);
    const HeatmapStyle style;
    const auto many = layoutHeatmap(dataOf(126, 12), 800, 400, style);
    EXPECT_GE(many.row_label_step * many.plot.height / 126, style.line_height);
}

TEST(HeatmapLayout, NamesTurnWhenColumnsAreNarrow)
{
    EXPECT_FALSE(layoutHeatmap(dataOf(8, 12), 1400, 600, {}).vertical_names);
    const auto narrow = layoutHeatmap(dataOf(8, 24), 400, 600, {});
    EXPECT_TRUE(narrow.vertical_names);
    EXPECT_GT(narrow.column_header.height, HeatmapStyle{}.line_height);
}

TEST(HeatmapLayout, TheTallestHeatmapLeavesNoRoomUnused)
{
    const HeatmapData data = dataOf(6, 13);
    const double tallest = tallestHeatmap(data, {});
    const auto enough = layoutHeatmap(data, 900, tallest, {});
    EXPECT_EQ(enough.plot.height, layoutHeatmap(data, 900, 2.0 * tallest, {}).plot.height);
    EXPECT_GT(enough.legend.height, 0.0);
    EXPECT_LE(enough.legend.bottom(), tallest);
}

TEST(HeatmapLayout, ASmallModelIsNoPoster)
{
    const auto g = layoutHeatmap(dataOf(1, 3), 2560, 1440, {});
    EXPECT_LE(g.plot.height, 48.0);
    EXPECT_LE(g.plot.width, 3 * 20 * HeatmapStyle{}.char_width);
}

} // namespace
} // namespace ep::viz
