// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"
#include "run/activities.h"
#include "run/cover_watch.h"
#include "session/counted_activities.h"
#include "session/run_watcher.h"
#include "support/fake_power_feed.h"

#include "ep/session/sensor_doctor.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace ep;
using namespace ep::session;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A fake of a Mac's activities. Objects and selectors are represented by their names.
struct FakeMac {
    std::vector<std::string> calls;
    bool refuses = false;
};
FakeMac* mac = nullptr;

void* named(const char* name)
{
    return const_cast<char*>(name);
}

void* fakeSend(void* receiver, void* selector, std::uintptr_t first, void* second)
{
    if (receiver == nullptr)
        return nullptr;
    const std::string message = static_cast<const char*>(selector);
    std::string call = std::string(static_cast<const char*>(receiver)) + ' ' + message;
    if (message == "beginActivityWithOptions:reason:")
        call += ' ' + std::to_string(first) + ' ' + static_cast<const char*>(second);
    else if (message.back() == ':')
        call += std::string(" ") + reinterpret_cast<const char*>(first);
    mac->calls.push_back(call);
    if (message == "processInfo")
        return named("info");
    if (message == "stringWithUTF8String:")
        return named("reason");
    if (message == "beginActivityWithOptions:reason:" && !mac->refuses)
        return named("token");
    return nullptr;
}

void* pushPool()
{
    mac->calls.emplace_back("push");
    return named("pool");
}
void popPool(void*)
{
    mac->calls.emplace_back("pop");
}

const ObjectiveC kRuntime{.get_class = named,
                          .selector = named,
                          .send = reinterpret_cast<void (*)()>(fakeSend),
                          .push_pool = pushPool,
                          .pop_pool = popPool};

TEST(ProcessActivity, IsBegunAndEnded)
{
    FakeMac fake;
    mac = &fake;
    {
        const ProcessActivity activity(kRuntime, "Profiling");
        EXPECT_TRUE(activity.held());
        EXPECT_FALSE(activity.mayNap());
        EXPECT_THAT(activity.detail(), HasSubstr("App Nap"));
        // 0xFF00FFFFFF: user-initiated and latency-critical.
        EXPECT_THAT(fake.calls,
                    ElementsAre("push", "NSProcessInfo processInfo",
                                "NSString stringWithUTF8String: Profiling",
                                "info beginActivityWithOptions:reason: 1095233437695 reason",
                                "token retain", "pop"));
        fake.calls.clear();
    }
    EXPECT_THAT(fake.calls, ElementsAre("push", "info endActivity: token", "token release", "pop"));
}

TEST(ProcessActivity, ARefusalIsTold)
{
    FakeMac fake{.calls = {}, .refuses = true};
    mac = &fake;
    {
        const ProcessActivity activity(kRuntime, "Profiling");
        EXPECT_FALSE(activity.held());
        EXPECT_TRUE(activity.mayNap());
        EXPECT_THAT(activity.detail(), HasSubstr("did not take"));
        fake.calls.clear();
    }
    EXPECT_THAT(fake.calls, IsEmpty());
}

class SleepInhibitorTest : public testing::Test {
protected:
    SleepInhibitorTest()
    {
        EXPECT_EQ(::pipe(m_pipe.data()), 0);
        ::setenv("EP_SYSTEMD", EP_FAKE_SYSTEMD_LIBRARY, 1);
        ::setenv("EP_FAKE_LOGIND_PIPE", std::to_string(m_pipe[1]).c_str(), 1);
    }
    ~SleepInhibitorTest() override
    {
        for (const char* name : {"EP_SYSTEMD", "EP_FAKE_LOGIND", "EP_FAKE_LOGIND_PIPE"})
            ::unsetenv(name);
        ::close(m_pipe[0]);
        closeOwn();
    }
    // Afterwards only the locks hold the pipe open.
    void closeOwn()
    {
        if (m_pipe[1] >= 0)
            ::close(m_pipe[1]);
        m_pipe[1] = -1;
    }
    bool anyLock() const
    {
        pollfd reader{m_pipe[0], POLLIN, 0};
        ::poll(&reader, 1, 0);
        return (reader.revents & POLLHUP) == 0;
    }

    std::array<int, 2> m_pipe{-1, -1};
};

TEST_F(SleepInhibitorTest, HoldsTheLockAsLongAsItLives)
{
    {
        const SleepInhibitor inhibitor("Profiling");
        closeOwn();
        EXPECT_TRUE(inhibitor.held());
        EXPECT_THAT(inhibitor.detail(), HasSubstr("keeps this machine awake"));
        EXPECT_FALSE(inhibitor.mayNap());
        EXPECT_TRUE(anyLock());
    }
    EXPECT_FALSE(anyLock());
}

TEST_F(SleepInhibitorTest, TakesWhatItIsGranted)
{
    const std::vector<std::tuple<const char*, bool, const char*>> cases = {
        {"remote", true, "from idling"},
        {"refuses", false, "refused"},
        {"none", false, "no systemd-logind"},
    };
    for (const auto& [scenario, held, detail] : cases) {
        ::setenv("EP_FAKE_LOGIND", scenario, 1);
        const SleepInhibitor inhibitor("Profiling");
        EXPECT_EQ(inhibitor.held(), held) << scenario;
        EXPECT_THAT(inhibitor.detail(), HasSubstr(detail)) << scenario;
    }
    ::setenv("EP_SYSTEMD", "/nonexistent/libsystemd.so.0", 1);
    EXPECT_FALSE(SleepInhibitor("Profiling").held());
}

TEST(CoverWatch, AddsUpTheTimes)
{
    CoverWatch watch;
    EXPECT_EQ(watch.total(100), 0);
    watch.set(false, 100);
    watch.set(true, 200);
    watch.set(true, 250);
    EXPECT_EQ(watch.total(300), 100);
    watch.set(false, 400);
    EXPECT_EQ(watch.total(900), 200);
    watch.set(true, 1000);
    EXPECT_EQ(watch.total(1001), 201);
}

TEST(CoverWatch, ARunSaysItWhenItWasLong)
{
    RunInfo info;
    info.power.quality.emplace();
    noteCovered(info, 900'000'000);
    EXPECT_EQ(info.status_message, "");
    noteCovered(info, 42'000'000'000);
    EXPECT_THAT(info.status_message, HasSubstr("covered for 42"));
    EXPECT_EQ(info.power.quality->verdict, QualityVerdict::Fair);
    EXPECT_THAT(info.power.quality->reasons, ElementsAre(info.status_message));
}

// Everything that measures asks the system to stay awake while it measures.

using test::EngineStage;
using testing::AllOf;
using testing::Each;
using testing::Not;

TEST(KeptAwake, ARunFromLoadingToTheEnd)
{
    test::CountedActivities* activities = nullptr;
    std::vector<int> held; // locks held at each stage of the engine
    test::RunWatcher watcher(
        {.on_stage = [&](EngineStage) { held.push_back(activities->held()); }});
    activities = &watcher.activities;
    watcher.finish(watcher.request());
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
    const auto heard = [&](double, const Message&) { held.push_back(activities.held()); };
    session::examineSensors({.seconds = 0.0}, backend, {}, heard);
    EXPECT_THAT(activities.reasons(), IsEmpty());

    session::examineSensors({.seconds = 0.02, .half_period_seconds = 0.01, .threads = 1}, backend,
                            {}, heard);
    EXPECT_THAT(held, AllOf(Not(IsEmpty()), Each(1)));
    EXPECT_THAT(activities.reasons(), ElementsAre("Testing power sensors"));
    EXPECT_EQ(activities.held(), 0);
}

} // namespace
