// SPDX-License-Identifier: GPL-3.0-or-later
// The files of an open database are replaced, deleted or read by others: whatever was acknowledged
// stays, and every access uses the file at the path.
#include "sqlite/database.h"
#include "store/file_guards.h"
#include "support/file_locks.h"
#include "support/sample_run.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::expectSound;
using test::makeSampleRun;
using test::openAndClose;
using test::othersSeeLock;
using test::readFile;
using test::TempFolder;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> idsOf(const Store& store)
{
    std::vector<std::string> ids;
    const auto runs = store.list();
    EXPECT_TRUE(runs) << runs.error().message;
    if (runs) {
        for (const RunSummary& run : *runs)
            ids.push_back(run.info.id);
    }
    return ids;
}

ino_t inodeOf(const fs::path& file)
{
    struct stat status = {};
    return ::stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

// Another process saves a run and ends, as a command does.
void saveElsewhere(const fs::path& file, const std::string& id)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::string program = EP_CRASH_RECORDER;
        std::string path = file.string();
        std::string run = id;
        char* arguments[] = {program.data(), path.data(), run.data(), nullptr};
        ::execv(program.c_str(), arguments);
        ::_exit(127);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
}

class StorePlace : public testing::Test {
protected:
    std::unique_ptr<Store> opened(const fs::path& file)
    {
        auto store = Store::open(file);
        EXPECT_TRUE(store) << store.error().message;
        return std::move(*store);
    }
    void writeRun(const fs::path& file, const std::string& id)
    {
        EXPECT_TRUE(opened(file)->saveRun(makeSampleRun({.id = id})));
    }

    TempFolder m_folder;
    const fs::path m_file = m_folder / "runs.db";
};

TEST_F(StorePlace, ALogInUseOutlivesOtherProgramsWhateverOpensTheFiles)
{
    const auto window = opened(m_file);
    ASSERT_TRUE(window->saveRun(makeSampleRun({.id = "first"})));
    const ino_t log = inodeOf(m_file.string() + "-wal");
    for (int i = 0; i < 5; ++i) {
        openAndClose(m_file);
        saveElsewhere(m_file, "other" + std::to_string(i));
        EXPECT_EQ(inodeOf(m_file.string() + "-wal"), log) << "deleted under an open database";
        EXPECT_GT(fs::file_size(m_file.string() + "-wal"), 0U) << "a short command put it away";
        EXPECT_TRUE(othersSeeLock(m_file));
        EXPECT_EQ(idsOf(*window).size(), static_cast<std::size_t>(2 + i));
        EXPECT_TRUE(window->edit("first", {.title = "title " + std::to_string(i)}));
    }
    expectSound(m_file);
}

