// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_log.h"
#include "power/run_power.h"
#include "support/milliseconds.h"

#include "ep/core/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {

using namespace ep;
using session::Event;
using session::PowerSink;
using test::kMs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A feed that delivers samples on the test's command.
class HandFeed final : public session::PowerFeed {
public:
    HandFeed(PowerSink& sink, int& starts)
        : m_sink(sink)
        , m_starts(starts)
    {
    }
    Status start(const power::SourceChoice& /*choice*/, int /*intervalMs*/, PowerSink sink) override
    {
        ++m_starts;
        m_sink = std::move(sink);
        m_sink.sample(sampleOf(0, 10)); // start() waits for the first sample
        return {};
    }
    void readNow() override
    {
        const Nanoseconds now = monotonicNow();
        m_sink.sample(sampleOf(now / kMs - 1, now / kMs));
    }
    void stop() override { m_sink = {}; }
    std::string kind() const override { return "by hand"; }
    Message detail() const override { return "detail"; }
    Message reason() const override { return "asked for by the test"; }

    static PowerSample sampleOf(Nanoseconds begin, Nanoseconds end)
    {
        PowerSample sample;
        sample.window = {begin * kMs, end * kMs};
        sample.arrival_ns = sample.window.end_ns;
        sample.total_mw = Milliwatts{1000.0};
        sample.power_mw[Rail::Cpu] = sample.total_mw;
        return sample;
    }

private:
    PowerSink& m_sink;
    int& m_starts;
};

class RunPowerTest : public testing::Test {
protected:
    RunPowerTest() { m_request.power.kind = "by hand"; }

    // The reports since the last call: "start", the beginning of a sample in ms, or a problem.
    std::vector<std::string> told()
    {
        std::vector<std::string> words;
        for (const Event& event : m_outbox.takeAll()) {
            if (std::holds_alternative<session::RunBegan>(event))
                words.emplace_back("start");
            else if (const auto* sample = std::get_if<PowerSample>(&event))
                words.push_back(std::to_string(sample->window.begin_ns / kMs));
            else if (const auto* problem = std::get_if<session::PowerProblem>(&event))
                words.push_back(problem->message.english());
        }
        return words;
    }
    void deliver(Nanoseconds begin, Nanoseconds end)
    {
        m_sink.sample(HandFeed::sampleOf(begin, end));
    }

    PowerSink m_sink;
    int m_starts = 0;
    session::Backend m_backend{.openEngineLibrary = {}, .makePowerFeed = [this] {
                                   return std::make_unique<HandFeed>(m_sink, m_starts);
                               }};
    session::RunRequest m_request;
    session::Outbox m_outbox;
    CancelToken m_cancel;
    session::RunPower m_power{m_request, m_backend, m_outbox, nullptr, m_cancel};
};

TEST_F(RunPowerTest, SamplesOfBeforeFollowTheStart)
{
    ASSERT_TRUE(m_power.start("cpu"));
    deliver(10, 20);
    EXPECT_THAT(told(), IsEmpty());
    m_power.announce({}, 20 * kMs);
    deliver(20, 30);
    EXPECT_THAT(told(), ElementsAre("start", "0", "10", "20"));
    EXPECT_THAT(m_power.samples(), SizeIs(3));
}

TEST_F(RunPowerTest, ASampleThatReachesBackIsNotToldAndJoinsThoseThatItCovers)
{
    ASSERT_TRUE(m_power.start("cpu"));
    m_power.announce({}, 0);
    deliver(10, 20);
    deliver(5, 25);
    deliver(20, 30);
    EXPECT_THAT(told(), ElementsAre("start", "0", "10", "20"));
    EXPECT_THAT(m_power.samples(), SizeIs(3));
}

TEST_F(RunPowerTest, AProblemIsToldOnceAndAfterTheStart)
{
    ASSERT_TRUE(m_power.start("cpu"));
    m_sink.problem("It died.");
    EXPECT_THAT(told(), IsEmpty());
    EXPECT_EQ(m_power.describe().notice, "It died.");
    m_power.announce({}, 0);
    EXPECT_THAT(told(), ElementsAre("start", "0", "It died."));
}

