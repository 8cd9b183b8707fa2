// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ep::viz {
namespace {

TokenFlow flowOf(double width, const std::vector<double>& chips)
{
    TokenFlow flow;
    flow.setMetrics(width, 24.0, 2.0, 8.0);
    for (const double chip : chips)
        flow.append(chip, false);
    return flow;
}

TEST(TokenFlow, IsEmptyAtFirst)
{
    const TokenFlow flow = flowOf(200.0, {});
    EXPECT_EQ(flow.size(), 0U);
    EXPECT_EQ(flow.height(), 0.0);
    EXPECT_EQ(flow.hit({10.0, 10.0}), std::nullopt);
    EXPECT_EQ(flow.visible(0.0, 100.0), (std::pair<std::size_t, std::size_t>(0, 0)));
}

TEST(TokenFlow, WrapsWhereTheRowIsFull)
{
    const TokenFlow flow =
        flowOf(116.0, {40.0, 58.0, 10.0}); // 100 pixels of room: 40 + 2 + 58 fit exactly
    EXPECT_EQ(flow.chip(0), (Rect{8.0, 8.0, 40.0, 22.0}));
    EXPECT_EQ(flow.chip(1), (Rect{50.0, 8.0, 58.0, 22.0}));
    EXPECT_EQ(flow.chip(2), (Rect{8.0, 32.0, 10.0, 22.0}));
    EXPECT_EQ(flow.height(), 2.0 * 8.0 + 2.0 * 24.0);
}

TEST(TokenFlow, NewlineEndsTheRowAndWideChipsAreCut)
{
    TokenFlow flow;
    flow.setMetrics(116.0, 24.0, 2.0, 8.0);
    flow.append(10.0, true);
    flow.append(500.0, false);
    flow.append(10.0, false);
    EXPECT_EQ(flow.chip(1), (Rect{8.0, 32.0, 100.0, 22.0}));
    EXPECT_EQ(flow.chip(2).y, 56.0);
    flow.setMetrics(1016.0, 24.0, 2.0, 8.0); // the requested width comes back
    EXPECT_EQ(flow.chip(1).width, 500.0);
    EXPECT_EQ(flow.chip(2).y, 32.0);
}

TEST(TokenFlow, HitAgreesWithTheChipsAtEveryWidth)
{
    for (const double width : {30.0, 120.0, 640.0, 2560.0}) {
        std::vector<double> chips;
        for (int i = 0; i < 300; ++i)
            chips.push_back(8.0 + (i * 37) % 60);
        const TokenFlow flow = flowOf(width, chips);
        for (std::size_t i = 0; i < flow.size(); ++i) {
            const Rect chip = flow.chip(i);
            ASSERT_EQ(flow.hit(chip.centre()), i) << width;
            ASSERT_LE(chip.right(), width - 8.0 + 1e-9);
            ASSERT_EQ(flow.hit({chip.right() + 1.0, chip.y + 1.0}), std::nullopt);
        }
        EXPECT_EQ(flow.hit({-1.0, 10.0}), std::nullopt);
        EXPECT_EQ(flow.hit({10.0, flow.height() + 1.0}), std::nullopt);
    }
}

TEST(TokenFlow, AppendingEqualsLayingOutAnew)
{
    TokenFlow flow = flowOf(120.0, {30.0, 70.0, 50.0, 20.0, 90.0});
    TokenFlow again = flowOf(400.0, {30.0, 70.0, 50.0, 20.0, 90.0});
    again.setMetrics(120.0, 24.0, 2.0, 8.0);
    for (std::size_t i = 0; i < flow.size(); ++i)
        EXPECT_EQ(flow.chip(i), again.chip(i));
}

// A row of chips of 10 pixels in the order in which they are seen, from left to right: letters of
// either direction (l, r) and others (-).
std::string seen(const std::string& chips)
{
    TokenFlow flow;
    flow.setMetrics(116.0, 24.0, 0.0, 8.0);
    std::vector<std::pair<double, char>> places;
    for (const char c : chips) {
        flow.append(10.0, false,
                    c == 'l'       ? TextDirection::LeftToRight
                        : c == 'r' ? TextDirection::RightToLeft
                                   : TextDirection::Neutral);
    }
    for (std::size_t i = 0; i < flow.size(); ++i)
        places.emplace_back(1000.0 * flow.chip(i).y + flow.chip(i).x, static_cast<char>('a' + i));
    std::ranges::sort(places);
    std::string text;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0 && std::floor(places[i].first / 1000.0) > std::floor(places[i - 1].first / 1000))
            text += '|';
        text += places[i].second;
        const auto index = static_cast<std::size_t>(places[i].second - 'a');
        EXPECT_EQ(flow.hit(flow.chip(index).centre()), index);
    }
    return text;
}

TEST(TokenFlow, TextRunsInItsOwnDirection)
{
    const std::pair<const char*, const char*> cases[] = {
        {"lll", "abc"},
        {"rrr", "cba"},
        {"-rr", "cba"}, // as the first letter of the paragraph
        {"lrrl", "acbd"}, // Arabic within English
        {"rllr", "dbca"}, // English within Arabic
        {"rl-lr", "ebcda"},
        {"rl-", "cba"}, // a full stop at the end goes with the paragraph
        {"lr-", "abc"},
        {"rrrrrrrrrrrl", "jihgfedcba|lk"}, // rows wrap before they are ordered
        {"lrrrrrrrrrrr", "ajihgfedcb|lk"},
    };
    for (const auto& [chips, expected] : cases)
        EXPECT_EQ(seen(chips), expected) << chips;
}

TEST(TokenFlow, AParagraphFromRightToLeftBeginsAtTheRight)
{
    TokenFlow flow;
    flow.setMetrics(116.0, 24.0, 2.0, 8.0);
    flow.append(30.0, true, TextDirection::RightToLeft);
    flow.append(30.0, false, TextDirection::LeftToRight);
    EXPECT_EQ(flow.chip(0), (Rect{78.0, 8.0, 30.0, 22.0}));
    EXPECT_EQ(flow.chip(1), (Rect{8.0, 32.0, 30.0, 22.0}));
}

TEST(TokenFlow, VisibleRowsCoverTheViewport)
{
    const TokenFlow flow = flowOf(66.0, std::vector<double>(100, 40.0)); // one chip per row
    EXPECT_EQ(flow.visible(0.0, 24.0), (std::pair<std::size_t, std::size_t>(0, 1)));
    EXPECT_EQ(flow.visible(8.0 + 24.0 * 10, 8.0 + 24.0 * 12),
              (std::pair<std::size_t, std::size_t>(10, 13)));
    EXPECT_EQ(flow.visible(1e6, 2e6), (std::pair<std::size_t, std::size_t>(99, 100)));
}

TEST(TokenFlow, NeighboursAboveAndBelow)
{
    const TokenFlow flow = flowOf(116.0, {40.0, 50.0, 90.0, 30.0, 30.0}); // rows: 0 1 | 2 | 3 4
    EXPECT_EQ(flow.above(0), std::nullopt);
    EXPECT_EQ(flow.below(1), 2U);
    EXPECT_EQ(flow.below(2), 4U);
    EXPECT_EQ(flow.above(3), 2U);
    EXPECT_EQ(flow.above(2), 1U);
    EXPECT_EQ(flow.below(4), std::nullopt);
}

} // namespace
} // namespace ep::viz
