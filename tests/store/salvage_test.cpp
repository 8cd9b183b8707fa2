// SPDX-License-Identifier: GPL-3.0-or-later
// What can be saved from a damaged database, and its backups.
#include "store/file_guards.h"
#include "support/fault_vfs.h"
#include "support/run_id.h"
#include "support/sample_run.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/stat.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::expectSound;
using test::idFrom;
using test::makeSampleRun;
using test::readFile;
using test::TempFolder;
using test::writeFile;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kPage = 4096;

class StoreSalvage : public testing::Test {
protected:
    void writeRuns(int count)
    {
        auto store = Store::open(m_file);
        ASSERT_TRUE(store);
        for (int i = 0; i < count; ++i)
            ASSERT_TRUE((*store)->saveRun(run(i)));
    }
    static ep::Run run(int i)
    {
        return makeSampleRun({.id = idFrom(std::to_string(10 + i)), .tokens = 20});
    }
    void overwrite(std::size_t page, const std::string& bytes) // page: counted from 0
    {
        std::fstream file(m_file, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(page * kPage));
        file << bytes;
    }

    const test::FaultVfs m_vfs; // never syncs, since there are many files
    TempFolder m_folder;
    const fs::path m_file = m_folder / "runs.db";
    const fs::path m_target = m_folder / "runs.recovered.db";
};

TEST_F(StoreSalvage, OfASoundFileEverythingIsSaved)
{
    writeRuns(8);
    const auto report = salvage(m_file, m_target);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->saved, 8);
    EXPECT_EQ(report->partly.size(), 0U);
    EXPECT_EQ(report->lost + report->lost_rows + report->unreadable_pages, 0);
    EXPECT_EQ(report->sentence(), "8 runs");
    const auto store = Store::open(m_target);
    ASSERT_TRUE(store);
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(*(*store)->load(run(i).info.id) == run(i)) << i;
    expectSound(m_target);
    EXPECT_FALSE(salvage(m_file, m_target)) << "an earlier one is not overwritten";
}

// Each page is lost in turn: whatever it held, the rest is saved, and what is saved is intact.
TEST_F(StoreSalvage, EachDamagedPageCostsOnlyWhatItHeld)
{
    constexpr int kRuns = 8;
    writeRuns(kRuns);
    const std::string whole = readFile(m_file);
    const std::size_t pages = whole.size() / kPage;
    std::mt19937 random(7); // NOLINT: the same each time
    int complete = 0;
    int tries = 0;
    for (std::size_t page = 0; page < pages; page += 1 + pages / 60) {
        SCOPED_TRACE("page " + std::to_string(page + 1) + " of " + std::to_string(pages));
        writeFile(m_file, whole);
        std::string garbage(kPage - (page == 0 ? 100 : 0), '\0');
        for (char& byte : garbage)
            byte = static_cast<char>(random());
        if (page == 0) // the header stays, since a file without it is not a database
            garbage = whole.substr(0, 100) + garbage;
        overwrite(page, garbage);
        fs::remove(m_target);
        const auto report = salvage(m_file, m_target);
        ASSERT_TRUE(report) << report.error().message;
        expectSound(m_target);
        const auto store = Store::open(m_target);
        ASSERT_TRUE(store) << store.error().message;
        const auto runs = (*store)->list();
        ASSERT_TRUE(runs) << runs.error().message;
        EXPECT_EQ(static_cast<std::int64_t>(runs->size()),
                  report->saved + static_cast<std::int64_t>(report->partly.size()));
        for (const RunSummary& one : *runs) {
            EXPECT_TRUE((*store)->load(one.info.id)) << one.info.id;
            for (int i = 0; i < kRuns; ++i)
                complete +=
                    one.info.id == run(i).info.id && *(*store)->load(one.info.id) == run(i) ? 1 : 0;
        }
        tries += kRuns;
    }
    EXPECT_GT(complete, tries * 7 / 10) << "of " << tries;
}

TEST_F(StoreSalvage, AWriteIntoADamagedFileIsKept)
{
    writeRuns(8);
    const auto store = Store::open(m_file); // does not notice the damage yet
    ASSERT_TRUE(store);
    const std::string whole = readFile(m_file);
    // All pages except the first: whichever page the change needs is damaged.
    for (std::size_t page = 1; page < whole.size() / kPage; page += 2)
        overwrite(page, std::string(100, '\xff'));
    const Status saved = (*store)->saveRun(run(50));
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                AllOf(HasSubstr("damaged"), HasSubstr(m_target.string()),
                      HasSubstr("and this change"), HasSubstr("db --restore")));
    EXPECT_TRUE((*store)->saveRun(run(51))) << "the store goes on with the new file";
    const auto recovered = Store::open(m_target);
    ASSERT_TRUE(recovered);
    EXPECT_TRUE(*(*recovered)->load(run(50).info.id) == run(50));
    EXPECT_TRUE((*recovered)->load(run(51).info.id));
    expectSound(m_target);
}

