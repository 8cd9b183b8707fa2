// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/milliseconds.h"

#include "ep/viz/heatmap.h"

#include <gtest/gtest.h>

namespace ep::viz {
namespace {

Span span(int token, int layer, Component component, Nanoseconds duration,
          std::optional<double> energy = {}, std::optional<ActivationStats> stats = {})
{
    Span result = Span::ofComponent(token, layer, component, {1'000, 1'000 + duration});
    if (energy)
        result.energy_mj = Millijoules{*energy};
    result.stats = stats;
    return result;
}

using ep::test::kMs;

TEST(HeatmapAccumulator, IsEmptyWithoutTokens)
{
    const HeatmapAccumulator accumulator;
    const HeatmapData data = accumulator.data(HeatmapMetric::TimeMs, CellReduction::Mean);
    EXPECT_TRUE(data.empty());
    EXPECT_FALSE(data.allMissing());
    EXPECT_EQ(data.provenance, Provenance::Missing);
    EXPECT_EQ(data.largest(), std::nullopt);
    EXPECT_EQ(summarize(data), "No layers yet");
}

TEST(HeatmapAccumulator, MeansAndSumsOverTokens)
{
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::QProj, 2 * kMs, 4.0),
                                span(0, 1, Component::QProj, 6 * kMs, 6.0)},
                    Provenance::Measured);
    accumulator.add(std::vector{span(1, 0, Component::QProj, 4 * kMs, 2.0),
                                span(1, 1, Component::DownProj, 1 * kMs, 0.0)},
                    Provenance::Measured);
    const auto time = accumulator.data(HeatmapMetric::TimeMs, CellReduction::Mean);
    EXPECT_EQ(time.layers, 2);
    EXPECT_EQ(time.tokens, 2);
    EXPECT_EQ(time.components, (std::vector{Component::QProj, Component::DownProj}));
    EXPECT_EQ(time.at(0, 0), 3.0);
    EXPECT_EQ(time.at(0, 1), std::nullopt); // layer 0 has no down_proj: missing, not zero
    EXPECT_EQ(time.at(1, 0), 6.0);
    EXPECT_EQ(time.at(1, 1), 1.0);
    EXPECT_EQ(time.provenance, Provenance::Measured);

    const auto energy = accumulator.data(HeatmapMetric::EnergyMj, CellReduction::Sum);
    EXPECT_EQ(energy.at(0, 0), 6.0);
    EXPECT_EQ(energy.at(1, 1), 0.0); // a true zero stays one
    EXPECT_EQ(energy.provenance,
              Provenance::Attributed); // the token is measured, its part is attributed
    EXPECT_FALSE(energy.partial);

    const auto power = accumulator.data(HeatmapMetric::PowerMw, CellReduction::Sum);
    EXPECT_EQ(power.at(0, 0), 1'000.0); // 6 mJ in 6 ms
}

TEST(HeatmapAccumulator, ActivationFiguresAreNeverSummed)
{
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::Activation, kMs, {},
                                     ActivationStats{1.0F, 2.0F, 8.0F, 0.5F})},
                    Provenance::Missing);
    accumulator.add(std::vector{span(1, 0, Component::Activation, kMs, {},
                                     ActivationStats{3.0F, 4.0F, 6.0F, 1.0F}),
                                span(1, 0, Component::QProj, kMs)},
                    Provenance::Missing);
    for (const CellReduction reduction : {CellReduction::Mean, CellReduction::Sum}) {
        EXPECT_EQ(accumulator.data(HeatmapMetric::ActivationMean, reduction).at(0, 1), 2.0);
        EXPECT_EQ(accumulator.data(HeatmapMetric::ActivationStd, reduction).at(0, 1), 3.0);
        EXPECT_EQ(accumulator.data(HeatmapMetric::ActivationMax, reduction).at(0, 1), 8.0);
        EXPECT_EQ(accumulator.data(HeatmapMetric::Sparsity, reduction).at(0, 1), 0.75);
        EXPECT_EQ(accumulator.data(HeatmapMetric::Sparsity, reduction).at(0, 0), std::nullopt);
    }
}

