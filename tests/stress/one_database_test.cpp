// SPDX-License-Identifier: GPL-3.0-or-later
// All kinds of programs at once on one database, with random SIGKILLs: everything that a program
// reported as done exists afterwards. EP_STRESS_SECONDS and EP_STRESS_ROUNDS prolong it,
// EP_STRESS_SEED changes the sequence, EP_STRESS_DROPS the seconds of the test with dropped locks.
#include "stress/crew.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"
#include "support/wait_until.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>

namespace ep::test {
namespace {

using testing::IsEmpty;

constexpr int kWriters = 6;
constexpr int kReaders = 4;
constexpr int kStudents = 2; // working on the same study
constexpr int kUsualSeconds = 5;
constexpr int kDroppingSeconds = 12;

int setting(const char* name, int usual)
{
    const char* text = std::getenv(name);
    return text != nullptr ? std::atoi(text) : usual;
}

class OneDatabase : public testing::Test {
protected:
    OneDatabase()
    {
        m_arena.folder = m_folder.path();
        m_arena.database = m_folder / "runs.db";
        m_arena.models = m_folder / "models";
        writeTinyModel(m_arena.models / "tiny");
        m_arena.environment = QProcessEnvironment::systemEnvironment();
        const QString home = QString::fromStdString(m_folder.path().string());
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HF_HUB_CACHE"})
            m_arena.environment.insert(QString::fromLatin1(name), home);
        m_arena.environment.insert(QStringLiteral("EP_DB"),
                                   QString::fromStdString(m_arena.database.string()));
        m_arena.environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    }

    // Ten writing programs come, go and are killed, while code in the window and the servers opens
    // and closes the files of the database.
    void playWithDroppedLocks(unsigned seed, int seconds)
    {
        constexpr int kManyWriters = 10;
        constexpr int kWindows = 2;
        std::vector<std::unique_ptr<Worker>> workers;
        for (int i = 0; i < kManyWriters; ++i)
            workers.push_back(std::make_unique<Writer>(m_arena, ++seed));
        workers.push_back(std::make_unique<Reader>(m_arena, ++seed));
        workers.push_back(std::make_unique<Server>(m_arena, ++seed));
        for (int i = 0; i < kWindows; ++i)
            workers.push_back(std::make_unique<Window>(m_arena, ++seed));
        for (std::size_t i = kManyWriters + 1; i < workers.size(); ++i)
            workers[i]->preload(QStringLiteral(EP_LOCK_DROPPER));
        letWork(workers, seconds);
    }

    void play(unsigned seed, int seconds)
    {
        std::vector<std::unique_ptr<Worker>> workers;
        for (int i = 0; i < kWriters; ++i)
            workers.push_back(std::make_unique<Writer>(m_arena, ++seed));
        for (int i = 0; i < kReaders; ++i)
            workers.push_back(std::make_unique<Reader>(m_arena, ++seed));
        workers.push_back(std::make_unique<Runner>(m_arena, ++seed));
        workers.push_back(std::make_unique<Server>(m_arena, ++seed));
        workers.push_back(std::make_unique<Window>(m_arena, ++seed));
        for (int i = 0; i < kStudents; ++i)
            workers.push_back(std::make_unique<Student>(m_arena, ++seed, "study"));
        letWork(workers, seconds);
    }

    static void letWork(const std::vector<std::unique_ptr<Worker>>& workers, int seconds)
    {
        for (const auto& worker : workers)
            worker->next();
        waitUntil([] { return false; }, std::chrono::seconds(seconds));
        for (const auto& worker : workers)
            worker->stop();
        waitUntil(
            [&] {
                return std::all_of(workers.begin(), workers.end(),
                                   [](const auto& worker) { return worker->idle(); });
            },
            std::chrono::seconds(120));
    }

    void judge()
    {
        EXPECT_THAT(m_arena.problems, IsEmpty());
        const auto store = store::Store::open(m_arena.database);
        ASSERT_TRUE(store) << store.error().message;
        const auto runs = (*store)->list();
        ASSERT_TRUE(runs) << runs.error().message;
        std::vector<SeenRun> seen;
        std::map<std::string, std::multiset<std::string>> steps; // by study
        for (const RunSummary& run : *runs) {
            seen.push_back(
                {run.info.id, run.info.title, {run.info.tags.begin(), run.info.tags.end()}});
            EXPECT_NE(run.info.status, RunStatus::Running) << "nobody records any more";
            EXPECT_TRUE((*store)->load(run.info.id)) << run.info.id;
            for (const std::string& tag : run.info.tags) {
                if (run.info.status == RunStatus::Complete && tag.starts_with("cell:"))
                    steps[run.info.experiment].insert(tag);
            }
        }
        EXPECT_THAT(m_arena.ledger.differences(m_arena.ledger, seen), IsEmpty());
        for (const auto& [study, count] : m_arena.studies) {
            EXPECT_EQ(steps[study].size(), count) << study << " is over, each run exactly once";
            EXPECT_EQ(std::set<std::string>(steps[study].begin(), steps[study].end()).size(),
                      count);
        }
        expectSound(m_arena.database);
    }

    void tell(int round) const
    {
        std::cout << "round " << round << ": " << m_arena.ledger.acknowledged()
                  << " acknowledged changes, " << m_arena.killed << " programs killed; ended well:";
        for (const auto& [name, count] : m_arena.counts)
            std::cout << ' ' << name << ' ' << count;
        std::cout << std::endl;
    }

    void playAll(int usualSeconds)
    {
        const int rounds = setting("EP_STRESS_ROUNDS", 1);
        for (int round = 1; round <= rounds && !HasFailure(); ++round) {
            constexpr int kSeedsPerRound = 100;
            const int seed = setting("EP_STRESS_SEED", 1) + round * kSeedsPerRound;
            SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(seed));
            play(static_cast<unsigned>(seed), setting("EP_STRESS_SECONDS", usualSeconds));
            judge();
            tell(round);
        }
        EXPECT_GT(m_arena.ledger.acknowledged(), 0);
    }

    TempFolder m_folder;
    Arena m_arena;
};

TEST_F(OneDatabase, KeepsWhatWasAcknowledged)
{
    playAll(kUsualSeconds);
}

// The database also survives on a file system without shared memory.
TEST_F(OneDatabase, KeepsItWithoutSharedMemory)
{
    const QString library = QStringLiteral(EP_NO_SHARED_MEMORY);
    if (library.isEmpty())
        GTEST_SKIP() << "a library cannot be preloaded here";
    m_arena.environment.insert(QStringLiteral("LD_PRELOAD"), library);
    playAll(kUsualSeconds);
    // This process, which checks the result, has shared memory: it leaves an empty log behind.
    std::error_code missing;
    const auto log = std::filesystem::file_size(m_arena.database.string() + "-wal", missing);
    EXPECT_TRUE(missing || log == 0);
}

TEST_F(OneDatabase, KeepsItWhateverDropsTheLocks)
{
    if (QStringLiteral(EP_LOCK_DROPPER).isEmpty())
        GTEST_SKIP() << "a library cannot be preloaded here";
    const int seconds = setting("EP_STRESS_DROPS", kDroppingSeconds);
    playWithDroppedLocks(static_cast<unsigned>(setting("EP_STRESS_SEED", 1)), seconds);
    judge();
    tell(1);
    EXPECT_GT(m_arena.ledger.acknowledged(), 0);
}

} // namespace
} // namespace ep::test
