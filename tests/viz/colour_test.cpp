// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/colour.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace ep::viz {
namespace {

TEST(Colour, ContrastAgreesWithTheStandard)
{
    EXPECT_NEAR(contrastRatio(rgb(0x000000), rgb(0xffffff)), 21.0, 1e-9);
    EXPECT_NEAR(contrastRatio(rgb(0x777777), rgb(0xffffff)), 4.48, 0.01);
    EXPECT_DOUBLE_EQ(contrastRatio(rgb(0x123456), rgb(0x123456)), 1.0);
    EXPECT_DOUBLE_EQ(contrastRatio(rgb(0x123456), rgb(0xfedcba)),
                     contrastRatio(rgb(0xfedcba), rgb(0x123456)));
}

TEST(Colour, MixKeepsItsEnds)
{
    for (const std::uint32_t hex : {0x000000U, 0xffffffU, 0xff0000U, 0x12ab9cU, 0xd27701U}) {
        EXPECT_EQ(mix(rgb(hex), rgb(0x336699), 0.0), rgb(hex));
        EXPECT_EQ(mix(rgb(0x336699), rgb(hex), 1.0), rgb(hex));
        EXPECT_EQ(mix(rgb(hex), rgb(hex), 0.5), rgb(hex));
    }
}

TEST(Colour, TextIsReadableOnEverything)
{
    for (int r = 0; r < 256; r += 15)
        for (int g = 0; g < 256; g += 15)
            for (int b = 0; b < 256; b += 15) {
                const Rgb background{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                                     static_cast<std::uint8_t>(b)};
                ASSERT_GE(contrastRatio(background, textColourOn(background)), 4.5);
            }
}

TEST(ColourScale, ClampsAndNeverFails)
{
    const std::array ends{rgb(0x000000), rgb(0xffffff)};
    const ColourScale scale(ends);
    EXPECT_EQ(scale.at(-1.0), rgb(0x000000));
    EXPECT_EQ(scale.at(std::nan("")), rgb(0x000000));
    EXPECT_EQ(scale.at(2.0), rgb(0xffffff));
    EXPECT_EQ(ColourScale().at(0.5), Rgb{});
    EXPECT_EQ(ColourScale(std::array{rgb(0x445566)}).at(0.7), rgb(0x445566));
}

class SequentialScale : public testing::TestWithParam<bool> { };

TEST_P(SequentialScale, LightnessIsMonotone)
{
    const bool dark = GetParam();
    const ColourScale scale = sequentialScale(dark);
    double before = relativeLuminance(scale.at(0.0));
    for (int i = 1; i <= 64; ++i) {
        const double luminance = relativeLuminance(scale.at(i / 64.0));
        if (dark)
            ASSERT_GT(luminance, before) << i; // brighter means more
        else
            ASSERT_LT(luminance, before) << i; // darker means more
        before = luminance;
    }
    EXPECT_GE(contrastRatio(scale.at(0.0), scale.at(1.0)), 10.0);
}

TEST_P(SequentialScale, ValueToColourAndBack)
{
    const ColourScale scale = sequentialScale(GetParam());
    const auto distance = [](Rgb a, Rgb b) {
        return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
    };
    for (const double value : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
        const Rgb colour = scale.at(value);
        double nearest = 0.0;
        for (int i = 0; i <= 1000; ++i) {
            if (distance(scale.at(i / 1000.0), colour) < distance(scale.at(nearest), colour))
                nearest = i / 1000.0;
        }
        EXPECT_NEAR(nearest, value, 0.01);
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, SequentialScale, testing::Bool());

TEST(ScaleTop, IsTheLargestUnlessThatStandsOut)
{
    EXPECT_EQ(scaleTop({}), 0.0);
    EXPECT_EQ(scaleTop({1.0, 1.0, 100.0}), 100.0); // too few values for outliers
    std::vector<double> values;
    for (int i = 1; i <= 100; ++i)
        values.push_back(i);
    EXPECT_EQ(scaleTop(values), 100.0);
    values.back() = 1000.0;
    EXPECT_EQ(scaleTop(values), 95.0);
    // One cell of a heatmap is 2.7 times the next largest.
    std::vector<double> cells(77, 0.5);
    cells.push_back(1.4);
    EXPECT_EQ(scaleTop(cells), 0.5);
    EXPECT_EQ(scaleTop(std::vector<double>(20, -1.0)), -1.0);
}

} // namespace
} // namespace ep::viz
