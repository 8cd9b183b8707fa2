// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that measures asks the system to stay awake while it measures.
#include "session/counted_activities.h"
#include "session/run_watcher.h"
#include "support/fake_power_feed.h"

#include "ep/session/sensor_doctor.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace ep;
using test::EngineStage;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(KeptAwake, ARunFromLoadingToTheEnd)
{
    test::CountedActivities* activities = nullptr;
    std::vector<int> held; // locks held at each stage of the engine
    test::RunWatcher watcher(
        {.on_stage = [&](EngineStage) { held.push_back(activities->held()); }});
    activities = &watcher.activities;
    watcher.run(watcher.request());
    ASSERT_TRUE(watcher.finished.has_value());
    watcher.destroyProfiler();
    EXPECT_THAT(held, AllOf(Not(IsEmpty()), Each(1)));
    EXPECT_EQ(activities->held(), 0);
    EXPECT_THAT(activities->reasons(), ElementsAre("Profiling a model"));
}

TEST(KeptAwake, ARunThatFailsLetsGo)
{
    test::RunWatcher watcher({.step_error = Error{ErrorCode::Io, "as the test has it"}});
    watcher.run(watcher.request());
    ASSERT_TRUE(watcher.failure.has_value());
    watcher.destroyProfiler();
    EXPECT_EQ(watcher.activities.held(), 0);
    EXPECT_THAT(watcher.activities.reasons(), ElementsAre("Profiling a model"));
}

TEST(KeptAwake, TheDoctorOnlyForItsLoad)
{
    test::CountedActivities activities;
    // No source of this machine is read.
    const auto refusing = [] {
        return std::make_unique<test::FakePowerFeed>(
            test::PowerScript{.start_error = Error{ErrorCode::Unsupported, "as the test has it"}});
    };
    const session::Backend backend{
        .openEngineLibrary = {}, .makePowerFeed = refusing, .beginActivity = activities.begin()};
    std::vector<int> held;
    const auto heard = [&](double, const std::string&) { held.push_back(activities.held()); };
    session::examineSensors({.seconds = 0.0}, backend, {}, heard);
    EXPECT_THAT(activities.reasons(), IsEmpty());

    session::examineSensors({.seconds = 0.02, .half_period_seconds = 0.01, .threads = 1}, backend,
                            {}, heard);
    EXPECT_THAT(held, AllOf(Not(IsEmpty()), Each(1)));
    EXPECT_THAT(activities.reasons(), ElementsAre("Testing power sensors"));
    EXPECT_EQ(activities.held(), 0);
}

} // namespace
