// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "ep/core/trace_lookup.h"
#include "ep/energy/attribute.h"
#include "ep/energy/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace ep::energy {
namespace {

constexpr double kRelative = 1e-12;

void expectSame(std::optional<Millijoules> a, std::optional<Millijoules> b, const char* what)
{
    ASSERT_EQ(a.has_value(), b.has_value()) << what;
    if (a) {
        EXPECT_NEAR(a->value, b->value, kRelative * std::abs(b->value)) << what;
    }
}

RunPtr attributedRun(AttributionMethod method)
{
    ep::Run run = ep::test::makeSampleRun();
    attribute(run, {.method = method, .align = false});
    return std::make_shared<const ep::Run>(std::move(run));
}

class LedgerTest : public testing::TestWithParam<AttributionMethod> {
protected:
    RunPtr run = attributedRun(GetParam());
    Ledger ledger{run};
};

TEST_P(LedgerTest, ARangeThatIsANodeHasItsEnergy)
{
    for (const PhaseSpan& phase : run->trace.phases) {
        if (phase.phase != Phase::Idle)
            expectSame(ledger.excerpt(phase.time).sum.energy_mj, phase.energy.total_mj, "phase");
    }
    for (const TokenSpan& token : run->trace.tokens) {
        const Excerpt excerpt = ledger.excerpt(token.time);
        expectSame(excerpt.sum.energy_mj, token.energy.total_mj, "token");
        ASSERT_EQ(excerpt.run.trace.tokens.size(), 1U);
        EXPECT_EQ(excerpt.run.trace.tokens.front().energy, token.energy);
    }
    for (const Span& section : run->trace.sections)
        expectSame(ledger.excerpt(section.time).sum.energy_mj, section.energy_mj, "section");
    expectSame(ledger.excerpt(run->trace.time).sum.energy_mj, run->metrics.energy.total_mj, "run");
}

TEST_P(LedgerTest, ARangeThatIsALayerOrAComponentHasItsEnergy)
{
    for (std::size_t i = 0; i < run->trace.components.size(); i += 7) {
        const Span& span = run->trace.components[i];
        const Excerpt excerpt = ledger.excerpt(span.time);
        expectSame(excerpt.sum.energy_mj, span.energy_mj, "component as a range");
        expectSame(
            tallyOf(excerpt.parts, {.layer = span.layer, .component = span.component}).energy_mj,
            span.energy_mj, "component as a part");
    }
    for (std::size_t i = 0; i < run->trace.layers.size(); i += 3) {
        const Span& span = run->trace.layers[i];
        expectSame(ledger.excerpt(span.time).sum.energy_mj, span.energy_mj, "layer");
    }
}

TEST_P(LedgerTest, PartsOfAnyRangeAddUp)
{
    std::mt19937_64 engine(7);
    const TimeRange whole = run->trace.time;
    std::uniform_int_distribution<Nanoseconds> anywhere(whole.begin_ns, whole.end_ns);
    for (int i = 0; i < 200; ++i) {
        Nanoseconds a = anywhere(engine);
        Nanoseconds b = anywhere(engine);
        if (a > b)
            std::swap(a, b);
        const Excerpt before = ledger.excerpt({whole.begin_ns, a});
        const Excerpt middle = ledger.excerpt({a, b});
        const Excerpt after = ledger.excerpt({b, whole.end_ns});
        double sum = 0.0;
        for (const Excerpt* part : {&before, &middle, &after})
            sum += part->sum.energy_mj.value_or(Millijoules{}).value;
        EXPECT_NEAR(sum, run->metrics.energy.total_mj->value, 1e-9 * sum);
        const PartOfLayer q{.component = Component::QProj};
        double components = 0.0;
        for (const Excerpt* part : {&before, &middle, &after})
            components += tallyOf(part->parts, q).energy_mj.value_or(Millijoules{}).value;
        const double all = tallyOf(breakDown(run->trace), q).energy_mj->value;
        EXPECT_NEAR(components, all, 1e-9 * all);
    }
}

// A run opened without its spans, which are then read token by token, gives the same results.
TEST_P(LedgerTest, AnOpenedRunSaysTheSameAsTheWholeOne)
{
    ep::Run opened = *run;
    opened.trace.layers.clear();
    opened.trace.components.clear();
    opened.trace.operations.clear();
    const Ledger other(std::make_shared<const ep::Run>(std::move(opened)));
    std::mt19937_64 engine(11);
    const TimeRange whole = run->trace.time;
    std::uniform_int_distribution<Nanoseconds> anywhere(whole.begin_ns, whole.end_ns);
    for (int i = 0; i < 200; ++i) {
        const TimeRange range{std::min(anywhere(engine), whole.end_ns - 1), whole.end_ns};
        const Excerpt expected = ledger.excerpt(range);
        RunTrace step;
        const auto read = other.excerpt(range, [&](TokenRange tokens) -> Result<const RunTrace*> {
            step = {};
            for (std::int32_t token = tokens.first; token < tokens.last; ++token) {
                const auto append = [](auto& to, auto from) {
                    to.insert(to.end(), from.begin(), from.end());
                };
                append(step.layers, layersOf(run->trace, token));
                append(step.components, componentsOf(run->trace, token));
                append(step.operations, operationsOf(run->trace, token));
            }
            return &step;
        });
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->sum, expected.sum);
        EXPECT_EQ(read->parts, expected.parts);
        EXPECT_EQ(read->totals, expected.totals);
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, LedgerTest,
                         testing::Values(AttributionMethod::Time, AttributionMethod::Cost),
                         [](const auto& rule) { return std::string(name(rule.param)); });

TEST(Ledger, SaysTheKnownPartOfARangeWithAGap)
{
    ep::Run run = ep::test::makeSampleRun();
    run.trace.tokens.back().energy = {};
    run.metrics.energy = {};
    for (PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Decode)
            phase.energy = {};
    }
    const TimeRange whole = run.trace.time;
    const Nanoseconds missing = run.trace.tokens.back().time.duration_ns();
    const Ledger ledger(std::make_shared<const ep::Run>(std::move(run)));
    const Tally sum = ledger.excerpt(whole).sum;
    ASSERT_TRUE(sum.energy_mj);
    EXPECT_TRUE(sum.partial());
    EXPECT_GE(sum.uncovered_ns(), missing);
    EXPECT_EQ(sum.complete(), std::nullopt);
}

} // namespace
} // namespace ep::energy
