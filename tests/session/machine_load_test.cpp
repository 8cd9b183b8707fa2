// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/machine_load.h"
#include "session/run_watcher.h"

#include "ep/core/thread_clock.h"
#include "ep/energy/quality.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A machine as seen by its kernel: time passes, and threads of the run, of this program beside the
// run, and of other programs use the processors. The machine's clock counts in whole ticks of 10
// ms, as Linux does; those of processes are exact.
class FakeMachine {
public:
    explicit FakeMachine(int processors)
        : m_processors(processors)
    {
    }

    // Each in units of processors.
    struct Load {
        double run = 0.0;
        double beside = 0.0;
        double others = 0.0;
    };
    void pass(double seconds, const Load& load)
    {
        m_seconds += seconds;
        m_run += seconds * load.run;
        m_beside += seconds * load.beside;
        m_others += seconds * load.others;
    }

    session::LoadClocks clocks()
    {
        return {.machine = std::make_shared<Clock>(*this),
                .process = [this] { return std::optional(nanoseconds(m_run + m_beside)); },
                .beside = [this] { return std::optional(nanoseconds(m_beside)); },
                .now = [this] { return nanoseconds(m_seconds); },
                .processors = m_processors};
    }

private:
    class Clock : public power::CpuClock {
    public:
        explicit Clock(const FakeMachine& machine)
            : m_machine(machine)
        {
        }
        Result<power::CpuTimes> read() override
        {
            const auto ticks = [](double seconds) {
                return static_cast<std::uint64_t>(seconds * 100.0);
            };
            const FakeMachine& m = m_machine;
            return power::CpuTimes{.busy = ticks(m.m_run + m.m_beside + m.m_others),
                                   .total = ticks(m.m_seconds * m.m_processors)};
        }

    private:
        const FakeMachine& m_machine;
    };
    static Nanoseconds nanoseconds(double seconds)
    {
        return static_cast<Nanoseconds>(seconds * 1e9);
    }

    int m_processors;
    double m_seconds = 1000.0;
    double m_run = 20.0;
    double m_beside = 3.0;
    double m_others = 400.0;
};

struct LoadCase {
    const char* name;
    int processors;
    double seconds; // duration of the run
    FakeMachine::Load load;
    std::vector<std::string> reasons; // beginnings of the expected reasons
    double before = 0.3; // seconds from prepare() to begin()
};

void PrintTo(const LoadCase& one, std::ostream* stream)
{
    *stream << one.name;
}

class MachineLoadTest : public testing::TestWithParam<LoadCase> { };

