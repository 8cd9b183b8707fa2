// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/file_access.h"
#include "sqlite/migrations.h"
#include "store/file_guards.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;
using test::TempFolder;
using testing::ElementsAre;

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
    for (const char* id : {"a", "b", "c", "trashed"})
        ASSERT_TRUE(from->saveRun(makeSampleRun({.id = id})));
    ASSERT_TRUE(from->moveToTrash({"trashed"}));
    ASSERT_TRUE(from->beginRun(makeSampleRun({.id = "going"}).info));
    ASSERT_TRUE(to->saveRun(makeSampleRun({.id = "b", .tokens = 1})));
    const auto report = to->importDatabase(m_folder / "from.db");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->imported, ElementsAre("a", "c"));
    EXPECT_THAT(report->skipped, ElementsAre("b", "going"));
    EXPECT_TRUE(*to->load("c") == *from->load("c"));
    EXPECT_EQ(to->load("b")->trace.tokens.size(), 1U);
    EXPECT_TRUE(to->importDatabase(m_folder / "from.db")->imported.empty());
}

TEST_F(StoreExchange, ImportsAnOlderDatabaseAndLeavesItAlone)
{
    const fs::path old = m_folder / "old.db";
    ASSERT_TRUE(createPrivateFile(old));
    {
        auto database = Database::open(old, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        const std::string dump =
            test::readFile(fs::path(EP_SOURCE_DIR) / "tests/data/store/runs_v1.sql");
        ASSERT_TRUE((*database)->execute(dump, "test"));
        ASSERT_TRUE((*database)->execute("PRAGMA user_version = 1; PRAGMA application_id = "
                                             + std::to_string(kApplicationId),
                                         "test"));
    }
    const std::string before = test::readFile(old);
    const auto store = open("runs.db");
    const auto report = store->importDatabase(old);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->imported.size(), 1U);
    EXPECT_EQ(store->load(report->imported.at(0))->trace.components.size(), 168U);
    EXPECT_EQ(test::readFile(old), before);
    EXPECT_FALSE(fs::exists(old.string() + ".v1.bak"));
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
                      [&](double fraction, const std::string&) { steps.push_back(fraction); });
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
