// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/recorder.h"

#include "ep/core/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace ep;
using namespace ep::session;

namespace {

// A counter with 3 ticks per nanosecond and a clock, both advanced manually.
std::int64_t s_tick = 0;
Nanoseconds s_time = 0;

void pass(Nanoseconds time, std::int64_t ticks)
{
    s_time += time;
    s_tick += ticks;
}

TickClock scripted()
{
    s_tick = 7'000'000'000'000'000'000;
    s_time = 5'000'000;
    return TickClock([] { return s_tick; }, [] { return s_time; });
}

} // namespace

TEST(TickClock, GivesTheTimesOfStampsBetweenTwoReadings)
{
    const TickClock clock = scripted();
    const TickReading from = clock.read();
    const std::int64_t first = clock.tick();
    pass(1000, 3000);
    const std::int64_t second = clock.tick();
    pass(500, 1500);
    const std::int64_t third = clock.tick();
    pass(700, 2100);
    const TickScale scale(from, clock.read());
    EXPECT_EQ(scale.timeOf(first), 5'000'000);
    EXPECT_EQ(scale.timeOf(second), 5'001'000);
    EXPECT_EQ(scale.timeOf(third), 5'001'500);
    EXPECT_EQ(scale.timeOf(clock.tick()), 5'002'200);
}

// When a time server asks for it, the system lets its clock run a little faster or slower.
TEST(TickClock, FollowsTheClockWhereItsRateChanges)
{
    const TickClock clock = scripted();
    pass(1'000'000, 3'000'000);
    const TickReading from = clock.read();
    pass(1'000'500, 3'000'000);
    const std::int64_t timestamp = clock.tick();
    pass(1'000'500, 3'000'000);
    EXPECT_EQ(TickScale(from, clock.read()).timeOf(timestamp), 5'000'000 + 2'000'500);
}

TEST(TickClock, StandsStillWithItsCounter)
{
    const TickClock clock = scripted();
    const TickReading from = clock.read();
    pass(1000, 0);
    EXPECT_EQ(TickScale(from, clock.read()).timeOf(clock.tick()), 5'000'000);
}

TEST(TickClock, LeavesTimesAsTheyAreWithoutACounter)
{
    EXPECT_EQ(TickScale().timeOf(123'456'789'012'345'678), 123'456'789'012'345'678);
}

// The closest of three readings counts, since an interrupted one is imprecise.
TEST(TickClock, ReadsBothAtTheSameMoment)
{
    static int s_calls = 0;
    s_calls = 0;
    scripted();
    const TickClock clock([] { return s_tick; },
                          [] {
                              const Nanoseconds now = s_time;
                              if (s_calls++ != 1)
                                  pass(10'000, 30'000);
                              return now;
                          });
    const TickReading reading = clock.read();
    EXPECT_EQ(reading.tick, 7'000'000'000'000'030'000);
    EXPECT_EQ(reading.time, 5'010'000);
}

// A thread may lose its core between two lines, so up to two rounds in five may be disturbed.
TEST(TickClock, OfTheSystemAgreesWithItsClock)
{
    // If the system has no counter-based clock, the monotonic clock is used instead.
    const auto clock = TickClock::ofSystem().value_or(TickClock(monotonicNow, monotonicNow));
    constexpr Nanoseconds kSlack = 5'000;
    int agreeing = 0;
    for (int round = 0; round < 5; ++round) {
        const TickReading from = clock.read();
        const Nanoseconds before = monotonicNow();
        const std::int64_t first = clock.tick();
        const Nanoseconds between = monotonicNow();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const std::int64_t second = clock.tick();
        const Nanoseconds after = monotonicNow();
        const TickScale scale(from, clock.read());
        const Nanoseconds begin = scale.timeOf(first);
        const Nanoseconds end = scale.timeOf(second);
        if (begin >= before - kSlack && begin <= between + kSlack
            && end >= between + 20'000'000 - kSlack && end <= after + kSlack)
            ++agreeing;
    }
    EXPECT_GE(agreeing, 3);
}
