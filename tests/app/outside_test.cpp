// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside and special files: they neither control a terminal, nor make the program hang,
// nor are they shown to other users.
#include "app/cli_fixture.h"
#include "support/sample_run.h"

#include "ep/store/run_json.h"

#include <QXmlStreamReader>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;
using ep::test::CliTest;
using ep::test::Outcome;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class OutsideTest : public CliTest {
protected:
    // Runs in which every text tries to control a terminal.
    std::vector<std::string> importHostileRuns()
    {
        const std::string evil =
            "a\033[31m\a\u009B2J\u202Eb\x7f=1+1<script>\x01"; // also for XML and spreadsheets
        std::vector<std::string> ids;
        for (const char* letter : {"a", "b"}) {
            ep::Run run = ep::test::makeSampleRun();
            run.info.id = std::string(8, *letter) + "-0000-4000-8000-000000000000";
            run.info.title = evil;
            run.info.prompt = evil;
            run.info.response = evil;
            run.info.notes = evil;
            run.info.experiment = evil;
            run.info.tags = {evil};
            run.info.model.name = evil;
            run.info.power.source = evil;
            run.info.power.detail = evil;
            run.info.power.notice = evil;
            run.info.status_message = evil;
            run.info.environment.machine = evil;
            run.info.environment.cpu = evil;
            run.info.environment.os = evil;
            for (ep::TokenSpan& token : run.trace.tokens)
                token.text = evil;
            const fs::path file = folder() / "evil.json";
            std::ofstream(file) << ep::store::runToJson(run);
            EXPECT_EQ(this->run({"runs", "import", file.string()}).status, 0);
            ids.push_back(run.info.id);
        }
        return ids;
    }

    // Runs a command line in bash.
    Outcome shell(const std::string& line)
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("EP_DB"), QString::fromStdString(database().string()));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(QString::fromStdString(folder().string()));
        process.start(QStringLiteral("bash"),
                      {QStringLiteral("-c"),
                       QString::fromStdString("set -o pipefail; ep=" EP_PROGRAM "; " + line)});
        EXPECT_TRUE(process.waitForFinished(300'000));
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                process.readAllStandardOutput().toStdString(),
                process.readAllStandardError().toStdString()};
    }

    static std::string contentOf(const fs::path& file)
    {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }
};

// The first character that could control a terminal, and the text around it.
std::string steering(const std::string& text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        const bool c0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
        const bool c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
        if (c0 || c1 || text.compare(i, 3, "\u202E") == 0)
            return text.substr(i < 20 ? 0 : i - 20, 40);
    }
    return {};
}

TEST_F(OutsideTest, NoTextSteersATerminal)
{
    const std::vector<std::string> ids = importHostileRuns();
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"runs", "list"},
             {"runs", "list", "--json"},
             {"runs", "show", ids[0], "--parts"},
             {"runs", "show", ids[0], "--json", "--full"},
             {"runs", "compare", ids[0], ids[1]},
             {"runs", "compare", ids[0], ids[1], "--json"},
             {"db"},
             {"runs", "export", ids[0], "--out", "-"},
             {"runs", "export", ids[0], "--format", "trace", "--out", "-"},
             {"runs", "edit", ids[0], "+x", "--json"},
             {"runs", "show", "\033[31mnone"},
             {"doctor", "--report", "--no-sensors"}}) {
        const Outcome outcome = run(command);
        EXPECT_EQ(steering(outcome.out), "") << command[0] << ' ' << command[1];
        EXPECT_EQ(steering(outcome.err), "") << command[0] << ' ' << command[1];
    }
    const Outcome shown = run({"runs", "show", ids[0], "--json", "--full"});
    EXPECT_THAT(json::parse(shown.out).at("run").at("info").at("title").get<std::string>(),
                HasSubstr("\u202E"))
        << "JSON still says what it was";
}

TEST_F(OutsideTest, ChartsAndReportsAreWellFormed)
{
    const std::vector<std::string> ids = importHostileRuns();
    const fs::path out = folder() / "charts";
    ASSERT_EQ(run({"runs", "report", ids[0], "--out", out.string()}).status, 0);
    int pictures = 0;
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
        if (entry.path().extension() != ".svg")
            continue;
        ++pictures;
        QXmlStreamReader xml(QByteArray::fromStdString(contentOf(entry.path())));
        while (!xml.atEnd())
            xml.readNext();
        EXPECT_FALSE(xml.hasError()) << entry.path() << ": " << xml.errorString().toStdString();
    }
    EXPECT_GT(pictures, 5);
}

