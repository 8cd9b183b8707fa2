// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of runs: their columns, the step that converts the English of older files, and import.
#include "sqlite/file_access.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "store/file_guards.h"
#include "support/folders.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"
#include "tables/message_json.h"
#include "tables/record_fields.h"
#include "tables/stored_english.h"

#include "ep/core/token_ledger.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ep::store {
namespace {

using test::TempFolder;

const std::array kMessages{
    Message(),
    Message("Timing only, as requested."),
    Message("The samples cover %1 of the run.", "98 %"),
    sequence(
        {Message("The samples cover %1 of the run.", "98 %"), Message("A guest's \"words\".")}),
    Message("%1", std::vector<Message>{Message("%1 W", 5)}),
    Message("{\"pattern\": \"of a guest\", \"arguments\": []}"),
    Message("{\"pattern\":\"of a guest\",\"arguments\":[]}"),
    Message("%1 of nothing"),
};

TEST(Messages, ColumnsKeepThem)
{
    for (const Message& message : kMessages) {
        Message read("x");
        readList(listText(message), read);
        EXPECT_EQ(read, message) << message;
    }
    EXPECT_EQ(listText(kMessages[1]), "Timing only, as requested.");
    EXPECT_EQ(listText(kMessages[2]),
              R"({"pattern":"The samples cover %1 of the run.","arguments":["98 %"]})");
    const std::vector<Message> all(kMessages.begin(), kMessages.end());
    std::vector<Message> read;
    readList(listText(all), read);
    EXPECT_EQ(read, all);
}

TEST(Messages, ManyPartsNestLittle)
{
    const Message all = sequence(std::vector<Message>(500, Message("%1 W", 5)), "\n");
    Message read;
    readList(listText(all), read);
    EXPECT_EQ(read, all);
}

TEST(Messages, OfAnotherFormAreTexts)
{
    for (const char* const text :
         {"{\"pattern\":", "{\"pattern\":1,\"arguments\":[]}", "{\"pattern\":\"a\"}",
          "{\"pattern\":\"%1\",\"arguments\":[1]}", "{\"pattern\":\"a\",\"arguments\":{}}"}) {
        Message read;
        readList(text, read);
        EXPECT_EQ(read, Message(text));
    }
}

// All messages of a run, with arguments.
ep::Run runWithMessages()
{
    ep::Run run = test::makeSampleRun();
    int number = 0;
    const auto fill = [&](Message& message) {
        message = Message("The samples cover %1 of the run.", ++number);
    };
    run.info.execution.notes.resize(2);
    run.info.profiling.server.emplace().notes.resize(1);
    run.info.profiling.server->refusals.resize(1);
    run.info.profiling.command.emplace().notes.resize(1);
    run.info.profiling.token_counts = {.cached = 3, .draft = "ngram", .drafted = 4, .accepted = 2};
    run.info.power.quality.emplace().reasons.resize(2);
    run.info.power.attribution.emplace().calibration.emplace().kinds.resize(1);
    run.trace.secondary.resize(1);
    visitMessages(run.info, fill);
    visitSourceMessages(run.trace.secondary, fill);
    EXPECT_GT(number, 12);
    return run;
}

std::vector<Message> messagesOf(const ep::Run& run)
{
    std::vector<Message> all;
    const auto take = [&](const Message& message) { all.push_back(message); };
    visitMessages(run.info, take);
    visitSourceMessages(run.trace.secondary, take);
    return all;
}

TEST(Messages, AreKeptInADatabaseAndInJson)
{
    const ep::Run run = runWithMessages();
    const TempFolder folder;
    const auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->saveRun(run));
    const auto loaded = (*store)->load(run.info.id);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(*loaded == run);

    const std::string written = runToJson(run);
    EXPECT_THAT(written,
                testing::HasSubstr("\"status_message\": \"The samples cover 1 of the run.\""));
    EXPECT_THAT(written, testing::HasSubstr("\"clock_note\": \"The samples cover "));
    std::istringstream text(written);
    const auto read = runFromJson(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(messagesOf(*read), messagesOf(run));
    EXPECT_EQ(read->info.profiling.token_counts, run.info.profiling.token_counts);
}

TEST(Messages, AreFoundInEnglishTexts)
{
    struct Case {
        const char* text;
        const char* pattern;
        std::vector<std::string> arguments;
    };
    const std::array kCases{
        Case{"Other programs used 57.1 % of the processor during the run.",
             "Other programs used %1 of the processor during the run.",
             {"57.1 %"}},
        Case{"There is no folder /a and b: choose the folder of a downloaded HuggingFace model.",
             "There is no folder %1: choose the folder of a downloaded HuggingFace model.",
             {"/a and b"}},
        Case{"The samples cover 1.6 % of the run. A guest's words.",
             "%1 %2",
             {"The samples cover 1.6 % of the run.", "A guest's words."}},
        Case{"Nobody wrote this; not even in part.", "Nobody wrote this; not even in part.", {}},
        Case{"", "", {}},
    };
    for (const Case& c : kCases) {
        const Message found = messageOf(c.text);
        EXPECT_EQ(found, c.text);
        EXPECT_EQ(found.pattern(), c.pattern);
        EXPECT_EQ(std::vector<std::string>(found.arguments().begin(), found.arguments().end()),
                  c.arguments);
    }
}

// A run of each kind from a database that version 4 wrote.
class OldDatabase : public testing::Test {
protected:
    void SetUp() override
    {
        const std::filesystem::path file = m_folder / "runs.db";
        {
            ASSERT_TRUE(createPrivateFile(file));
            auto database = Database::open(file, Database::Access::ReadWrite);
            ASSERT_TRUE(database);
            ASSERT_TRUE(migrate(**database, migrations().first(4)));
            const std::string rows = test::readFile(test::dataPath("store/runs_v4.sql"));
            const Status filled = (*database)->execute(rows, "test");
            ASSERT_TRUE(filled) << filled.error().message;
            Statement query = (*database)->prepare(
                "SELECT id, status_message, power_detail, notes FROM profiling_runs", "test");
            ASSERT_TRUE(query.forEachRow([&](Statement& row) {
                std::string id;
                std::array<std::string, 3> texts;
                row.get(id, texts[0], texts[1], texts[2]);
                m_before[id] = texts;
            }));
        }
        auto store = Store::open(file);
        ASSERT_TRUE(store) << store.error().message;
        m_store = std::move(*store);
    }

