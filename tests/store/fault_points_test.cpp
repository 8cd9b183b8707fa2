// SPDX-License-Identifier: GPL-3.0-or-later
// A program that migrates a database, records a run, imports, edits, deletes and vacuums, while the
// disk fails at one of 500 points or the power is cut there: the database opens afterwards and
// holds all that was acknowledged. EP_FAULT_POINTS=10000 takes (nearly) every point.
#include "sqlite/database.h"
#include "sqlite/migrations.h"
#include "store/file_guards.h"
#include "support/fault_vfs.h"
#include "support/run_id.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::FaultVfs;
using test::idFrom;
using test::makeSampleRun;
using test::TempFolder;

std::size_t pointsWanted()
{
    const char* wanted = std::getenv("EP_FAULT_POINTS");
    return wanted ? static_cast<std::size_t>(std::atoi(wanted)) : 500;
}

// What the program was told is stored.
struct Acknowledged {
    std::size_t step = 0; // of the disk, when it was told
    std::map<std::string, std::size_t> progress; // tokens of a run that is recorded
    std::set<std::string> saved;
    std::set<std::string> deleted;
    std::string title; // of the recorded run
};

constexpr int kTokens = 10;
const std::string kRecorded = idFrom("a");
const std::string kImported = idFrom("b");
const std::string kFromOther = idFrom("c");
const std::string kDeleted = idFrom("d");

Run runOf(const std::string& id)
{
    return makeSampleRun({.id = id, .tokens = id == kRecorded ? kTokens : 3});
}

// A database of the first version, and another one to import from.
void prepare(const fs::path& file, const fs::path& other)
{
    const std::string dump =
        test::readFile(fs::path(EP_SOURCE_DIR) / "tests/data/store/runs_v1.sql");
    const auto old = Database::open(file, Database::Access::Create);
    ASSERT_TRUE(old);
    ASSERT_TRUE((*old)->execute(dump, "test"));
    ASSERT_TRUE((*old)->execute("PRAGMA user_version = 1; PRAGMA application_id = "
                                    + std::to_string(kApplicationId),
                                "test"));
    auto source = Store::open(other);
    ASSERT_TRUE(source);
    ASSERT_TRUE((*source)->saveRun(runOf(kFromOther)));
}

// Does everything, whatever fails, and notes what succeeded.
std::vector<Acknowledged> work(const fs::path& file, const fs::path& other,
                               const std::function<std::size_t()>& step)
{
    std::vector<Acknowledged> told(1);
    const auto tell = [&](const Status& done, const std::function<void(Acknowledged&)>& change) {
        if (!done)
            return;
        told.push_back(told.back());
        change(told.back());
        told.back().step = step();
    };
    const auto store = Store::open(file);
    if (!store)
        return told;
    const Run run = runOf(kRecorded);
    RunInfo begun = run.info;
    begun.response.clear();
    begun.output_tokens = 0;
    const Status recording = (*store)->beginRun(begun);
    tell(recording, [](Acknowledged& now) { now.progress[kRecorded] = 0; });
    for (std::size_t i = 0; recording && i < run.trace.tokens.size(); ++i) {
        tell((*store)->appendProgress(kRecorded, {run.trace.tokens[i]}, {}),
             [](Acknowledged& now) { ++now.progress[kRecorded]; });
    }
    tell((*store)->saveRun(run), [](Acknowledged& now) {
        now.progress.erase(kRecorded);
        now.saved.insert(kRecorded);
    });
    for (const std::string& id : {kImported, kDeleted}) {
        const auto added = (*store)->importRun(runOf(id));
        tell(added ? Status() : Status(added.error()),
             [&](Acknowledged& now) { now.saved.insert(id); });
    }
    const auto report = (*store)->importDatabase(other);
    tell(report ? Status() : Status(report.error()),
         [](Acknowledged& now) { now.saved.insert(kFromOther); });
    tell((*store)->edit(kRecorded, {.title = "edited"}),
         [](Acknowledged& now) { now.title = "edited"; });
    tell((*store)->remove(kDeleted), [](Acknowledged& now) {
        now.saved.erase(kDeleted);
        now.deleted.insert(kDeleted);
    });
    tell((*store)->vacuum(), [](Acknowledged&) {});
    return told;
}

