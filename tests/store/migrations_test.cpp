// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/file_access.h"
#include "sqlite/migrations.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "store/file_guards.h"
#include "support/temp_folder.h"
#include "tables/component_totals.h"

#include "ep/store/store.h"

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

constexpr const char* kVersion1 = "tests/data/store/runs_v1.sql";

// Sums in another order differ in their last digits.
void expectNear(const ComponentTotal& a, const ComponentTotal& b)
{
    EXPECT_EQ(a.layer, b.layer);
    EXPECT_EQ(a.component, b.component);
    EXPECT_EQ(a.tokens, b.tokens);
    EXPECT_EQ(a.sum.spans, b.sum.spans);
    EXPECT_EQ(a.sum.duration_ns, b.sum.duration_ns);
    ASSERT_TRUE(a.sum.energy_mj && b.sum.energy_mj);
    EXPECT_DOUBLE_EQ(a.sum.energy_mj->value, b.sum.energy_mj->value);
    EXPECT_EQ(a.sum.provenance, b.sum.provenance);
    EXPECT_EQ(a.sum.energy_spans, b.sum.energy_spans);
    EXPECT_EQ(a.sum.energy_duration_ns, b.sum.energy_duration_ns);
    EXPECT_EQ(a.stats_spans, b.stats_spans);
    ASSERT_TRUE(a.stats && b.stats);
    EXPECT_FLOAT_EQ(a.stats->mean_abs, b.stats->mean_abs);
    EXPECT_FLOAT_EQ(a.stats->std, b.stats->std);
    EXPECT_FLOAT_EQ(a.stats->max_abs, b.stats->max_abs);
    EXPECT_FLOAT_EQ(a.stats->sparsity, b.stats->sparsity);
    EXPECT_EQ(a.work, b.work);
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

// A database as version 1 of the program wrote it.
TEST(Schema, BringsVersion1UpToDate)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    ASSERT_TRUE(createPrivateFile(file));
    {
        auto database = Database::open(file, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        const std::string dump = test::readFile(fs::path(EP_SOURCE_DIR) / kVersion1);
        ASSERT_TRUE((*database)->execute(dump, "test"));
        ASSERT_TRUE((*database)->execute("PRAGMA user_version = 1; PRAGMA application_id = "
                                             + std::to_string(kApplicationId),
                                         "test"));
    }
    auto store = Store::open(file);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(fs::exists(file.string() + ".v1.bak"));
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(runs->size(), 1U);
    const auto run = (*store)->load(runs->front().info.id);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->info.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(run->info.sampling.repetition_penalty, 1.0);
    EXPECT_EQ(run->info.title, "");
    ASSERT_EQ(run->trace.tokens.size(), 2U);
    EXPECT_EQ(run->trace.tokens[0].sequences, 1);
    EXPECT_EQ(run->trace.components.size(), 168U);

    auto database = Database::open(file, Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    const auto migrated = readTotals(**database, run->info.id);
    ASSERT_TRUE(migrated) << migrated.error().message;
    const auto computed = totalsOf(run->trace);
    ASSERT_EQ(migrated->size(), computed.size());
    for (std::size_t i = 0; i < computed.size(); ++i)
        expectNear((*migrated)[i], computed[i]);
    EXPECT_GT(*(*database)->queryInteger("SELECT stored_bytes FROM profiling_runs", "test"), 5'000);
    EXPECT_EQ(*(*database)->queryInteger("SELECT count(*) FROM pragma_foreign_key_check", "test"),
              0);
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
