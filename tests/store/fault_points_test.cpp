// SPDX-License-Identifier: GPL-3.0-or-later
// A program migrates a database, records a run, imports or deletes, while power is cut after any
// step of the disk or one of its calls fails: the database opens afterwards and contains
// everything acknowledged. 120 of the calls fail in turn; with EP_FAULT_POINTS=40000, each one
// does.
#include "sqlite/database.h"
#include "sqlite/migrations.h"
#include "sqlite/schema.h"
#include "store/file_guards.h"
#include "support/fault_vfs.h"
#include "support/run_id.h"
#include "support/sample_run.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
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
    return wanted ? static_cast<std::size_t>(std::atoi(wanted)) : 120;
}

constexpr int kTokens = 10;
const std::string kRecorded = idFrom("a");
const std::string kImported = idFrom("b");
const std::string kFromOther = idFrom("c");
const std::string kDeleted = idFrom("d");
const std::string kBefore = idFrom("e"); // exists from the start

const Run& runOf(const std::string& id)
{
    static std::map<std::string, Run> runs;
    const auto known = runs.find(id);
    if (known != runs.end())
        return known->second;
    return runs[id] = makeSampleRun({.id = id, .tokens = id == kRecorded ? kTokens : 3});
}

// What the store confirmed to the program.
struct Acknowledged {
    std::size_t step = 0; // number of disk steps at that time
    std::map<std::string, std::size_t> progress; // tokens of a run being recorded
    std::set<std::string> saved;
    std::set<std::string> deleted;
    std::string title; // title of the recorded run

    std::string key() const
    {
        std::string text = title;
        for (const auto& [id, tokens] : progress)
            text += '|' + id + std::to_string(tokens);
        for (const auto* ids : {&saved, &deleted}) {
            text += '/';
            for (const std::string& id : *ids)
                text += id;
        }
        return text;
    }
};

// A program at work: it continues whatever fails, and records what succeeded.
class Worker {
public:
    using Step = std::function<std::size_t()>;
    Worker(fs::path other, Acknowledged before, Step step = nullptr)
        : m_other(std::move(other))
        , m_step(std::move(step))
        , m_told{std::move(before)}
    {
    }

    const std::vector<Acknowledged>& told() const { return m_told; }

    void record(Store& store)
    {
        const Run& run = runOf(kRecorded);
        RunInfo begun = run.info;
        begun.response.clear();
        begun.output_tokens = 0;
        const Status recording = store.beginRun(begun);
        tell(recording, [](Acknowledged& now) { now.progress[kRecorded] = 0; });
        for (std::size_t i = 0; recording && i < run.trace.tokens.size(); ++i) {
            tell(store.appendProgress(kRecorded, {run.trace.tokens[i]}, {}),
                 [](Acknowledged& now) { ++now.progress[kRecorded]; });
        }
        tell(store.saveRun(run), [](Acknowledged& now) {
            now.progress.erase(kRecorded);
            now.saved.insert(kRecorded);
        });
    }

    void import(Store& store)
    {
        for (const std::string& id : {kImported, kDeleted}) {
            const auto added = store.importRun(runOf(id));
            tell(added ? Status() : Status(added.error()),
                 [&](Acknowledged& now) { now.saved.insert(id); });
        }
        const auto report = store.importDatabase(m_other);
        tell(report ? Status() : Status(report.error()),
             [](Acknowledged& now) { now.saved.insert(kFromOther); });
    }

    void remove(Store& store)
    {
        tell(store.edit(kRecorded, {.title = "edited"}),
             [](Acknowledged& now) { now.title = "edited"; });
        tell(store.remove(kDeleted), [](Acknowledged& now) {
            now.saved.erase(kDeleted);
            now.deleted.insert(kDeleted);
        });
        tell(store.vacuum(), [](Acknowledged&) {});
    }

private:
    void tell(const Status& done, const std::function<void(Acknowledged&)>& change)
    {
        if (!done)
            return;
        m_told.push_back(m_told.back());
        change(m_told.back());
        m_told.back().step = m_step ? m_step() : 0;
    }

