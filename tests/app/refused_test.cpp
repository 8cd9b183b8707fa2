// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that are refused before any work: exit status 2, one sentence, nothing changed.
#include "app/cli_fixture.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using Line = std::vector<std::string>;

std::string bytesIn(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class RefusedTest : public CliTest {
protected:
    // run --model (tiny) --prompt x and further arguments
    Line running(const Line& more)
    {
        Line line{"run", "--model", model().string(), "--prompt", "x"};
        line.insert(line.end(), more.begin(), more.end());
        return line;
    }
    Outcome refused(const Line& line, const std::string& said, int status = 2)
    {
        const Outcome outcome = run(line);
        EXPECT_THAT(outcome, failsWith(status, said)) << testing::PrintToString(line);
        EXPECT_EQ(outcome.out, "") << testing::PrintToString(line);
        return outcome;
    }
};

TEST_F(RefusedTest, NoOptionReplacesTheRunDatabase)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const std::string before = bytesIn(database());
    const fs::path link = folder() / "link.db";
    fs::create_symlink(database(), link);
    fs::path backup = database();
    backup.replace_filename("runs.backup-2026-01-01-000000.db");
    fs::copy_file(database(), backup);
    const std::string files[] = {database().string(),
                                 database().string() + "-wal",
                                 database().string() + "-journal",
                                 link.string(),
                                 (folder() / "data" / ".." / "data" / "runs.db").string(),
                                 backup.string()};
    for (const std::string& file : files)
        refused({"runs", "export", "last", "--out", file}, "is the run database");
    const std::string file = database().string();
    const Line lines[] = {
        {"runs", "export", "last", "--format", "csv", "--table", "runs", "--out", file},
        {"runs", "export", "last", "--format", "trace", "--out", file},
        {"runs", "export", "last", "--format", "sqlite", "--out", file},
        {"runs", "report", "last", "--out", file},
        running({"--json-file", file}),
        {"attach", "11434", "--prompt", "x", "--json-file", file},
        {"record", "--json-file", file, "--", "true"},
        {"record", "--spans-file", file, "--", "true"},
        {"doctor", "--report", "--out", file},
        {"study", "study.json", "--html", file},
        {"pays", "auto", "int8", "--model", "m", "--prompt", "x", "--card", file},
        {"db", "--recover", "--out", file}};
    for (const Line& line : lines)
        refused(line, "is the run database");
    refused({"runs", "export", "last", "--db", file, "--out", link.string()},
            "is the run database");
    EXPECT_EQ(bytesIn(database()), before);
    EXPECT_THAT(storedIds(), SizeIs(1));
    EXPECT_EQ(run({"runs", "export", "last", "--out", "run.json"}).status, 0);
}

TEST_F(RefusedTest, CommandsThatReadLeaveAnEmptyFileAlone)
{
    const std::string empty = (folder() / "empty.db").string();
    std::ofstream(empty).flush();
    for (const Line& line : {Line{"db"}, Line{"runs", "list"}, Line{"runs", "show", "last"}}) {
        Line named = line;
        named.insert(named.end(), {"--db", empty});
        refused(named, "is empty; record a run first", 1);
    }
    EXPECT_EQ(run({"doctor", "--db", empty}).status, 0);
    EXPECT_EQ(fs::file_size(empty), 0U);
}

TEST_F(RefusedTest, AnotherFileThanTheDatabaseGetsAdviceOfItsOwn)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const std::string whole = bytesIn(database());
    const auto made = [&](const char* name, const std::string& bytes) {
        std::ofstream(folder() / name, std::ios::binary) << bytes;
        return (folder() / name).string();
    };
    const std::string half = made("half.db", whole.substr(0, 20'000));
    const std::string empty = made("empty.db", "");
    const std::string text = made("text.db", std::string(5000, 'x'));
    const std::string elf = made("program",
                                 std::string("\x7F"
                                             "ELF\2\1\1\0\0\0",
                                             10));
    const std::pair<Line, const char*> cases[] = {
        {{"runs", "import", half}, "get another copy of it."},
        {{"db", "--restore", "--backup", half, "--yes"}, "get another copy of it."},
        {{"db", "--restore", "--backup", empty, "--yes"}, "is empty; choose another file."},
        {{"db", "--restore", "--backup", text, "--yes"}, "choose another file."},
        {{"runs", "import", elf}, "is a binary file"}};
    for (const auto& [line, said] : cases) {
        const Outcome outcome = refused(line, said, 1);
        EXPECT_THAT(outcome.err, Not(HasSubstr("--restore"))) << testing::PrintToString(line);
        EXPECT_THAT(outcome.err, Not(HasSubstr("--db"))) << testing::PrintToString(line);
    }
    for (const char* const byte : {"{", "1"}) {
        const Outcome outcome = run({"runs", "import", made("byte.txt", byte)});
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, Not(HasSubstr("run database"))) << outcome.err;
    }
    EXPECT_THAT(storedIds(), SizeIs(1));
}

