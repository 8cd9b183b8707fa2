// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/file_access.h"
#include "store/file_guards.h"
#include "store_impl.h"
#include "support/run_id.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::idFrom;
using test::makeSampleRun;
using test::TempFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class StoreExchange : public testing::Test {
protected:
    std::unique_ptr<Store> open(const std::string& name)
    {
        auto store = Store::open(m_folder.path() / name);
        EXPECT_TRUE(store) << store.error().message;
        return store ? std::move(*store) : nullptr;
    }

    TempFolder m_folder;
};

TEST_F(StoreExchange, ImportsARunOnce)
{
    const auto store = open("runs.db");
    ep::Run run = makeSampleRun();
    EXPECT_TRUE(*store->importRun(run));
    run.info.title = "changed elsewhere";
    EXPECT_FALSE(*store->importRun(run)) << "what is there stays";
    EXPECT_EQ(store->load(run.info.id)->info.title, makeSampleRun().info.title);
    ASSERT_TRUE(store->moveToTrash({run.info.id}));
    EXPECT_TRUE(*store->importRun(run)) << "a deleted run may come in again";
    EXPECT_EQ(store->load(run.info.id)->info.title, "changed elsewhere");
}

TEST_F(StoreExchange, ImportsWhatIsNotThere)
{
    const auto from = open("from.db");
    const auto to = open("to.db");
    const std::string a = idFrom("a");
    const std::string b = idFrom("b");
    const std::string c = idFrom("c");
    const std::string trashed = idFrom("d");
    const std::string going = idFrom("e");
    for (const std::string& id : {a, b, c, trashed})
        ASSERT_TRUE(from->saveRun(makeSampleRun({.id = id})));
    ASSERT_TRUE(from->moveToTrash({trashed}));
    ASSERT_TRUE(from->beginRun(makeSampleRun({.id = going}).info));
    ASSERT_TRUE(to->saveRun(makeSampleRun({.id = b, .tokens = 1})));
    const auto report = to->importDatabase(m_folder / "from.db");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->imported, ElementsAre(a, c));
    EXPECT_THAT(report->skipped, ElementsAre(b, going));
    EXPECT_TRUE(*to->load(c) == *from->load(c));
    EXPECT_EQ(to->load(b)->trace.tokens.size(), 1U);
    EXPECT_TRUE(to->importDatabase(m_folder / "from.db")->imported.empty());
}

TEST_F(StoreExchange, TakesNoIdThatIsNoUuid)
{
    const auto to = open("to.db");
    for (const char* id : {"../../x", "a\r\nX: y", "<b>", "11111111-2222-4333-8444-55555555555g"}) {
        const auto one = to->importRun(makeSampleRun({.id = id}));
        ASSERT_FALSE(one) << id;
        EXPECT_THAT(one.error().message, HasSubstr("UUID"));
        EXPECT_THAT(one.error().message, Not(HasSubstr("\r")));
    }
    ASSERT_TRUE(open("from.db")->saveRun(makeSampleRun({.id = "../../x"})));
    const auto all = to->importDatabase(m_folder / "from.db");
    ASSERT_FALSE(all);
    EXPECT_THAT(all.error().message, AllOf(HasSubstr("from.db"), HasSubstr("UUID")));
    EXPECT_TRUE(to->list()->empty());
}

// Views that never end, and triggers that delete: none of them may run.
TEST_F(StoreExchange, TakesNoDatabaseWithAProgramInIt)
{
    constexpr const char* kEndless = "AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
                                     "FROM n) SELECT x AS id, x AS trash_pid FROM n";
    const std::vector<std::string> programs{
        std::string("ALTER TABLE profiling_runs RENAME TO p; CREATE VIEW profiling_runs ")
            + kEndless,
        std::string("CREATE VIEW extra ") + kEndless,
        "CREATE TRIGGER t AFTER UPDATE ON profiling_runs BEGIN DELETE FROM profiling_runs; END",
        "CREATE VIRTUAL TABLE words USING fts5(a)",
    };
    for (std::size_t i = 0; i < programs.size(); ++i) {
        SCOPED_TRACE(programs[i]);
        const fs::path file = m_folder.path() / ("bad" + std::to_string(i) + ".db");
        ASSERT_TRUE(Store::open(file).value()->saveRun(makeSampleRun()));
        {
            const auto database = Database::open(file, Database::Access::ReadWrite);
            ASSERT_TRUE(
                (*database)->execute("PRAGMA legacy_alter_table = ON; " + programs[i], "test"));
        }
        const auto report = open("runs.db")->importDatabase(file);
        ASSERT_FALSE(report);
        EXPECT_THAT(report.error().message,
                    AllOf(HasSubstr(file.string()), HasSubstr("no run database has")));
        const auto there = Store::open(file);
        if (!there)
            continue;
        static_cast<void>((*there)->list()); // must return
        static_cast<void>((*there)->edit(makeSampleRun().info.id, {.title = "x"}));
        if (i > 0) {
            EXPECT_EQ((*there)->list()->size(), 1U) << "no trigger has run";
        }
    }
}

