// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"
#include "run/assemble.h"
#include "support/milliseconds.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace {

using namespace ep;
using session::ClockReading;
using session::ClockWatch;
using session::Interruption;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Nanoseconds kSecond = 1'000'000'000;

// One step of the clocks, in seconds; here the run's clock stops during sleep.
struct Step {
    double awake = 0.1;
    double asleep = 0.0;
    double set = 0.0;
};

std::vector<Interruption> watch(const std::vector<Step>& steps)
{
    ClockReading now{.run_ns = 5 * kSecond,
                     .awake_ns = 7 * kSecond,
                     .boot_ns = 9 * kSecond,
                     .wall_ns = 1'700'000'000 * kSecond};
    ClockWatch clocks([&now] { return now; });
    clocks.begin();
    for (const Step& step : steps) {
        const auto ns = [](double seconds) {
            return static_cast<Nanoseconds>(seconds * static_cast<double>(kSecond));
        };
        now.run_ns += ns(step.awake);
        now.awake_ns += ns(step.awake);
        now.boot_ns += ns(step.awake + step.asleep);
        now.wall_ns += ns(step.awake + step.asleep + step.set);
        clocks.look();
    }
    return clocks.interruptions();
}

TEST(ClockWatch, AnUndisturbedRunHasNoInterruptions)
{
    EXPECT_THAT(watch({{}, {}, {.awake = 3600.0}, {}}), IsEmpty());
}

TEST(ClockWatch, SmallDriftIsNoInterruption)
{
    EXPECT_THAT(watch({{.asleep = 0.3}, {.set = 0.9}, {.set = -0.9}}), IsEmpty());
}

TEST(Heartbeat, FindsThatTheProgramWasStopped)
{
    session::Heartbeat::Beat now{.time = 5 * kSecond, .processor = kSecond};
    session::Heartbeat heart([&now] { return now; });
    const auto beat = [&](Nanoseconds later, Nanoseconds used) {
        now.time += later;
        now.processor += used;
        heart.beat();
    };
    beat(kSecond / 10, kSecond / 10);
    beat(kSecond / 3, 0); // a late wake-up
    beat(2 * kSecond, 4 * kSecond); // a busy machine: other threads of the program ran meanwhile
    EXPECT_THAT(heart.takePauses(), IsEmpty());
    const Nanoseconds begin = now.time;
    beat(3 * kSecond, kSecond / 100);
    EXPECT_THAT(heart.takePauses(), ElementsAre(TimeRange{begin, begin + 3 * kSecond}));
    EXPECT_THAT(heart.takePauses(), IsEmpty());
}

// A program that waits for a command uses no processor, whether it is stopped or delayed.
TEST(Heartbeat, TellsADelayOfTheThreadFromAStop)
{
    session::Heartbeat::Beat now{.time = 5 * kSecond, .processor = kSecond};
    session::Heartbeat heart([&now] { return now; });
    now.time += kSecond;
    now.waited += kSecond * 8 / 10;
    heart.beat();
    EXPECT_THAT(heart.takePauses(), IsEmpty()) << "it was ready, but others had the processors";
    now.time += kSecond;
    now.waited += kSecond / 10;
    heart.beat();
    EXPECT_EQ(heart.takePauses().size(), 1U);
    now.time += kSecond;
    now.waited += kSecond;
    ++now.continued;
    heart.beat();
    EXPECT_EQ(heart.takePauses().size(), 1U) << "the signal tells";
}

// Until it is stopped, the program works with all processors, up to a whole interval at a time.
TEST(Heartbeat, FindsThatABusyProgramWasStopped)
{
    session::Heartbeat::Beat now{.time = 5 * kSecond, .processor = kSecond};
    session::Heartbeat heart([&now] { return now; });
    const auto beat = [&](Nanoseconds later, Nanoseconds used) {
        now.time += later;
        now.processor += used;
        heart.beat();
        return heart.takePauses().size();
    };
    EXPECT_EQ(beat(kSecond / 10, kSecond / 5), 0U);
    EXPECT_EQ(beat(3 * kSecond, kSecond * 29 / 100), 1U);
    EXPECT_EQ(beat(kSecond / 10, kSecond / 5), 0U);
    EXPECT_EQ(beat(2 * kSecond, kSecond), 0U) << "slowed down by others";
    EXPECT_EQ(beat(kSecond / 10, kSecond / 5), 0U);
    EXPECT_EQ(beat(kSecond * 7 / 10, kSecond / 5), 0U) << "too short to tell";
    ++now.continued;
    EXPECT_EQ(beat(kSecond * 7 / 10, kSecond / 5), 1U) << "the signal tells";
    ++now.continued;
    EXPECT_EQ(beat(kSecond / 10, kSecond / 5), 0U) << "it was not stopped before";
    EXPECT_EQ(beat(kSecond * 7 / 10, kSecond / 2), 0U);
    ++now.continued;
    EXPECT_EQ(beat(kSecond / 100, kSecond / 50), 1U) << "the signal arrives after the beat";
}

TEST(ClockWatch, TellsAStopOnceAndDiscardsItsSamples)
{
    session::Heartbeat::Beat beat{};
    const auto heart = std::make_shared<session::Heartbeat>([&beat] { return beat; });
    ClockReading now{};
    ClockWatch clocks([&now] { return now; }, heart);
    clocks.begin();
    const auto pass = [&](Nanoseconds time, Nanoseconds asleep) {
        beat.time += time;
        now.run_ns += time;
        now.awake_ns += time - asleep;
        now.boot_ns += time;
        now.wall_ns += time;
        heart->beat();
        clocks.look();
    };
    pass(3 * kSecond, 0);
    pass(2 * kSecond, 2 * kSecond); // sleep, on a system whose run clock continues
    ASSERT_EQ(clocks.interruptions().size(), 2U);
    EXPECT_EQ(clocks.interruptions()[0].stopped_ns, 3 * kSecond);
    EXPECT_EQ(clocks.interruptions()[1].stopped_ns, 0);
    EXPECT_EQ(clocks.interruptions()[1].asleep_ns, 2 * kSecond);
    EXPECT_THAT(session::describe(clocks.interruptions(), 0)[0],
                HasSubstr("The program was stopped for 3.00 s"));

    std::vector<PowerSample> samples(2);
    samples[0].window = {kSecond, 2 * kSecond};
    samples[1].window = {6 * kSecond, 7 * kSecond};
    session::excludeSleep(samples, clocks.interruptions());
    ASSERT_EQ(samples.size(), 1U);
    EXPECT_EQ(samples[0].window.begin_ns, 6 * kSecond);
}

TEST(ClockWatch, FindsSleep)
{
    const auto found = watch({{}, {.awake = 0.5, .asleep = 60.0}, {}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].asleep_ns, 60 * kSecond);
    EXPECT_EQ(found[0].wall_shift_ns, 0); // the calendar clock continues during sleep
    EXPECT_EQ(found[0].time.begin_ns, 5 * kSecond + kSecond / 10);
    EXPECT_EQ(found[0].time.duration_ns(), kSecond / 2);
}

TEST(ClockWatch, FindsAClockThatIsSet)
{
    const auto found = watch({{.set = 3600.0}, {}, {.set = -7200.0}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].wall_shift_ns, 3600 * kSecond);
    EXPECT_EQ(found[1].wall_shift_ns, -7200 * kSecond);
    EXPECT_EQ(found[0].asleep_ns, 0);
}

TEST(ClockWatch, TheMachinesOwnClocksAgree)
{
    ClockWatch clocks;
    clocks.begin();
    for (int i = 0; i < 100; ++i)
        clocks.look();
    for (const Interruption& one : clocks.interruptions())
        EXPECT_GE(one.time.duration_ns(), 0); // whatever this machine does, nothing runs backwards
}

TEST(Interruptions, SamplesThatReachIntoSleepAreLeftOut)
{
    std::vector<PowerSample> samples;
    for (Nanoseconds begin : {0, 100, 200, 300, 400}) {
        samples.emplace_back();
        samples.back().window = {begin, begin + 100};
    }
    session::excludeSleep(
        samples,
        {{.time = {150, 320}, .asleep_ns = kSecond}, {.time = {0, 100}, .wall_shift_ns = kSecond}});
    std::vector<Nanoseconds> left;
    for (const PowerSample& sample : samples)
        left.push_back(sample.window.begin_ns);
    EXPECT_THAT(left, ElementsAre(0, 400));
}

TEST(Interruptions, AreMarkedInTheRun)
{
    RunInfo info;
    info.status_message = "The context is full.";
    info.power.quality = PowerQuality{};
    session::noteInterruptions(
        info, {{.time = {2 * kSecond, 3 * kSecond}, .asleep_ns = 9 * kSecond}}, kSecond);
    EXPECT_EQ(info.power.quality->verdict, QualityVerdict::Poor);
    ASSERT_EQ(info.power.quality->reasons.size(), 1U);
    EXPECT_THAT(info.power.quality->reasons[0], HasSubstr("slept for 9.00 s"));
    EXPECT_THAT(info.power.quality->reasons[0], HasSubstr("1.00 s into the run"));
    EXPECT_THAT(info.status_message, HasSubstr("The context is full. The computer slept"));
}

TEST(Interruptions, AClockThatIsSetSpoilsNothing)
{
    RunInfo info;
    info.power.quality = PowerQuality{};
    session::noteInterruptions(info, {{.time = {0, 1}, .wall_shift_ns = -60 * kSecond}}, 0);
    EXPECT_EQ(info.power.quality->verdict, QualityVerdict::Good);
    EXPECT_THAT(info.status_message, HasSubstr("set back by"));
}

using test::kMs;

TimeRange ms(Nanoseconds begin, Nanoseconds end)
{
    return {begin * kMs, end * kMs};
}

PowerSample sampleOf(const TimeRange& window)
{
    PowerSample sample;
    sample.window = window;
    sample.arrival_ns = window.end_ns;
    return sample;
}

// Four tokens of 50 ms; the program sleeps for 20 s in a layer of the third.
RunTrace pausedTrace()
{
    RunTrace trace;
    trace.time = ms(1000, 21'200);
    trace.phases = {{.phase = Phase::Prefill, .time = ms(1000, 1050), .energy = {}},
                    {.phase = Phase::Decode, .time = ms(1050, 21'200), .energy = {}}};
    for (const TimeRange& time :
         {ms(1000, 1050), ms(1050, 1100), ms(1100, 21'150), ms(21'150, 21'200)}) {
        TokenSpan token;
        token.index = static_cast<std::int32_t>(trace.tokens.size());
        token.time = time;
        trace.tokens.push_back(token);
    }
    trace.layers = {Span::ofLayer(2, 0, ms(1100, 1110)), Span::ofLayer(2, 1, ms(1110, 21'115)),
                    Span::ofLayer(2, 2, ms(21'115, 21'150))};
    for (const TimeRange& window :
         {ms(950, 1050), ms(1050, 21'120), ms(21'120, 21'180), ms(21'180, 21'280)})
        trace.samples.push_back(sampleOf(window));
    return trace;
}

TEST(CutPauses, LeavesAStopOutOfEveryPart)
{
    RunTrace trace = pausedTrace();
    std::vector<Annotation> notes{{.begin_ns = 1100 * kMs, .end_ns = 21'200 * kMs, .text = "x"}};
    // The heart beats every 100 ms, so that it saw the stop begin a little early.
    const Interruption stop{.time = ms(1040, 21'116), .stopped_ns = 20'000 * kMs};
    session::cutPauses({stop}, trace, notes);
    EXPECT_EQ(trace.time, ms(1000, 1195));
    EXPECT_EQ(trace.phases[1].time, ms(1050, 1195));
    EXPECT_EQ(trace.tokens[1].time, ms(1050, 1100)) << "it ended before the stop";
    EXPECT_EQ(trace.tokens[2].time, ms(1100, 1145));
    EXPECT_EQ(trace.tokens[3].time, ms(1145, 1195));
    EXPECT_EQ(trace.layers[0].time, ms(1100, 1110));
    EXPECT_EQ(trace.layers[1].time, ms(1110, 1110));
    EXPECT_EQ(trace.layers[2].time, ms(1110, 1145));
    ASSERT_EQ(trace.samples.size(), 3U) << "one overlaps the stop";
    EXPECT_EQ(trace.samples[1].window, ms(1115, 1175));
    EXPECT_EQ(notes.front().end_ns, 1195 * kMs);
}

TEST(CutPauses, LeavesARunWithoutPausesAsItIs)
{
    RunTrace trace = pausedTrace();
    std::vector<Annotation> notes;
    session::cutPauses({{.time = ms(1040, 21'116), .wall_shift_ns = 5000 * kMs}}, trace, notes);
    EXPECT_EQ(trace, pausedTrace());
    // The run's clock stood still while the machine slept: nothing to cut but the samples.
    session::cutPauses({{.time = ms(1010, 1040), .asleep_ns = 20'000 * kMs}}, trace, notes);
    EXPECT_EQ(trace.tokens, pausedTrace().tokens);
    EXPECT_EQ(trace.samples.size(), 3U);
}

} // namespace