TEST_P(MachineLoadTest, SaysWhoElseUsedTheProcessor)
{
    const LoadCase& one = GetParam();
    FakeMachine machine(one.processors);
    session::MachineLoad load(machine.clocks());
    load.prepare();
    FakeMachine::Load waiting = one.load;
    waiting.run = 0.1;
    machine.pass(one.before, waiting);
    load.begin();
    machine.pass(one.seconds, one.load);
    load.end();
    PowerQuality quality;
    load.describe(quality);
    const auto reasons = energy::loadReasons(quality);
    ASSERT_THAT(reasons, SizeIs(one.reasons.size())) << testing::PrintToString(reasons);
    for (std::size_t i = 0; i < reasons.size(); ++i)
        EXPECT_THAT(reasons[i], HasSubstr(one.reasons[i]));
    const double share = one.load.others / one.processors;
    if (quality.other_cpu_share) {
        EXPECT_NEAR(*quality.other_cpu_share, share, 0.06);
    }
    ASSERT_TRUE(quality.own_cpu_share);
    EXPECT_NEAR(*quality.own_cpu_share, one.load.beside / one.processors, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, MachineLoadTest,
    testing::Values(
        LoadCase{"quiet", 2, 4.0, {.run = 1.99, .beside = 0.01}, {}},
        LoadCase{"quiet and short", 2, 0.08, {.run = 1.99, .beside = 0.01}, {}},
        LoadCase{"other program",
                 2,
                 4.0,
                 {.run = 1.3, .others = 0.68},
                 {"Other programs used 34.0 % of the processor during the run."}},
        LoadCase{"other program, short run",
                 2,
                 0.2,
                 {.run = 1.3, .others = 0.68},
                 {"Other programs used 3"}},
        LoadCase{"other program, very short run",
                 2,
                 0.06,
                 {.run = 1.3, .others = 0.68},
                 {"Other programs used 3"}},
        LoadCase{"one busy program among 24 processors",
                 24,
                 2.0,
                 {.run = 8.0, .others = 1.0},
                 {"Other programs used 4.2 %"}},
        LoadCase{"background of 24 processors", 24, 2.0, {.run = 8.0, .others = 0.3}, {}},
        LoadCase{
            "own window",
            2,
            4.0,
            {.run = 1.0, .beside = 0.96},
            {"The window itself, or another part of this program beside the run, used 48.0 %"}},
        LoadCase{"own window among 24 processors",
                 24,
                 0.3,
                 {.run = 8.0, .beside = 0.96},
                 {"The window itself, or another part of this program beside the run, used 4.0 %"}},
        LoadCase{"window within its budget", 2, 4.0, {.run = 1.9, .beside = 0.03}, {}},
        LoadCase{"both",
                 2,
                 4.0,
                 {.run = 1.0, .beside = 0.5, .others = 0.48},
                 {"Other programs used 24.0 %", "The window itself"}}),
    [](const testing::TestParamInfo<LoadCase>& one) {
        std::string name = one.param.name;
        std::erase_if(name,
                      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
        return name;
    });

TEST(MachineLoad, WithoutAClockNothingIsKnown)
{
    class Broken : public power::CpuClock {
        Result<power::CpuTimes> read() override { return Error{ErrorCode::Unsupported, "no"}; }
    };
    FakeMachine machine(2);
    session::LoadClocks clocks = machine.clocks();
    clocks.machine = std::make_shared<Broken>();
    session::MachineLoad load(clocks);
    load.begin();
    machine.pass(2.0, {.run = 1.0});
    load.end();
    PowerQuality quality;
    load.describe(quality);
    EXPECT_FALSE(quality.other_cpu_share);
    EXPECT_THAT(energy::loadReasons(quality), IsEmpty());
}

void burn(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    volatile std::uint64_t sum = 0;
    while (std::chrono::steady_clock::now() < end)
        sum = sum + 1;
}

TEST(ThreadClock, IsReadFromAnotherThread)
{
    ThreadClock clock;
    std::atomic<int> stage{0};
    std::thread thread([&] {
        clock = ThreadClock::ofThisThread();
        burn(50ms);
        stage = 1;
        while (stage != 2)
            std::this_thread::sleep_for(1ms);
    });
    while (stage != 1)
        std::this_thread::sleep_for(1ms);
    const auto used = clock.used();
    stage = 2;
    thread.join();
    ASSERT_TRUE(used);
    EXPECT_GT(*used, 1'000'000);
    EXPECT_FALSE(clock == ThreadClock::ofThisThread());
    // The system removes a thread a moment after it has been joined.
    for (int i = 0; i < 1000 && clock.used(); ++i)
        std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(clock.used()) << "the thread has ended";
}

// A real program that keeps all processors busy.
class BusyPrograms {
public:
    BusyPrograms()
    {
        const long processors = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
        for (long i = 0; i < processors; ++i) {
            if (const pid_t child = ::fork(); child > 0) {
                m_children.push_back(child);
            } else if (child == 0) {
                volatile std::uint64_t sum = 0;
                for (;;)
                    sum = sum + 1;
            }
        }
    }
    ~BusyPrograms()
    {
        for (const pid_t child : m_children) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    BusyPrograms(const BusyPrograms&) = delete;
    BusyPrograms& operator=(const BusyPrograms&) = delete;

private:
    std::vector<pid_t> m_children;
};

// An engine that waits instead of computing: all processor use is by others.
test::EngineScript waitingEngine()
{
    test::EngineScript script;
    script.layer_time = 5ms;
    return script;
}

session::RunRequest longRequest(const test::RunWatcher& watcher)
{
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 60;
    return request;
}

TEST(LoadedRun, AnotherProgramIsInTheQualityLine)
{
    const BusyPrograms others;
    test::RunWatcher watcher(waitingEngine(), {}, test::RunWatcher::Machine::Real);
    const auto& quality = watcher.finish(longRequest(watcher)).info.power.quality;
    ASSERT_TRUE(quality && quality->other_cpu_share);
    EXPECT_GT(*quality->other_cpu_share, 0.5);
    EXPECT_THAT(quality->reasons, Contains(HasSubstr("Other programs used")));
}

TEST(LoadedRun, WithoutAPowerSourceItIsInTheStatus)
{
    const BusyPrograms others;
    test::RunWatcher watcher(waitingEngine(), {.kind = "none"}, test::RunWatcher::Machine::Real);
    EXPECT_THAT(watcher.finish(longRequest(watcher)).info.status_message,
                HasSubstr("Other programs used"));
}

// Compares with the time that this thread really got: on a busy machine, less than it asks for.
TEST(LoadedRun, TheThreadThatShowsTheRunIsInTheQualityLine)
{
    test::RunWatcher watcher(waitingEngine());
    watcher.on_token = [](const session::TokenComplete&) { burn(5ms); }; // half of the time
    const ThreadClock clock = ThreadClock::ofThisThread();
    const Nanoseconds before = *clock.used();
    const ep::Run& run = watcher.finish(longRequest(watcher));
    const double used = toSeconds(*clock.used() - before);
    const auto& quality = run.info.power.quality;
    ASSERT_TRUE(quality && quality->own_cpu_share);
    const double ofOne = *quality->own_cpu_share * static_cast<double>(quality->processors);
    const double counted = ofOne * toSeconds(run.trace.time.duration_ns());
    EXPECT_GT(counted, 0.3 * used); // some tokens are shown after the end of the run
    EXPECT_LT(counted, 1.1 * used);
    constexpr double kToldOfOne = 0.1;
    constexpr double kToldOfAll = 0.05;
    const auto said = Contains(HasSubstr("The window itself"));
    if (ofOne > kToldOfOne || *quality->own_cpu_share > kToldOfAll)
        EXPECT_THAT(quality->reasons, said);
    else
        EXPECT_THAT(quality->reasons, Not(said));
}

} // namespace
