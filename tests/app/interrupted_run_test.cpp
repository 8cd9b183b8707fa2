// SPDX-License-Identifier: GPL-3.0-or-later
// What remains of a run that is interrupted or killed.
#include "app/cli_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <signal.h>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

class InterruptedRunTest : public CliTest {
protected:
    static json parsed(const std::string& text) { return json::parse(text).at("run"); }

    void beginLongRun(QProcess& process)
    {
        start(process,
              {"run", "--model", model().string(), "--prompt", "Once upon", "--max-new-tokens",
               "60000", "--power", "none"});
        // The prompt is printed when the run begins; a few tokens follow.
        while (process.bytesAvailable() < 40)
            ASSERT_TRUE(process.waitForReadyRead(300'000));
    }
};

TEST_F(InterruptedRunTest, ControlCStoresThePartialRun)
{
    QProcess process;
    beginLongRun(process);
    ASSERT_EQ(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    ASSERT_TRUE(process.waitForFinished(300'000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(process.exitCode(), 130);
    const std::string err = process.readAllStandardError().toStdString();
    EXPECT_THAT(err, HasSubstr("Cancelled after"));
    const auto ids = storedIds();
    ASSERT_THAT(ids, SizeIs(1));
    EXPECT_THAT(err, HasSubstr(ids[0].substr(0, 8)));
    const Outcome shown = run({"runs", "show", ids[0], "--json", "--full"});
    const json stored = parsed(shown.out);
    EXPECT_EQ(stored.at("info").at("status"), "cancelled");
    EXPECT_GT(stored.at("tokens").size(), 0U);
}

TEST_F(InterruptedRunTest, KilledInTheMiddleIsListedAsInterrupted)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    QProcess process;
    beginLongRun(process);
    // Tokens are committed at intervals, which a busy machine extends.
    const auto tokens = [this] {
        const Outcome shown = run({"runs", "show", "last", "--json", "--full"});
        const json info = parsed(shown.out);
        return info.at("info").at("status") == "complete" ? 0U : info.at("tokens").size();
    };
    while (process.state() == QProcess::Running && tokens() == 0)
        process.waitForFinished(100);
    ASSERT_EQ(process.state(), QProcess::Running);
    process.kill();
    ASSERT_TRUE(process.waitForFinished());

    const Outcome listed = run({"runs", "list", "--json"});
    ASSERT_EQ(listed.status, 0) << listed.err;
    const json runs = json::parse(listed.out).at("runs");
    ASSERT_THAT(runs, SizeIs(2));
    EXPECT_EQ(runs[0].at("info").at("status"), "interrupted");
    EXPECT_EQ(runs[1].at("info").at("status"), "complete");
    const Outcome shown =
        run({"runs", "show", runs[0].at("info").at("id").get<std::string>(), "--json", "--full"});
    EXPECT_GT(parsed(shown.out).at("tokens").size(), 0U);
}

} // namespace