    RunInfo load(int number) const
    {
        const auto run =
            m_store->load("0000000" + std::to_string(number) + "-0000-4000-8000-000000000000");
        EXPECT_TRUE(run) << run.error().message;
        return run ? run->info : RunInfo();
    }

    TempFolder m_folder;
    std::map<std::string, std::array<std::string, 3>> m_before;
    std::unique_ptr<Store> m_store;
};

TEST_F(OldDatabase, KeepsItsTexts)
{
    ASSERT_EQ(m_before.size(), 7U);
    for (const auto& [id, texts] : m_before) {
        const auto run = m_store->load(id);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->info.status_message, texts[0]);
        EXPECT_EQ(run->info.power.detail, texts[1]);
        EXPECT_EQ(run->info.notes, texts[2]);
    }
}

TEST_F(OldDatabase, HasPatternsAndArguments)
{
    EXPECT_EQ(load(3).status_message.pattern(),
              "The context of %1, %2 tokens, is full: the generation ended after %3 of %4 tokens.");
    EXPECT_EQ(load(6).status_message.pattern(), "The command was ended by signal %1 (%2).");
    EXPECT_EQ(load(7).power.notice, Message("Timing only, as requested."));
    const RunInfo info = load(4);
    EXPECT_EQ(info.power.detail.pattern(),
              "model, not a sensor: CPU time of the machine between %1 and %2");
    ASSERT_TRUE(info.power.quality);
    ASSERT_FALSE(info.power.quality->reasons.empty());
    for (const Message& reason : info.power.quality->reasons)
        EXPECT_THAT(reason.pattern(), testing::HasSubstr("%1")) << reason;
    ASSERT_TRUE(info.power.attribution);
    EXPECT_THAT(info.power.attribution->note.pattern(), testing::HasSubstr("%1 are needed"));
    const RunInfo imported = load(5);
    EXPECT_EQ(imported.notes.pattern(), "%1\n%2");
    EXPECT_EQ(imported.profiling.clock_note, Message("times are those of the recording"));
}

TEST_F(OldDatabase, HasCountsOfTokens)
{
    const TokenCounts cached = tokenCounts(load(1));
    EXPECT_EQ(cached.cached, 0);
    EXPECT_EQ(cached.draft, "");
    EXPECT_EQ(tokenCounts(load(2)),
              (TokenCounts{.draft = "demo-llama-5m", .drafted = 3, .accepted = 3}));
    EXPECT_FALSE(load(3).profiling.token_counts);
}

TEST(Messages, CountsOfOldRunsAreFoundInTheirNotes)
{
    const TokenCounts counts{.cached = 32, .draft = "a: b", .drafted = 12, .accepted = 6};
    RunInfo info;
    std::vector<SecondarySource> none;
    for (const Message& note : tokenNotes(counts, 40))
        info.execution.notes.emplace_back(note.english());
    findMessages(info, none);
    EXPECT_EQ(info.profiling.token_counts, counts);
    for (const char* const other :
         {"Draft by nobody.", "Draft by x: 3 tokens proposed = 4 accepted + 1 rejected.",
          "Prompt cache: all of 40 prompt tokens", "Draft by x:  tokens proposed =  accepted + ",
          "Prompt cache: -1 of 40 prompt tokens were not computed again.", "Draft by ",
          "Prompt cache: "}) {
        RunInfo plain;
        plain.execution.notes = {other};
        findMessages(plain, none);
        EXPECT_FALSE(plain.profiling.token_counts) << other;
        EXPECT_EQ(plain.execution.notes.front(), other);
    }
}

// Words of a user may look like a message.
TEST(Messages, NotesOfAUserAreNotTakenApart)
{
    RunInfo info;
    std::vector<SecondarySource> none;
    info.notes = "The samples cover 1 % of the run.";
    findMessages(info, none);
    EXPECT_EQ(info.notes, Message("The samples cover 1 % of the run."));
    info.power.source = kImportedSource;
    info.notes = "The samples cover 1 % of the run.\n\nMine.";
    findMessages(info, none);
    EXPECT_EQ(info.notes, "The samples cover 1 % of the run.\n\nMine.");
}

} // namespace
} // namespace ep::store
