// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/powermetrics_source.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

namespace ep::power {
namespace {

using ep::test::fakeOptions;
using ep::test::record;
using ep::test::Recording;
using ep::test::ScopedEnv;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kInterval = 20; // ms

// Every sample has a true window, energies that match its power, and no overlap with others.
void expectSound(const Recording& recording)
{
    EXPECT_FALSE(recording.timedOut);
    EXPECT_EQ(recording.ended, 1);
    for (std::size_t i = 0; i < recording.samples.size(); ++i) {
        const auto& sample = recording.samples[i];
        EXPECT_FALSE(sample.window.empty()) << i;
        // A window that ends after its reading arrived was placed late, because the first reading
        // came late: it is cut to an eighth (WindowTracker).
        if (sample.window.end_ns > sample.arrival_ns) {
            EXPECT_LE(sample.window.duration_ns(), kInterval * 1'000'000) << i;
        }
        EXPECT_TRUE(sample.energy_mj[Rail::Cpu].has_value()) << i;
        EXPECT_FALSE(sample.energy_mj[Rail::Dram].has_value()) << i;
        EXPECT_FALSE(sample.modelled) << i;
        if (i > 0) {
            EXPECT_GE(sample.window.begin_ns, recording.samples[i - 1].window.end_ns) << i;
        }
    }
}

Recording run(const std::string& scenario, int stopAfter = 6, bool elevate = true)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", scenario);
    PowermetricsSource source(fakeOptions(elevate));
    return record(source, kInterval, stopAfter);
}

struct HealthyCase {
    const char* name;
    const char* scenario;
    bool elevate = true;
};

class PowermetricsHealthy : public ::testing::TestWithParam<HealthyCase> { };

TEST_P(PowermetricsHealthy, DeliversUntilStopped)
{
    const auto recording = run(GetParam().scenario, 6, GetParam().elevate);
    expectSound(recording);
    EXPECT_EQ(recording.problem, "");
    EXPECT_GE(recording.samples.size(), 6u);
}

INSTANTIATE_TEST_SUITE_P(All, PowermetricsHealthy,
                         ::testing::Values(HealthyCase{"sudo", ""}, HealthyCase{"root", "", false},
                                           HealthyCase{"jitter", "jitter=30"},
                                           HealthyCase{"singleBytes", "bytes"},
                                           HealthyCase{"noise", "noise"},
                                           HealthyCase{"truncatedTail", "truncated"},
                                           HealthyCase{"slowStop", "slow-stop=50"},
                                           HealthyCase{"summaryFirst", "summary"},
                                           HealthyCase{"batchedCounters", "batch=100"},
                                           HealthyCase{"stuckCounters", "stuck"},
                                           HealthyCase{"someGarbage", "garbage=3"}),
                         [](const auto& test) { return test.param.name; });

TEST(PowermetricsSource, ReportsWhatTheMachineDrew)
{
    const auto recording = run("", 60);
    expectSound(recording);
    double cpu = 0.0;
    for (const auto& sample : recording.samples)
        cpu += sample.energy_mj[Rail::Cpu]->value;
    const double seconds = toSeconds(recording.samples.back().window.end_ns
                                     - recording.samples.front().window.begin_ns);
    // The stand-in's square wave lies between 0.5 and 8 W.
    EXPECT_GT(cpu, 500.0 * seconds);
    EXPECT_LT(cpu, 8'000.0 * seconds);
}

TEST(PowermetricsSource, DescribesWhatItRead)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "");
    PowermetricsSource source(fakeOptions());
    record(source, kInterval, 1);
    EXPECT_EQ(source.kind(), "powermetrics");
    EXPECT_THAT(source.detail(), HasSubstr("Fake1,1 (system 24F74), rails cpu gpu ane"));
    EXPECT_THAT(source.detail(), HasSubstr("thermal pressure Nominal"));
}

TEST(PowermetricsSource, DropsASamplerThatTheSystemDoesNotKnow)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "old-samplers,macos12");
    for (const bool known : {false, true}) { // by the probe, or by the run itself
        auto options = fakeOptions();
        options.samplers_known = known;
        PowermetricsSource source(options);
        const auto recording = record(source, kInterval, 3);
        EXPECT_EQ(recording.problem, "");
        ASSERT_GE(recording.samples.size(), 3u);
        EXPECT_TRUE(recording.samples[0].energy_mj[Rail::Dram].has_value());
        EXPECT_THAT(source.samplers(), ElementsAre("cpu_power", "gpu_power", "thermal"));
    }
}

TEST(PowermetricsSource, GivesUpOnASamplerItCannotDoWithout)
{
    auto options = fakeOptions();
    options.samplers = {"cpu_power", "gpu_power"};
    options.samplers[0] = "bandwidth";
    PowermetricsSource dropped(options);
    const auto recording = record(dropped, kInterval, 1);
    EXPECT_THAT(dropped.samplers(), ElementsAre("gpu_power"));
    ASSERT_EQ(recording.samples.size(), 1u);
    EXPECT_FALSE(recording.samples[0].power_mw[Rail::Cpu].has_value());
    EXPECT_TRUE(recording.samples[0].power_mw[Rail::Gpu].has_value());
}

