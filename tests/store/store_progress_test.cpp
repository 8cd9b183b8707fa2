// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/writer_mark.h"
#include "store/file_guards.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"
#include "tables/run_table.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <sys/wait.h>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;
using test::TempFolder;

RunInfo startedInfo(const ep::Run& run)
{
    RunInfo info = run.info;
    info.status = RunStatus::Running;
    info.response.clear();
    info.output_tokens = 0;
    info.power.quality.reset();
    return info;
}

// Records the first tokens of a run in two batches, as the program does during generation.
bool recordSome(Store& store, const ep::Run& run)
{
    const auto& tokens = run.trace.tokens;
    const auto& samples = run.trace.samples;
    return store.beginRun(startedInfo(run))
        && store.appendProgress(run.info.id, {}, {samples.begin(), samples.begin() + 3})
        && store.appendProgress(run.info.id, {tokens.begin(), tokens.begin() + 2},
                                {samples.begin() + 3, samples.begin() + 6})
        && store.appendProgress(run.info.id, {tokens[2]}, {});
}

// Another process that records and then waits; the destructor kills it.
class RecordingProcess {
public:
    RecordingProcess(const fs::path& file, const ep::Run& run)
    {
        int ends[2] = {};
        EXPECT_EQ(::pipe(ends), 0);
        m_pid = ::fork();
        if (m_pid == 0) {
            auto store = Store::open(file);
            const char done = store && recordSome(**store, run) ? 'y' : 'n';
            if (::write(ends[1], &done, 1) == 1) {
                while (true)
                    ::pause();
            }
            ::_exit(1);
        }
        char answer = 0;
        EXPECT_EQ(::read(ends[0], &answer, 1), 1);
        EXPECT_EQ(answer, 'y');
        ::close(ends[0]);
        ::close(ends[1]);
    }
    ~RecordingProcess() { kill(); }
    RecordingProcess(const RecordingProcess&) = delete;
    RecordingProcess& operator=(const RecordingProcess&) = delete;

    // Leaves a zombie: dead, but not yet reaped by its parent.
    void killOnly()
    {
        ::kill(m_pid, SIGKILL);
        siginfo_t info = {};
        ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT);
    }
    void kill()
    {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
        m_pid = 0;
    }

private:
    pid_t m_pid = 0;
};

RunStatus statusIn(const fs::path& file)
{
    auto store = Store::open(file);
    EXPECT_TRUE(store);
    const auto runs = (*store)->list();
    EXPECT_TRUE(runs);
    EXPECT_EQ(runs->size(), 1U);
    return runs->front().info.status;
}

TEST(StoreProgress, ARunIsSeenWhileItGoesOn)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun();
    auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    ASSERT_TRUE(recordSome(**store, run));
    EXPECT_EQ(statusIn(folder / "runs.db"), RunStatus::Running);

    const auto loaded = (*store)->load(run.info.id);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->info.output_tokens, 3);
    EXPECT_EQ(loaded->info.response, "The cat sat");
    ASSERT_EQ(loaded->trace.tokens.size(), 3U);
    EXPECT_TRUE(std::equal(loaded->trace.tokens.begin(), loaded->trace.tokens.end(),
                           run.trace.tokens.begin()));
    ASSERT_EQ(loaded->trace.samples.size(), 6U);
    EXPECT_TRUE(std::equal(loaded->trace.samples.begin(), loaded->trace.samples.end(),
                           run.trace.samples.begin()));

    ASSERT_TRUE((*store)->saveRun(run));
    EXPECT_TRUE(*(*store)->load(run.info.id) == run);
}

TEST(StoreProgress, ARunBeginsOnce)
{
    const TempFolder folder;
    auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    const RunInfo info = startedInfo(makeSampleRun());
    ASSERT_TRUE((*store)->beginRun(info));
    const Status again = (*store)->beginRun(info);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.english().find("UNIQUE"), std::string::npos)
        << again.error().message;
    EXPECT_TRUE((*store)->appendProgress(info.id, {}, {})) << "nothing to do is no failure";
}

TEST(StoreProgress, AKilledRunIsFoundAsInterrupted)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    const ep::Run run = makeSampleRun();
    RecordingProcess process(file, run);
    EXPECT_EQ(statusIn(file), RunStatus::Running) << "its process lives";
    process.killOnly();
    EXPECT_EQ(statusIn(file), RunStatus::Interrupted);

    auto store = Store::open(file);
    const auto loaded = (*store)->load(run.info.id);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->info.output_tokens, 3);
    EXPECT_EQ(loaded->info.response, "The cat sat");
    EXPECT_FALSE(loaded->info.status_message.empty());
    ASSERT_EQ(loaded->trace.tokens.size(), 3U);
    EXPECT_EQ(loaded->trace.tokens[2], run.trace.tokens[2]);
    EXPECT_EQ(loaded->trace.samples.size(), 6U);
    const TimeRange hull{run.trace.tokens[0].time.begin_ns, run.trace.tokens[2].time.end_ns};
    EXPECT_EQ(loaded->trace.time, hull);
    EXPECT_EQ(loaded->metrics.duration_ns, hull.duration_ns());
    EXPECT_EQ(loaded->trace.phases.size(), 2U);
}

TEST(StoreProgress, WholeRunsAreUntouchedByRecovery)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    const ep::Run whole = makeSampleRun({.id = "whole"});
    ASSERT_TRUE((*Store::open(file))->saveRun(whole));
    RecordingProcess process(file, makeSampleRun({.id = "killed"}));
    process.kill();
    auto store = Store::open(file);
    ASSERT_TRUE(store);
    EXPECT_TRUE(*(*store)->load("whole") == whole);
    EXPECT_EQ((*store)->load("killed")->info.status, RunStatus::Interrupted);
}

