// SPDX-License-Identifier: GPL-3.0-or-later
#include "tick_timer.h"

#include "ep/core/clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace ep;
using namespace ep::session;

namespace {

// A counter of 3 ticks a nanosecond beside a clock that both move when told to.
std::uint64_t s_tick = 0;
Nanoseconds s_time = 0;

void pass(Nanoseconds time, std::uint64_t ticks)
{
    s_time += time;
    s_tick += ticks;
}

TickTimer scripted()
{
    s_tick = 7'000'000'000'000'000'000;
    s_time = 5'000'000;
    return TickTimer([] { return s_tick; }, [] { return s_time; });
}

} // namespace

TEST(TickTimer, GivesTheTimesOfItsMarksOnTheClock)
{
    TickTimer timer = scripted();
    EXPECT_EQ(timer.mark(), 0U);
    pass(1000, 3000);
    EXPECT_EQ(timer.mark(), 1U);
    pass(500, 1500);
    EXPECT_EQ(timer.mark(), 2U);
    pass(700, 2100);
    std::vector<Nanoseconds> times = {1, 2, 3, 4};
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times, (std::vector<Nanoseconds>{5'000'000, 5'001'000, 5'001'500}));
}

TEST(TickTimer, CountsItsMarksAnewAfterEachReading)
{
    TickTimer timer = scripted();
    std::vector<Nanoseconds> times;
    timer.mark();
    pass(1000, 3000);
    ASSERT_TRUE(timer.read(times));
    pass(10, 30);
    EXPECT_EQ(timer.mark(), 0U);
    pass(10, 30);
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times, std::vector<Nanoseconds>{5'001'010});
    ASSERT_TRUE(timer.read(times));
    EXPECT_TRUE(times.empty());
}

// The system turns its clock a little faster or slower where a time server asks for it.
TEST(TickTimer, FollowsTheClockWhereItsRateChanges)
{
    TickTimer timer = scripted();
    std::vector<Nanoseconds> times;
    pass(1'000'000, 3'000'000);
    ASSERT_TRUE(timer.read(times));
    pass(1'000'500, 3'000'000);
    timer.mark();
    pass(1'000'500, 3'000'000);
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times, std::vector<Nanoseconds>{5'000'000 + 2'000'500});
}

TEST(TickTimer, StandsStillWithItsCounter)
{
    TickTimer timer = scripted();
    timer.mark();
    pass(1000, 0);
    std::vector<Nanoseconds> times;
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times, std::vector<Nanoseconds>{5'000'000});
}

TEST(TickTimer, OfTheSystemAgreesWithItsClock)
{
    const std::unique_ptr<model::SpanTimer> timer = makeTickTimer();
    if (!timer)
        GTEST_SKIP() << "this system keeps no time by a counter";
    std::vector<Nanoseconds> times;
    for (int round = 0; round < 3; ++round) {
        const Nanoseconds before = monotonicNow();
        timer->mark();
        const Nanoseconds between = monotonicNow();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        timer->mark();
        const Nanoseconds after = monotonicNow();
        ASSERT_TRUE(timer->read(times));
        ASSERT_EQ(times.size(), 2U);
        // A thread may lose its core between two lines, but not the order of what it saw.
        constexpr Nanoseconds kSlack = 20'000;
        EXPECT_GE(times[0], before - kSlack);
        EXPECT_LE(times[0], between + kSlack);
        EXPECT_GE(times[1], between + 20'000'000 - kSlack);
        EXPECT_LE(times[1], after + kSlack);
    }
}
