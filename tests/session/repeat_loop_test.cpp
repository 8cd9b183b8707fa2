// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include "ep/session/repeat_loop.h"

#include <QEventLoop>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ep;
using session::PlannedRun;
using session::RepeatLoop;
using session::RepeatOrder;
using session::RepeatPlan;
using session::RunRequest;
using test::RunWatcher;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::pair<int, int>> orderOf(const RepeatPlan& plan)
{
    std::vector<std::pair<int, int>> order;
    for (const PlannedRun& run : session::plannedRuns(plan))
        order.emplace_back(run.configuration, run.repeat);
    return order;
}

// What was signalled while the event loop ran until the repeats were over.
struct Heard {
    std::vector<int> started; // indices of the configurations
    int pauses = 0;
    std::optional<bool> complete;
};

void listen(RepeatLoop& loop, Heard& heard, QEventLoop& events)
{
    QObject::connect(&loop, &RepeatLoop::runStarting, [&heard](int, int, const PlannedRun& run) {
        heard.started.push_back(run.configuration);
    });
    QObject::connect(&loop, &RepeatLoop::coolDownStarted, [&heard] { ++heard.pauses; });
    QObject::connect(&loop, &RepeatLoop::stopped, [&heard, &events](bool complete) {
        heard.complete = complete;
        events.quit();
    });
}

TEST(RepeatPlan, OrdersTheRuns)
{
    EXPECT_THAT(orderOf({.configurations = 2, .repeats = 2, .order = RepeatOrder::Blocks}),
                ElementsAre(std::pair(0, 0), std::pair(0, 1), std::pair(1, 0), std::pair(1, 1)));
    EXPECT_THAT(orderOf({.configurations = 2, .repeats = 2}),
                ElementsAre(std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)));
    EXPECT_THAT(orderOf({.configurations = 0, .repeats = 3}), IsEmpty());
    const RepeatPlan shuffled{
        .configurations = 5, .repeats = 40, .order = RepeatOrder::Shuffled, .seed = 3};
    const auto order = orderOf(shuffled);
    EXPECT_EQ(order, orderOf(shuffled));
    ASSERT_EQ(order.size(), 200U);
    std::set<std::vector<int>> rounds;
    for (std::size_t round = 0; round < 40; ++round) {
        std::vector<int> drawn;
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(order[round * 5 + i].second, static_cast<int>(round));
            drawn.push_back(order[round * 5 + i].first);
        }
        rounds.insert(drawn);
        std::sort(drawn.begin(), drawn.end());
        EXPECT_THAT(drawn, ElementsAre(0, 1, 2, 3, 4));
    }
    EXPECT_GT(rounds.size(), 10U);
}

TEST(RepeatLoop, TakesTheProfilerThroughThePlan)
{
    RunWatcher watcher;
    std::vector<std::string> experiments;
    RunRequest one = watcher.request();
    one.experiment = "one";
    RunRequest two = watcher.request();
    two.experiment = "two";
    RepeatLoop loop(watcher.profiler());
    Heard heard;
    QEventLoop events;
    listen(loop, heard, events);
    QObject::connect(&watcher.profiler(), &session::Profiler::finished, &loop,
                     [&](const session::RunFinished& finished) {
                         experiments.push_back(finished.run->info.experiment);
                     });
    loop.start({one, two}, {.repeats = 2, .cool_down_ms = 1});
    EXPECT_TRUE(loop.running());
    EXPECT_EQ(loop.runs(), 4);
    events.exec();
    EXPECT_THAT(experiments, ElementsAre("one", "two", "two", "one"));
    EXPECT_THAT(heard.started, ElementsAre(0, 1, 1, 0));
    EXPECT_EQ(heard.pauses, 3);
    EXPECT_EQ(heard.complete, true);
    EXPECT_FALSE(loop.running());
    EXPECT_EQ(loop.begun(), 4);
}

