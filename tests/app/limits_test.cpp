// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of the system, of the model and of patience: one sentence, and the program ends.
#include "app/cli_fixture.h"
#include "app/serving.h"

#include <QElapsedTimer>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;
using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::Serving;
using testing::AnyOf;
using testing::HasSubstr;

constexpr int kLongestMs = 120'000;

class LimitsTest : public CliTest {
protected:
    fs::path modelWith(const std::string& normalizer)
    {
        auto document = nlohmann::json::parse(std::ifstream(model() / "tokenizer.json"));
        document["normalizer"] = nlohmann::json::parse(normalizer);
        std::ofstream(model() / "tokenizer.json") << document.dump();
        return model();
    }
};

#if defined(__linux__) && !defined(EP_REPORTS_AT_EXIT)
// The static objects of LibTorch and its libraries take a tenth of a short run to destroy.
TEST_F(LimitsTest, EndsWithoutTheDestructorsOfLibraries)
{
    const fs::path farewell = folder() / "farewell";
    setEnvironment("LD_PRELOAD", EP_FAREWELL_LIBRARY);
    setEnvironment("EP_FAREWELL", farewell.string());
    const Outcome outcome = profile({"--power", "none"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("saved")) << "not flushed";
    EXPECT_FALSE(fs::exists(farewell));
    EXPECT_EQ(run({"no-such-command"}).status, 2);
    EXPECT_FALSE(fs::exists(farewell));

    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(EP_FAREWELL_LIBRARY));
    environment.insert(QStringLiteral("EP_FAREWELL"), QString::fromStdString(farewell.string()));
    QProcess other;
    other.setProcessEnvironment(environment);
    other.start(QStringLiteral("true"), QStringList());
    ASSERT_TRUE(other.waitForFinished(kLongestMs));
    EXPECT_TRUE(fs::exists(farewell)) << "the library does not notice how a program ends";
}
#endif

#if defined(__linux__) && !defined(EP_ASAN) // AddressSanitizer's own library must come first
// However few threads are available, each command ends with one sentence or with success.
TEST_F(LimitsTest, TooFewThreads)
{
    model();
    setEnvironment("LD_PRELOAD", EP_FAILING_THREADS);
    setEnvironment("QT_QPA_PLATFORM", "offscreen");
    const std::vector<std::vector<std::string>> commands = {
        {"run", "--model", model().string(), "--prompt", "a", "--max-new-tokens", "2", "--power",
         "modelled", "--threads", "2"},
        {"models", "tokenize", "--model", model().string(), "--text", "a"},
        {"runs", "list"},
        {"gui", "--separate", "--exit-when-shown"}};
    for (const std::vector<std::string>& words : commands) {
        int failures = 0;
        for (int most = 0; most <= 9; ++most) {
            SCOPED_TRACE(words[0] + " with " + std::to_string(most) + " threads");
            setEnvironment("EP_MOST_THREADS", std::to_string(most));
            QProcess process;
            start(process, words);
            const Outcome outcome = finish(process, kLongestMs);
            EXPECT_THAT(outcome.status, AnyOf(0, 1)) << outcome.err;
            if (outcome.status == 1) {
                ++failures;
                EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
                EXPECT_THAT(outcome.err, HasSubstr("cannot start another thread"));
            }
        }
        const bool computes = words[0] == "run" || words[0] == "gui";
        EXPECT_EQ(failures > 1, computes) << words[0];
    }
}

// The server answers each request, with a run or with a sentence, and continues.
TEST_F(LimitsTest, TooFewThreadsInTheServer)
{
    setEnvironment("LD_PRELOAD", EP_FAILING_THREADS);
    for (int most = 0; most <= 9; ++most) {
        SCOPED_TRACE(std::to_string(most) + " threads");
        setEnvironment("EP_MOST_THREADS", std::to_string(most));
        QProcess process;
        start(process, Serving::command(model().parent_path(), folder()));
        Serving server(process, folder());
        ASSERT_NE(server.port(), 0) << process.readAllStandardError().toStdString();
        const auto answer = server.generate("tiny", 2);
        EXPECT_THAT(answer.status, AnyOf(200, 500)) << answer.body;
        if (answer.status != 200) {
            EXPECT_THAT(answer.body, HasSubstr("cannot start another thread"));
        }
        EXPECT_EQ(server.get("/health").status, 200);
        // Without a thread waiting for it, the signal ends the program as usual.
        EXPECT_EQ(server.end(), most == 0 ? -1 : 0);
    }
}
#endif

// The system's signal would end the program without a message.
TEST_F(LimitsTest, AFileThatIsTooLargeForTheLimit)
{
    model();
    QProcess process;
    process.setChildProcessModifier([] {
        const rlimit limit{.rlim_cur = 20'000, .rlim_max = 20'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    start(process, {"run", "--model", model().string(), "--prompt", "a", "--max-new-tokens", "4"});
    const Outcome outcome = finish(process, kLongestMs);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_GE(outcome.errorLines(), 1U) << outcome.err;
}

// A single character would become a gigabyte.
TEST_F(LimitsTest, ANormalizerThatMultipliesTheText)
{
    const std::string replace = R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")"
        + std::string(1000, 'a') + R"("})";
    modelWith(R"({"type": "Sequence", "normalizers": [)" + replace + "," + replace + "," + replace
              + "]}");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "--prompt", "a"},
          {"models", "tokenize", "--text", "a"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--model", model().string()});
        const Outcome outcome = run(words);
        EXPECT_THAT(outcome, failsWith(1, "in the normalizer Replace")) << outcome.out;
    }
}

// The length is checked before memory, and before the prompt is encoded.
TEST_F(LimitsTest, APromptThatIsFarTooLong)
{
    auto config = nlohmann::json::parse(std::ifstream(model() / "config.json"));
    config["max_position_embeddings"] = 512;
    std::ofstream(model() / "config.json") << config.dump();
    const fs::path prompt = folder() / "prompt.txt";
    std::ofstream(prompt) << std::string(10'000'000, 'x');
    QElapsedTimer clock;
    clock.start();
    const Outcome outcome =
        run({"run", "--model", model().string(), "--prompt-file", prompt.string()});
    EXPECT_THAT(outcome, failsWith(1, "tokens, but the context of tiny holds 512"));
    EXPECT_EQ(storedIds().size(), 0U);
}

// A pipe that nobody writes to: refused, or abandoned at the first signal.
TEST_F(LimitsTest, APipeInPlaceOfAFile)
{
    model();
    const fs::path pipe = folder() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"models", "quality", "--model", model().string(), "--text-file",
                                   pipe.string()},
          {"study", pipe.string()},
          {"run", "--model", model().string(), "--prompt-file", pipe.string()}}) {
        QProcess process;
        start(process, words);
        if (!process.waitForFinished(3000)) {
            process.terminate();
            EXPECT_TRUE(process.waitForFinished(10'000)) << words[0] << " ignores the first signal";
        }
        EXPECT_NE(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 0, 0)
            << words[0];
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit) << words[0];
        process.kill();
        process.waitForFinished();
    }
}

} // namespace