    fs::path m_other;
    Step m_step;
    std::vector<Acknowledged> m_told;
};

struct Kind {
    const char* name;
    void (Worker::*work)(Store&); // null: the work is a schema migration
};
constexpr Kind kKinds[] = {{"migration", nullptr},
                           {"run", &Worker::record},
                           {"import", &Worker::import},
                           {"deletion", &Worker::remove}};

void PrintTo(const Kind& kind, std::ostream* out)
{
    *out << kind.name;
}

// Migrates the file as if the schema had one more migration.
void migrateFurther(const fs::path& file)
{
    std::vector<Migration> steps(migrations().begin(), migrations().end());
    steps.push_back({steps.back().version + 1,
                     "ALTER TABLE profiling_runs ADD COLUMN moon_phase TEXT NOT NULL DEFAULT ''; "
                     "CREATE TABLE moons AS SELECT id, created_at FROM profiling_runs; "
                     "UPDATE tokens SET text = text || '' WHERE text IS NOT NULL"});
    if (auto database = Database::open(file, Database::Access::ReadWrite))
        static_cast<void>(migrate(**database, steps));
}

// Makes the store open what migrateFurther() left behind.
void forgetMigration(const fs::path& file)
{
    const auto database = Database::open(file, Database::Access::ReadWrite);
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->execute(
        "PRAGMA user_version = " + std::to_string(migrations().back().version), "test"));
}

// `next`: the change in progress, which may have been made as well.
void expectAll(const fs::path& file, const Acknowledged& told, const Acknowledged* next)
{
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
    }
    test::expectSound(file);
}

// Evenly spread, each with a different remainder so that every kind of call is included.
std::vector<std::size_t> pointsOf(std::size_t all, std::size_t wanted)
{
    std::set<std::size_t> points;
    for (std::size_t i = 0; i < wanted; ++i)
        points.insert(1 + i * all / wanted);
    return {points.begin(), points.end()};
}

class FaultPoints : public testing::TestWithParam<Kind> {
protected:
    // The database before this kind of work.
    void SetUp() override
    {
        {
            const auto start = Store::open(m_start);
            ASSERT_TRUE(start) << start.error().message;
            ASSERT_TRUE((*start)->saveRun(runOf(kBefore)));
        }
        auto source = Store::open(m_other);
        ASSERT_TRUE(source);
        ASSERT_TRUE((*source)->saveRun(runOf(kFromOther)));
        source->reset();
        Acknowledged start;
        start.saved = {kBefore};
        Worker worker(m_other, start);
        for (const Kind& kind : kKinds) {
            if (std::string(kind.name) == GetParam().name)
                break;
            const auto store = Store::open(m_start);
            ASSERT_TRUE(store) << store.error().message;
            if (kind.work)
                (worker.*kind.work)(**store);
        }
        m_before = worker.told().back();
        m_before.step = 0;
        ASSERT_EQ(test::readFile(m_start.string() + "-wal"), "");
    }

    fs::path freshFolder(const char* name)
    {
        const fs::path folder = m_folder / name;
        fs::remove_all(folder);
        fs::create_directories(folder);
        return folder;
    }

    fs::path freshFile(const char* name)
    {
        const fs::path file = freshFolder(name) / "runs.db";
        fs::copy_file(m_start, file);
        return file;
    }

    std::vector<Acknowledged> work(const fs::path& file, Worker::Step step = nullptr)
    {
        Worker worker(m_other, m_before, std::move(step));
        if (!GetParam().work)
            migrateFurther(file);
        else if (const auto store = Store::open(file))
            (worker.*GetParam().work)(**store);
        return worker.told();
    }

    // Skips files that were already checked.
    void expectStored(const fs::path& file, const Acknowledged& told, const Acknowledged* next)
    {
        std::string state = told.key() + '#' + (next ? next->key() : "");
        for (const char* suffix : {"", "-wal", "-journal"}) {
            std::error_code ignored;
            const fs::path part = file.string() + suffix;
            state += fs::exists(part, ignored) ? test::readFile(part) + '#' : "#";
        }
        if (!m_seen.insert(std::hash<std::string>()(state)).second)
            return;
        if (!GetParam().work)
            forgetMigration(file);
        expectAll(file, told, next);
    }

