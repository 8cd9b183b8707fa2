// SPDX-License-Identifier: GPL-3.0-or-later
// Two programs on one file: nothing that this process does may drop the locks of its connections.
#include "sqlite/database.h"
#include "store/file_guards.h"
#include "support/fault_vfs.h"
#include "support/file_locks.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::FaultVfs;
using test::makeSampleRun;
using test::othersSeeLock;
using test::readFile;
using test::TempFolder;
using test::writeFile;
using testing::AllOf;
using testing::HasSubstr;

struct Deed {
    const char* name;
    std::function<void(Store&, const fs::path&)> act;
};

void PrintTo(const Deed& deed, std::ostream* out)
{
    *out << deed.name;
}

class StoreLock : public testing::TestWithParam<Deed> { };

TEST_P(StoreLock, Survives)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    auto store = Store::open(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->saveRun(makeSampleRun()));
    ASSERT_TRUE(othersSeeLock(file));
    GetParam().act(**store, file);
    EXPECT_TRUE(othersSeeLock(file)) << "another process would take away the log";
    EXPECT_EQ((*store)->list()->size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Deeds, StoreLock,
    testing::Values(
        Deed{"foreign_code_that_opens_the_files",
             [](Store&, const fs::path& file) { test::openAndClose(file); }},
        Deed{"opening_again", [](Store&, const fs::path& file) { EXPECT_TRUE(Store::open(file)); }},
        Deed{"opening_to_read",
             [](Store&, const fs::path& file) { EXPECT_TRUE(Store::openToRead(file)); }},
        Deed{"opening_read_only",
             [](Store&, const fs::path& file) {
                 EXPECT_TRUE(Store::open(file, Store::Mode::ReadOnly));
             }},
        Deed{"asking_whether_it_is_a_database",
             [](Store&, const fs::path& file) { EXPECT_TRUE(isDatabase(file)); }},
        Deed{"importing_itself",
             [](Store& store, const fs::path& file) {
                 EXPECT_EQ(store.importDatabase(file)->skipped.size(), 1U);
             }},
        Deed{"copying_to_itself",
             [](Store& store, const fs::path& file) {
                 EXPECT_EQ(store.copyTo(file, {makeSampleRun().info.id})->skipped.size(), 1U);
             }},
        Deed{"measuring", [](Store& store, const fs::path&) { EXPECT_TRUE(store.size()); }},
        Deed{"vacuuming", [](Store& store, const fs::path&) { EXPECT_TRUE(store.vacuum()); }}),
    [](const auto& deed) { return std::string(deed.param.name); });

TEST(IsDatabase, LooksThroughSqlite)
{
    const TempFolder folder;
    ASSERT_TRUE(Store::open(folder / "runs.db"));
    EXPECT_TRUE(isDatabase(folder / "runs.db"));
    writeFile(folder / "text", "SQLite format 3, they say");
    writeFile(folder / "empty", "");
    for (const char* name : {"text", "empty", "none", "."})
        EXPECT_FALSE(isDatabase(folder / name)) << name;
    EXPECT_EQ(readFile(folder / "text"), "SQLite format 3, they say");
}

TEST(StoreMoved, SaysSoInsteadOfWritingToNowhere)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    auto store = Store::open(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->saveRun(makeSampleRun()));
    fs::rename(file, folder / "elsewhere.db");
    const Status saved = (*store)->saveRun(makeSampleRun({.id = "x"}));
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message, AllOf(HasSubstr(file.string()), HasSubstr("moved")));
    fs::rename(folder / "elsewhere.db", file);
    EXPECT_TRUE((*store)->saveRun(makeSampleRun({.id = "x"})));
}

// File systems without shared memory cannot have a write-ahead log.
class StoreWithoutSharedMemory : public testing::TestWithParam<FaultVfs::SharedMemory> {
protected:
    static std::string journalOf(const fs::path& file)
    {
        auto database = Database::open(file, Database::Access::ReadOnly);
        EXPECT_TRUE(database);
        for (const char* mode : {"wal", "delete"}) {
            const auto is = (*database)->queryInteger("SELECT journal_mode = '" + std::string(mode)
                                                          + "' FROM pragma_journal_mode",
                                                      "test");
            if (is && *is == 1)
                return mode;
        }
        return "another";
    }

    TempFolder m_folder;
    const fs::path m_file = m_folder / "runs.db";
};

TEST_P(StoreWithoutSharedMemory, TakesARollbackJournal)
{
    const FaultVfs vfs(GetParam());
    auto writer = Store::open(m_file);
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE((*writer)->saveRun(makeSampleRun()));
    EXPECT_EQ(journalOf(m_file), "delete");
    auto other = Store::open(m_file);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_TRUE(*(*other)->load(makeSampleRun().info.id) == makeSampleRun());
    const auto before = (*writer)->dataVersion();
    ASSERT_TRUE((*other)->saveRun(makeSampleRun({.id = "other"})));
    EXPECT_NE(*before, *(*writer)->dataVersion());
    auto reader = Store::open(m_file, Store::Mode::ReadOnly);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->list()->size(), 2U);
    for (const auto& entry : fs::directory_iterator(m_folder.path()))
        EXPECT_EQ(entry.path(), m_file) << "nothing else is left";
}

// A file from another machine, with a log that was not yet merged into it.
TEST_P(StoreWithoutSharedMemory, TakesALogThatWasBroughtAlong)
{
    {
        auto store = Store::open(m_folder / "from.db");
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(makeSampleRun()));
        for (const char* suffix : {"", "-wal"})
            fs::copy_file((m_folder / "from.db").string() + suffix, m_file.string() + suffix);
    }
    const FaultVfs vfs(GetParam());
    const auto read = Store::open(m_file, Store::Mode::ReadOnly);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message,
                AllOf(HasSubstr(m_file.string()), HasSubstr("share"), HasSubstr("for writing")));
    auto store = Store::open(m_file);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(journalOf(m_file), "delete");
    EXPECT_TRUE(*(*store)->load(makeSampleRun().info.id) == makeSampleRun());
    EXPECT_TRUE((*store)->saveRun(makeSampleRun({.id = "next"})));
    EXPECT_TRUE(Store::open(m_file, Store::Mode::ReadOnly));
}

TEST_P(StoreWithoutSharedMemory, TakesTheLogAgainElsewhere)
{
    {
        const FaultVfs vfs(GetParam());
        auto store = Store::open(m_file);
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(makeSampleRun()));
    }
    auto store = Store::open(m_file);
    ASSERT_TRUE(store);
    EXPECT_EQ(journalOf(m_file), "wal");
    EXPECT_EQ((*store)->list()->size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(FileSystems, StoreWithoutSharedMemory,
                         testing::Values(FaultVfs::SharedMemory::Unknown,
                                         FaultVfs::SharedMemory::Unmappable),
                         [](const auto& memory) {
                             return memory.param == FaultVfs::SharedMemory::Unknown ? "unknown"
                                                                                    : "unmappable";
                         });

} // namespace
} // namespace ep::store
