// SPDX-License-Identifier: GPL-3.0-or-later
// The record command with commands that succeed, and with commands that fail.
#include "app/cli_fixture.h"
#include "app/stored_runs.h"

#include "ep/core/clock.h"
#include "ep/store/store.h"

#include <QFile>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace ep::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr int kCommandHangMs = 60'000;

class RecordCommandTest : public CliTest {
protected:
    Outcome record(std::vector<std::string> command, std::vector<std::string> options = {},
                   const std::string& input = {})
    {
        std::vector<std::string> all{"record", "--power", "none"};
        all.insert(all.end(), options.begin(), options.end());
        all.push_back("--");
        all.insert(all.end(), command.begin(), command.end());
        return run(all, input);
    }
    std::vector<ep::Run> stored() const { return storedRuns(database()); }
    ep::Run only() const
    {
        auto runs = stored();
        EXPECT_EQ(runs.size(), 1U);
        return runs.empty() ? ep::Run() : runs.front();
    }
    // Waits until the process handles Ctrl-C.
    static void waitForHandler(const QProcess& process)
    {
#ifdef __linux__
        const std::string file = "/proc/" + std::to_string(process.processId()) + "/status";
        for (int i = 0; i < 1000; ++i) {
            std::ifstream status(file);
            std::uint64_t caught = 0;
            for (std::string word; status >> word;) {
                if (word == "SigCgt:")
                    status >> std::hex >> caught;
            }
            if ((caught >> (SIGINT - 1) & 1U) != 0)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        FAIL() << "Ctrl-C would kill it";
#else
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
#endif
    }
    // Waits until the command has made this file.
    void waitForFile(const std::string& name) const
    {
        for (int i = 0; i < 1000 && !std::filesystem::exists(folder() / name); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ASSERT_TRUE(std::filesystem::exists(folder() / name));
    }
    std::string textOf(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(folder() / name).rdbuf();
        return text.str();
    }
};

TEST_F(RecordCommandTest, StoresARunAndReturnsTheStatusOfTheCommand)
{
    const Outcome done = record({"sh", "-c", "echo out; echo err >&2; exit 3"}, {"--tag", "a,b"});
    EXPECT_EQ(done.status, 3);
    EXPECT_EQ(done.out, "out\n");
    EXPECT_THAT(done.err, HasSubstr("err\n"));
    EXPECT_THAT(done.err, HasSubstr("command  sh -c 'echo out; echo err >&2; exit 3'"));
    const ep::Run run = only();
    ASSERT_TRUE(run.info.profiling.command);
    const CommandRecord& command = *run.info.profiling.command;
    EXPECT_EQ(command.engine, "recorded");
    EXPECT_EQ(command.exit_status, 3);
    EXPECT_EQ(command.signal, std::nullopt);
    EXPECT_EQ(run.info.status, RunStatus::Failed);
    EXPECT_EQ(run.info.status_message, "The command ended with status 3.");
    EXPECT_EQ(run.info.model.name, "sh");
    EXPECT_EQ(run.info.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_GT(*command.peak_memory_bytes, 100'000);
}

TEST_F(RecordCommandTest, MeasuresEnergyAgainstTheIdleMachine)
{
    const Outcome done = run({"record", "--power", "modelled", "--idle-watts", "10", "--full-watts",
                              "20", "--interval-ms", "20", "--baseline-seconds", "0.3", "--json",
                              "run.json", "--", "sleep", "0.5"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.out, "");
    const ep::Run run = only();
    EXPECT_EQ(run.info.status, RunStatus::Complete);
    ASSERT_TRUE(run.metrics.energy.total_mj);
    EXPECT_GT(run.metrics.energy.total_mj->value, 4000.0); // at least 0.5 s at 10 W
    // The machine is fully busy when other tests run. Windows that extend beyond the run count as
    // idle there, so their energy above the baseline belongs to the run. A baseline is refused
    // while other tests run.
    const auto& baseline = run.info.power.baseline;
    const double idle = baseline && baseline->total_mw ? baseline->total_mw->value : 0.0;
    ASSERT_TRUE(run.info.power.quality);
    const double beyond = 2e-3 * run.info.power.quality->max_interval_ms // seconds of both windows
        * (20'000.0 - idle);
    EXPECT_LE(run.metrics.energy.total_mj->value,
              (20'000.0 * toSeconds(run.metrics.duration_ns) + beyond) * (1.0 + 1e-9));
    EXPECT_FALSE(run.metrics.joules_per_token) << "no tokens are known";
    const json document = json::parse(textOf("run.json"));
    EXPECT_EQ(document.at("run").at("info").at("output_tokens"), nullptr) << "missing is not zero";
}

TEST_F(RecordCommandTest, LeavesArgumentsInputAndUmaskAlone)
{
    const Outcome words =
        record({"printf", "%s|", "[a,b]", "--json", "-", "$HOME", "a b", "--", "'", ""});
    EXPECT_EQ(words.out, "[a,b]|--json|-|$HOME|a b|--|'||");
    EXPECT_EQ(record({"cat"}, {}, "typed").out, "typed");
    const mode_t mask = ::umask(022);
    const Outcome made = record({"sh", "-c", "umask"});
    ::umask(mask);
    EXPECT_EQ(made.out, "0022\n");
    EXPECT_EQ(run({"record", "--power", "none", "echo", "plain"}).out, "plain\n");
}

// The signal settings that the command inherits decide how it ends in a pipe.
TEST_F(RecordCommandTest, LetsTheCommandDieOfAClosedPipe)
{
    const Outcome done = record({"sh", "-c", "yes | head -n 1; kill -PIPE $$"});
    EXPECT_EQ(done.status, 128 + SIGPIPE);
    EXPECT_EQ(done.out, "y\n");
}

TEST_F(RecordCommandTest, SaysThatACommandDoesNotExist)
{
    const Outcome none = record({"no-such-command-at-all"});
    EXPECT_THAT(none, failsWith(127, "no-such-command-at-all"));
    std::ofstream(folder() / "plain.txt") << "text";
    EXPECT_EQ(record({"./plain.txt"}).status, 126);
    EXPECT_EQ(record({folder().string()}).status, 126);
    EXPECT_EQ(run({"record", "--power", "none"}).status, 2);
    EXPECT_FALSE(std::filesystem::exists(database()));
}

// The file is found and executable, but built for another machine: only exec itself notices.
TEST_F(RecordCommandTest, SaysThatAFileCannotBeExecuted)
{
    std::ofstream(folder() / "broken") << "\x7f"
                                       << "ELF and nothing more";
    ::chmod((folder() / "broken").c_str(), 0755);
    const Outcome broken = record({"./broken"});
    EXPECT_THAT(broken.status, testing::AnyOf(126, 127, 2)) << broken.err;
    std::ofstream(folder() / "lost") << "#!/no/such/interpreter\n";
    ::chmod((folder() / "lost").c_str(), 0755);
    const Outcome lost = record({"./lost"});
    EXPECT_THAT(lost, failsWith(127));
}

TEST_F(RecordCommandTest, SaysThatACommandWasKilled)
{
    const Outcome killed = record({"sh", "-c", "kill -KILL $$"});
    EXPECT_EQ(killed.status, 137);
    const ep::Run run = only();
    EXPECT_EQ(run.info.status, RunStatus::Failed);
    EXPECT_THAT(run.info.status_message, HasSubstr("signal 9"));
    EXPECT_EQ(run.info.profiling.command->signal, 9);
    EXPECT_FALSE(run.info.profiling.command->exit_status);
}

TEST_F(RecordCommandTest, CountsChildrenIn)
{
    const std::string busy = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    const Outcome done = record({"sh", "-c", "sh -c '" + busy + "' & sh -c '" + busy + "' & wait"});
    EXPECT_EQ(done.status, 0) << done.err;
    const CommandRecord command = *only().info.profiling.command;
    EXPECT_GE(command.processes, 3);
    EXPECT_EQ(command.left_running, 0);
    EXPECT_GT(*command.processor_ns, 100'000'000) << "that of the children";
}

TEST_F(RecordCommandTest, EndsWithACommandThatDetachesAProcess)
{
    const Nanoseconds begin = monotonicNow();
    const Outcome done = record(
        {"sh", "-c", "setsid sh -c 'sleep 6' > /dev/null 2>&1 < /dev/null & sleep 0.3; exit 0"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_LT(toSeconds(monotonicNow() - begin), 5.0) << "did not wait for it";
    const CommandRecord command = *only().info.profiling.command;
    EXPECT_GE(command.left_running, 1);
    ASSERT_FALSE(command.notes.empty());
    EXPECT_THAT(command.notes.front(), HasSubstr("still running"));
}

TEST_F(RecordCommandTest, ForwardsSignals)
{
    QProcess process;
    start(process,
          {"record", "--power", "none", "--", "sh", "-c",
           "trap 'exit 7' TERM; touch ready; while :; do sleep 0.05; done"});
    waitForFile("ready");
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    ASSERT_TRUE(process.waitForFinished(kCommandHangMs));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(process.exitCode(), 7);
    EXPECT_EQ(only().info.profiling.command->exit_status, 7);
}

TEST_F(RecordCommandTest, StopsACommandAsCtrlCDoes)
{
    QProcess process;
    start(process, {"record", "--power", "none", "--", "sh", "-c", "touch ready; exec sleep 100"});
    waitForFile("ready");
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    ASSERT_TRUE(process.waitForFinished(kCommandHangMs));
    EXPECT_EQ(process.exitCode(), 130);
    EXPECT_EQ(only().info.status, RunStatus::Cancelled);
}

TEST_F(RecordCommandTest, InsistsOnTheEndOfACommandThatTakesNoCtrlC)
{
    QProcess process;
    start(process,
          {"record", "--power", "none", "--", "sh", "-c",
           "trap '' INT; touch ready; while :; do sleep 0.05; done"});
    waitForFile("ready");
    for (int i = 0; i < 3; ++i) {
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ASSERT_TRUE(process.waitForFinished(kCommandHangMs));
    EXPECT_EQ(process.exitCode(), 128 + SIGTERM) << "the step after SIGINT";
    EXPECT_EQ(only().info.status, RunStatus::Cancelled);
}

TEST_F(RecordCommandTest, CancelsBeforeTheCommandWithoutARun)
{
    QProcess process;
    start(process,
          {"record", "--power", "modelled", "--baseline-seconds", "60", "--", "touch", "made"});
    waitForHandler(process);
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // into the baseline
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    ASSERT_TRUE(process.waitForFinished(kCommandHangMs));
    EXPECT_EQ(process.exitCode(), 130);
    EXPECT_FALSE(std::filesystem::exists(folder() / "made"));
    EXPECT_TRUE(stored().empty());
}

TEST_F(RecordCommandTest, MeasuresACommandOfAnotherUser)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can become another user";
    const Outcome done = record({"setpriv", "--reuid=65534", "--clear-groups", "id", "-u"});
    if (done.status == 127)
        GTEST_SKIP() << "setpriv of util-linux is not installed";
    EXPECT_EQ(done.out, "65534\n");
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_TRUE(only().info.profiling.command->processor_ns);
}

// A gigabyte goes straight to our own output: the command is not given a pipe.
TEST_F(RecordCommandTest, DoesNotTouchTheOutputOfTheCommand)
{
    QProcess process;
    const QString out = QString::fromStdString((folder() / "out.txt").string());
    process.setStandardOutputFile(out);
    start(process, {"record", "--power", "none", "--", "readlink", "/proc/self/fd/1"});
    ASSERT_TRUE(process.waitForFinished(kCommandHangMs));
    if (process.exitCode() == 0) { // systems without /proc have no such link
        EXPECT_EQ(textOf("out.txt"), out.toStdString() + '\n');
    }
    QProcess large;
    large.setStandardOutputFile(QProcess::nullDevice());
    start(large, {"record", "--power", "none", "--", "head", "-c", "1000000000", "/dev/zero"});
    ASSERT_TRUE(large.waitForFinished(kCommandHangMs));
    EXPECT_EQ(large.exitCode(), 0);
}

TEST_F(RecordCommandTest, KeepsHashesOfArgumentsOnly)
{
    const Outcome done = record({"echo", "secret words"}, {"--hashes-only"});
    EXPECT_EQ(done.out, "secret words\n");
    EXPECT_TRUE(filesWith("secret words").empty());
    const ep::Run run = only();
    EXPECT_THAT(run.info.profiling.command->arguments.at(1), HasSubstr("sha256:"));
    EXPECT_THAT(run.info.title, Not(HasSubstr("secret")));
}

} // namespace
} // namespace ep::test
