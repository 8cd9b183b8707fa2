// SPDX-License-Identifier: GPL-3.0-or-later
#include "split_model.h"
#include "support/synthetic_truth.h"
#include "uncertainty.h"

#include "ep/core/format.h"
#include "ep/core/tally.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

// How often the truth lies within the 95 % interval.
struct Held {
    int inside = 0;
    int all = 0;
    double worst = 0.0; // error in standard deviations

    void add(double value, double truth, double sd)
    {
        ++all;
        inside += std::abs(value - truth) <= kHalfInterval95 * sd ? 1 : 0;
        worst = std::max(worst, std::abs(value - truth) / sd);
    }
    double share() const { return static_cast<double>(inside) / all; }
};

std::vector<PowerSample> exactSamples(const std::vector<ep::test::Reading>& readings)
{
    std::vector<PowerSample> samples;
    for (const ep::test::Reading& reading : readings) {
        PowerSample sample;
        sample.window = reading.true_window;
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.total_mw = meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        samples.push_back(sample);
    }
    return samples;
}

struct SimulatedRun {
    RunTrace trace;
    Attribution result;
};

SimulatedRun simulatedRun(const ep::test::Truth& truth, std::uint32_t seed,
                          AttributionMethod method, bool withBaseline = true)
{
    SimulatedRun run{truth.trace, {}};
    ep::test::SensorShape sensor;
    sensor.seed = seed;
    run.trace.samples = exactSamples(ep::test::readSensor(truth, sensor));
    std::optional<BaselineRecord> baseline;
    if (withBaseline)
        baseline = measureBaseline(run.trace.samples, truth.idle, truth.trace.time.begin_ns,
                                   BaselineMoment::AfterLoad);
    run.result = attribute(run.trace, {.method = method, .align = true}, baseline);
    return run;
}

} // namespace

// A truth that no cost model can express: kinds differ by 8.7 %, and 2 W depend on time only.
TEST(Intervals, HoldTheTruthInNineteenOfTwentyCases)
{
    for (const auto method : {AttributionMethod::Cost, AttributionMethod::Time}) {
        Held spans;
        Held components;
        Held tokens;
        Held runs;
        constexpr std::uint32_t kSeeds = 24;
        for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
            const ep::test::Truth truth =
                ep::test::makeTruth({.input_tokens = 2048,
                                     .output_tokens = 40,
                                     .layers = 8,
                                     .time_mw = 2000.0,
                                     .off_model = 0.15,
                                     .factors = ep::test::FactorShape::Normal,
                                     .seed = seed});
            const SimulatedRun run = simulatedRun(truth, 50 + seed, method);
            Tally attention;
            double trueAttention = 0.0;
            for (std::size_t i = 0; i < run.trace.components.size(); ++i) {
                const Span& span = run.trace.components[i];
                ASSERT_TRUE(span.energy_mj);
                spans.add(span.energy_mj->value, truth.component_mj[i], span.sd_mj->value);
                if (span.component != Component::Attention)
                    continue;
                attention.add(tallyOf(span));
                trueAttention += truth.component_mj[i];
            }
            components.add(attention.energy_mj->value, trueAttention, attention.sd_mj->value);
            for (const TokenSpan& token : run.trace.tokens)
                tokens.add(token.energy.total_mj->value, truth.over(token.time),
                           token.energy.sd_mj->value);
            runs.add(run.result.run.total_mj->value, truth.over(run.trace.time),
                     run.result.run.sd_mj->value);
        }
        EXPECT_GE(spans.share(), 0.88) << name(method);
        EXPECT_GE(tokens.share(), 0.90) << name(method);
        EXPECT_GE(components.share(), 0.83) << name(method); // 20 of 24
        EXPECT_GE(runs.share(), 0.83) << name(method);
        // Endlessly wide intervals must not achieve this.
        EXPECT_GT(spans.worst, 1.5) << name(method);
        EXPECT_GT(tokens.worst, 1.5) << name(method);
        EXPECT_GT(runs.worst, 1.0) << name(method);
    }
}

// A pulse inside one window: with the idle power its energy is known; without, it is refused.
TEST(Intervals, AShortRunIsKnownFromTheIdlePowerOrRefused)
{
    const ep::test::Truth truth = ep::test::makeTruth({.input_tokens = 16, .output_tokens = 2});
    ASSERT_LT(truth.trace.time.duration_ns(), 100'000'000);
    const SimulatedRun known = simulatedRun(truth, 1, AttributionMethod::Cost);
    ASSERT_TRUE(known.result.run.total_mj);
    const double whole = truth.over(truth.trace.time);
    EXPECT_NEAR(known.result.run.total_mj->value, whole, 0.04 * whole);
    EXPECT_NEAR(known.result.run.total_mj->value, whole, 3.0 * known.result.run.sd_mj->value);

    const SimulatedRun refused = simulatedRun(truth, 1, AttributionMethod::Cost, false);
    EXPECT_FALSE(refused.result.run.total_mj);
    EXPECT_EQ(refused.result.run.provenance, Provenance::Missing);
    EXPECT_TRUE(refused.result.run.sd_mj); // states the reason
    EXPECT_NE(refused.result.record.note.english().find("too short for this sensor"),
              std::string::npos)
        << refused.result.record.note;
    // A run's parts are refused together with it, so that the shown energies always add up.
    for (const PhaseSpan& phase : refused.trace.phases)
        EXPECT_FALSE(phase.energy.total_mj);
    for (const TokenSpan& token : refused.trace.tokens)
        EXPECT_FALSE(token.energy.total_mj);
    for (const Span& section : refused.trace.sections)
        EXPECT_FALSE(section.energy_mj);
    for (const Span& span : refused.trace.layers)
        EXPECT_FALSE(span.energy_mj);
    for (const Span& span : refused.trace.components)
        EXPECT_FALSE(span.energy_mj);
}