TEST_F(StoreSalvage, NothingOfGarbageIsSaid)
{
    for (const std::string& content : {std::string(), std::string("hello"),
                                       std::string(20'000, '\xff'), std::string(20'000, '\0')}) {
        writeFile(m_file, content);
        fs::remove(m_target);
        const auto report = salvage(m_file, m_target);
        if (report) {
            EXPECT_EQ(report->saved, 0);
        } else {
            EXPECT_THAT(report.error().message, HasSubstr(m_file.string()));
            EXPECT_FALSE(fs::exists(m_target));
        }
    }
}

class StoreBackups : public StoreSalvage {
protected:
    StoreBackups() { setBackupPolicy({.on = true}); }
    ~StoreBackups() override { setBackupPolicy({}); }

    // Makes it look some days old.
    static void age(const fs::path& file, int days)
    {
        constexpr int kDay = 86'400;
        struct timespec times[2] = {};
        ::clock_gettime(CLOCK_REALTIME, &times[0]);
        times[0].tv_sec -= std::int64_t{days} * kDay;
        times[1] = times[0];
        ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
    }
};

TEST_F(StoreBackups, AreMadeOnceADayAndThreeAreKept)
{
    for (int day = 0; day < 6; ++day) {
        writeRuns(day + 1);
        writeRuns(day + 1); // on the same day again
        EXPECT_EQ(backupsOf(m_file).size(), static_cast<std::size_t>(std::min(day + 1, 3)));
        const std::vector<Backup> backups = backupsOf(m_file);
        for (std::size_t i = 0; i < backups.size(); ++i) {
            // File names include seconds, and a day has passed.
            const fs::path older = m_folder / "runs.backup-2000-01-0";
            const fs::path name = older.string() + std::to_string(day * 3 + 9 - int(i)) + ".db";
            fs::rename(backups[i].file, name);
            age(name, 2 + static_cast<int>(i));
        }
    }
    const auto newest = Store::open(backupsOf(m_file).front().file, Store::Mode::ReadOnly);
    ASSERT_TRUE(newest);
    EXPECT_EQ((*newest)->list()->size(), 6U);
}

TEST_F(StoreBackups, ADamagedFileReplacesNoBackup)
{
    writeRuns(8);
    age(backupsOf(m_file).front().file, 2);
    overwrite(3, std::string(kPage, '\xff'));
    const auto made = backUpIfDue(m_file);
    EXPECT_FALSE(made && *made);
    EXPECT_EQ(backupsOf(m_file).size(), 1U);
}

TEST_F(StoreBackups, LargeOnesAndSwitchedOffOnesAreNotMade)
{
    setBackupPolicy({.on = true, .most_bytes = 1000});
    writeRuns(2);
    setBackupPolicy({.on = true, .kept = 0});
    writeRuns(2);
    setBackupPolicy({});
    writeRuns(2);
    EXPECT_EQ(backupsOf(m_file).size(), 0U);
}

TEST_F(StoreBackups, AFileOfTheDatabaseIsRecognisedByAnyName)
{
    writeRuns(2);
    const fs::path hard = m_folder / "hard.db";
    fs::create_hard_link(m_file, hard);
    const fs::path link = m_folder / "link.db";
    fs::create_symlink(m_file, link);
    for (const fs::path& file :
         {m_file, hard, link, fs::path(m_file.string() + "-wal"),
          fs::path(m_file.string() + "-journal"), backupsOf(m_file).front().file})
        EXPECT_FALSE(checkReplaceable(file, m_file)) << file;
    EXPECT_FALSE(checkReplaceable(m_file.string() + "-wal", link));
    EXPECT_FALSE(checkReplaceable(m_folder / "." / "not-yet.db", m_folder / "not-yet.db"));
    EXPECT_TRUE(checkReplaceable(m_folder / "other.db", m_file));
}

TEST_F(StoreBackups, OneIsPutInPlaceWhileOthersHaveTheFileOpen)
{
    writeRuns(2);
    const auto window = Store::open(m_file);
    ASSERT_TRUE(window);
    ASSERT_TRUE((*window)->saveRun(run(7)));
    const auto before = restoreBackup(m_file, backupsOf(m_file).front().file);
    ASSERT_TRUE(before) << before.error().message;
    EXPECT_EQ((*window)->list()->size(), 2U);
    EXPECT_TRUE((*window)->saveRun(run(8)));
    expectSound(m_file);
    const auto old = Store::open(*before);
    ASSERT_TRUE(old);
    EXPECT_EQ((*old)->list()->size(), 3U) << "with what was in its log";
    EXPECT_FALSE(restoreBackup(m_file, m_folder / "none.db"));
    writeFile(m_folder / "bad.db", std::string(5000, 'x'));
    EXPECT_THAT(restoreBackup(m_file, m_folder / "bad.db").error().message.english(),
                testing::EndsWith("; choose another file."));
    writeFile(m_folder / "empty.db", "");
    EXPECT_TRUE(isEmptyFile(m_folder / "empty.db"));
    EXPECT_THAT(restoreBackup(m_file, m_folder / "empty.db").error().message.english(),
                testing::EndsWith("is empty; choose another file."));
    EXPECT_FALSE(restoreBackup(m_file, m_folder / "bad.db"));
    EXPECT_EQ((*window)->list()->size(), 3U);
}

} // namespace
} // namespace ep::store