TEST(StoreProgress, AFullDiskDoesNotHideTheRuns)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    ASSERT_TRUE((*Store::open(file))->saveRun(makeSampleRun({.id = "whole"})));
    RecordingProcess(file, makeSampleRun({.id = "killed"})).kill();
    {
        const test::FileSizeLimit limit(33 * 1024);
        auto store = Store::open(file);
        ASSERT_TRUE(store) << store.error().message;
        EXPECT_EQ((*store)->list()->size(), 2U);
        EXPECT_EQ((*store)->load("killed")->info.status, RunStatus::Running);
    }
    EXPECT_EQ((*(*Store::open(file))->load("killed")).info.status, RunStatus::Interrupted);
}

TEST(StoreProgress, TheProcessIdAloneProvesNothing)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    ASSERT_TRUE((*Store::open(file))->beginRun(startedInfo(makeSampleRun())));
    EXPECT_EQ(statusIn(file), RunStatus::Running);
    // Pretends that an earlier process with the same id wrote the run.
    auto database = Database::open(file, Database::Access::ReadWrite);
    ASSERT_TRUE((*database)->execute("UPDATE profiling_runs SET writer_mark = 'boot.1'", "test"));
    EXPECT_EQ(statusIn(file), RunStatus::Interrupted);
}

TEST(StoreProgress, ReadOnlyMarksNothing)
{
    const TempFolder folder;
    const fs::path file = folder / "runs.db";
    RecordingProcess(file, makeSampleRun()).kill();
    auto reader = Store::open(file, Store::Mode::ReadOnly);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->list()->front().info.status, RunStatus::Running);
}

TEST(Recovery, SumsWhatTheTokensSay)
{
    ep::Run run = makeSampleRun();
    const auto& tokens = run.trace.tokens;
    double total = 0.0;
    for (const TokenSpan& token : tokens)
        total += token.energy.total_mj->value;
    const double prefill = tokens[0].energy.total_mj->value;
    completeInterrupted(run);
    EXPECT_EQ(run.info.status, RunStatus::Interrupted);
    EXPECT_DOUBLE_EQ(run.metrics.energy.total_mj->value, total);
    EXPECT_EQ(run.metrics.energy.rails_mj[Rail::Dram], std::nullopt);
    EXPECT_EQ(run.metrics.energy.provenance, Provenance::Measured);
    EXPECT_EQ(run.metrics.time_to_first_token_ns, tokens[0].time.duration_ns());
    EXPECT_DOUBLE_EQ(*run.metrics.joules_per_token, total / 1000.0 / 4);
    EXPECT_DOUBLE_EQ(*run.metrics.joules_per_input_token, prefill / 1000.0 / 5);
    EXPECT_DOUBLE_EQ(*run.metrics.joules_per_output_token, (total - prefill) / 1000.0 / 3);
    EXPECT_GT(*run.metrics.tokens_per_second, 0.0);
    EXPECT_GT(run.metrics.peak_power_mw->value, run.metrics.mean_power_mw->value);
    ASSERT_EQ(run.trace.phases.size(), 2U);
    EXPECT_EQ(run.trace.phases[1].time,
              (TimeRange{tokens[1].time.begin_ns, tokens[3].time.end_ns}));
}

TEST(Recovery, CountsTheTokensOfEverySequence)
{
    ep::Run run = makeSampleRun();
    run.trace.tokens[0].sequences = 3;
    run.trace.tokens[1].sequences = 3;
    run.trace.tokens[2].sequences = 2;
    run.trace.tokens[3].sequences = 1;
    completeInterrupted(run);
    EXPECT_EQ(run.info.output_tokens, 9);
    const double joules = run.metrics.energy.total_mj->value / 1000.0;
    EXPECT_DOUBLE_EQ(*run.metrics.joules_per_token, joules / 9);
    const double decoding = run.trace.phases[1].energy.total_mj->value / 1000.0;
    EXPECT_DOUBLE_EQ(*run.metrics.joules_per_output_token, decoding / 6);
}

TEST(Recovery, OneMissingTokenMakesTheSumMissing)
{
    ep::Run run = makeSampleRun();
    run.trace.tokens[2].energy = {};
    completeInterrupted(run);
    EXPECT_EQ(run.metrics.energy, EnergyValue{});
    EXPECT_EQ(run.metrics.joules_per_token, std::nullopt);
    EXPECT_EQ(run.trace.phases[0].energy.total_mj, run.trace.tokens[0].energy.total_mj);
    EXPECT_EQ(run.trace.phases[1].energy.provenance, Provenance::Missing);
}

TEST(Recovery, ARunWithoutTokensHasNoFigures)
{
    ep::Run run = makeSampleRun();
    run.trace.tokens.clear();
    completeInterrupted(run);
    EXPECT_EQ(run.metrics, RunMetrics{});
    EXPECT_TRUE(run.trace.phases.empty());
}

TEST(WriterMark, KnowsTheLivingFromTheDead)
{
    EXPECT_TRUE(isAlive(thisWriter()));
    EXPECT_EQ(thisWriter(), thisWriter());
    WriterMark other = thisWriter();
    other.mark += "0";
    EXPECT_FALSE(isAlive(other));
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(isAlive({child, thisWriter().mark}));
    EXPECT_FALSE(isAlive({child, ""}));
    EXPECT_TRUE(isAlive({::getpid(), ""}));
}

} // namespace
} // namespace ep::store
