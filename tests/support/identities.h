// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace ep::test {

// Figures of a run in J, W, s and J·s, as one output states them.
using FigureOf = std::function<std::optional<double>(RunFigure)>;

// Expects that the figures of a run fit together: power x time and energy per token x tokens are
// the energy, energy x time is the product. A figure may be missing only with the energy, or
// without a token.
inline void expectIdentities(const RunInfo& info, const FigureOf& figure, const std::string& where)
{
    const auto energy = figure(RunFigure::Energy);
    const auto seconds = figure(RunFigure::Duration);
    const auto expectProduct = [&](RunFigure quotient, std::optional<double> divisor,
                                   std::optional<double> product) {
        const auto value = figure(quotient);
        if (!divisor || *divisor <= 0.0)
            return;
        EXPECT_EQ(value.has_value(), product.has_value()) << where << ' ' << name(quotient);
        if (value && product) {
            EXPECT_NEAR(*value * *divisor, *product, 1e-12 * std::abs(*product))
                << where << ' ' << name(quotient);
        }
    };
    const auto tokens = [](std::optional<std::int64_t> count) {
        return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
    };
    expectProduct(RunFigure::MeanPower, seconds, energy);
    expectProduct(RunFigure::JoulesPerToken, tokens(outputTokens(info)), energy);
    expectProduct(RunFigure::TokensPerJoule, energy, tokens(outputTokens(info)));
    if (const auto product = figure(RunFigure::EnergyDelayProduct)) {
        ASSERT_TRUE(energy && seconds) << where;
        EXPECT_NEAR(*product, *energy * *seconds, 1e-12 * *product) << where;
    }
    if (const auto perTotal = figure(RunFigure::JoulesPerTotalToken)) {
        ASSERT_TRUE(energy && inputTokens(info) && outputTokens(info)) << where;
        const double all = *tokens(inputTokens(info)) + *tokens(outputTokens(info));
        EXPECT_NEAR(*perTotal * all, *energy, 1e-12 * *energy) << where;
    }
    const auto mean = figure(RunFigure::MeanPower);
    const auto peak = figure(RunFigure::PeakPower);
    if (mean && peak) {
        EXPECT_GE(*peak, *mean * (1.0 - 1e-9)) << where;
    }
}

inline void expectIdentities(const RunInfo& info, const RunMetrics& metrics,
                             const std::string& where)
{
    expectIdentities(
        info, [&](RunFigure figure) { return valueOf(figure, info, metrics); }, where);
}

} // namespace ep::test