TEST(EnergyKnown, IsTheIntervalOverTheRepeats)
{
    using Values = std::vector<std::optional<double>>;
    EXPECT_EQ(session::energyKnown(Values{})->runs, 0);
    EXPECT_EQ(session::energyKnown(Values{1.0, std::nullopt}), std::nullopt);
    const auto two = session::energyKnown(Values{1.0, 3.0});
    ASSERT_TRUE(two);
    EXPECT_EQ(two->joules_per_token, 2.0);
    EXPECT_EQ(two->half_width, std::nullopt);
    // The logarithms have the standard deviation 0.100360; t(0.975, 4) = 2.77645.
    const auto five = session::energyKnown(Values{9.0, 9.0, 10.0, 11.0, 11.0});
    ASSERT_TRUE(five && five->half_width);
    EXPECT_NEAR(*five->half_width, std::expm1(2.77645 * 0.100360 / std::sqrt(5.0)), 1e-5);
}

TEST(RepeatLoop, DoesNotWaitForAnEnergyThatNoRunHas)
{
    RunWatcher watcher({}, {.kind = "none"});
    RepeatLoop loop(watcher.profiler());
    Heard heard;
    QEventLoop events;
    listen(loop, heard, events);
    loop.start({watcher.request()}, {.repeats = 9, .until = session::UntilKnown{}});
    events.exec();
    EXPECT_EQ(heard.complete, true);
    EXPECT_EQ(loop.begun(), 1);
    EXPECT_FALSE(loop.known());
}

TEST(RepeatLoop, GoesOnForAsLongAsItIsTold)
{
    struct Case {
        double least_seconds;
        int runs;
    };
    // The interval is wide, so the minimum or the maximum number of runs ends it.
    for (const Case& one : {Case{0.0, session::kMinUntil}, Case{3600.0, session::kMinUntil + 2}}) {
        RunWatcher watcher({.layer_time = std::chrono::milliseconds(1)}); // some windows each
        RepeatLoop loop(watcher.profiler());
        Heard heard;
        QEventLoop events;
        listen(loop, heard, events);
        loop.start(
            {watcher.request()},
            {.repeats = session::kMinUntil + 2,
             .until = session::UntilKnown{.half_width = 1e9, .least_seconds = one.least_seconds}});
        events.exec();
        EXPECT_EQ(heard.complete, true);
        EXPECT_EQ(loop.begun(), one.runs) << one.least_seconds;
    }
}

TEST(RepeatLoop, StopsWithTheFirstRunThatFails)
{
    RunWatcher watcher;
    RunRequest broken = watcher.request();
    broken.load.folder = "/nowhere";
    RepeatLoop loop(watcher.profiler());
    Heard heard;
    QEventLoop events;
    listen(loop, heard, events);
    loop.start({watcher.request(), broken}, {.repeats = 3});
    events.exec();
    EXPECT_THAT(heard.started, ElementsAre(0, 1));
    EXPECT_EQ(heard.complete, false);
}

TEST(RepeatLoop, CanBeCancelledInARunAndInAPause)
{
    {
        RunWatcher watcher;
        RepeatLoop loop(watcher.profiler());
        Heard heard;
        QEventLoop events;
        listen(loop, heard, events);
        QObject::connect(&watcher.profiler(), &session::Profiler::tokenComplete, &loop,
                         [&loop] { loop.cancel(); });
        loop.start({watcher.request()}, {.repeats = 3});
        events.exec();
        EXPECT_EQ(heard.complete, false);
        EXPECT_THAT(heard.started, ElementsAre(0));
    }
    RunWatcher watcher;
    RepeatLoop loop(watcher.profiler());
    Heard heard;
    QEventLoop events;
    listen(loop, heard, events);
    QObject::connect(&loop, &RepeatLoop::coolDownStarted, &loop, [&loop] {
        EXPECT_TRUE(loop.coolingDown());
        loop.cancel();
    });
    loop.start({watcher.request()}, {.repeats = 2, .cool_down_ms = 3'600'000});
    events.exec();
    EXPECT_EQ(heard.complete, false);
    EXPECT_FALSE(loop.coolingDown());
    loop.cancel(); // there is nothing to cancel
}

} // namespace
