// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/powermetrics_source.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace ep::power {
namespace {

using ep::test::ScopedEnv;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kSamplers = {"cpu_power", "gpu_power", "ane_power", "thermal"};

TEST(PowermetricsCommandLine, IsFrozen)
{
    EXPECT_EQ(defaultSamplers(), kSamplers);
    EXPECT_EQ(commandLine(powermetricsArguments(100, kSamplers)),
              "-i 100 -f plist -b 0 -s cpu_power,gpu_power,ane_power,thermal");
}

TEST(PowermetricsCommandLine, IsQuotedForAShell)
{
    EXPECT_EQ(commandLine({"a b", "", "it's", "x"}), "'a b' '' 'it'\\''s' x");
}

TEST(PowermetricsCommandLine, IsPinnedBySudoersWithEscapedCommas)
{
    EXPECT_EQ(sudoersRule("sam", {}, 100, {"cpu_power", "thermal"}),
              "sam ALL=(root) NOPASSWD: /usr/bin/powermetrics -i 100 -f plist -b 0 -s "
              "cpu_power\\,thermal");
}

TEST(PowermetricsCommandLine, ComesFromTheEnvironmentForStandIns)
{
    {
        const ScopedEnv powermetrics("EP_POWERMETRICS", "");
        const ScopedEnv sudo("EP_SUDO", "");
        EXPECT_EQ(powermetricsCommand(),
                  (PowermetricsCommand{"/usr/bin/powermetrics", "/usr/bin/sudo", geteuid() != 0}));
    }
    const ScopedEnv powermetrics("EP_POWERMETRICS", "/opt/p");
    const ScopedEnv sudo("EP_SUDO", "/opt/s");
    EXPECT_EQ(powermetricsCommand(), (PowermetricsCommand{"/opt/p", "/opt/s", true}));
}

TEST(PowermetricsMessages, NameTheUnknownSampler)
{
    EXPECT_EQ(unknownSampler("x\npowermetrics: unrecognized sampler: ane_power\nusage"),
              "ane_power");
    EXPECT_EQ(unknownSampler("powermetrics: unrecognized sampler: ane_power"), "ane_power");
    EXPECT_EQ(unknownSampler("powermetrics: unrecognized sampler: "), std::nullopt);
    EXPECT_EQ(unknownSampler("all is well"), std::nullopt);
}

struct ExitCase {
    const char* name;
    PowermetricsExit exit;
    std::vector<const char*> contains;
};

PowermetricsExit failure(const std::string& output, int documents = 0)
{
    PowermetricsExit exit;
    exit.status = 1;
    exit.documents = documents;
    exit.output = output;
    exit.allow_rule = "RULE";
    return exit;
}

PowermetricsExit notStarted(bool elevate)
{
    PowermetricsExit exit;
    exit.started = false;
    exit.command.elevate = elevate;
    return exit;
}

PowermetricsExit crashed(const std::string& output, int documents)
{
    auto exit = failure(output, documents);
    exit.crashed = true;
    return exit;
}

class PowermetricsExits : public ::testing::TestWithParam<ExitCase> { };

TEST_P(PowermetricsExits, AreOneSentenceWithARemedy)
{
    const auto sentence = explainExit(GetParam().exit);
    for (const char* part : GetParam().contains)
        EXPECT_THAT(sentence, HasSubstr(part));
    EXPECT_THAT(sentence, Not(HasSubstr("{rule}")));
    EXPECT_THAT(sentence, Not(HasSubstr("\n")));
    EXPECT_EQ(sentence.back(), '.');
}

INSTANTIATE_TEST_SUITE_P(
    All, PowermetricsExits,
    ::testing::Values(
        ExitCase{"superuser",
                 failure("powermetrics must be invoked as the superuser\n"),
                 {"was not run as root", "`RULE`"}},
        ExitCase{"password", failure("sudo: a password is required\n"), {"`sudo -v`", "`RULE`"}},
        ExitCase{"sudoRs",
                 failure("sudo: interactive authentication is required"),
                 {"`sudo -v`", "`RULE`"}},
        ExitCase{"noTerminal",
                 failure("sudo: a terminal is required to read the password; either use the -S "
                         "option"),
                 {"`sudo -v`", "`RULE`"}},
        ExitCase{"noTty",
                 failure("sudo: no tty present and no askpass program specified"),
                 {"`sudo -v`"}},
        ExitCase{
            "requireTty", failure("sudo: sorry, you must have a tty to run sudo"), {"`sudo -v`"}},
        ExitCase{"notInSudoers",
                 failure("sam is not in the sudoers file.  This incident will be reported."),
                 {"administrator", "`RULE`"}},
        ExitCase{"notAllowed",
                 failure("Sorry, user sam is not allowed to execute '/usr/bin/powermetrics -i 100' "
                         "as root on mac."),
                 {"administrator", "`RULE`"}},
        ExitCase{"mayNotRunSudo",
                 failure("Sorry, user sam may not run sudo on mac."),
                 {"administrator"}},
        ExitCase{"unknownSampler",
                 failure("powermetrics: unrecognized sampler: cpu_power\n"),
                 {"does not support the sampler cpu_power"}},
        ExitCase{
            "assertion",
            crashed("Assertion failed: (num_resids == 2), function f, file cpu_power_arm.c", 0),
            {"powermetrics crashed", "update macOS"}},
        ExitCase{"sudoMissing", notStarted(true), {"/usr/bin/sudo could not be started"}},
        ExitCase{
            "programMissing", notStarted(false), {"/usr/bin/powermetrics could not be started"}},
        ExitCase{"strange",
                 failure("\nSecond underflow occured.\nno such luck\nmore\n"),
                 {"before its first reading", "status 1", "(no such luck)"}},
        ExitCase{"silent", failure(""), {"before its first reading, with status 1;"}},
        ExitCase{"diedLater", failure("", 7), {"after 7 readings", "status 1", "continues"}},
        ExitCase{"diedAfterOne", failure("", 1), {"after 1 reading,"}},
        ExitCase{"killedLater", crashed("", 7), {"after 7 readings, by a signal"}}),
    [](const auto& test) { return test.param.name; });

} // namespace
} // namespace ep::power