TEST_F(RefusedTest, EachMistakeIsNamedInPlainWords)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const std::pair<Line, const char*> cases[] = {
        {running({"--stop", "answer:foo"}), "--stop: There is no rule 'foo'"},
        {running({"--stop", "answer:regex:("}),
         "--stop: The pattern of the rule 'regex:(' lacks a closing parenthesis;"},
        {{"runs", "show", "last", "--answer-end", "foo"}, "--answer-end: There is no rule 'foo'"},
        {{"runs", "list", "--status", "foo"},
         "--status: 'foo' is none of running, complete, cancelled, failed, interrupted"},
        {{"runs", "export", "last", "--format", "sqlite", "--out", "-"},
         "cannot be written to standard output"},
        {{"runs", "export", "--all", "--out", "x.json"}, "One run makes one json export"},
        {{"runs", "compare", "last", "last"}, "is on both sides"},
        {{"runs", "compare", "last", "last~1,last"}, "is on both sides"},
        {{"attach", "foo"}, "URL: 'foo' has no port"},
        {{"attach", "11434"}, "There is no prompt"},
        {running({"--draft", "ngram", "--batch-size", "2"}), "one sequence at a time"},
        {running({"--power", "none", "--power", "none"}), "--power can be given only once"},
        {{"runs", "compare", "last"}, "RUN takes at least 2 values; given: 1"},
        {{"run", "--model", "m"}, "Give one of --prompt, --prompt-file, --messages"},
        {running({"--prompt-file", "p"}), "Give only one of --prompt, --prompt-file"},
        {running({"--repeat", "2", "--until", "2%"}), "--repeat and --until exclude each other"},
        {running({"--at-most-runs", "5"}), "--at-most-runs needs --until"},
        {running({"--until", "0.01%"}), "--until: '0.01' is not a number from 0.1 to 100"},
        {{"runs", "list", "--limit", "abc"},
         "--limit: 'abc' is not a whole number from 0 to 1099511627776"},
        {{"runs", "import", "x", "--period", "0"},
         "--period: '0' is not a number from 1e-06 to 1000000000"},
        {{"runs", "show", "last", "--region", "california"},
         "--region: 'california' is none of US, California, Texas, EU; did you mean California?"},
        {{"record", "ls", "-la"}, "write -- before a command with options of its own"},
        {{"pays", "--command-a", "sh -c 'a", "--command-b", "true"}, "is not closed: '"}};
    for (const auto& [line, said] : cases)
        refused(line, said);
    EXPECT_THAT(storedIds(), SizeIs(2));
}

TEST_F(RefusedTest, AListSaysWhetherThereAreRunsAtAll)
{
    EXPECT_THAT(run({"runs", "list"}).out, HasSubstr("No runs in "));
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    EXPECT_EQ(run({"runs", "list", "--tag", "none"}).out, "No run matches these filters\n");
}

TEST_F(RefusedTest, ATraceWithoutAModelIsNotStored)
{
    std::ofstream(folder() / "trace.json")
        << R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "ts": 1, "dur": 2,
               "name": "aten::add", "cat": "cpu_op", "pid": 1, "tid": 1}]})";
    refused({"runs", "import", "trace.json"}, "trace.json was not stored: nothing in it", 1);
    EXPECT_THAT(run({"runs", "import", "trace.json", "--dry-run"}).out, HasSubstr("1 event, "));
    EXPECT_FALSE(fs::exists(database()));
}

TEST_F(RefusedTest, HelpSaysOnceWhatAnOptionNeeds)
{
    const std::string help = run({"run", "--help-all"}).out;
    EXPECT_THAT(help, HasSubstr("With --until: the most runs"));
    EXPECT_THAT(help, Not(HasSubstr("; with --until")));
    EXPECT_THAT(help, HasSubstr("; with --chat"));
    EXPECT_THAT(run({"attach", "--help"}).out, HasSubstr("[URL]"));
}

TEST_F(RefusedTest, AnIntensityOfOnesOwnHasNoRegion)
{
    ASSERT_EQ(profile({"--power", "modelled"}).status, 0);
    EXPECT_THAT(run({"runs", "show", "last"}).out, HasSubstr("(US, "));
    const std::string shown = run({"runs", "show", "last", "--grams-per-kwh", "100"}).out;
    EXPECT_THAT(shown, HasSubstr("100 g/kWh"));
    EXPECT_THAT(shown, Not(HasSubstr("(US, ")));
    refused({"runs", "show", "last", "--grams-per-kwh", "1e6"}, "from 0 to 100000");
    refused({"runs", "show", "last", "--usd-per-kwh", "1001"}, "from 0 to 1000");
}

} // namespace
} // namespace ep::test
