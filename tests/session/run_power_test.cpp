// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/run_power.h"
#include "support/milliseconds.h"

#include "ep/core/clock.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
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

    // What was reported since the last call: "start", the begin of a sample in ms, or a problem.
    std::vector<std::string> told()
    {
        std::vector<std::string> words;
        for (const Event& event : m_outbox.takeAll()) {
            if (std::holds_alternative<session::RunBegan>(event))
                words.emplace_back("start");
            else if (const auto* sample = std::get_if<PowerSample>(&event))
                words.push_back(std::to_string(sample->window.begin_ns / kMs));
            else if (const auto* problem = std::get_if<session::PowerProblem>(&event))
                words.push_back(problem->message);
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

TEST_F(RunPowerTest, ASampleThatReachesBackIsKeptButNotTold)
{
    ASSERT_TRUE(m_power.start("cpu"));
    m_power.announce({}, 0);
    deliver(10, 20);
    deliver(5, 25);
    deliver(20, 30);
    EXPECT_THAT(told(), ElementsAre("start", "0", "10", "20"));
    EXPECT_THAT(m_power.samples(), SizeIs(4));
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

} // namespace