TEST_F(StorePlace, AWriteInProgressKeepsItsLock)
{
    const auto window = opened(m_file);
    auto raw = Database::open(m_file, Database::Access::ReadWrite);
    ASSERT_TRUE(raw);
    Transaction transaction(**raw);
    ASSERT_TRUE(transaction.begin("test"));
    ASSERT_TRUE((*raw)->execute("UPDATE profiling_runs SET title = 'x'", "test"));
    openAndClose(m_file);
    const pid_t child = ::fork();
    if (child == 0) { // only inspects locks
        const int memory = ::open((m_file.string() + "-shm").c_str(), O_RDWR);
        struct flock lock = {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = 120; // position of SQLite's write lock
        lock.l_len = 1;
        ::_exit(::fcntl(memory, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "two programs would write at once";
    EXPECT_TRUE(transaction.commit("test"));
}

TEST_F(StorePlace, AFileAtRestIsCompleteWithoutItsLog)
{
    writeRun(m_file, "first");
    EXPECT_EQ(readFile(m_file.string() + "-wal"), "");
    fs::copy_file(m_file, m_folder / "copy.db");
    EXPECT_THAT(idsOf(*opened(m_folder / "copy.db")), UnorderedElementsAre("first"));
}

TEST_F(StorePlace, ALongLogIsPutAwayWhileOthersReadOn)
{
    const auto window = opened(m_file);
    const auto writer = opened(m_file);
    std::uintmax_t longest = 0;
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(writer->saveRun(makeSampleRun({.id = "same", .tokens = 300})));
        EXPECT_EQ(window->list()->size(), 1U);
        longest = std::max(longest, fs::file_size(m_file.string() + "-wal"));
    }
    EXPECT_LT(longest, 12'000'000U);
}

TEST_F(StorePlace, EachUseShowsTheFileAtThePath)
{
    writeRun(m_folder / "backup.db", "kept");
    const auto reader = opened(m_file);
    const auto writer = opened(m_file);
    ASSERT_TRUE(writer->saveRun(makeSampleRun({.id = "old"})));
    ASSERT_EQ(idsOf(*reader).size(), 1U);
    const auto before = reader->dataVersion();
    fs::rename(m_file, m_folder / "moved.db");
    EXPECT_TRUE(reader->hasMoved());
    fs::rename(m_folder / "backup.db", m_file);
    EXPECT_THAT(idsOf(*reader), UnorderedElementsAre("kept"));
    EXPECT_NE(*reader->dataVersion(), *before);
    EXPECT_FALSE(reader->edit("old", {.title = "x"})) << "it is not in this file";
    ASSERT_TRUE(writer->saveRun(makeSampleRun({.id = "new"})));
    EXPECT_THAT(idsOf(*reader), UnorderedElementsAre("kept", "new"));
    EXPECT_THAT(idsOf(*opened(m_folder / "moved.db")), UnorderedElementsAre("old"));
    expectSound(m_file);
    expectSound(m_folder / "moved.db");
}

TEST_F(StorePlace, AFileThatIsGoneIsReportedByReadersAsWell)
{
    writeRun(m_file, "old");
    const auto reader = opened(m_file);
    fs::remove(m_file);
    const auto runs = reader->list();
    ASSERT_FALSE(runs);
    EXPECT_THAT(runs.error().message, HasSubstr("moved or deleted"));
    writeRun(m_file, "new");
    EXPECT_THAT(idsOf(*reader), UnorderedElementsAre("new"));
}

TEST_F(StorePlace, ADeletedLogCostsNothing)
{
    for (const bool memoryToo : {false, true}) {
        SCOPED_TRACE(memoryToo);
        const auto reader = opened(m_file);
        const auto writer = opened(m_file);
        const std::string id = memoryToo ? "both" : "log";
        ASSERT_TRUE(writer->saveRun(makeSampleRun({.id = id})));
        fs::remove(m_file.string() + "-wal");
        if (memoryToo)
            fs::remove(m_file.string() + "-shm");
        ASSERT_TRUE(writer->saveRun(makeSampleRun({.id = id + "2"})));
        EXPECT_THAT(idsOf(*reader), testing::IsSupersetOf({id, id + "2"}));
        saveElsewhere(m_file, id + "3");
        EXPECT_THAT(idsOf(*reader), testing::IsSupersetOf({id, id + "2", id + "3"}));
        expectSound(m_file);
    }
}

// The program that has the old file open moves its log away when it notices; until then nobody may
// take that log for the new file's.
TEST_F(StorePlace, TheLogOfAnotherFileIsNotRead)
{
    writeRun(m_folder / "backup.db", "kept");
    auto old = opened(m_file);
    ASSERT_TRUE(old->saveRun(makeSampleRun({.id = "old"})));
    fs::rename(m_folder / "backup.db", m_file);
    std::thread notices([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        // The other program may save between the notification and the reading.
        const auto ids = idsOf(*old);
        EXPECT_THAT(ids, testing::Contains("kept"));
        EXPECT_THAT(ids, testing::IsSubsetOf({"kept", "new"}));
    });
    saveElsewhere(m_file, "new");
    notices.join();
    EXPECT_THAT(idsOf(*old), UnorderedElementsAre("kept", "new"));
    expectSound(m_file);
}

#ifndef __APPLE__ // macOS's SQLite has no extensions of all connections
// Acts as other programs in the moment between the last look at the place and the commit.
std::function<void()> atCommit;

int hookCommits(sqlite3* handle, char** /*message*/, const sqlite3_api_routines* /*calls*/)
{
    const auto called = [](void*) {
        if (const auto act = std::exchange(atCommit, nullptr))
            act();
        return 0;
    };
    sqlite3_commit_hook(handle, called, nullptr);
    return SQLITE_OK;
}

TEST(StorePlaceAtCommit, NothingIsAcknowledgedThatIsNotThere)
{
    const auto hook = reinterpret_cast<void (*)()>(hookCommits);
    sqlite3_auto_extension(hook);
    const TempFolder folder;
    const fs::path file = folder.path() / "runs.db";
    const fs::path other = folder.path() / "other.db";
    const struct {
        const char* name;
        std::function<void()> act;
        bool stored; // in the file that is at the path afterwards
    } kCases[] = {
        {"removed", [&] { fs::remove(file); }, false},
        {"moved", [&] { fs::rename(file, folder.path() / "moved.db"); }, false},
        {"replaced", [&] { fs::rename(other, file); }, true},
        {"the log removed", [&] { fs::remove(file.string() + "-wal"); }, true},
        {"left alone", [] {}, true},
    };
    for (const auto& one : kCases) {
        SCOPED_TRACE(one.name);
        for (const fs::path& path : {file, other}) {
            for (const char* suffix : {"", "-wal", "-shm"})
                fs::remove(path.string() + suffix);
        }
        ASSERT_TRUE(Store::open(other));
        auto store = Store::open(file);
        ASSERT_TRUE(store);
        atCommit = one.act;
        const ep::Run run = makeSampleRun({});
        const Result<bool> saved = (*store)->importRun(run);
        EXPECT_EQ(atCommit, nullptr);
        EXPECT_EQ(saved.has_value(), one.stored);
        store->reset();
        if (saved) {
            const auto again = Store::open(file);
            ASSERT_TRUE(again) << again.error().message;
            EXPECT_THAT(idsOf(**again), UnorderedElementsAre(run.info.id));
            expectSound(file);
        } else {
            EXPECT_THAT(saved.error().message.english(), HasSubstr("moved or deleted"));
        }
    }
    sqlite3_cancel_auto_extension(hook);
}
#endif

} // namespace
} // namespace ep::store