TEST_F(RunPowerTest, DescribesItsSourceAsLongAsItHasOne)
{
    EXPECT_FALSE(m_power.started());
    EXPECT_EQ(m_power.describe().source, "none");
    ASSERT_TRUE(m_power.start("cpu"));
    EXPECT_TRUE(m_power.started());
    EXPECT_EQ(m_power.describe().source, "by hand");
    EXPECT_EQ(m_power.describe().notice, "asked for by the test");
    m_power.stop({});
    m_power.release();
    EXPECT_EQ(m_power.describe().source, "none");
}

// A short run would otherwise wait for a whole window longer than it computes.
TEST_F(RunPowerTest, StartsWhileTheModelLoadsAndBeginsTheRunWithAWindow)
{
    ASSERT_TRUE(m_power.startWhileLoading("cpu"));
    EXPECT_FALSE(m_power.started());
    deliver(10, 20);
    const Nanoseconds before = monotonicNow() / kMs;
    ASSERT_TRUE(m_power.start("cpu"));
    ASSERT_THAT(m_power.samples(), SizeIs(1)) << "the window of before is over, so it is read now";
    EXPECT_GE(m_power.samples().front().window.end_ns / kMs, before);
    EXPECT_EQ(m_starts, 1);
}

TEST_F(RunPowerTest, AWindowThatHasJustEndedBeginsTheRun)
{
    m_request.interval_ms = 60'000; // a tenth is enough for the slowest machine
    ASSERT_TRUE(m_power.startWhileLoading("cpu"));
    const Nanoseconds now = monotonicNow() / kMs;
    deliver(now - 20, now - 10);
    ASSERT_TRUE(m_power.start("cpu"));
    ASSERT_THAT(m_power.samples(), SizeIs(1));
    EXPECT_EQ(m_power.samples().front().window.begin_ns, (now - 20) * kMs);
}

TEST_F(RunPowerTest, EndsTheWindowAtTheEndOfARun)
{
    ASSERT_TRUE(m_power.start("cpu"));
    const Nanoseconds end = monotonicNow();
    m_power.stop({end - 3 * kMs, end - 2 * kMs});
    ASSERT_THAT(m_power.samples(), SizeIs(2)) << "no need to wait for the next interval";
}

TEST_F(RunPowerTest, ASourceThatFailsWhileTheModelLoadsIsToldOfAfterTheStart)
{
    ASSERT_TRUE(m_power.startWhileLoading("cpu"));
    m_sink.problem("It died.");
    ASSERT_TRUE(m_power.start("cpu"));
    EXPECT_THAT(told(), IsEmpty());
    m_power.announce({}, 0);
    const auto words = told();
    EXPECT_EQ(words.front(), "start");
    EXPECT_EQ(words.back(), "It died.");
}

TEST_F(RunPowerTest, WaitsForTheDeviceBeforeItChoosesASource)
{
    m_request.power.kind = "auto";
    ASSERT_TRUE(m_power.startWhileLoading("auto"));
    EXPECT_EQ(m_starts, 0);
    ASSERT_TRUE(m_power.startWhileLoading("cpu"));
    EXPECT_EQ(m_starts, 1);
}

TEST_F(RunPowerTest, AReplayIsNotUsedUpWhileTheModelLoads)
{
    m_request.power.kind = "replay";
    ASSERT_TRUE(m_power.startWhileLoading("cpu"));
    EXPECT_EQ(m_starts, 0);
}

TEST_F(RunPowerTest, CancellingEndsTheIdleTime)
{
    ASSERT_TRUE(m_power.start("cpu"));
    EXPECT_TRUE(m_power.idle().empty());
    m_cancel.cancel();
    const Status idle = m_power.measureIdle(3600.0);
    ASSERT_FALSE(idle);
    EXPECT_EQ(idle.error().code, ErrorCode::Cancelled);
}

using session::PhaseClock;
using session::TokenComplete;

using ep::test::kMs;

