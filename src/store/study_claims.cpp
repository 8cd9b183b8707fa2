// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/statement.h"
#include "sqlite/writer_mark.h"
#include "store_impl.h"
#include "tables/run_table.h"

#include "ep/core/clock.h"

namespace ep::store {

namespace {

constexpr const char* kDoing = "share the study";

// A process on another machine counts as dead after this long without a sign of life. Its clock
// may differ a little.
constexpr std::int64_t kSilenceMs = 120'000;

struct Claim {
    std::string owner;
    std::string host;
    WriterMark process;
    std::int64_t beat_ms = 0;
};

bool holds(const Claim& claim)
{
    return claim.host == thisHost() ? isAlive(claim.process)
                                    : wallClockMs() - claim.beat_ms < kSilenceMs;
}

Result<std::optional<Claim>> findClaim(Database& database, const std::string& step)
{
    Statement query = database.prepare(
        "SELECT owner, host, pid, mark, beat_ms FROM study_claims WHERE step = ?", kDoing);
    std::optional<Claim> claim;
    const Status done = query.bind(step).forEachRow([&](Statement& row) {
        Claim& found = claim.emplace();
        row.get(found.owner, found.host, found.process.pid, found.process.mark, found.beat_ms);
    });
    if (!done)
        return done.error();
    return claim;
}

struct StepRuns {
    std::vector<std::string> complete;
    std::vector<std::string> leftovers; // runs that finished attempts left behind
};

Result<StepRuns> runsOf(Database& database, const std::string& experiment, const std::string& step)
{
    Statement query =
        database.prepare("SELECT id, status, writer_pid, writer_mark FROM profiling_runs "
                         "WHERE trash_pid IS NULL AND experiment_name = ? "
                         "AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)",
                         kDoing);
    StepRuns runs;
    const Status done = query.bind(experiment, step).forEachRow([&](Statement& row) {
        std::string id;
        RunStatus status = RunStatus::Running;
        std::optional<std::int64_t> pid;
        std::optional<std::string> mark;
        row.get(id, status, pid, mark);
        if (status == RunStatus::Complete)
            runs.complete.push_back(id);
        else if (status != RunStatus::Running || !pid || !isAlive({*pid, mark.value_or("")}))
            runs.leftovers.push_back(id);
    });
    if (!done)
        return done.error();
    return runs;
}

Status writeClaim(Database& database, const std::string& step, const std::string& owner)
{
    const WriterMark process = thisWriter();
    Statement insert = database.prepare(
        "INSERT OR REPLACE INTO study_claims (step, owner, host, pid, mark, beat_ms) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        kDoing);
    return insert.bind(step, owner, thisHost(), process.pid, process.mark, wallClockMs()).run();
}

Status eraseClaim(Database& database, const std::string& step, const std::string& owner)
{
    Statement erase =
        database.prepare("DELETE FROM study_claims WHERE step = ? AND owner = ?", kDoing);
    return erase.bind(step, owner).run();
}

} // namespace

Result<StepClaim> Store::claimStep(const std::string& experiment, const std::string& step)
{
    Database& database = *m_impl->database;
    StepClaim answer = StepClaim::Ours;
    const Status done = changeAtOnce(database, kDoing, [&]() -> Status {
        const auto claim = findClaim(database, step);
        if (!claim)
            return claim.error();
        const bool taken = *claim && (*claim)->owner != m_impl->owner && holds(**claim);
        const auto runs = runsOf(database, experiment, step);
        if (!runs)
            return runs.error();
        if (!runs->complete.empty()) {
            answer = StepClaim::Done;
            return *claim && !taken ? eraseClaim(database, step, (*claim)->owner) : Status();
        }
        if (taken) {
            answer = StepClaim::Taken;
            return {};
        }
        for (const std::string& id : runs->leftovers) {
            if (const auto deleted = deleteRun(database, id); !deleted)
                return deleted.error();
        }
        return writeClaim(database, step, m_impl->owner);
    });
    if (!done)
        return done.error();
    return answer;
}

Status Store::keepClaims()
{
    Statement update =
        m_impl->database->prepare("UPDATE study_claims SET beat_ms = ? WHERE owner = ?", kDoing);
    return update.bind(wallClockMs(), m_impl->owner).run();
}

Result<bool> Store::settleStep(const std::string& experiment, const std::string& step,
                               const std::string& runId)
{
    Database& database = *m_impl->database;
    bool first = true;
    const Status done = changeAtOnce(database, kDoing, [&]() -> Status {
        const auto runs = runsOf(database, experiment, step);
        if (!runs)
            return runs.error();
        for (const std::string& id : runs->complete)
            first = first && id == runId;
        if (!first) {
            if (const auto deleted = deleteRun(database, runId); !deleted)
                return deleted.error();
        }
        return eraseClaim(database, step, m_impl->owner);
    });
    if (!done)
        return done.error();
    return first;
}

Status Store::giveUpStep(const std::string& step)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kDoing,
                        [&] { return eraseClaim(database, step, m_impl->owner); });
}

} // namespace ep::store
