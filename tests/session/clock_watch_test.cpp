// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <memory>
#include <string>
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

} // namespace