PowerSample watts(double power, Nanoseconds beginMs, Nanoseconds endMs)
{
    PowerSample sample;
    sample.window = {beginMs * kMs, endMs * kMs};
    sample.power_mw[Rail::Cpu] = Milliwatts{power * 1000.0};
    sample.total_mw = sample.power_mw[Rail::Cpu];
    return sample;
}

// From 200 to 210 ms, half of it in one layer, a fifth in one component.
TokenComplete tokenAt200()
{
    TokenComplete event;
    event.token.time = {200 * kMs, 210 * kMs};
    event.layers.resize(1);
    event.layers[0].time = {200 * kMs, 205 * kMs};
    event.components.resize(1);
    event.components[0].time = {201 * kMs, 203 * kMs};
    return event;
}

TEST(EstimateEnergy, HoldsTheLastPowerOverTheToken)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(5.0, 0, 100), watts(10.0, 100, 190)});
    ASSERT_TRUE(event.token.energy.total_mj.has_value());
    EXPECT_NEAR(event.token.energy.total_mj->value, 100.0, 1e-9); // 10 W x 10 ms
    EXPECT_NEAR(event.layers[0].energy_mj->value, 50.0, 1e-9);
    EXPECT_NEAR(event.components[0].energy_mj->value, 20.0, 1e-9);
}

TEST(EstimateEnergy, TakesASampleThatCoversTheTokenAsItIs)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(10.0, 100, 205), watts(20.0, 205, 300)});
    EXPECT_NEAR(event.token.energy.total_mj.value().value, 150.0, 1e-9);
}

TEST(EstimateEnergy, CountersAreNotCountedTwice)
{
    PowerSample counted = watts(10.0, 100, 200);
    counted.energy_mj[Rail::Cpu] = Millijoules{1000.0};
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {counted});
    EXPECT_NEAR(event.token.energy.total_mj.value().value, 100.0, 1e-9);
}

// A rail that an earlier sample of the run had and the last sample lacks is not zero.
TEST(EstimateEnergy, MissesTheRailsOfEarlierSamples)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(10.0, 100, 205), watts(20.0, 205, 300)}, {Rail::Cpu, Rail::Gpu});
    EXPECT_FALSE(event.token.energy.total_mj.has_value());
    EXPECT_TRUE(event.token.energy.rails_mj[Rail::Cpu].has_value());
    EXPECT_FALSE(event.layers[0].energy_mj.has_value());
}

TEST(EstimateEnergy, SaysNothingWithoutRecentSamples)
{
    TokenComplete none = tokenAt200();
    estimateEnergy(none, {});
    EXPECT_FALSE(none.token.energy.total_mj.has_value());
    EXPECT_EQ(none.token.energy.provenance, Provenance::Missing);

    TokenComplete stale = tokenAt200();
    estimateEnergy(stale, {watts(10.0, 0, 20)});
    EXPECT_FALSE(stale.token.energy.total_mj.has_value());
}

TEST(PhaseClock, ClosesAPhaseWhenTheNextBegins)
{
    PhaseClock clock;
    clock.enter(Phase::PreInference, 10);
    clock.enter(Phase::Prefill, 20);
    clock.end(35);
    const std::vector<PhaseSpan> phases = clock.phases();
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0].time, (TimeRange{10, 20}));
    EXPECT_EQ(phases[1].phase, Phase::Prefill);
    EXPECT_EQ(phases[1].time, (TimeRange{20, 35}));
}

TEST(PhaseClock, TagsSamplesWhileAPhaseGoesOn)
{
    PhaseClock clock;
    PowerSample before = watts(1.0, 0, 10);
    clock.tag(before);
    EXPECT_EQ(before.phase, Phase::Idle);

    clock.enter(Phase::PreInference, 10 * kMs);
    clock.enter(Phase::Prefill, 12 * kMs);
    PowerSample during = watts(1.0, 10, 20);
    clock.tag(during);
    EXPECT_EQ(during.phase, Phase::Prefill);
    EXPECT_NEAR(during.phase_confidence, 0.8, 1e-9);

    clock.end(22 * kMs);
    PowerSample after = watts(1.0, 30, 40);
    clock.tag(after);
    EXPECT_EQ(after.phase, Phase::Idle);
}