struct FailingCase {
    const char* name;
    const char* scenario;
    const char* sudo;
    const char* problem;
    std::size_t samples = 0;
};

class PowermetricsFailing : public ::testing::TestWithParam<FailingCase> { };

TEST_P(PowermetricsFailing, SaysWhyAndKeepsWhatItHad)
{
    const ScopedEnv environment("EP_FAKE_SUDO", GetParam().sudo);
    const auto recording = run(GetParam().scenario, -1);
    expectSound(recording);
    EXPECT_THAT(recording.problem, HasSubstr(GetParam().problem));
    EXPECT_EQ(recording.samples.size(), GetParam().samples);
}

INSTANTIATE_TEST_SUITE_P(
    All, PowermetricsFailing,
    ::testing::Values(
        FailingCase{"superuser", "superuser", "", "was not run as root"},
        FailingCase{"superuserOnStdout", "superuser-stdout", "", "was not run as root"},
        FailingCase{"password", "", "password", "asks for a password"},
        FailingCase{"sudoRs", "", "sudo-rs", "asks for a password"},
        FailingCase{"noTty", "", "no-tty", "asks for a password"},
        FailingCase{"notAllowed", "", "not-allowed", "may not run powermetrics"},
        FailingCase{"notInSudoers", "", "not-in-sudoers", "may not run powermetrics"},
        FailingCase{"diesAtOnce", "die=0", "", "before its first reading, with status 1"},
        FailingCase{"dies", "die=3", "", "after 3 readings, with status 1", 3},
        FailingCase{"crashes", "crash=2", "", "powermetrics crashed", 2},
        FailingCase{"hangs", "hang=2", "", "stopped delivering after 2 readings", 2},
        FailingCase{"hangsAndIgnoresSignals", "hang=2,ignore-term", "",
                    "stopped delivering after 2 readings", 2},
        FailingCase{"garbage", "garbage=1", "", "could not be read"},
        FailingCase{"virtualMachine", "vm", "", "as in a virtual machine"},
        FailingCase{"unsupported", "unsupported", "", "no `processor` section"}),
    [](const auto& test) { return test.param.name; });

TEST(PowermetricsSource, SaysThatItNeverDelivers)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "hang=0");
    auto options = fakeOptions();
    options.samplers_known = true; // otherwise the probe would hang as well
    options.first_reading_ms = 200;
    PowermetricsSource source(options);
    const auto recording = record(source, kInterval);
    EXPECT_THAT(recording.problem, HasSubstr("delivers no readings"));
}

TEST(PowermetricsSource, SaysWhichProgramIsMissing)
{
    auto options = fakeOptions();
    options.command.powermetrics = "/nonexistent/powermetrics";
    PowermetricsSource source(options);
    EXPECT_THAT(record(source, kInterval).problem,
                HasSubstr("no program /nonexistent/powermetrics"));

    options = fakeOptions();
    options.command.sudo = "/nonexistent/sudo";
    PowermetricsSource second(options);
    EXPECT_THAT(record(second, kInterval).problem, HasSubstr("no program /nonexistent/sudo"));
}

TEST(PowermetricsSource, ClosesThePipeOfAProcessThatIgnoresItsSignal)
{
    // The fake continues sampling, and dies when it next writes to the closed pipe.
    const auto recording = run("ignore-term", 2);
    expectSound(recording);
    EXPECT_EQ(recording.problem, "");
    EXPECT_GE(recording.seconds, 0.2);
}

TEST(PowermetricsSource, LeavesAProcessToItselfThatReactsToNothing)
{
    const auto recording = run("hang=2,slow-stop=20000", 2);
    expectSound(recording);
    EXPECT_EQ(recording.problem, "");
    EXPECT_LT(recording.seconds, 15.0);
}

TEST(PowermetricsSource, StopsWhileItStarts)
{
    const auto recording = run("", 0);
    EXPECT_EQ(recording.ended, 1);
    EXPECT_EQ(recording.problem, "");
}

TEST(PowermetricsSource, StopsBeforeItStarts)
{
    PowermetricsSource source(fakeOptions());
    int ended = 0;
    QObject::connect(&source, &Source::ended, &source, [&ended] { ++ended; });
    source.stop();
    source.stop();
    EXPECT_EQ(ended, 1);
}

TEST(PowermetricsSource, CanBeDestroyedWhileItRuns)
{
    auto source = std::make_unique<PowermetricsSource>(fakeOptions());
    int samples = 0;
    QObject::connect(source.get(), &Source::sampleReady, source.get(), [&] { ++samples; });
    source->start(kInterval);
    ASSERT_TRUE(ep::test::waitFor([&] { return samples > 1; }));
    source.reset();
}

} // namespace
} // namespace ep::power
