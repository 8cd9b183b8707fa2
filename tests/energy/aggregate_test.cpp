// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep::energy {

namespace {

// A run with tokens of which it is known how they were disturbed.
Run knownRun(int tokens = 9)
{
    ep::Run run = test::makeSampleRun({.tokens = tokens});
    for (TokenSpan& token : run.trace.tokens) {
        token.processor_ns = token.time.duration_ns();
        token.preemptions = 0;
    }
    return run;
}

// A token slowed down by other programs: it and everything in it take `factor` times as long.
void disturb(Run& run, std::int32_t index, double factor)
{
    TokenSpan& token = run.trace.tokens[static_cast<std::size_t>(index)];
    token.time.end_ns += token.time.duration_ns();
    token.preemptions = 40;
    token.energy.total_mj = *token.energy.total_mj * factor;
    const auto scale = [&](auto& spans) {
        for (auto& span : spans) {
            if (span.token == index && span.energy_mj)
                span.energy_mj = *span.energy_mj * factor;
        }
    };
    scale(run.trace.layers);
    scale(run.trace.components);
    scale(run.trace.operations);
    for (Span& section : run.trace.sections) {
        if (section.token == index && section.energy_mj)
            section.energy_mj = *section.energy_mj * factor;
    }
}

Excerpt typicalOf(const Run& run)
{
    auto typical = typicalToken(run);
    EXPECT_TRUE(typical) << (typical ? "" : typical.error().message);
    return typical ? *std::move(typical) : Excerpt();
}

Tally sumOf(const RunBreakdown& parts, std::int32_t layer)
{
    Tally sum;
    for (const RunBreakdown::OfComponent& of : parts.components) {
        if (of.layer == layer)
            sum.add(of.sum);
    }
    return sum;
}

// A run with all energies multiplied.
Excerpt repeatOf(double factor)
{
    ep::Run run = knownRun();
    const auto scale = [&](auto& spans) {
        for (auto& span : spans) {
            if (span.energy_mj)
                span.energy_mj = *span.energy_mj * factor;
        }
    };
    scale(run.trace.layers);
    scale(run.trace.components);
    scale(run.trace.operations);
    for (PhaseSpan& phase : run.trace.phases)
        phase.energy.total_mj = *phase.energy.total_mj * factor;
    run.metrics.energy.total_mj = *run.metrics.energy.total_mj * factor;
    run.metrics.joules_per_token = *run.metrics.joules_per_token * factor;
    RunBreakdown parts = breakDown(run.trace);
    auto totals = totalsOf(run.trace);
    return wholeOf(std::move(run), std::move(parts), std::move(totals));
}

} // namespace

TEST(TypicalToken, IsTheMedianOfTheTokens)
{
    const ep::Run run = knownRun();
    const Excerpt typical = typicalOf(run);
    const auto median = joulesPerTypicalToken(run.trace.tokens);
    ASSERT_TRUE(median && typical.sum.energy_mj);
    EXPECT_NEAR(typical.sum.energy_mj->value, 1000.0 * *median,
                1e-5 * typical.sum.energy_mj->value);
    EXPECT_EQ(typical.run.metrics.joules_per_token, typical.run.metrics.joules_per_typical_token);
    ASSERT_EQ(typical.run.trace.tokens.size(), 1U);
    EXPECT_EQ(typical.run.trace.phases.size(), 1U);
    EXPECT_FALSE(typical.run.metrics.time_to_first_token_ns);
    for (const ComponentTotal& total : typical.totals) {
        EXPECT_EQ(total.sum.spans, 1);
        EXPECT_EQ(total.tokens, 8); // the tokens of the median
    }
}

TEST(TypicalToken, PartsAddUpAtMostToTheirWhole)
{
    const Excerpt typical = typicalOf(knownRun());
    Tally sections;
    Tally layers;
    for (const Span& section : typical.run.trace.sections) {
        sections.add(tallyOf(section));
        if (section.section == Section::Layers)
            layers = tallyOf(section);
    }
    EXPECT_LE(sections.energy_mj->value, typical.sum.energy_mj->value * (1.0 + 1e-9));
    Tally all;
    for (const RunBreakdown::OfLayer& of : typical.parts.layers) {
        all.add(of.sum);
        const Tally components = sumOf(typical.parts, of.layer);
        EXPECT_LE(components.energy_mj->value, of.sum.energy_mj->value * (1.0 + 1e-9));
        EXPECT_GT(components.energy_mj->value, 0.5 * of.sum.energy_mj->value);
    }
    EXPECT_LE(all.energy_mj->value, layers.energy_mj->value * (1.0 + 1e-9));
    EXPECT_GT(all.energy_mj->value, 0.5 * layers.energy_mj->value);
}

TEST(TypicalToken, IsNotMovedByADisturbedOne)
{
    ep::Run run = knownRun();
    disturb(run, 4, 30.0);
    ASSERT_TRUE(disturbedTokens(run.trace.tokens)[4]);
    const Excerpt typical = typicalOf(run);
    ep::Run worse = knownRun();
    disturb(worse, 4, 3000.0);
    const Excerpt same = typicalOf(worse);
    EXPECT_EQ(typical.parts, same.parts);
    EXPECT_EQ(typical.totals, same.totals);
    EXPECT_EQ(typical.sum, same.sum);
    EXPECT_EQ(typical.totals.front().tokens, 7);
}

TEST(TypicalToken, NeedsADecodedToken)
{
    EXPECT_FALSE(typicalToken(knownRun(1)));
}