using namespace std::chrono_literals;
using session::PowerLog;

PowerSample sample(Nanoseconds begin, Nanoseconds end)
{
    PowerSample sample;
    sample.window = {begin, end};
    return sample;
}

struct RecentCase {
    Nanoseconds since;
    std::size_t count;
};

class PowerLogRecentTest : public testing::TestWithParam<RecentCase> { };

TEST_P(PowerLogRecentTest, GivesTheWindowsThatEndLater)
{
    PowerLog log;
    for (const Nanoseconds begin : {0, 10, 20})
        log.add(sample(begin, begin + 10));
    const std::vector<PowerSample> recent = log.recent(GetParam().since);
    ASSERT_EQ(recent.size(), GetParam().count);
    EXPECT_EQ(recent.back().window.end_ns, 30);
}

INSTANTIATE_TEST_SUITE_P(Times, PowerLogRecentTest,
                         testing::Values(RecentCase{0, 3}, RecentCase{10, 2}, RecentCase{15, 2},
                                         RecentCase{29, 1}, RecentCase{30, 1},
                                         RecentCase{1000, 1}));

TEST(PowerLog, DistributesALateReadingOverTheSamplesThatItCovers)
{
    PowerLog log;
    log.add(sample(0, 10));
    log.add(sample(10, 40));
    PowerSample late = sample(0, 40);
    late.energy_mj[Rail::Dram] = Millijoules{8.0};
    log.add(late);
    const std::vector<PowerSample> all = log.all();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].energy_mj[Rail::Dram], Millijoules{2.0});
    EXPECT_EQ(all[1].energy_mj[Rail::Dram], Millijoules{6.0});
}

TEST(PowerLog, HasNothingRecentBeforeTheFirstSample)
{
    EXPECT_TRUE(PowerLog().recent(0).empty());
}

TEST(PowerLog, KnowsTheRailsOfAllItsSamples)
{
    PowerLog log;
    EXPECT_TRUE(log.rails().empty());
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Cpu, Rail::System}) {
        PowerSample one = sample(0, 10);
        one.power_mw[rail] = Milliwatts{1.0};
        log.add(one);
    }
    EXPECT_EQ(log.rails(), (std::vector{Rail::Cpu, Rail::Gpu}));
}

TEST(PowerLog, WaitsForTheFirstSample)
{
    PowerLog log;
    std::thread source([&] { log.add(sample(0, 1)); });
    EXPECT_TRUE(log.waitForFirst(60s, {}));
    source.join();
}

TEST(PowerLog, WaitsForTheWindowThatReachesTheEnd)
{
    PowerLog log;
    log.add(sample(0, 99));
    std::thread source([&] {
        log.add(sample(99, 199));
        log.add(sample(199, 200));
    });
    EXPECT_TRUE(log.waitUntilCovered(200, 60s, {}));
    source.join();
    EXPECT_EQ(log.all().size(), 3U);
}

TEST(PowerLog, GivesUpInTime)
{
    PowerLog log;
    log.add(sample(0, 99));
    EXPECT_FALSE(log.waitUntilCovered(100, 1ms, {}));
    EXPECT_FALSE(PowerLog().waitForFirst(0ms, {}));
}

TEST(PowerLog, ADeadSourceEndsTheWaiting)
{
    PowerLog log;
    std::thread source([&] { log.fail("unplugged"); });
    EXPECT_FALSE(log.waitForFirst(60s, {}));
    source.join();
    log.fail("and again");
    EXPECT_EQ(log.problem(), "unplugged");
}

TEST(PowerLog, CancellingEndsTheWaiting)
{
    PowerLog log;
    const CancelToken cancel;
    std::thread person([&] { cancel.cancel(); });
    EXPECT_FALSE(log.waitForFirst(60s, cancel));
    person.join();
    EXPECT_FALSE(log.problem().has_value());
}

} // namespace