    TempFolder m_folder;
    const fs::path m_start = m_folder / "start.db";
    const fs::path m_other = m_folder / "other.db";
    Acknowledged m_before;
    std::set<std::size_t> m_seen;
};

// Only synced data has reached the disk, or some of the rest as well.
TEST_P(FaultPoints, APowerCutLosesNothingAcknowledged)
{
    FaultVfs vfs;
    const fs::path file = freshFile("whole");
    test::SyncedDisk disk;
    disk.put(file.string(), test::readFile(file));
    vfs.record();
    const std::vector<Acknowledged> told = work(file, [&] { return vfs.recorded().size(); });
    const std::vector<test::DiskStep> steps = vfs.recorded();
    vfs.stopRecording();
    ASSERT_GT(steps.size(), 20U);
    const std::vector<std::size_t> partly = pointsOf(steps.size(), pointsWanted() / 4);
    std::mt19937 random(1);
    std::size_t last = 0; // number of the last acknowledgement
    for (std::size_t point = 1; point <= steps.size(); ++point) {
        const test::DiskStep::Kind kind = steps[point - 1].kind;
        disk.apply(steps[point - 1]);
        const std::size_t before = last;
        while (last + 1 < told.size() && told[last + 1].step <= point)
            ++last;
        // Other steps change neither the synced data nor the acknowledgements.
        const bool changes = kind == test::DiskStep::Kind::Sync
            || kind == test::DiskStep::Kind::Remove || last != before;
        const Acknowledged* next = last + 1 < told.size() ? &told[last + 1] : nullptr;
        for (const bool more : {false, true}) {
            if (more ? !std::ranges::binary_search(partly, point) : !changes && point > 1)
                continue;
            SCOPED_TRACE("power cut after " + std::to_string(point) + " of "
                         + std::to_string(steps.size()) + " steps"
                         + (more ? ", with some of what was not synced" : ""));
            const fs::path folder = freshFolder("cut");
            disk.writeTo(file.parent_path().string(), folder.string(),
                         [&] { return more && random() % 2 == 0; });
            expectStored(folder / "runs.db", told[last], next);
            if (HasFailure())
                return;
        }
    }
    RecordProperty("points", static_cast<int>(steps.size() + partly.size()));
    RecordProperty("states", static_cast<int>(m_seen.size()));
}

TEST_P(FaultPoints, AFailingDiskLosesNothingAcknowledged)
{
    struct Way {
        const char* name;
        FaultVfs::Fault fault;
        bool lasting;
    };
    constexpr Way kWays[] = {{"full disk", FaultVfs::Fault::Full, true},
                             {"I/O error", FaultVfs::Fault::IoError, false},
                             {"short write", FaultVfs::Fault::ShortWrite, false},
                             {"disk that is gone", FaultVfs::Fault::IoError, true}};
    FaultVfs vfs;
    vfs.record();
    work(freshFile("whole"));
    const std::size_t all = vfs.recorded().size();
    vfs.stopRecording();
    int points = 0;
    for (const Way& way : kWays) {
        for (const std::size_t point : pointsOf(all, pointsWanted() / std::size(kWays))) {
            SCOPED_TRACE(std::string(way.name) + " at " + std::to_string(point) + " of "
                         + std::to_string(all));
            const fs::path file = freshFile("failing");
            vfs.failAtAny(static_cast<int>(point), way.fault, way.lasting);
            const std::vector<Acknowledged> told = work(file);
            vfs.stopFailing();
            Acknowledged maybe; // the failed vacuum or deletion may have been carried out
            maybe.deleted = {kDeleted};
            expectStored(file, told.back(), &maybe);
            if (HasFailure())
                return;
            ++points;
        }
    }
    RecordProperty("points", points);
    RecordProperty("states", static_cast<int>(m_seen.size()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultPoints, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::store