TEST_F(OutsideTest, ASpreadsheetRunsNothing)
{
    ep::Run run = ep::test::makeSampleRun();
    run.info.prompt = "=HYPERLINK(\"http://evil\",\"x\")";
    run.trace.tokens[0].text = "+1";
    std::ofstream(folder() / "run.json") << ep::store::runToJson(run);
    ASSERT_EQ(this->run({"runs", "import", (folder() / "run.json").string()}).status, 0);
    const std::vector<std::string> command{"runs", "export", run.info.id, "--format", "csv"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        EXPECT_EQ(this->run(more).status, 0);
    };
    with({"--out", "safe"});
    EXPECT_THAT(contentOf(folder() / "safe" / "runs.csv"), HasSubstr("\"\"\"=HYPERLINK("));
    EXPECT_THAT(contentOf(folder() / "safe" / "tokens.csv"), HasSubstr(",\"\"\"+1\"\"\","));
    with({"--out", "raw", "--raw-cells"});
    EXPECT_THAT(contentOf(folder() / "raw" / "runs.csv"), HasSubstr("\"\"\"=HYPERLINK("));
    EXPECT_THAT(contentOf(folder() / "raw" / "tokens.csv"), Not(HasSubstr("'+1")));
}

TEST_F(OutsideTest, WhatMayHoldPromptsIsForItsOwnerOnly)
{
    std::ofstream(folder() / "study.json") << json{
        {"name", "s"},  {"models", {model().string()}}, {"prompts", {"Once"}}, {"output_tokens", 2},
        {"repeats", 1}, {"power", "modelled"}};
    ASSERT_EQ(profile({"--json-file", "out.json"}).status, 0);
    ASSERT_EQ(run({"study", "study.json"}).status, 0);
    const std::string id = storedIds().front();
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"runs", "report", id, "--out", "charts"},
             {"runs", "export", id, "--out", "e.json"},
             {"runs", "export", id, "--format", "trace", "--out", "e.trace"},
             {"runs", "export", id, "--format", "csv", "--out", "csv"},
             {"runs", "export", id, "--format", "csv", "--out", "e.zip"},
             {"runs", "export", id, "--format", "sqlite", "--out", "e.db"},
             {"doctor", "--report", "--no-sensors", "--out", "d.txt"}})
        EXPECT_EQ(run(command).status, 0) << command[0];
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder())) {
        const std::string name = entry.path().lexically_relative(folder()).string();
        if (name.starts_with("tiny") || name == "study.json" || name == "data")
            continue;
        struct stat facts = {};
        ASSERT_EQ(::stat(entry.path().c_str(), &facts), 0);
        EXPECT_EQ(facts.st_mode & 077U, 0U) << name;
        ++files;
    }
    EXPECT_GT(files, 20);
}

TEST_F(OutsideTest, PipesAndEndlessFilesAreRefused)
{
    const fs::path pipe = folder() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(profile({"--power", "replay:" + pipe.string()}), failsWith(1, "ordinary file"));
    EXPECT_THAT(run({"doctor", "--watch", "--power", "replay:" + pipe.string()}),
                failsWith(1, "ordinary file"));
    EXPECT_THAT(run({"runs", "import", pipe.string()}), failsWith(1, pipe.string()));
    EXPECT_THAT(
        run({"models", "tokenize", "--model", model().string(), "--text-file", "/dev/zero"}),
        failsWith(1, "ordinary file"));
    EXPECT_THAT(
        run({"run", "--model", model().string(), "--prompt-file", "/dev/zero", "--no-save"}),
        failsWith(1, "ordinary file"));
    EXPECT_THAT(run({"study", "/dev/zero"}), failsWith(1, "ordinary file"));
    fs::remove(model() / "model.safetensors");
    ASSERT_EQ(::mkfifo((model() / "model.safetensors").c_str(), 0600), 0);
    EXPECT_THAT(profile({"--power", "none"}), failsWith(1, "model.safetensors"));
}

