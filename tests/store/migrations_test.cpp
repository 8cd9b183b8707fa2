// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/file_access.h"
#include "sqlite/migrations.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "store/file_guards.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

constexpr std::array kSteps{
    Migration{1, "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7)"},
    Migration{2, "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x * 2"},
    Migration{3, "CREATE TABLE b (z INTEGER)"},
};
constexpr std::array kFailing{
    kSteps[0],
    kSteps[1],
    Migration{3, "CREATE TABLE b (z INTEGER); INSERT INTO nowhere VALUES (1)"},
};

class Migrations : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(createPrivateFile(m_file));
        auto database = Database::open(m_file, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        m_database = std::move(*database);
    }

    std::int64_t value(const std::string& sql)
    {
        const auto found = m_database->queryInteger(sql, "test");
        EXPECT_TRUE(found) << found.error().message;
        return found ? *found : -1;
    }

    TempFolder m_folder;
    fs::path m_file = m_folder / "runs.db";
    std::unique_ptr<Database> m_database;
};

TEST_F(Migrations, ANewFileGetsAllStepsAndNoBackup)
{
    ASSERT_TRUE(migrate(*m_database, kSteps));
    EXPECT_EQ(value("SELECT y FROM a"), 14);
    EXPECT_EQ(value("PRAGMA user_version"), 3);
    EXPECT_EQ(value("PRAGMA application_id"), kApplicationId);
    EXPECT_TRUE(checkIsOurs(*m_database));
    EXPECT_TRUE(checkNotNewer(*m_database, kSteps));
    EXPECT_FALSE(checkNotNewer(*m_database, std::span(kSteps).first(2)));
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder.path()), fs::directory_iterator()), 1);
}

TEST_F(Migrations, AnOlderFileIsCopiedFirst)
{
    ASSERT_TRUE(migrate(*m_database, std::span(kSteps).first(1)));
    ASSERT_TRUE(m_database->execute("INSERT INTO a VALUES (8)", "test"));
    test::writeFile(m_file.string() + ".v1.bak", "an earlier backup");
    ASSERT_TRUE(migrate(*m_database, kSteps));
    EXPECT_EQ(value("SELECT sum(y) FROM a"), 30);
    EXPECT_EQ(test::readFile(m_file.string() + ".v1.bak"), "an earlier backup");

    auto backup = Database::open(m_file.string() + ".v1.bak.2", Database::Access::ReadOnly);
    ASSERT_TRUE(backup) << backup.error().message;
    EXPECT_EQ(*(*backup)->queryInteger("SELECT sum(x) FROM a", "test"), 15);
    EXPECT_EQ(*(*backup)->queryInteger("PRAGMA user_version", "test"), 1);
    EXPECT_EQ(*(*backup)->queryInteger("PRAGMA application_id", "test"), kApplicationId);
}

TEST_F(Migrations, TheNewestFileIsLeftAlone)
{
    ASSERT_TRUE(migrate(*m_database, kSteps));
    const std::string before = test::readFile(m_file);
    ASSERT_TRUE(migrate(*m_database, kSteps));
    EXPECT_EQ(test::readFile(m_file), before);
}

TEST_F(Migrations, AFailingStepUndoesAll)
{
    ASSERT_TRUE(migrate(*m_database, std::span(kSteps).first(1)));
    const Status done = migrate(*m_database, kFailing);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, testing::HasSubstr("nowhere"));
    EXPECT_EQ(value("PRAGMA user_version"), 1);
    EXPECT_EQ(value("SELECT count(*) FROM sqlite_schema"), 1);
    EXPECT_EQ(value("SELECT count(*) FROM pragma_table_info('a')"), 1);
}

TEST(Schema, WorksWithoutStrictTables)
{
    const TempFolder folder;
    ASSERT_TRUE(createPrivateFile(folder / "x.db"));
    auto database = Database::open(folder / "x.db", Database::Access::ReadWrite);
    ASSERT_TRUE(database);
    for (const Migration& step : migrations()) {
        const std::string sql = sqlFor(step, 3'036'000);
        EXPECT_EQ(sql.find("STRICT"), std::string::npos);
        const Status done = (*database)->execute(sql, "test");
        EXPECT_TRUE(done) << done.error().message;
        EXPECT_NE(sqlFor(step, 3'037'000), "");
    }
}

TEST(Schema, VersionsRiseByOne)
{
    int version = 0;
    for (const Migration& step : migrations())
        EXPECT_EQ(step.version, ++version);
}

// Written by versions before the schema began at 1; their numbers went up to 17.
TEST(Schema, RefusesEarlyDatabasesAndNamesTheScript)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    {
        auto store = Store::open(file);
        ASSERT_TRUE(store) << store.error().message;
    }
    {
        auto database = Database::open(file, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        ASSERT_TRUE((*database)->execute("PRAGMA user_version = 17; PRAGMA application_id = "
                                             + std::to_string(kEarlyApplicationId)
                                             + "; PRAGMA wal_checkpoint(TRUNCATE)",
                                         "test"));
    }
    const std::string before = test::readFile(file);
    const auto refused =
        testing::AllOf(testing::HasSubstr(file.string()), testing::HasSubstr("was not changed"),
                       testing::HasSubstr("scripts/convert_database.py"));
    EXPECT_THAT(Store::open(file).error().message, refused);
    EXPECT_THAT(Store::openToRead(file).error().message, refused);
    EXPECT_THAT(salvage(file, folder / "saved.db").error().message, refused);
    const auto other = Store::open(folder / "other.db");
    ASSERT_TRUE(other);
    EXPECT_THAT((*other)->importDatabase(file).error().message, refused);
    EXPECT_EQ(test::readFile(file), before);
    EXPECT_FALSE(fs::exists(folder / "saved.db"));
}

TEST(Statement, KeepsAFailureUntilItIsAskedFor)
{
    const TempFolder folder;
    ASSERT_TRUE(createPrivateFile(folder / "x.db"));
    auto database = Database::open(folder / "x.db", Database::Access::ReadWrite);
    ASSERT_TRUE(database);
    Statement wrong = (*database)->prepare("SELECT * FROM nowhere WHERE x = ?", "look");
    wrong.bind(std::string("text"), 1, 2.5, nullptr);
    const auto row = wrong.next();
    ASSERT_FALSE(row);
    EXPECT_THAT(row.error().message,
                testing::AllOf(testing::HasSubstr("Cannot look"),
                               testing::HasSubstr("no such table: nowhere"),
                               testing::HasSubstr("x.db")));

    Statement tooMany = (*database)->prepare("SELECT ?", "count");
    EXPECT_FALSE(tooMany.bind(1, 2).run());
    Statement again = (*database)->prepare("SELECT 1", "count");
    EXPECT_TRUE(again.run());
}

} // namespace
} // namespace ep::store
