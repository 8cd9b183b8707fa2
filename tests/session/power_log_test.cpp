// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_log.h"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace ep;
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
