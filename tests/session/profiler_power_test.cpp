// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using test::EngineScript;
using test::PowerScript;
using test::RunWatcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

TEST(Power, SamplesBeforeTheRunFollowItsStart)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.baseline_seconds = 0.2; // a hundred samples, or some on a busy machine
    watcher.finish(request);
    ASSERT_TRUE(watcher.started.has_value());
    EXPECT_EQ(watcher.started->info.power.source, "scripted");
    const std::vector<PowerSample>& kept = watcher.finished->run->trace.samples;
    EXPECT_THAT(watcher.samples, SizeIs(kept.size()));
    const Nanoseconds begin = watcher.started->time.begin_ns;
    EXPECT_GE(std::count_if(kept.begin(), kept.end(),
                            [&](const PowerSample& s) { return s.window.end_ns <= begin; }),
              2)
        << "the idle baseline is part of the run's samples";
    EXPECT_EQ(kept.front().phase, Phase::Idle);
    const PhaseSpan& idle = watcher.finished->run->trace.phases.front();
    EXPECT_EQ(idle.phase, Phase::Idle);
    EXPECT_GE(idle.time.duration_ns(), 200'000'000);
    EXPECT_LE(idle.time.end_ns, begin);
    EXPECT_TRUE(idle.energy.total_mj.has_value());
    EXPECT_GE(kept.back().window.end_ns, watcher.finished->run->trace.time.end_ns)
        << "the last window covers the end";
}

TEST(Power, TheWholeRunHasItsEnergy)
{
    RunWatcher watcher(EngineScript{.layer_time = 5ms}, PowerScript{.watts = 10.0});
    const ep::Run& run = watcher.finish(watcher.request());
    ASSERT_TRUE(run.metrics.energy.total_mj.has_value());
    EXPECT_EQ(run.metrics.energy.provenance, Provenance::Measured);
    EXPECT_NEAR(run.metrics.energy.total_mj->value,
                10'000.0 * toSeconds(run.trace.time.duration_ns()), 1e-6);
    ASSERT_TRUE(run.info.power.quality.has_value());
    EXPECT_EQ(run.info.power.quality->asked_interval_ms, 20);
    EXPECT_NEAR(run.info.power.quality->coverage, 1.0, 1e-9);
    for (const TokenSpan& token : run.trace.tokens) {
        ASSERT_TRUE(token.energy.total_mj.has_value());
        EXPECT_NEAR(token.energy.total_mj->value, 10'000.0 * toSeconds(token.time.duration_ns()),
                    1e-6);
    }
}

// A run has its energy whenever it is stopped, however much of the current window has passed; only
// a run of a few windows is too short for its sensor.
TEST(Power, AStoppedRunHasItsEnergy)
{
    for (int stopAt = 12; stopAt < 24; ++stopAt) {
        RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.window = 5ms});
        QObject::connect(&watcher.profiler(), &session::Profiler::tokenComplete,
                         [&](const session::TokenComplete& token) {
                             if (token.token.index == stopAt)
                                 watcher.profiler().cancel();
                         });
        session::RunRequest request = watcher.request();
        request.max_new_tokens = 1000;
        const ep::Run& run = watcher.finish(request);
        EXPECT_EQ(run.info.status, RunStatus::Cancelled);
        EXPECT_TRUE(run.metrics.energy.total_mj.has_value()) << "after token " << stopAt;
        EXPECT_EQ(run.info.power.quality->coverage, 1.0) << "after token " << stopAt;
    }
}

TEST(Power, TokensCarryAFirstEstimate)
{
    // The last window lasts so long that every token's energy can be estimated.
    RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.watts = 10.0, .window = 50ms});
    watcher.finish(watcher.request());
    ASSERT_THAT(watcher.tokens, SizeIs(8));
    for (const session::TokenComplete& token : watcher.tokens) {
        ASSERT_TRUE(token.token.energy.total_mj.has_value());
        EXPECT_NEAR(token.token.energy.total_mj->value,
                    10'000.0 * toSeconds(token.token.time.duration_ns()), 1e-6);
        for (const Span& layer : token.layers)
            EXPECT_TRUE(layer.energy_mj.has_value());
    }
}

TEST(Power, WithoutASourceEveryEnergyIsMissing)
{
    RunWatcher watcher({}, PowerScript{.kind = "none"});
    const ep::Run& run = watcher.finish(watcher.request());
    EXPECT_EQ(run.info.power.source, "none");
    EXPECT_FALSE(run.info.power.quality.has_value());
    EXPECT_THAT(run.trace.samples, IsEmpty());
    EXPECT_FALSE(run.metrics.energy.total_mj.has_value());
    EXPECT_EQ(run.metrics.energy.provenance, Provenance::Missing);
    EXPECT_FALSE(run.metrics.joules_per_token.has_value());
    EXPECT_TRUE(run.metrics.tokens_per_second.has_value());
    for (const Span& component : run.trace.components)
        EXPECT_FALSE(component.energy_mj.has_value());
}

TEST(Power, ASourceThatDiesLeavesTheRunGoingWithTheGapVisible)
{
    RunWatcher watcher(EngineScript{.layer_time = 2ms},
                       PowerScript{.window = 10ms, .samples_before_failure = 2});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 40;
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.status, RunStatus::Complete);
    EXPECT_EQ(run.info.output_tokens, 40);
    EXPECT_EQ(run.info.power.source, "scripted");
    EXPECT_THAT(run.info.power.notice.english(), StartsWith("The scripted source died."));
    EXPECT_THAT(run.info.power.notice, HasSubstr("energies outside of them are missing"));
    EXPECT_THAT(watcher.power_problems, ElementsAre("The scripted source died."));
    ASSERT_TRUE(run.info.power.quality.has_value());
    EXPECT_LT(run.info.power.quality->coverage, 0.9);
    EXPECT_FALSE(run.metrics.energy.total_mj.has_value()) << "not all of it was seen";
    EXPECT_FALSE(run.trace.tokens.back().energy.total_mj.has_value());
}

TEST(Power, ASourceThatDiesBeforeTheRunIsToldOfAfterItsStart)
{
    RunWatcher watcher({}, PowerScript{.samples_before_failure = 0});
    watcher.finish(watcher.request());
    EXPECT_THAT(watcher.power_problems, ElementsAre("The scripted source died."));
    const std::vector<std::string>& names = watcher.signal_names;
    EXPECT_LT(std::find(names.begin(), names.end(), "runStarted"),
              std::find(names.begin(), names.end(), "powerProblem"));
    EXPECT_THAT(watcher.finished->run->info.power.notice.english(),
                StartsWith("The scripted source died. The samples cover only 0.0 %"));
}

TEST(Power, CancellingDoesNotWaitForASilentSource)
{
    RunWatcher watcher({}, PowerScript{.silent = true});
    QObject::connect(&watcher.profiler(), &session::Profiler::loadProgress,
                     [&](double, const Message& what) {
                         if (what == "Starting the power source")
                             watcher.profiler().cancel();
                     });
    watcher.finish(watcher.request());
    EXPECT_EQ(watcher.finished->run->info.status, RunStatus::Cancelled);
    EXPECT_THAT(watcher.finished->run->trace.samples, IsEmpty());
}

} // namespace
