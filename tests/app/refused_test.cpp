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
using testing::IsEmpty;
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
        EXPECT_EQ(outcome.status, status) << testing::PrintToString(line) << outcome.err;
        EXPECT_EQ(outcome.out, "") << testing::PrintToString(line);
        EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(said)) << testing::PrintToString(line);
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

TEST_F(RefusedTest, HelpSaysOnceWhatAnOptionNeeds)
{
    const std::string help = run({"run", "--help-all"}).out;
    EXPECT_THAT(help, HasSubstr("With --until: the most runs"));
    EXPECT_THAT(help, Not(HasSubstr("; with --until")));
    EXPECT_THAT(help, HasSubstr("; with --chat"));
    EXPECT_THAT(run({"attach", "--help"}).out, HasSubstr("[URL]"));
}

} // namespace
} // namespace ep::test
