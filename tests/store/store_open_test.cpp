// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/schema.h"
#include "store/file_guards.h"
#include "support/sample_run.h"
#include "support/small_stack.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sys/stat.h>
#include <thread>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;
using test::OrdinaryUser;
using test::readFile;
using test::TempFolder;
using test::writeFile;
using testing::AllOf;
using testing::HasSubstr;

Error openError(const fs::path& file, Store::Mode mode = Store::Mode::ReadWrite)
{
    auto store = Store::open(file, mode);
    EXPECT_FALSE(store);
    return store ? Error{} : store.error();
}

// A database file with one run that nobody is using.
fs::path savedRun(const TempFolder& folder)
{
    fs::path file = folder / "runs.db";
    auto store = Store::open(file);
    EXPECT_TRUE(store);
    EXPECT_TRUE((*store)->saveRun(makeSampleRun()));
    return file;
}

void execute(const fs::path& file, const std::string& sql)
{
    auto database = Database::open(file, Database::Access::ReadWrite);
    ASSERT_TRUE(database);
    const Status done = (*database)->execute(sql, "test");
    ASSERT_TRUE(done) << done.error().message;
}

TEST(StoreOpen, MakesFoldersAndAPrivateFile)
{
    const TempFolder folder;
    const fs::path file = folder / "a" / "b" / "runs.db";
    const mode_t before = ::umask(0);
    auto store = Store::open(file);
    ::umask(before);
    ASSERT_TRUE(store) << store.error().message;
    for (const char* suffix : {"", "-wal", "-shm"}) {
        const fs::perms rights = fs::status(file.string() + suffix).permissions();
        EXPECT_EQ(rights, fs::perms::owner_read | fs::perms::owner_write) << suffix;
    }
}

TEST(StoreOpen, OpeningAgainChangesNothing)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const std::string before = readFile(file);
    EXPECT_TRUE(Store::open(file));
    EXPECT_EQ(readFile(file), before);
    EXPECT_EQ(readFile(file.string() + "-wal"), "");

    auto database = Database::open(file, Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    EXPECT_EQ(*(*database)->queryInteger("PRAGMA auto_vacuum", "test"), 2) << "incremental";
    EXPECT_EQ(
        *(*database)->queryInteger("SELECT journal_mode = 'wal' FROM pragma_journal_mode", "test"),
        1);
}

TEST(StoreOpen, TakesAnEmptyFile)
{
    const TempFolder folder;
    writeFile(folder / "runs.db", "");
    EXPECT_TRUE(Store::open(folder / "runs.db"));
}

TEST(StoreOpen, LeavesFilesThatAreNoDatabase)
{
    const TempFolder folder;
    const std::string notes = "my notes\n" + std::string(5000, 'x');
    for (const std::string& content : {std::string("x"), notes, std::string("SQLite format 3!")}) {
        const fs::path file = folder / "notes.txt";
        writeFile(file, content);
        for (const auto mode : {Store::Mode::ReadWrite, Store::Mode::ReadOnly}) {
            const Error error = openError(file, mode);
            EXPECT_EQ(error.code, ErrorCode::InvalidInput);
            EXPECT_THAT(error.message,
                        AllOf(HasSubstr(file.string()), HasSubstr("not a run"), HasSubstr("--db")));
        }
        EXPECT_EQ(readFile(file), content);
        EXPECT_FALSE(fs::exists(file.string() + "-wal"));
    }
}

TEST(StoreOpen, LeavesDatabasesOfOthers)
{
    const TempFolder folder;
    const fs::path file = folder / "music.db";
    writeFile(file, "");
    execute(file, "CREATE TABLE songs (title TEXT)");
    const std::string content = readFile(file);
    const Error error = openError(file);
    EXPECT_EQ(error.code, ErrorCode::InvalidInput);
    EXPECT_THAT(error.message, HasSubstr("another program"));
    EXPECT_EQ(readFile(file), content);
}

TEST(StoreOpen, OnlyReadsNewerVersions)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    execute(file,
            "PRAGMA user_version = 99; ALTER TABLE profiling_runs ADD COLUMN moon_phase TEXT");
    const std::string content = readFile(file);
    const Error error = openError(file);
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    EXPECT_THAT(error.message,
                AllOf(HasSubstr("newer"), HasSubstr("99"), HasSubstr(file.string()),
                      HasSubstr("nothing can be saved")));
    auto store = Store::openToRead(file);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->notice(), error.message);
    EXPECT_TRUE(*(*store)->load(makeSampleRun().info.id) == makeSampleRun());
    EXPECT_EQ((*store)->list()->size(), 1U);
    EXPECT_FALSE((*store)->saveRun(makeSampleRun({.id = "x"})));
    EXPECT_EQ(readFile(file), content);
}