TEST_F(StoreExchange, AVersionThatNoFileHasIsSaid)
{
    const fs::path file = m_folder / "runs.db";
    ASSERT_TRUE(Store::open(file));
    for (const char* version : {"-1", "0"}) {
        {
            const auto database = Database::open(file, Database::Access::ReadWrite);
            ASSERT_TRUE(
                (*database)->execute(std::string("PRAGMA user_version = ") + version, "test"));
        }
        const auto opened = Store::open(file);
        ASSERT_FALSE(opened);
        EXPECT_THAT(opened.error().message, HasSubstr(std::string("version ") + version));
        const auto imported = open("to.db")->importDatabase(file);
        ASSERT_FALSE(imported);
        EXPECT_THAT(imported.error().message, HasSubstr(file.string()));
    }
}

TEST_F(StoreExchange, AListReadsNoWholeTexts)
{
    const auto store = open("runs.db");
    ep::Run run = makeSampleRun();
    run.info.prompt = std::string(3'000'000, 'p');
    ASSERT_TRUE(store->saveRun(run));
    EXPECT_EQ(store->list()->front().info.prompt.size(),
              static_cast<std::size_t>(kLongestListedText));
    EXPECT_EQ(store->load(run.info.id)->info.prompt.size(), run.info.prompt.size());
}

TEST_F(StoreExchange, AFailedCopyLeavesNothing)
{
    const auto store = open("runs.db");
    ASSERT_TRUE(store->saveRun(makeSampleRun({.id = idFrom("a"), .tokens = 400})));
    ASSERT_TRUE(store->list());
    {
        const test::FileSizeLimit limit(20'000);
        const auto report = store->copyTo(m_folder / "copy.db", {idFrom("a")});
        ASSERT_FALSE(report);
        EXPECT_THAT(report.error().message,
                    AllOf(HasSubstr("copy.db"), HasSubstr("--out"), Not(HasSubstr("--db")),
                          Not(HasSubstr("part-"))));
    }
    for (const auto& entry : fs::directory_iterator(m_folder.path()))
        EXPECT_THAT(entry.path().string(), Not(HasSubstr("copy.db")));
    EXPECT_TRUE(store->copyTo(m_folder / "copy.db", {idFrom("a")}));
    EXPECT_FALSE(fs::exists((m_folder / "copy.db").string() + "-wal")) << "it is one file";
}

TEST_F(StoreExchange, SaysWhatIsNoDatabase)
{
    const auto store = open("runs.db");
    EXPECT_EQ(store->importDatabase(m_folder / "none.db").error().code, ErrorCode::NotFound);
    test::writeFile(m_folder / "notes", "hello");
    EXPECT_EQ(store->importDatabase(m_folder / "notes").error().code, ErrorCode::InvalidInput);
}

TEST_F(StoreExchange, CopiesChosenRuns)
{
    const auto store = open("runs.db");
    for (const char* id : {"a", "b", "c"})
        ASSERT_TRUE(store->saveRun(makeSampleRun({.id = id})));
    std::vector<double> steps;
    const auto report =
        store->copyTo(m_folder / "copy.db", {"c", "a"}, {},
                      [&](double fraction, const Message&) { steps.push_back(fraction); });
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->imported, ElementsAre("c", "a"));
    EXPECT_THAT(steps, ElementsAre(0.0, 0.5));
    EXPECT_TRUE(*open("copy.db")->load("a") == *store->load("a"));
    EXPECT_THAT(store->copyTo(m_folder / "copy.db", {"a", "b"})->skipped, ElementsAre("a"));
}

TEST_F(StoreExchange, CopyingCanBeStopped)
{
    const auto store = open("runs.db");
    ASSERT_TRUE(store->saveRun(makeSampleRun()));
    const CancelToken cancel;
    cancel.cancel();
    EXPECT_EQ(store->copyTo(m_folder / "copy.db", {makeSampleRun().info.id}, cancel).error().code,
              ErrorCode::Cancelled);
}

} // namespace
} // namespace ep::store