TEST(HeatmapAccumulator, MissingEnergyIsSaid)
{
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::QProj, kMs)}, Provenance::Missing);
    for (const HeatmapMetric metric : {HeatmapMetric::EnergyMj, HeatmapMetric::PowerMw}) {
        const auto data = accumulator.data(metric, CellReduction::Mean);
        EXPECT_TRUE(data.allMissing());
        EXPECT_EQ(data.provenance, Provenance::Missing);
        EXPECT_EQ(data.rowMean(0), std::nullopt);
        EXPECT_NE(summarize(data).english().find("missing"), std::string::npos);
    }
    accumulator.add(std::vector{span(1, 0, Component::QProj, kMs, 5.0)}, Provenance::Modelled);
    const auto mixed = accumulator.data(HeatmapMetric::EnergyMj, CellReduction::Mean);
    EXPECT_EQ(mixed.at(0, 0), 5.0); // mean of the known values
    EXPECT_TRUE(mixed.partial);
    EXPECT_EQ(mixed.provenance, Provenance::Modelled);
    EXPECT_FALSE(accumulator.data(HeatmapMetric::TimeMs, CellReduction::Mean).partial);
}

TEST(HeatmapAccumulator, NetEnergyIsAboveTheIdlePower)
{
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::QProj, 2 * kMs, 6.0),
                                span(0, 0, Component::KProj, 4 * kMs, 3.0)},
                    Provenance::Measured);
    accumulator.add(std::vector{span(1, 0, Component::QProj, 2 * kMs)}, Provenance::Missing);
    const auto net = [&](CellReduction reduction) {
        return accumulator.data(HeatmapMetric::NetEnergyMj, reduction);
    };
    EXPECT_TRUE(net(CellReduction::Mean).allMissing());
    EXPECT_EQ(net(CellReduction::Mean).absence, Absence::NoBaseline);
    accumulator.setFacts({.idle = Milliwatts{1000.0}, .depth = Depth::Module});
    for (const CellReduction reduction :
         {CellReduction::Mean, CellReduction::Sum, CellReduction::Recent}) {
        const HeatmapData data = net(reduction);
        EXPECT_NEAR(*data.at(0, 0), 4.0, 1e-12); // a token without energy subtracts no idle energy
        EXPECT_FALSE(data.at(0, 1)); // less than the idle power
        EXPECT_TRUE(data.partial);
        EXPECT_EQ(data.absence, Absence::NoEnergy);
    }
    HeatmapAccumulator whole;
    whole.setFacts({.idle = Milliwatts{1000.0}, .depth = Depth::Module});
    whole.add(std::vector{span(0, 0, Component::KProj, 4 * kMs, 3.0)}, Provenance::Measured);
    EXPECT_EQ(whole.data(HeatmapMetric::NetEnergyMj, CellReduction::Sum).absence,
              Absence::BelowIdle);
}

TEST(HeatmapAccumulator, FiguresOfOperationsAreMeansOverThem)
{
    RunTrace trace;
    for (int token = 0; token < 2; ++token) {
        trace.components.push_back(span(token, 0, Component::Attention, kMs));
        trace.components.push_back(span(token, 0, Component::Activation, kMs));
        Span operation = Span::ofOperation(token, 0, Component::Attention, Operation::QkMatmul);
        OperationExtras extras;
        extras.attention_entropy = {1.0F, token == 0 ? 2.0F : 4.0F};
        operation.extras = SharedExtras(extras);
        trace.operations.push_back(operation);
    }
    HeatmapAccumulator spans;
    spans.add(trace);
    HeatmapAccumulator sums; // in the order of a stored run: components first
    for (int token = 0; token < 2; ++token)
        sums.add(std::span(trace.components).subspan(2 * static_cast<std::size_t>(token), 2),
                 Provenance::Missing);
    const RunBreakdown parts = breakDown(trace);
    sums.add(std::span(parts.extras));
    for (const HeatmapAccumulator* accumulator : {&spans, &sums}) {
        for (const CellReduction reduction :
             {CellReduction::Mean, CellReduction::Sum, CellReduction::Recent}) {
            const auto data = accumulator->data(HeatmapMetric::AttentionEntropy, reduction);
            EXPECT_EQ(data.at(0, 0), 2.0);
            EXPECT_EQ(data.at(0, 1), std::nullopt);
            EXPECT_EQ(data.absence, Absence::NotHere);
            EXPECT_EQ(data.provenance, Provenance::Measured);
        }
    }
}