TEST(StoreOpen, RefusesPlacesThatAreNoFile)
{
    const TempFolder folder;
    EXPECT_THAT(openError(folder.path()).message, HasSubstr("not a file"));
    writeFile(folder / "file", "x");
    const Error error = openError(folder / "file" / "runs.db");
    EXPECT_EQ(error.code, ErrorCode::Io);
    EXPECT_THAT(error.message, HasSubstr("Cannot create the folder"));
}

TEST(StoreOpen, ReadOnlyMakesNothing)
{
    const TempFolder folder;
    const Error error = openError(folder / "none.db", Store::Mode::ReadOnly);
    EXPECT_EQ(error.code, ErrorCode::NotFound);
    EXPECT_FALSE(fs::exists(folder / "none.db"));
    writeFile(folder / "empty.db", "");
    EXPECT_EQ(openError(folder / "empty.db", Store::Mode::ReadOnly).code, ErrorCode::NotFound);
    EXPECT_EQ(fs::file_size(folder / "empty.db"), 0U);
}

TEST(StoreOpen, ReadOnlyReadsAndRefusesToWrite)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    auto store = Store::open(file, Store::Mode::ReadOnly);
    ASSERT_TRUE(store);
    EXPECT_TRUE(*(*store)->load(makeSampleRun().info.id) == makeSampleRun());
    const Status saved = (*store)->saveRun(makeSampleRun({.id = "x"}));
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                AllOf(HasSubstr("readonly"), HasSubstr("writable"), HasSubstr(file.string())));
}

TEST(StoreOpen, SaysThatTheFileIsWriteProtected)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    ASSERT_EQ(::chmod(file.c_str(), 0400), 0);
    const OrdinaryUser user(folder.path());
    const Error error = openError(file);
    EXPECT_EQ(error.code, ErrorCode::Io);
    EXPECT_THAT(error.message, AllOf(HasSubstr("Cannot write"), HasSubstr(file.string())));
    EXPECT_TRUE(Store::open(file, Store::Mode::ReadOnly));
}

TEST(StoreOpen, ReadsInAWriteProtectedFolder)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const OrdinaryUser user(folder.path());
    ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
    EXPECT_THAT(openError(file).message, HasSubstr("Cannot write"));
    EXPECT_THAT(openError(folder / "new.db").message, HasSubstr("Cannot create the file"));
    auto store = Store::open(file, Store::Mode::ReadOnly);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->list()->size(), 1U);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
}

// In such a folder it is unknown whether there is a database: unreadable does not mean "no runs".
TEST(StoreOpen, SaysThatAFolderMayNotBeEntered)
{
    const TempFolder folder;
    fs::create_directory(folder / "closed");
    const fs::path file = folder / "closed" / "runs.db";
    ASSERT_TRUE(Store::open(file));
    EXPECT_TRUE(mayExist(file));
    EXPECT_FALSE(mayExist(folder / "closed" / "other.db"));
    EXPECT_FALSE(mayExist(file / "below a file"));
    ASSERT_EQ(::chmod((folder / "closed").c_str(), 0), 0);
    {
        const OrdinaryUser user(folder.path());
        EXPECT_TRUE(mayExist(file));
        const auto reading = Store::openToRead(file);
        ASSERT_FALSE(reading);
        for (const Error& error :
             {reading.error(), openError(file), openError(file, Store::Mode::ReadOnly)}) {
            EXPECT_EQ(error.code, ErrorCode::Io);
            EXPECT_THAT(
                error.message,
                AllOf(HasSubstr("Cannot read " + file.string()), HasSubstr("Permission denied")));
        }
    }
    ASSERT_EQ(::chmod((folder / "closed").c_str(), 0700), 0);
}

TEST(StoreOpen, ReadOnlyWorksWithOddLettersInThePath)
{
    const TempFolder folder;
    fs::create_directory(folder / "a?b#c%20d");
    const fs::path file = folder / "a?b#c%20d" / "runs.db";
    {
        ASSERT_TRUE(Store::open(file));
    }
    EXPECT_TRUE(fs::exists(file));
    EXPECT_TRUE(Store::open(file, Store::Mode::ReadOnly));
}

TEST(StoreOpen, SaysThatTheFileIsDamaged)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const std::string whole = readFile(file);

    const auto problemWith = [&](std::size_t firstDamaged) {
        std::string damaged = whole;
        std::fill(damaged.begin() + static_cast<std::ptrdiff_t>(firstDamaged), damaged.end(),
                  '\xa5');
        writeFile(file, damaged);
        auto store = Store::open(file, Store::Mode::ReadOnly);
        return store ? (*store)->load(makeSampleRun().info.id).error() : store.error();
    };
    for (const std::size_t firstDamaged : {std::size_t{100}, std::size_t{4096}, whole.size() / 2}) {
        const Error error = problemWith(firstDamaged);
        EXPECT_EQ(error.code, ErrorCode::InvalidInput) << error.message;
        EXPECT_THAT(error.message, AllOf(HasSubstr(file.string()), HasSubstr("malformed")));
    }
    writeFile(file, whole.substr(0, 100));
    const Error error = openError(file);
    EXPECT_EQ(error.code, ErrorCode::InvalidInput) << error.message;
    EXPECT_THAT(error.message, HasSubstr(file.string()));
}

