// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_tree.h"

#include <gtest/gtest.h>

#include <limits>

namespace ep {
namespace {

TEST(RunBreakdown, OfNothingIsEmpty)
{
    EXPECT_TRUE(breakDown({}).empty());
    EXPECT_EQ(breakDown({}), RunBreakdown{});
}

RunTrace traceOfTwoTokens()
{
    RunTrace trace;
    for (std::int32_t token = 0; token < 2; ++token) {
        for (std::int32_t layer = 0; layer < 2; ++layer) {
            const Nanoseconds begin = 1000 * (2 * token + layer);
            trace.layers.push_back(
                Span::ofLayer(token, layer, {begin, begin + 100}, Millijoules{10.0}));
            Span span = Span::ofComponent(token, layer, Component::QProj, {begin, begin + 40},
                                          Millijoules{4.0});
            trace.components.push_back(span);
            span.component = Component::Attention;
            span.time = {begin + 40, begin + 90};
            if (layer == 1)
                span.energy_mj.reset();
            trace.components.push_back(span);
            trace.operations.push_back(
                Span::ofOperation(token, layer, Component::Attention, Operation::QkMatmul,
                                  {begin + 50, begin + 60}, Millijoules{1.0}));
        }
    }
    return trace;
}

TEST(RunBreakdown, AddsUpAlongEachKey)
{
    const RunBreakdown parts = breakDown(traceOfTwoTokens());
    ASSERT_EQ(parts.layers.size(), 4U); // 2 phases x 2 layers
    ASSERT_EQ(parts.components.size(), 8U);
    ASSERT_EQ(parts.operations.size(), 4U);
    ASSERT_EQ(parts.token_layers.size(), 4U);
    ASSERT_EQ(parts.token_components.size(), 4U);

    EXPECT_EQ(parts.layers[0].phase, Phase::Prefill);
    EXPECT_EQ(parts.layers[0].sum.energy_mj, Millijoules{10.0});
    EXPECT_EQ(parts.token_layers[0].sum.duration_ns, 100); // duration of the layer's own span
    const auto& q = parts.token_components[0];
    EXPECT_EQ(q.component, Component::QProj);
    EXPECT_EQ(q.sum.duration_ns, 80);
    EXPECT_EQ(q.sum.energy_mj, Millijoules{8.0});
    EXPECT_FALSE(q.sum.partial());
    EXPECT_EQ(parts.operations[3].sum.spans, 1);
}

TEST(RunBreakdown, AMissingEnergyMakesASumPartial)
{
    const RunBreakdown parts = breakDown(traceOfTwoTokens());
    const auto& attention = parts.token_components[1];
    EXPECT_EQ(attention.component, Component::Attention);
    EXPECT_TRUE(attention.sum.partial());
    EXPECT_EQ(attention.sum.energy_mj, Millijoules{4.0});
    EXPECT_EQ(attention.sum.energy_duration_ns, 50);
    const Tally none = tallyOf(5, std::nullopt, Provenance::Missing);
    EXPECT_EQ(none.energy_mj, std::nullopt); // missing, not zero
    Tally both = attention.sum;
    both.add(none);
    EXPECT_EQ(both.spans, 3);
    EXPECT_EQ(both.energy_mj, Millijoules{4.0});
}

TEST(RunBreakdown, FiguresOfOperationsAreMeansOverTheOperationsThatHaveThem)
{
    RunTrace trace;
    const auto add = [&](std::int32_t token, Component component, const OperationExtras& extras) {
        Span span = Span::ofOperation(token, 3, component, Operation::QkMatmul);
        span.extras = SharedExtras(extras);
        trace.operations.push_back(span);
    };
    OperationExtras heads;
    heads.attention_entropy = {1.0F, 2.0F}; // their mean counts, not the single heads
    add(0, Component::Attention, heads);
    heads.attention_entropy = {3.5F};
    add(1, Component::Attention, heads);
    add(1, Component::Attention, {});
    OperationExtras killed;
    killed.activation_kill_ratio = 0.25F;
    add(0, Component::Activation, killed);
    killed.activation_kill_ratio = std::numeric_limits<float>::quiet_NaN();
    add(1, Component::Activation, killed);

    const RunBreakdown parts = breakDown(trace);
    ASSERT_EQ(parts.extras.size(), 2U);
    EXPECT_EQ(parts.extras[0].layer, 3);
    EXPECT_EQ(parts.extras[0].component, Component::Attention);
    EXPECT_EQ(parts.extras[0].sum.attention_entropy.mean(), 2.5);
    EXPECT_EQ(parts.extras[0].sum.activation_kill_ratio.mean(), std::nullopt);
    EXPECT_EQ(parts.extras[1].sum.activation_kill_ratio.mean(), 0.25);
    EXPECT_EQ(parts.extras[1].sum.variance_ratio.mean(), std::nullopt);
}

TEST(RunBreakdown, ALayerWithoutASpanIsTheSumOfItsComponents)
{
    RunTrace trace = traceOfTwoTokens();
    trace.layers.clear();
    const RunBreakdown parts = breakDown(trace);
    EXPECT_TRUE(parts.layers.empty());
    ASSERT_EQ(parts.token_layers.size(), 4U);
    EXPECT_EQ(parts.token_layers[0].sum.duration_ns, 90);
}

} // namespace
} // namespace ep
