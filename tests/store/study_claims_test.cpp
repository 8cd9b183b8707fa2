// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/writer_mark.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/core/clock.h"
#include "ep/store/store.h"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

namespace ep::store {
namespace {

using test::makeSampleRun;
using test::TempFolder;
using testing::SizeIs;

constexpr const char* kExperiment = "experiment";
constexpr const char* kStep = "cell:0123456789ab#1";

class StudyClaims : public testing::Test {
protected:
    std::unique_ptr<Store> openStore() const
    {
        auto store = Store::open(m_file);
        EXPECT_TRUE(store) << store.error().message;
        return std::move(*store);
    }

    static StepClaim claim(Store& store, const std::string& step = kStep)
    {
        const auto answer = store.claimStep(kExperiment, step);
        EXPECT_TRUE(answer) << answer.error().message;
        return answer ? *answer : StepClaim::Done;
    }

    static ep::Run runOf(const std::string& id, RunStatus status)
    {
        ep::Run run = makeSampleRun({.id = id, .tokens = 1});
        run.info.status = status;
        run.info.experiment = kExperiment;
        run.info.tags = {kStep, "other"};
        return run;
    }

    // Makes a claim for a process that this one does not know.
    void claimElsewhere(const std::string& host, std::int64_t pid, std::int64_t silentMs) const
    {
        auto database = Database::open(m_file, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        const Status done = (*database)->execute(
            "INSERT INTO study_claims VALUES ('" + std::string(kStep) + "', 'them', '" + host
                + "', " + std::to_string(pid) + ", 'mark', "
                + std::to_string(wallClockMs() - silentMs) + ")",
            "test");
        ASSERT_TRUE(done) << done.error().message;
    }

    TempFolder m_folder;
    const std::filesystem::path m_file = m_folder / "runs.db";
};

TEST_F(StudyClaims, BelongToWhoComesFirst)
{
    const auto one = openStore();
    const auto two = openStore();
    EXPECT_EQ(claim(*one), StepClaim::Ours);
    EXPECT_EQ(claim(*one), StepClaim::Ours) << "still";
    EXPECT_EQ(claim(*two), StepClaim::Taken);
    EXPECT_EQ(claim(*two, "cell:0123456789ab#2"), StepClaim::Ours) << "another step is free";
    ASSERT_TRUE(two->giveUpStep(kStep));
    EXPECT_EQ(claim(*two), StepClaim::Taken) << "only the owner gives up";
    ASSERT_TRUE(one->giveUpStep(kStep));
    EXPECT_EQ(claim(*two), StepClaim::Ours);
}

TEST_F(StudyClaims, AreDoneWithACompleteRun)
{
    const auto one = openStore();
    const auto two = openStore();
    ASSERT_EQ(claim(*one), StepClaim::Ours);
    ASSERT_TRUE(one->saveRun(runOf("a", RunStatus::Complete)));
    EXPECT_TRUE(*one->settleStep(kExperiment, kStep, "a"));
    EXPECT_EQ(claim(*two), StepClaim::Done);
    ASSERT_TRUE(two->moveToTrash({"a"}));
    EXPECT_EQ(claim(*two), StepClaim::Ours) << "a run that was deleted is made again";
}

// Two processes ran it all the same, for example because a machine was asleep for a long time.
TEST_F(StudyClaims, OnlyOneRunStays)
{
    const auto one = openStore();
    const auto two = openStore();
    ASSERT_TRUE(one->saveRun(runOf("a", RunStatus::Complete)));
    ASSERT_TRUE(two->saveRun(runOf("b", RunStatus::Complete)));
    EXPECT_FALSE(*one->settleStep(kExperiment, kStep, "a"));
    EXPECT_TRUE(*two->settleStep(kExperiment, kStep, "b"));
    ASSERT_THAT(*one->list(), SizeIs(1));
    EXPECT_EQ(one->list()->front().info.id, "b");
}

TEST_F(StudyClaims, ClaimingDeletesWhatWasCutShort)
{
    const auto store = openStore();
    for (const auto& [id, status] :
         {std::pair("a", RunStatus::Cancelled), std::pair("b", RunStatus::Failed),
          std::pair("c", RunStatus::Interrupted)})
        ASSERT_TRUE(store->saveRun(runOf(id, status)));
    ep::Run other = runOf("d", RunStatus::Cancelled);
    other.info.tags = {"other"};
    ASSERT_TRUE(store->saveRun(other));
    EXPECT_EQ(claim(*store), StepClaim::Ours);
    ASSERT_THAT(*store->list(), SizeIs(1));
    EXPECT_EQ(store->list()->front().info.id, "d");
}

TEST_F(StudyClaims, AreFreeWhenTheirProcessIsDead)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const auto store = Store::open(m_file);
        ::_exit(store && (*store)->claimStep(kExperiment, kStep) ? 0 : 1); // as if it were killed
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(claim(*openStore()), StepClaim::Ours);
}

TEST_F(StudyClaims, OfOtherMachinesNeedASignOfLife)
{
    const auto store = openStore();
    claimElsewhere("elsewhere", ::getpid(), 60'000);
    EXPECT_EQ(claim(*store), StepClaim::Taken);
    ASSERT_TRUE(store->keepClaims()) << "which concerns only one's own";
    auto database = Database::open(m_file, Database::Access::ReadWrite);
    ASSERT_TRUE((*database)->execute("UPDATE study_claims SET beat_ms = beat_ms - 100000", "test"));
    EXPECT_EQ(claim(*store), StepClaim::Ours);
}

TEST_F(StudyClaims, OfThisMachineNeedTheirProcess)
{
    const auto store = openStore();
    claimElsewhere(thisHost(), ::getpid(), 0); // its id was assigned again
    EXPECT_EQ(claim(*store), StepClaim::Ours);
}

TEST_F(StudyClaims, KeepingThemIsASignOfLife)
{
    const auto store = openStore();
    ASSERT_EQ(claim(*store), StepClaim::Ours);
    auto database = Database::open(m_file, Database::Access::ReadWrite);
    ASSERT_TRUE((*database)->execute("UPDATE study_claims SET beat_ms = 0", "test"));
    ASSERT_TRUE(store->keepClaims());
    EXPECT_GT(*(*database)->queryInteger("SELECT beat_ms FROM study_claims", "test"),
              wallClockMs() - 60'000);
}

} // namespace
} // namespace ep::store
