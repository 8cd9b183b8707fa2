// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/statement.h"
#include "sqlite/writer_mark.h"
#include "store_impl.h"
#include "tables/run_table.h"

#include <system_error>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

// Deletes a run in pieces, so that nobody waits long for the write lock.
Status deleteInPieces(Database& database, const std::string& id, const CancelToken& cancel)
{
    const std::string doing = "delete the run";
    constexpr int kTokensAtOnce = 64;
    while (true) {
        std::int64_t deleted = 0;
        const Status done = changeAtOnce(database, doing, [&] {
            Statement erase = database.prepare(
                "DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE run_id = ? LIMIT ?) "
                "RETURNING 1",
                doing);
            return erase.bind(id, kTokensAtOnce).forEachRow([&](Statement&) { ++deleted; });
        });
        if (!done)
            return done;
        if (deleted == 0)
            break;
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "Deleting was stopped; the next start continues."};
    }
    return changeAtOnce(database, doing, [&]() -> Status {
        const Result<bool> found = deleteRun(database, id);
        if (!found)
            return found.error();
        return {};
    });
}

Status forEachRun(Database& database, const std::vector<std::string>& ids, const std::string& doing,
                  const std::string& sql, const WriterMark& mark)
{
    return changeAtOnce(database, doing, [&]() -> Status {
        for (const std::string& id : ids) {
            if (const Status over = checkIsOver(database, id); !over)
                return over;
            Statement update = database.prepare(sql, doing);
            bool found = false;
            const Status done =
                update.bind(id, mark.pid, mark.mark).forEachRow([&](Statement&) { found = true; });
            if (!done)
                return done;
            if (!found)
                return noSuchRun(database, id);
        }
        return {};
    });
}

} // namespace

Status Store::remove(const std::string& runId)
{
    Database& database = *m_impl->database;
    const auto erase = [&] {
        return changeAtOnce(database, "delete the run", [&]() -> Status {
            const Result<bool> found = deleteRun(database, runId);
            if (!found)
                return found.error();
            return *found ? Status() : noSuchRun(database, runId);
        });
    };
    Status done = erase();
    if (done || !database.lacksSpace())
        return done;
    // If SQLite overwrites deleted data, the log grows by the size of the run.
    if (database.execute("PRAGMA secure_delete = FAST", "delete the run"))
        done = erase();
    return done;
}

Status Store::moveToTrash(const std::vector<std::string>& runIds)
{
    return forEachRun(*m_impl->database, runIds, "delete the run",
                      "UPDATE profiling_runs SET trash_pid = ?2, trash_mark = ?3 WHERE id = ?1 "
                      "AND trash_pid IS NULL RETURNING 1",
                      thisWriter());
}

Status Store::restore(const std::vector<std::string>& runIds)
{
    return forEachRun(*m_impl->database, runIds, "restore the run",
                      "UPDATE profiling_runs SET trash_pid = NULL, trash_mark = NULL "
                      "WHERE id = ?1 AND trash_pid = ?2 AND trash_mark = ?3 RETURNING 1",
                      thisWriter());
}

Status Store::emptyTrash(const CancelToken& cancel, const ProgressFn& progress)
{
    Database& database = *m_impl->database;
    std::vector<std::string> ids;
    {
        Statement query = database.prepare("SELECT id, trash_pid, trash_mark FROM profiling_runs "
                                           "WHERE trash_pid IS NOT NULL",
                                           "empty the trash");
        const Status done = query.forEachRow([&](Statement& row) {
            std::string id;
            WriterMark owner;
            row.get(id, owner.pid, owner.mark);
            if (!isAlive(owner))
                ids.push_back(std::move(id));
        });
        if (!done)
            return done;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (progress) {
            progress(static_cast<double>(i) / static_cast<double>(ids.size()),
                     "Deleting run " + std::to_string(i + 1) + " of " + std::to_string(ids.size()));
        }
        if (const Status done = deleteInPieces(database, ids[i], cancel); !done)
            return done;
    }
    return {};
}

Result<std::vector<std::string>> Store::select(const PruneRule& rule) const
{
    Statement query = m_impl->database->prepare(
        "SELECT id FROM profiling_runs WHERE trash_pid IS NULL AND status <> 'running' "
        "AND (?1 IS NULL OR created_at_ms < ?1) AND (?2 = 0 OR json_array_length(tags) = 0) "
        "AND (?3 IS NULL OR id NOT IN (SELECT id FROM profiling_runs WHERE trash_pid IS NULL "
        "ORDER BY created_at_ms DESC, rowid DESC LIMIT ?3)) "
        "ORDER BY created_at_ms DESC, rowid DESC",
        "look for the runs");
    return query.bind(rule.before_ms, rule.only_untagged, rule.keep_last).list<std::string>();
}

Result<StoreSize> Store::size() const
{
    const std::string doing = "measure the database";
    Database& database = *m_impl->database;
    Reading reading(database, {});
    if (const Status begun = reading.begin(doing); !begun)
        return begun.error();
    StoreSize size;
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::error_code failed;
        const auto bytes = fs::file_size(database.file().string() + suffix, failed);
        if (!failed)
            size.file_bytes += static_cast<std::int64_t>(bytes);
    }
    const auto page = database.queryInteger("PRAGMA page_size", doing);
    const auto free = database.queryInteger("PRAGMA freelist_count", doing);
    if (!page || !free)
        return page ? free.error() : page.error();
    size.free_bytes = *page * *free;
    Statement query = database.prepare("SELECT id, stored_bytes FROM profiling_runs WHERE "
                                       "trash_pid IS NULL ORDER BY stored_bytes DESC, id",
                                       doing);
    auto runs =
        query.list<RunSize>([](Statement& row, RunSize& one) { row.get(one.id, one.bytes); });
    if (!runs)
        return runs.error();
    size.runs = *std::move(runs);
    return size;
}

Status Store::vacuum(const CancelToken& cancel, const ProgressFn& progress)
{
    const std::string doing = "free disk space";
    Database& database = *m_impl->database;
    std::int64_t total = -1;
    while (true) {
        const auto free = database.queryInteger("PRAGMA freelist_count", doing);
        if (!free)
            return free.error();
        if (total < 0)
            total = *free;
        if (progress && total > 0) {
            progress(1.0 - static_cast<double>(*free) / static_cast<double>(total),
                     "Freeing disk space");
        }
        if (*free == 0)
            break;
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled,
                         "Freeing disk space was stopped; the space freed so far stays free."};
        // Some megabytes at a time, each a short transaction.
        if (const Status done = database.execute("PRAGMA incremental_vacuum(2048)", doing); !done)
            return done;
        const auto after = database.queryInteger("PRAGMA freelist_count", doing);
        if (!after)
            return after.error();
        if (*after
            >= *free) // a file created by another program does not support incremental vacuum
            return database.execute("VACUUM", doing);
    }
    return database.execute("PRAGMA wal_checkpoint(TRUNCATE)", doing);
}

} // namespace ep::store
