// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include "ep/session/repeat_loop.h"

#include <QEventLoop>

#include <gmock/gmock.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ep;
using session::RepeatLoop;
using session::RunRequest;
using test::RunWatcher;
using testing::ElementsAre;
using testing::IsEmpty;

// Repeats, and the signals that arrived until they were over.
struct Repeats {
    explicit Repeats(RunWatcher& watcher)
        : loop(watcher.profiler())
    {
        QObject::connect(&loop, &RepeatLoop::runStarting,
                         [this](int number, int) { started.push_back(number); });
        QObject::connect(&loop, &RepeatLoop::coolDownStarted, [this] { ++pauses; });
        QObject::connect(&loop, &RepeatLoop::stopped, [this](bool all) {
            complete = all;
            events.quit();
        });
    }
    void run(const std::vector<RunRequest>& plan,
             const std::optional<session::UntilKnown>& until = std::nullopt)
    {
        loop.start(plan, until);
        events.exec();
    }

    RepeatLoop loop;
    QEventLoop events;
    std::vector<int> started; // numbers of the runs
    int pauses = 0;
    std::optional<bool> complete;
};

RunRequest repeated(RunRequest request, int repeats, double pause = 0.0)
{
    request.repeats = repeats;
    request.cool_down_seconds = pause;
    return request;
}

TEST(RepeatLoop, TakesTheProfilerThroughThePlan)
{
    RunWatcher watcher;
    std::vector<std::string> experiments;
    RunRequest one = watcher.request();
    one.experiment = "one";
    RunRequest two = watcher.request();
    two.experiment = "two";
    one.repeats = 2;
    one.cool_down_seconds = 0.001;
    Repeats repeats(watcher);
    QObject::connect(&watcher.profiler(), &session::Profiler::finished, &repeats.loop,
                     [&](const session::RunFinished& finished) {
                         experiments.push_back(finished.run->info.experiment);
                         EXPECT_THAT(finished.run->info.tags, IsEmpty())
                             << "two prompts are no pair to compare";
                     });
    repeats.loop.start({one, two});
    EXPECT_TRUE(repeats.loop.running());
    EXPECT_EQ(repeats.loop.runs(), 4);
    repeats.events.exec();
    EXPECT_THAT(experiments, ElementsAre("one", "two", "one", "two"));
    EXPECT_THAT(repeats.started, ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(repeats.pauses, 3);
    EXPECT_EQ(repeats.complete, true);
    EXPECT_FALSE(repeats.loop.running());
    EXPECT_EQ(repeats.loop.begun(), 4);
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
    Repeats repeats(watcher);
    repeats.run({repeated(watcher.request(), 9)}, session::UntilKnown{});
    EXPECT_EQ(repeats.complete, true);
    EXPECT_EQ(repeats.loop.begun(), 1);
    EXPECT_FALSE(repeats.loop.known());
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
        Repeats repeats(watcher);
        repeats.run({repeated(watcher.request(), session::kMinUntil + 2)},
                    session::UntilKnown{.half_width = 1e9, .least_seconds = one.least_seconds});
        EXPECT_EQ(repeats.complete, true);
        EXPECT_EQ(repeats.loop.begun(), one.runs) << one.least_seconds;
    }
}

TEST(RepeatLoop, StopsWithTheFirstRunThatFails)
{
    RunWatcher watcher;
    RunRequest broken = watcher.request();
    broken.load.folder = "/nowhere";
    Repeats repeats(watcher);
    repeats.run({repeated(watcher.request(), 3), broken});
    EXPECT_THAT(repeats.started, ElementsAre(1, 2));
    EXPECT_EQ(repeats.complete, false);
}

TEST(RepeatLoop, CanBeCancelledInARunAndInAPause)
{
    {
        RunWatcher watcher;
        Repeats repeats(watcher);
        QObject::connect(&watcher.profiler(), &session::Profiler::tokenComplete, &repeats.loop,
                         [&repeats] { repeats.loop.cancel(); });
        repeats.run({repeated(watcher.request(), 3)});
        EXPECT_EQ(repeats.complete, false);
        EXPECT_THAT(repeats.started, ElementsAre(1));
    }
    RunWatcher watcher;
    Repeats repeats(watcher);
    QObject::connect(&repeats.loop, &RepeatLoop::coolDownStarted, &repeats.loop, [&repeats] {
        EXPECT_TRUE(repeats.loop.running());
        repeats.loop.cancel();
    });
    repeats.run({repeated(watcher.request(), 2, 3600.0)});
    EXPECT_EQ(repeats.complete, false);
    EXPECT_FALSE(repeats.loop.running());
    repeats.loop.cancel(); // there is nothing to cancel
}

} // namespace