namespace {

// Windows of 100 ms at 1 pJ/byte, in which the shares of attention and down projection vary.
struct TwoKinds {
    RunTrace trace;
    explicit TwoKinds(double attention, double down)
    {
        constexpr Nanoseconds kWindow = 100'000'000;
        constexpr int kCount = 20;
        trace.time = {0, kCount * kWindow};
        for (int i = 0; i < kCount; ++i) {
            const Nanoseconds begin = i * kWindow;
            const Nanoseconds middle = begin + kWindow * (i + 2) / (kCount + 4);
            const TimeRange first{begin, middle};
            const TimeRange second{middle, begin + kWindow};
            const auto add = [&](Component component, const TimeRange& time) {
                const SpanWork work{.flops = 0, .bytes = 10'000 * time.duration_ns()};
                trace.components.push_back(Span::ofComponent(i + 1, 0, component, time));
                trace.components.back().work = work;
                return static_cast<double>(work.bytes) / kPicojoulesPerMillijoule;
            };
            PowerSample sample;
            sample.window = {begin, begin + kWindow};
            sample.energy_mj[Rail::Cpu] = Millijoules{attention * add(Component::Attention, first)
                                                      + down * add(Component::DownProj, second)};
            trace.samples.push_back(sample);
        }
    }
};

} // namespace

TEST(SplitModel, LearnsFactorsThatTheWindowsShow)
{
    const TwoKinds scene(1.1, 0.95);
    const EnergyTimeline timeline(scene.trace.samples);
    const KindWork work(scene.trace);
    const SplitModel model({.timeline = timeline,
                            .work = work,
                            .costs = {.pj_per_byte = 1.0},
                            .idle = Milliwatts{},
                            .prior = uncalibratedPrior()});
    const auto& factors = model.factors().values;
    const double ratio =
        factors[kindOf(Component::Attention)] / factors[kindOf(Component::DownProj)];
    EXPECT_NEAR(ratio, 1.1 / 0.95, 0.02);
}

TEST(SplitModel, ErrorsOfTheOnlyTwoPartsOfAWindowAreOpposite)
{
    const TwoKinds scene(1.0, 1.0);
    const EnergyTimeline timeline(scene.trace.samples);
    const KindWork work(scene.trace);
    const SplitModel model({.timeline = timeline,
                            .work = work,
                            .costs = {.pj_per_byte = 1.0},
                            .idle = Milliwatts{},
                            .prior = uncalibratedPrior(),
                            .learn = false});
    const Span& one = scene.trace.components[10];
    const Span& other = scene.trace.components[11];
    const double variance = model.variance(one.time, kindOf(one.component), false);
    EXPECT_GT(variance, 0.0);
    EXPECT_NEAR(variance, model.variance(other.time, kindOf(other.component), false),
                1e-9 * variance);
    EXPECT_NEAR(variance, model.variance(one.time), 1e-9 * variance);
    EXPECT_EQ(model.variance({0, 500'000'000}), 0.0); // whole windows
    // Two kinds with equal deviation: m1 m2 / (m1 + m2) x sqrt(2) tau.
    const double m1 = 10'000.0 * static_cast<double>(one.time.duration_ns()) * 1e-9;
    const double m2 = 10'000.0 * static_cast<double>(other.time.duration_ns()) * 1e-9;
    EXPECT_NEAR(std::sqrt(variance),
                m1 * m2 / (m1 + m2) * std::sqrt(2.0) * uncalibratedPrior().sd[0],
                1e-3 * std::sqrt(variance));
}

TEST(WithBias, IsTheIntervalOfABiasedNormal)
{
    const auto probability = [](double half, double bias) {
        const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
        return below(half - bias) - below(-half - bias);
    };
    for (const double bias : {0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 10.0})
        EXPECT_NEAR(probability(kHalfInterval95 * withBias(1.0, bias), bias), 0.95, 0.006) << bias;
    EXPECT_DOUBLE_EQ(withBias(0.0, -3.0), 3.0 / kHalfInterval95);
}

} // namespace ep::energy
