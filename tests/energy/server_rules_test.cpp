// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"
#include "support/identities.h"

#include "ep/core/server_record.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/attribute.h"
#include "ep/energy/server_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace ep::energy {
namespace {

using test::counterSample;
using test::kMs;

struct Level {
    Phase phase;
    Nanoseconds end_ms;
    double watts;
};

// Idle at 4 W for 3 s, then these phases, then idle again; with windows like a power source's.
Run simulated(const std::vector<Level>& levels, Nanoseconds windowMs, Nanoseconds firstWindowMs,
              double noise = 0.0)
{
    constexpr double kIdle = 4.0;
    constexpr Nanoseconds kBegin = 3000;
    const auto powerAt = [&](double ms) {
        double begin = kBegin;
        for (const Level& level : levels) {
            if (ms >= begin && ms < static_cast<double>(level.end_ms))
                return level.watts;
            begin = static_cast<double>(level.end_ms);
        }
        return kIdle;
    };
    Run run;
    run.info.power.source = "simulated";
    run.info.input_tokens = 100;
    run.info.output_tokens = 51;
    ServerRecord& server = run.info.profiling.server.emplace();
    server.prompt_tokens = 100;
    server.cached_tokens = 20;
    server.uncached_tokens = 80;
    server.output_tokens = 51;
    run.trace.time = {kBegin * kMs, levels.back().end_ms * kMs};
    Nanoseconds begin = kBegin;
    for (const Level& level : levels) {
        run.trace.phases.push_back({level.phase, {begin * kMs, level.end_ms * kMs}, {}});
        begin = level.end_ms;
    }
    std::mt19937 random(3);
    std::normal_distribution<double> spread(1.0, noise);
    for (Nanoseconds at = firstWindowMs; at < levels.back().end_ms + 500; at += windowMs) {
        double mj = 0.0;
        constexpr int kSteps = 10; // steps per millisecond
        for (Nanoseconds ms = at; ms < at + windowMs; ++ms) {
            for (int i = 0; i < kSteps; ++i)
                mj += powerAt(static_cast<double>(ms) + (i + 0.5) / kSteps) / kSteps;
        }
        run.trace.samples.push_back(
            counterSample(at, at + windowMs, noise > 0.0 ? mj * spread(random) : mj));
    }
    run.info.power.quality.emplace();
    return run;
}

double errorOf(const Run& run, Phase phase, double truthMj)
{
    const PhaseSpan* span = findPhase(run.trace, phase);
    return span != nullptr && span->energy.total_mj
        ? std::abs(span->energy.total_mj->value - truthMj) / truthMj
        : 1.0;
}

TEST(ServerEnergy, PhasesOfOneSecondAreWithinHalfAPercent)
{
    // The power changes at the phase borders, which fall anywhere in windows of 100 ms.
    for (Nanoseconds offset = 0; offset < 100; offset += 7) {
        ep::Run run = simulated(
            {{Phase::Load, 4010, 9.0}, {Phase::Prefill, 5030, 40.0}, {Phase::Decode, 6050, 15.0}},
            100, offset);
        attribute(run, {.method = AttributionMethod::Time, .align = true});
        EXPECT_LE(errorOf(run, Phase::Load, 1010 * 9.0), 0.005) << offset;
        EXPECT_LE(errorOf(run, Phase::Prefill, 1020 * 40.0), 0.005) << offset;
        EXPECT_LE(errorOf(run, Phase::Decode, 1020 * 15.0), 0.005) << offset;
        EXPECT_TRUE(run.info.profiling.server->refusals.empty());
        // The denominators are the server's: 80 uncached tokens, 51 generated, 50 decoded.
        EXPECT_NEAR(*run.metrics.joules_per_input_token, 1.02 * 40.0 / 80, 0.003);
        EXPECT_NEAR(*run.metrics.joules_per_output_token, 1.02 * 15.0 / 50, 0.003);
        EXPECT_NEAR(*run.metrics.joules_per_token * 51, run.metrics.energy.total_mj->value / 1000.0,
                    1e-9);
        test::expectIdentities(run.info, run.metrics, "server");
        EXPECT_NEAR(*run.metrics.tokens_per_second, 50 / 1.02, 1e-9);
        EXPECT_EQ(run.metrics.time_to_first_token_ns, 2030 * kMs);
    }
}

TEST(ServerEnergy, ShortPhasesAreRefused)
{
    ep::Run run = simulated({{Phase::Prefill, 3800, 40.0}, {Phase::Decode, 6000, 15.0}}, 100, 0);
    attribute(run, {.method = AttributionMethod::Time, .align = false});
    const ServerRecord& server = *run.info.profiling.server;
    ASSERT_EQ(server.refusals.size(), 1U);
    EXPECT_EQ(server.refusals.front(),
              "The phase prefill took 800 ms, less than ten windows of "
              "the power source (100 ms).");
    EXPECT_FALSE(findPhase(run.trace, Phase::Prefill)->energy.total_mj);
    EXPECT_EQ(findPhase(run.trace, Phase::Prefill)->energy.provenance, Provenance::Missing);
    EXPECT_FALSE(run.metrics.joules_per_input_token);
    EXPECT_TRUE(run.metrics.joules_per_output_token);
    EXPECT_TRUE(run.metrics.joules_per_token);
    test::expectIdentities(run.info, run.metrics, "short phases");
    const ep::Run before = run;
    applyServerRules(run);
    EXPECT_EQ(run, before);
}

TEST(ServerEnergy, ClocksThatDisagreeRefuseThePhases)
{
    struct Case {
        Nanoseconds server_ms;
        Nanoseconds client_ms;
        bool refused;
    };
    // max(50 ms, 3 %)
    for (const Case& c : {Case{1000, 1049, false}, Case{1000, 1051, true}, Case{1000, 949, true},
                          Case{10'000, 10'299, false}, Case{10'000, 10'301, true}}) {
        ep::Run run =
            simulated({{Phase::Prefill, 4000, 40.0}, {Phase::Decode, 6000, 15.0}}, 100, 0);
        run.info.profiling.server->decode_ns = c.server_ms * kMs;
        run.info.profiling.server->client_decode_ns = c.client_ms * kMs;
        attribute(run, {.method = AttributionMethod::Time, .align = false});
        EXPECT_EQ(!run.info.profiling.server->refusals.empty(), c.refused) << c.client_ms;
        EXPECT_EQ(run.metrics.joules_per_output_token.has_value(), !c.refused);
        EXPECT_TRUE(run.metrics.energy.total_mj); // covers the whole request
    }
}

TEST(ServerEnergy, OtherLoadRefusesEverything)
{
    for (const double share : {0.2, 0.21}) {
        ep::Run run =
            simulated({{Phase::Prefill, 4000, 40.0}, {Phase::Decode, 6000, 15.0}}, 100, 0);
        run.info.power.quality->other_cpu_share = share;
        attribute(run, {.method = AttributionMethod::Time, .align = false});
        const auto& refusals = run.info.profiling.server->refusals;
        EXPECT_EQ(run.metrics.energy.total_mj.has_value(), share <= 0.2);
        EXPECT_EQ(run.metrics.joules_per_token.has_value(), share <= 0.2);
        ASSERT_EQ(refusals.size(), share <= 0.2 ? 0U : 1U);
        if (share > 0.2) {
            EXPECT_NE(refusals.front().english().find("Other programs used 21"), std::string::npos);
        }
    }
}

TEST(ServerEnergy, OverlappingRequestsWithoutSoloDataHaveOnlyTheGroup)
{
    ep::Run run = simulated({{Phase::Prefill, 4000, 40.0}, {Phase::Decode, 6000, 15.0}}, 100, 0);
    run.info.profiling.server->group =
        ServerGroup{.id = "a", .requests = 3, .duration_ns = 3000 * kMs, .energy_mj = 70'000.0};
    attribute(run, {.method = AttributionMethod::Time, .align = false}); // must not change it
    EXPECT_FALSE(run.metrics.energy.total_mj);
    applyServerRules(run);
    ASSERT_EQ(run.info.profiling.server->refusals.size(), 1U);
    EXPECT_NE(run.info.profiling.server->refusals.front().english().find("together the 3 used 70"),
              std::string::npos)
        << run.info.profiling.server->refusals.front();
}

} // namespace
} // namespace ep::energy