// `next`: the change that was under way may have been done as well.
void expectAll(const fs::path& file, const Acknowledged& told, const Acknowledged* next)
{
    auto store = Store::open(file);
    ASSERT_TRUE(store) << store.error().message;
    std::set<std::string> there;
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs) << runs.error().message;
    for (const RunSummary& run : *runs)
        there.insert(run.info.id);
    for (const std::string& id : told.saved) {
        if (next && next->deleted.contains(id) && !there.contains(id))
            continue;
        auto run = (*store)->load(id);
        ASSERT_TRUE(run) << run.error().message;
        const std::string title = run->info.title;
        run->info.title = runOf(id).info.title;
        EXPECT_TRUE(*run == runOf(id)) << id;
        if (id == kRecorded && !told.title.empty()) {
            EXPECT_EQ(title, told.title);
        }
    }
    for (const std::string& id : told.deleted)
        EXPECT_FALSE(there.contains(id)) << id << " came back";
    for (const auto& [id, tokens] : told.progress) {
        const auto run = (*store)->load(id);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_GE(run->trace.tokens.size(), tokens);
    }
    EXPECT_GE(there.size(), 1U) << "the run of the old version";
    const auto database = Database::open(file, Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    EXPECT_EQ(*(*database)->queryInteger("SELECT integrity_check = 'ok' "
                                         "FROM pragma_integrity_check",
                                         "test"),
              1);
    EXPECT_EQ(*(*database)->queryInteger("SELECT count(*) FROM pragma_foreign_key_check", "test"),
              0);
}

// Evenly spread over all, each with a different remainder so that every kind of call is met.
std::vector<std::size_t> pointsOf(std::size_t all, std::size_t wanted)
{
    std::set<std::size_t> points;
    for (std::size_t i = 0; i < wanted; ++i)
        points.insert(1 + i * all / wanted);
    return {points.begin(), points.end()};
}

class FaultPoints : public testing::Test {
protected:
    void SetUp() override { prepare(m_old, m_other); }

    // As if it were the first time.
    fs::path freshFile(const char* name)
    {
        const fs::path folder = m_folder / name;
        fs::remove_all(folder);
        fs::create_directories(folder);
        fs::copy_file(m_old, folder / "runs.db");
        return folder / "runs.db";
    }

    TempFolder m_folder;
    const fs::path m_old = m_folder / "old.db";
    const fs::path m_other = m_folder / "other.db";
};

// Only what was synced has reached the disk.
TEST_F(FaultPoints, APowerCutLosesNothingAcknowledged)
{
    FaultVfs vfs;
    const fs::path file = freshFile("whole");
    test::SyncedDisk disk;
    disk.put(file.string(), test::readFile(file));
    vfs.record();
    const std::vector<Acknowledged> told =
        work(file, m_other, [&] { return vfs.recorded().size(); });
    const std::vector<test::DiskStep> steps = vfs.recorded();
    vfs.stopRecording();
    ASSERT_TRUE(told.back().deleted.contains(kDeleted)) << "everything has worked";
    const std::vector<std::size_t> points = pointsOf(steps.size(), pointsWanted());
    std::size_t done = 0;
    std::size_t last = 0; // acknowledgement
    for (const std::size_t point : points) {
        SCOPED_TRACE("power cut after " + std::to_string(point) + " of "
                     + std::to_string(steps.size()) + " steps");
        for (; done < point; ++done)
            disk.apply(steps[done]);
        while (last + 1 < told.size() && told[last + 1].step <= point)
            ++last;
        const fs::path folder = m_folder / "cut";
        fs::remove_all(folder);
        fs::create_directories(folder);
        disk.writeTo((m_folder / "whole").string(), folder.string());
        expectAll(folder / "runs.db", told[last],
                  last + 1 < told.size() ? &told[last + 1] : nullptr);
        if (HasFailure())
            return;
    }
    RecordProperty("points", static_cast<int>(points.size()));
}

TEST_F(FaultPoints, AFailingDiskLosesNothingAcknowledged)
{
    struct Kind {
        const char* name;
        FaultVfs::Fault fault;
        bool lasting;
    };
    constexpr Kind kKinds[] = {{"full disk", FaultVfs::Fault::Full, true},
                               {"I/O error", FaultVfs::Fault::IoError, false},
                               {"short write", FaultVfs::Fault::ShortWrite, false},
                               {"disk that is gone", FaultVfs::Fault::IoError, true}};
    FaultVfs vfs;
    vfs.record();
    work(freshFile("whole"), m_other, [] { return std::size_t{0}; });
    const std::size_t all = vfs.recorded().size();
    vfs.stopRecording();
    for (const Kind& kind : kKinds) {
        for (const std::size_t point : pointsOf(all, pointsWanted() / std::size(kKinds))) {
            SCOPED_TRACE(std::string(kind.name) + " at " + std::to_string(point) + " of "
                         + std::to_string(all));
            const fs::path file = freshFile("failing");
            vfs.failAtAny(static_cast<int>(point), kind.fault, kind.lasting);
            const std::vector<Acknowledged> told =
                work(file, m_other, [] { return std::size_t{0}; });
            vfs.stopFailing();
            Acknowledged maybe; // the vacuum or the deletion that failed may have been done
            maybe.deleted = {kDeleted};
            expectAll(file, told.back(), &maybe);
            if (HasFailure())
                return;
        }
    }
}

} // namespace
} // namespace ep::store