TEST(TypicalToken, WithoutEnergiesHasTimes)
{
    const ep::Run run = test::makeSampleRun({.tokens = 5, .power = false});
    const Excerpt typical = typicalOf(run);
    EXPECT_FALSE(typical.sum.energy_mj);
    EXPECT_GT(typical.sum.duration_ns, 0);
    EXPECT_FALSE(typical.parts.components.front().sum.energy_mj);
    EXPECT_GT(typical.parts.components.front().sum.duration_ns, 0);
}

TEST(MeanOfRepeats, HasTheMeanOfEachNodeAndItsInterval)
{
    const std::vector repeats{repeatOf(0.9), repeatOf(1.0), repeatOf(1.1)};
    const Excerpt mean = meanOfRepeats(repeats);
    ASSERT_EQ(mean.parts.components.size(), repeats[1].parts.components.size());
    const double scatter = 0.1 * 4.302653 / std::sqrt(3.0) / kHalfInterval95; // Student's t
    for (std::size_t i = 0; i < mean.parts.components.size(); ++i) {
        const Tally& own = mean.parts.components[i].sum;
        const Tally& middle = repeats[1].parts.components[i].sum;
        ASSERT_TRUE(own.energy_mj && own.sd_mj);
        EXPECT_NEAR(own.energy_mj->value, middle.energy_mj->value, 1e-9 * middle.energy_mj->value);
        EXPECT_GE(own.sd_mj->value, (scatter - 1e-6) * own.energy_mj->value);
        EXPECT_EQ(own.duration_ns, middle.duration_ns);
        EXPECT_EQ(own.spans, middle.spans);
    }
    EXPECT_NEAR(mean.sum.energy_mj->value, repeats[1].sum.energy_mj->value, 1e-6);
    EXPECT_NEAR(*mean.run.metrics.joules_per_token, *repeats[1].run.metrics.joules_per_token, 1e-9);
    Tally phases;
    for (const PhaseSpan& phase : mean.run.trace.phases)
        phases.add(tallyOf(phase.time, phase.energy));
    EXPECT_LE(phases.energy_mj->value, mean.sum.energy_mj->value * (1.0 + 1e-9));
}

// Quotients are consistent with each other and with the sums, whatever the repeats are like.
TEST(MeanOfRepeats, DividesSumsInsteadOfAveragingQuotients)
{
    std::vector repeats{repeatOf(0.5), repeatOf(1.0), repeatOf(3.0)};
    const double rates[] = {50.0, 100.0, 200.0};
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        RunMetrics& own = repeats[i].run.metrics;
        own.tokens_per_joule = 1.0 / *own.joules_per_token;
        own.tokens_per_second = rates[i];
        own.prefill_tokens_per_second = 10.0 * rates[i];
        own.edp_joule_seconds = 1.0; // the previous value must not matter
        own.mean_power_mw = Milliwatts{1.0};
    }
    const Excerpt mean = meanOfRepeats(repeats);
    const RunMetrics& figures = mean.run.metrics;
    EXPECT_NEAR(*figures.tokens_per_joule * *figures.joules_per_token, 1.0, 1e-9);
    EXPECT_NEAR(*figures.tokens_per_second, 3.0 / (1.0 / 50.0 + 1.0 / 100.0 + 1.0 / 200.0), 1e-9);
    EXPECT_NEAR(*figures.prefill_tokens_per_second, 10.0 * *figures.tokens_per_second, 1e-9);
    const double joules = figures.energy.total_mj->value * 1e-3;
    const double seconds = toSeconds(figures.duration_ns);
    EXPECT_NEAR(*figures.edp_joule_seconds, joules * seconds, 1e-9);
    EXPECT_NEAR(figures.mean_power_mw->value * 1e-3, joules / seconds, 1e-9);
}

TEST(MeanOfRepeats, LeavesOutWhatARepeatDoesNotKnow)
{
    std::vector repeats{repeatOf(0.8), repeatOf(1.0), repeatOf(1.2)};
    repeats[0].parts.components[0].sum.energy_mj.reset();
    repeats[0].parts.components[1].sum.energy_mj.reset();
    repeats[1].parts.components[1].sum.energy_mj.reset();
    const Excerpt mean = meanOfRepeats(repeats);
    const double single = repeatOf(1.0).parts.components[0].sum.energy_mj->value;
    EXPECT_NEAR(mean.parts.components[0].sum.energy_mj->value, 1.1 * single, 1e-9 * single);
    ASSERT_TRUE(mean.parts.components[1].sum.energy_mj) << "missing only if missing in all";
    EXPECT_FALSE(mean.parts.components[1].sum.sd_mj) << "known once: no interval";
    EXPECT_GT(mean.parts.components[1].sum.duration_ns, 0);
}

// One repeat without an energy takes away nothing from the others, and no figure of the mean
// contradicts another.
TEST(MeanOfRepeats, HasEachFigureThatAnyRepeatHas)
{
    std::vector repeats{repeatOf(0.9), repeatOf(1.1), repeatOf(5.0)};
    repeats[2].run.metrics.energy = {};
    repeats[2].run.metrics.joules_per_token.reset();
    repeats[2].sum = tallyOf(repeats[2].sum.duration_ns, std::nullopt, Provenance::Missing);
    for (Excerpt& repeat : repeats)
        repeat.run.info.input_tokens = 4;
    repeats[0].run.info.input_tokens = 1;
    const Excerpt mean = meanOfRepeats(repeats);
    const RunMetrics& figures = mean.run.metrics;
    ASSERT_TRUE(figures.energy.total_mj);
    ASSERT_TRUE(figures.joules_per_token);
    const auto perTotal = ep::valueOf(RunFigure::JoulesPerTotalToken, mean.run.info, figures);
    ASSERT_TRUE(perTotal);
    EXPECT_LE(*perTotal, *figures.joules_per_token);
}

} // namespace ep::energy