TEST(HeatmapAccumulator, SaysWhyValuesAreMissing)
{
    using enum HeatmapMetric;
    const HeatmapFacts module{.idle = {}, .depth = Depth::Module};
    const HeatmapFacts deep{.idle = {}, .depth = Depth::Deep};
    const HeatmapFacts pending{.idle = {}, .depth = Depth::Deep, .pending = true};
    const struct {
        HeatmapFacts facts;
        HeatmapMetric metric;
        Absence absence;
    } cases[] = {
        {module, TimeMs, Absence::None},
        {module, EnergyMj, Absence::NoEnergy},
        {module, NetEnergyMj, Absence::NoEnergy},
        {module, Sparsity, Absence::NotRecorded},
        {module, AttentionEntropy, Absence::Depth},
        {module, KillRatio, Absence::Depth},
        {pending, VarianceRatio, Absence::Pending},
        {deep, VarianceRatio, Absence::NotRecorded},
    };
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::QProj, kMs)}, Provenance::Missing);
    for (const auto& [facts, metric, absence] : cases) {
        accumulator.setFacts(facts);
        const HeatmapData data = accumulator.data(metric, CellReduction::Mean);
        EXPECT_EQ(data.absence, absence) << title(metric);
        EXPECT_EQ(data.allMissing(), absence != Absence::None) << title(metric);
    }
}

TEST(HeatmapAccumulator, AWholeRunEqualsItsTokens)
{
    RunTrace trace;
    HeatmapAccumulator live;
    for (int token = 0; token < 3; ++token) {
        std::vector<Span> spans;
        for (int layer = 0; layer < 126; ++layer)
            spans.push_back(span(token, layer, Component::OProj, (layer + 1) * kMs, layer * 0.5));
        TokenSpan tokenSpan;
        tokenSpan.index = token;
        tokenSpan.energy.provenance = token == 1 ? Provenance::Calibrated : Provenance::Measured;
        trace.tokens.push_back(tokenSpan);
        trace.components.insert(trace.components.end(), spans.begin(), spans.end());
        live.add(spans, tokenSpan.energy.provenance);
    }
    HeatmapAccumulator whole;
    whole.add(trace);
    for (const HeatmapMetric metric : kHeatmapMetrics)
        EXPECT_EQ(whole.data(metric, CellReduction::Mean), live.data(metric, CellReduction::Mean));
    EXPECT_EQ(whole.data(HeatmapMetric::EnergyMj, CellReduction::Mean).provenance,
              Provenance::Calibrated);
    EXPECT_EQ(whole.data(HeatmapMetric::TimeMs, CellReduction::Mean).layers, 126);
}

TEST(HeatmapAccumulator, IsEmptyWhenCleared)
{
    HeatmapAccumulator accumulator;
    accumulator.add(std::vector{span(0, 0, Component::QProj, kMs)}, Provenance::Missing);
    accumulator.clear();
    EXPECT_TRUE(accumulator.data(HeatmapMetric::TimeMs, CellReduction::Mean).empty());
    EXPECT_EQ(accumulator.tokens(), 0);
}