// Tries every option that names a file to read or to write.
TEST_F(OutsideTest, OnlyOrdinaryFilesAreOpened)
{
    const std::string tiny = model().string();
    const fs::path pipe = folder() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    fs::create_directory(folder() / "folder");
    std::ofstream(folder() / "trace.json")
        << R"([{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":2,"pid":1,"tid":1}])";
    std::ofstream(folder() / "power.csv") << "time_s,power_w\n0,1\n1,1\n2,1\n";
    const std::vector<std::vector<std::string>> kCommands{
        {"run", "--model", tiny, "--no-save", "--power", "none", "--prompt-file"},
        {"run", "--model", tiny, "--no-save", "--power", "none", "--messages"},
        {"run", "--model", tiny, "--no-save", "--power", "none", "--prompt", "x", "--json"},
        {"run", "--no-save", "--power", "none", "--prompt", "x", "--model"},
        {"models", "tokenize", "--model", tiny, "--text-file"},
        {"models", "quality", "--model", tiny, "--text-file"},
        {"models", "verify", "--model", tiny, "--reference"},
        {"study"},
        {"pays", "--from"},
        {"pays", "--merge"},
        {"pays", "f32", "int8", "--model", tiny, "--prompt-file"},
        {"runs", "import"},
        {"runs", "import", "--as", "trace", "--dry-run"},
        {"runs", "import", "--as", "trace", "--dry-run", (folder() / "trace.json").string(),
         "--power"},
        {"runs", "import", "--as", "power", "--dry-run"},
        {"runs", "import", "--as", "power", "--dry-run", (folder() / "power.csv").string(),
         "--requests"},
        {"runs", "list", "--db"},
        {"record", "--power", "none", "--db"},
        {"runs", "totals", "--by", "job", "--db"},
        {"models", "show"},
        {"attach", "http://127.0.0.1:9", "--prompt", "x", "--token-file"},
    };
    int number = 0;
    for (const fs::path& file : {pipe, fs::path("/dev/zero"), folder() / "folder"}) {
        for (std::vector<std::string> words : kCommands) {
            SCOPED_TRACE(words[0] + ' ' + words.back() + ' ' + file.string());
            words.push_back(file.string());
            if (words[0] == "record")
                words.insert(words.end(), {"--", "true"});
            // A device accepts everything that is written. Apart from pipes, one option in three is
            // enough, since all files are opened in one place.
            if (file != pipe && (++number % 3 != 0 || words[words.size() - 2] == "--json"))
                continue;
            const Outcome outcome = run(words);
            EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status;
            EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
        }
        std::vector<std::string> record{
            "record",      "--power", "none",  "--spans-file",
            file.string(), "--",      "touch", (folder() / "ran").string()};
        EXPECT_THAT(run(record),
                    failsWith(1, file == folder() / "folder" ? "folder" : "ordinary file"));
    }
    EXPECT_FALSE(fs::exists(folder() / "ran")) << "refused before the command starts";
}

TEST_F(OutsideTest, WhatIsNoNumberIsAnErrorOfTheCommandLine)
{
    for (const std::vector<std::string>& option :
         std::vector<std::vector<std::string>>{{"--baseline-seconds", "nan"},
                                               {"--cool-down", "nan"},
                                               {"--temperature", "nan"},
                                               {"--temperature", "inf"},
                                               {"--top-p", "-nan"},
                                               {"--min-p", "nan"},
                                               {"--repetition-penalty", "nan"},
                                               {"--seed", "-1"},
                                               {"--seed", "1.5"},
                                               {"--idle-watts", "nan"}})
        EXPECT_THAT(profile(option), failsWith(2, option[0]));
    EXPECT_THAT(run({"runs", "show", "x", "--usd-per-kwh", "nan"}), failsWith(2, "--usd-per-kwh"));
    EXPECT_FALSE(fs::exists(database()));
}

TEST_F(OutsideTest, AFullDeviceIsToldOnce)
{
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "there is no such device here";
    model();
    for (const char* line :
         {"$ep --version >/dev/full", "$ep --help >/dev/full", "$ep runs list --json >/dev/full",
          "$ep run --model tiny --prompt x --max-new-tokens 2 --power none "
          "--json - >/dev/full"})
        EXPECT_THAT(shell(line), failsWith(1, "standard output"));
}

TEST_F(OutsideTest, ARunWhoseReaderLeavesIsKeptAsCancelled)
{
    model();
    const Outcome outcome =
        shell("$ep run --model tiny --prompt Once --max-new-tokens 60000 --power none --depth none "
              "| head -c 5 >/dev/null");
    EXPECT_THAT(outcome, failsWith(130, "stored as"));
    const json list = json::parse(run({"runs", "list", "--json"}).out);
    ASSERT_EQ(list.at("runs").size(), 1U);
    EXPECT_EQ(list.at("runs")[0].at("info").at("status"), "cancelled");
    // A reader that has enough is not an error. The page fits into the pipe's buffer, so the reader
    // must have gone before it is written.
    EXPECT_EQ(shell("(sleep 1; $ep documentation man) | true").err, "");
}

// The system does not reveal whether there is a database, as in a folder that may not be entered.
TEST_F(OutsideTest, ADatabaseThatCannotBeReachedIsNotAnEmptyOne)
{
    fs::create_symlink("loop", folder() / "loop");
    const std::string file = (folder() / "loop" / "runs.db").string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"runs", "list", "--db", file},
          {"runs", "list", "--json", "--db", file},
          {"runs", "show", "--db", file, "abc"},
          {"runs", "delete", "--db", file, "abc"}}) {
        const Outcome outcome = run(words);
        EXPECT_THAT(outcome, failsWith(1, "Cannot read " + file)) << words[1] << outcome.out;
    }
}

} // namespace
