// SPDX-License-Identifier: GPL-3.0-or-later
// How often a slope is stated that is not there, and one that is.
#include "ep/viz/token_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace ep::viz {
namespace {

// Tokens without any trend, whose windows of `shared` tokens scatter by 5 %, and which themselves
// scatter by `own`.
struct Trendless {
    std::size_t tokens;
    std::size_t shared;
    double own = 0.0;
    bool windows = false; // whether the windows are known
    double trend = 0.0; // per token
};

int clearSlopes(const Trendless& setup, int trials)
{
    std::mt19937_64 engine(setup.tokens * 100 + setup.shared);
    const auto uniform = [&] { return (static_cast<double>(engine() >> 11U) + 0.5) * 0x1p-53; };
    const auto normal = [&] {
        return std::sqrt(-2.0 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
    };
    int clear = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> levels(setup.tokens / setup.shared + 2);
        for (double& level : levels)
            level = 0.05 * normal();
        const std::size_t phase = engine() % setup.shared;
        TokenCosts costs;
        costs.metric = CostMetric::Energy;
        for (std::size_t i = 0; i < setup.tokens; ++i) {
            const std::size_t window = (i + phase) / setup.shared;
            TokenCost token;
            token.index = token.position = static_cast<std::int32_t>(20 + i);
            token.value =
                3.0 * (1.0 + levels[window]) * (1.0 + setup.trend * static_cast<double>(i));
            if (setup.own > 0.0)
                *token.value += 3.0 * setup.own * normal();
            if (setup.windows)
                token.window = window;
            costs.tokens.push_back(token);
        }
        const auto line = fitTrend(costs);
        clear += line && line->hasClearSlope() ? 1 : 0;
    }
    return clear;
}

TEST(Trend, StatesNoSlopeThatIsNotThere)
{
    constexpr int kTrials = 2000;
    constexpr int kMost = kTrials * 55 / 1000; // 5 %, and the scatter of the trials
    for (const Trendless& setup : {Trendless{3, 1},
                                   Trendless{4, 1},
                                   Trendless{5, 1},
                                   Trendless{8, 1},
                                   Trendless{12, 1},
                                   Trendless{20, 1},
                                   Trendless{50, 1},
                                   Trendless{140, 1},
                                   Trendless{500, 1},
                                   Trendless{12, 3},
                                   Trendless{20, 12},
                                   Trendless{50, 12},
                                   Trendless{140, 12},
                                   Trendless{500, 12},
                                   Trendless{500, 40},
                                   Trendless{36, 12, 0.02, true},
                                   Trendless{50, 12, 0.02, true},
                                   Trendless{140, 12, 0.02, true},
                                   Trendless{500, 12, 0.02, true},
                                   Trendless{500, 40, 0.02, true}})
        EXPECT_LE(clearSlopes(setup, kTrials), kMost)
            << setup.tokens << " tokens in windows of " << setup.shared << ", own " << setup.own;
}

// 1 % for 100 tokens, with a scatter of 5 % for each window.
TEST(Trend, StatesASlopeThatIsThere)
{
    constexpr int kTrials = 200;
    constexpr double kPerToken = 1e-4;
    EXPECT_GE(clearSlopes({300, 1, 0.0, false, kPerToken}, kTrials), kTrials * 7 / 10);
    EXPECT_GE(clearSlopes({500, 1, 0.0, false, kPerToken}, kTrials), kTrials * 95 / 100);
    EXPECT_GE(clearSlopes({500, 12, 0.0, false, 3.0 * kPerToken}, kTrials), kTrials * 95 / 100);
}

} // namespace
} // namespace ep::viz