TEST(HeatmapData, MeansSkipWhatIsMissing)
{
    HeatmapData data;
    data.layers = 2;
    data.components = {Component::QProj, Component::KProj};
    data.values = {1.0, std::nullopt, 3.0, 7.0};
    EXPECT_EQ(data.rowMean(0), 1.0);
    EXPECT_EQ(data.rowMean(1), 5.0);
    EXPECT_EQ(data.columnMean(0), 2.0);
    EXPECT_EQ(data.columnMean(1), 7.0);
    EXPECT_EQ(data.smallest(), 1.0);
    EXPECT_EQ(data.largest(), 7.0);
    EXPECT_EQ(data.columnOf(Component::KProj), 1);
    EXPECT_EQ(data.columnOf(Component::VProj), -1);
    EXPECT_EQ(summarize(data), "Highest Time: layer 1 k_proj, 7.00 ms (63.6 % of all layers)");
}

TEST(HeatmapAccumulator, OlderTokensFadeFromTheRecentMean)
{
    HeatmapAccumulator accumulator;
    const auto add = [&](Nanoseconds duration, std::optional<double> millijoules) {
        Span span = Span::ofComponent(0, 0, Component::QProj, {0, duration});
        if (millijoules)
            span.energy_mj = Millijoules{*millijoules};
        accumulator.add(std::span(&span, 1), Provenance::Measured);
    };
    const auto value = [&](HeatmapMetric metric, CellReduction reduction) {
        return accumulator.data(metric, reduction).at(0, 0);
    };
    for (int i = 0; i < 200; ++i)
        add(1'000'000, 2.0);
    EXPECT_NEAR(*value(HeatmapMetric::TimeMs, CellReduction::Recent), 1.0, 1e-9);
    for (int i = 0; i < static_cast<int>(kFadeTokens); ++i)
        add(3'000'000, 2.0);
    // After one half-life, a new value counts as much as all previous ones together.
    EXPECT_NEAR(*value(HeatmapMetric::TimeMs, CellReduction::Recent), 2.0, 1e-9);
    EXPECT_LT(*value(HeatmapMetric::TimeMs, CellReduction::Mean), 1.1);
    EXPECT_NEAR(*value(HeatmapMetric::EnergyMj, CellReduction::Recent), 2.0, 1e-9);
    EXPECT_NEAR(*value(HeatmapMetric::PowerMw, CellReduction::Recent), 1000.0, 1e-6);

    accumulator.clear();
    add(1'000'000, std::nullopt);
    EXPECT_EQ(value(HeatmapMetric::EnergyMj, CellReduction::Recent), std::nullopt);
    EXPECT_EQ(value(HeatmapMetric::PowerMw, CellReduction::Recent), std::nullopt);
    // Totals have no order.
    ComponentTotal total;
    total.sum.spans = 4;
    total.tokens = 4;
    total.sum.duration_ns = 8'000'000;
    accumulator.clear();
    accumulator.add(std::span(&total, 1));
    EXPECT_NEAR(*value(HeatmapMetric::TimeMs, CellReduction::Recent), 2.0, 1e-9);
}

TEST(HeatmapData, SortsItsRowsByTheirMean)
{
    HeatmapData data;
    data.layers = 4;
    data.components = {Component::QProj, Component::KProj};
    data.values = {1.0, 3.0, 8.0, std::nullopt, std::nullopt, std::nullopt, 5.0, 1.0};
    EXPECT_EQ(data.layerOf(2), 2);
    EXPECT_EQ(data.rowOf(4), -1);
    data.sortRows();
    EXPECT_EQ(data.row_layers, (std::vector{1, 3, 0, 2})); // means 8, 3, 2 and none
    EXPECT_EQ(data.at(1, 0), 5.0);
    EXPECT_EQ(data.rowOf(0), 2);
    EXPECT_EQ(data.rowOf(7), -1);
    EXPECT_EQ(summarize(data).english().substr(0, 27), "Highest Time: layer 1 q_pro");
    data.sortRows(); // a second time: nothing moves
    EXPECT_EQ(data.row_layers, (std::vector{1, 3, 0, 2}));
}

} // namespace
} // namespace ep::viz