TEST(StoreOpen, NamesAWordThatItDoesNotKnow)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const std::string id = makeSampleRun().info.id;
    execute(file,
            "UPDATE pack_spans SET component_name = 'q_bert' WHERE component_name = 'q_proj'");
    auto store = Store::open(file);
    ASSERT_TRUE(store);
    const auto run = (*store)->load(id);
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().message, AllOf(HasSubstr("q_bert"), HasSubstr("component_name")));
    EXPECT_EQ((*store)->list()->size(), 1U) << "the list does not need the details";
    execute(file, "UPDATE profiling_runs SET depth = 'abyss'");
    EXPECT_THAT((*store)->load(id).error().message, HasSubstr("abyss"));
    EXPECT_THAT((*store)->list().error().message, HasSubstr("abyss"));
    execute(file, "UPDATE profiling_runs SET depth = 'deep', threads = 1 << 40");
    EXPECT_THAT((*store)->list().error().message, HasSubstr("threads"));
}

// JSON as deep as SQLite accepts: the column's content is ignored, and the runs are listed.
TEST(StoreOpen, ReadsNoColumnThatIsNestedTooDeeply)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const std::string id = makeSampleRun().info.id;
    constexpr int kLevels = 900;
    const std::string deep = "'" + std::string(kLevels, '[') + std::string(kLevels, ']') + "'";
    execute(file,
            "UPDATE profiling_runs SET batch = " + deep + ", sampling_stop = " + deep
                + ", energy_record = " + deep + ", secondary_sources = " + deep
                + ", execution_notes = " + deep + ", profiling_record = " + deep
                + ", tags = " + deep);
    test::onSmallStack([&] {
        auto store = Store::open(file);
        ASSERT_TRUE(store);
        const auto list = (*store)->list();
        ASSERT_TRUE(list) << list.error().message;
        ASSERT_EQ(list->size(), 1U);
        EXPECT_TRUE(list->front().info.tags.empty());
        EXPECT_TRUE((*store)->overview(id));
        const auto run = (*store)->load(id);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->info.sampling.stop, std::vector<std::string>());
    });
}

TEST(StoreOpen, AFullDiskLosesNothing)
{
    const TempFolder folder;
    const fs::path file = savedRun(folder);
    const ep::Run small = makeSampleRun();
    const ep::Run large = makeSampleRun({.id = "large", .tokens = 1000});
    auto store = Store::open(file);
    ASSERT_TRUE(store);

    const Status saved = [&] {
        const test::FileSizeLimit limit(512 * 1024);
        return (*store)->saveRun(large);
    }();
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_THAT(saved.error().message, AllOf(HasSubstr("Cannot save"), HasSubstr(file.string())));
    EXPECT_TRUE(*(*store)->load(small.info.id) == small);
    EXPECT_EQ((*store)->list()->size(), 1U);
    EXPECT_TRUE((*store)->saveRun(large)) << "with room again it goes on";
    EXPECT_TRUE(*(*store)->load("large") == large);
}

TEST(StoreOpen, ManyOpenAtOnce)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    std::vector<std::string> problems(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        threads.emplace_back([&, i] {
            auto store = Store::open(file);
            if (!store) {
                problems[i] = store.error().message.english();
                return;
            }
            const Status saved = (*store)->saveRun(makeSampleRun({.id = std::to_string(i)}));
            if (!saved)
                problems[i] = saved.error().message.english();
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(problems, testing::Each(""));
    EXPECT_EQ((*Store::open(file))->list()->size(), problems.size());
}

// All threads change the journal mode of a new file, for which SQLite does not wait by itself.
TEST(StoreOpen, ManyMakeTheFileAtOnce)
{
    constexpr int kFiles = 15;
    const TempFolder folder;
    for (int i = 0; i < kFiles; ++i) {
        const fs::path file = folder.path() / ("runs" + std::to_string(i) + ".db");
        std::vector<std::string> problems(8);
        std::vector<std::thread> threads;
        for (std::string& problem : problems) {
            threads.emplace_back([&] {
                if (auto store = Store::open(file); !store)
                    problem = store.error().message.english();
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        ASSERT_THAT(problems, testing::Each("")) << i;
    }
}

TEST(StoreOpen, TwoConnectionsSeeEachOther)
{
    const TempFolder folder;
    auto writer = Store::open(folder / "runs.db");
    auto reader = Store::open(folder / "runs.db", Store::Mode::ReadOnly);
    ASSERT_TRUE(writer && reader);
    EXPECT_TRUE((*reader)->list()->empty());
    ASSERT_TRUE((*writer)->saveRun(makeSampleRun()));
    EXPECT_EQ((*reader)->list()->size(), 1U);
    ASSERT_TRUE((*writer)->remove(makeSampleRun().info.id));
    EXPECT_TRUE((*reader)->list()->empty());
}

} // namespace
} // namespace ep::store
