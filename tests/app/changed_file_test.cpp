// SPDX-License-Identifier: GPL-3.0-or-later
// Model files that are truncated while a real process reads them.
#include "app/cli_fixture.h"
#include "app/serving.h"
#include "model/gguf_of_folder.h"
#include "support/tiny_model.h"

#include <QElapsedTimer>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;
using ep::test::CliTest;
using testing::HasSubstr;

constexpr int kPatienceMs = 120'000;
constexpr const char* kSentence = " changed while it was read: wait until its download or copy is "
                                  "complete, then try again.\n";

class ChangedFileTest : public CliTest {
protected:
    ChangedFileTest()
    {
        // A few megabytes, so that most of the weights are beyond the first page.
        ep::test::TinyModel shape;
        shape.hidden_size = 128;
        shape.intermediate_size = 512;
        shape.layers = 8;
        shape.max_positions = 65536;
        ep::test::writeTinyModel(m_model, shape);
    }

    // Runs until the first token is shown, then truncates the file to one page and waits.
    ep::test::Outcome runWhileItShrinks(const std::string& model, const fs::path& file)
    {
        QProcess process;
        start(process,
              {"run", "--model", model, "--prompt", "Once upon", "--max-new-tokens", "20000",
               "--depth", "none", "--power", "none"});
        QByteArray shown;
        while (!shown.contains("Once upon") && process.waitForReadyRead(kPatienceMs))
            shown += process.readAllStandardOutput();
        fs::resize_file(file, 4096);
        EXPECT_TRUE(process.waitForFinished(kPatienceMs));
        ep::test::Outcome outcome;
        if (process.exitStatus() == QProcess::NormalExit)
            outcome.status = process.exitCode();
        outcome.err = process.readAllStandardError().toStdString();
        return outcome;
    }

    static void waitUntilMapped(qint64 process)
    {
        const std::string maps = "/proc/" + std::to_string(process) + "/maps";
        const auto mapped = [&] {
            const std::string text(std::istreambuf_iterator<char>(std::ifstream(maps).rdbuf()), {});
            // Its header is read and the file closed again before the engine is opened.
            return text.find("ep-engine") != std::string::npos
                && text.find("model.safetensors") != std::string::npos;
        };
        QElapsedTimer clock;
        clock.start();
        while (!mapped() && clock.elapsed() < kPatienceMs) { }
    }

    fs::path m_model = folder() / "large";
};

TEST_F(ChangedFileTest, SafetensorsDuringARun)
{
    const fs::path weights = m_model / "model.safetensors";
    fs::copy_file(weights, folder() / "kept");
    const auto outcome = runWhileItShrinks(m_model.string(), weights);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "energy-profiler: The file " + weights.string() + kSentence);

    // The incomplete file is refused, the complete one works.
    const auto broken = run({"run", "--model", m_model.string(), "--prompt", "a"});
    EXPECT_THAT(broken, failsWith(1));
    fs::copy_file(folder() / "kept", weights, fs::copy_options::overwrite_existing);
    EXPECT_EQ(
        run({"run", "--model", m_model.string(), "--prompt", "a", "--max-new-tokens", "2"}).status,
        0);
}

TEST_F(ChangedFileTest, GgufDuringARun)
{
    const fs::path file = folder() / "tiny.gguf";
    ep::test::ggufOf(m_model).write(file);
    const auto outcome = runWhileItShrinks(file.string(), file);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "energy-profiler: The file " + file.string() + kSentence);
}

TEST_F(ChangedFileTest, BlobsOfOllamaDuringARun)
{
    const std::string digest(64, 'a');
    const fs::path blob = folder() / "ollama" / "blobs" / ("sha256-" + digest);
    const fs::path manifest =
        folder() / "ollama" / "manifests" / "registry.ollama.ai" / "library" / "tiny" / "latest";
    fs::create_directories(blob.parent_path());
    fs::create_directories(manifest.parent_path());
    ep::test::ggufOf(m_model).write(blob);
    std::ofstream(manifest) << nlohmann::json{
        {"layers",
         {{{"mediaType", "application/vnd.ollama.image.model"}, {"digest", "sha256:" + digest}}}}};
    setEnvironment("OLLAMA_MODELS", (folder() / "ollama").string());
    const auto outcome = runWhileItShrinks("tiny:latest", blob);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "energy-profiler: The file " + blob.string() + kSentence);
}

// The moment when the file is mapped, but not yet read: most crashes happened here.
TEST_F(ChangedFileTest, WhileAModelIsLoaded)
{
    if (!fs::exists("/proc/self/maps"))
        GTEST_SKIP() << "this system does not say which files a process has mapped";
    const fs::path weights = m_model / "model.safetensors";
    fs::copy_file(weights, folder() / "kept");
    for (int round = 0; round < 3; ++round) {
        QProcess process;
        start(process,
              {"run", "--model", m_model.string(), "--prompt", "Once upon", "--max-new-tokens",
               "20000", "--depth", "none", "--power", "none"});
        waitUntilMapped(process.processId());
        fs::resize_file(weights, 4096);
        EXPECT_TRUE(process.waitForFinished(kPatienceMs));
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(process.exitCode(), 1);
        EXPECT_EQ(process.readAllStandardError().toStdString(),
                  "energy-profiler: The file " + weights.string() + kSentence);
        fs::copy_file(folder() / "kept", weights, fs::copy_options::overwrite_existing);
    }
}

// A server survives this, and its next run reads the file again.
TEST_F(ChangedFileTest, DuringARunOfTheServer)
{
    if (!fs::exists("/proc/self/maps"))
        GTEST_SKIP() << "this system does not say which files a process has mapped";
    const fs::path weights = m_model / "model.safetensors";
    fs::copy_file(weights, folder() / "kept");
    QProcess process;
    start(process, ep::test::Serving::command(folder(), folder()));
    ep::test::Serving server(process, folder());
    ASSERT_NE(server.port(), 0);
    ep::test::ServedAnswer answer;
    std::thread client([&] { answer = server.generate("large", 20'000); });
    waitUntilMapped(process.processId());
    fs::resize_file(weights, 4096);
    client.join();
    EXPECT_EQ(answer.status, 500) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr("model.safetensors changed"));
    fs::copy_file(folder() / "kept", weights, fs::copy_options::overwrite_existing);
    EXPECT_EQ(server.generate("large", 2).status, 200);
    EXPECT_EQ(server.end(), 0);
    EXPECT_EQ(process.readAllStandardError().toStdString(), "");
}

} // namespace
