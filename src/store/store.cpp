// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/store.h"

#include "exchange/record_json.h"
#include "sqlite/database.h"
#include "sqlite/opening.h"
#include "sqlite/statement.h"
#include "sqlite/writer_mark.h"
#include "store_impl.h"
#include "tables/run_table.h"
#include "tables/trace_reader.h"
#include "tables/trace_writer.h"

#include "ep/core/clock.h"
#include "ep/store/store_files.h"

#include <algorithm>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace ep::store {
namespace {

constexpr const char* kLimits = "store the machine's limits";
constexpr const char* kAdvice = "record the advice";

void append(Statement& statement, const std::optional<MeasuredConstant>& constant)
{
    statement.append(constant ? std::optional(constant->value) : std::nullopt);
    statement.append(constant ? std::optional(constant->sd) : std::nullopt);
}

void take(Statement& row, std::optional<MeasuredConstant>& constant)
{
    std::optional<double> value;
    std::optional<double> sd;
    row.take(value);
    row.take(sd);
    if (value)
        constant = MeasuredConstant{*value, sd.value_or(0.0)};
}

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

namespace fs = std::filesystem;

Store::Store(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Store::~Store()
{
    const bool changed = m_impl->database && m_impl->database->hasChanged();
    const fs::path file = changed ? m_impl->database->file() : fs::path();
    m_impl->database.reset();
    if (changed) // a failed backup is tried again by the next change
        static_cast<void>(backUpIfDue(file));
}

Result<std::unique_ptr<Store>> Store::open(const fs::path& file, Mode mode)
{
    auto impl = std::make_unique<Impl>();
    if (mode == Mode::ReadOnly) {
        auto database = openForReading(file);
        if (!database)
            return database.error();
        impl->database = std::move(*database);
        return std::unique_ptr<Store>(new Store(std::move(impl)));
    }

    // A failed creation leaves an empty file, since another process may be using it.
    auto database = openForWriting(file);
    if (!database)
        return database.error();
    // A failure to mark runs (full disk) must not hide other runs; the next start tries again.
    static_cast<void>(recoverInterrupted(**database));
    impl->database = std::move(*database);
    return std::unique_ptr<Store>(new Store(std::move(impl)));
}

Result<std::unique_ptr<Store>> Store::openToRead(const fs::path& file)
{
    // Reading must not create a file.
    if (mayExist(file)) {
        auto store = open(file, Mode::ReadWrite);
        if (store)
            return store;
        auto readable = open(file, Mode::ReadOnly);
        if (!readable)
            return store;
        (*readable)->m_impl->notice = store.error().message;
        return readable;
    }
    return open(file, Mode::ReadOnly);
}

const Message& Store::notice() const
{
    return m_impl->notice;
}

Status Store::beginRun(const RunInfo& info)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, "begin the run", [&] {
        RunRow row{.info = info};
        row.info.status = RunStatus::Running;
        row.profiling_record = profilingText(info.profiling);
        return insertRow(database, std::move(row));
    });
}

Status Store::appendProgress(const std::string& runId, const std::vector<TokenSpan>& tokens,
                             const std::vector<PowerSample>& samples)
{
    const std::string doing = "save the run's progress";
    Database& database = *m_impl->database;
    if (tokens.empty() && samples.empty())
        return {};
    Transaction transaction(database);
    if (const Status begun = transaction.begin(doing); !begun)
        return begun;

    const Nanoseconds first =
        tokens.empty() ? samples.front().window.begin_ns : tokens.front().time.begin_ns;
    std::string text;
    for (const TokenSpan& token : tokens)
        text += token.text;
    Nanoseconds clockStart = 0;
    {
        Statement update = database.prepare(
            "UPDATE profiling_runs SET clock_start_ns = coalesce(clock_start_ns, ?), "
            "output_tokens = output_tokens + ?, response = response || ? "
            "WHERE id = ? RETURNING clock_start_ns",
            doing);
        const Result<bool> found = update.bind(first, outputTokens(tokens), text, runId).next();
        if (!found)
            return found.error();
        if (!*found)
            return noSuchRun(database, runId);
        update.get(clockStart);
        if (const Status done = update.run(); !done)
            return done;
    }
    TraceWriter writer(database, runId, clockStart);
    if (const Status written = writer.writeTokens(tokens); !written)
        return written;
    if (const Status written = writer.writeSamples(samples); !written)
        return written;
    return transaction.commit(doing);
}

Status Store::saveRun(const Run& run)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, "save the run", [&] { return replaceRun(database, run); });
}

namespace {

// All columns, but only the beginning of texts of unlimited length.
std::string listColumns()
{
    std::string columns = runColumnNames();
    for (const std::string name : {" prompt,", " response,"}) {
        const std::size_t place = columns.find(name);
        columns.replace(place, name.size(),
                        " substr(" + name.substr(1, name.size() - 2) + ", 1, "
                            + std::to_string(kLongestListedText) + "),");
    }
    return columns;
}

} // namespace

Result<std::vector<RunSummary>> Store::list(const RunFilter& filter, std::int64_t limit) const
{
    static const std::string kSql = "SELECT " + listColumns()
        + " FROM profiling_runs WHERE trash_pid IS NULL "
          "ORDER BY created_at_ms DESC, rowid DESC LIMIT ?1";
    constexpr std::int64_t kAll = -1; // LIMIT without a limit in SQLite
    const std::vector<std::string> words = searchWords(filter.text);
    const std::int64_t now = wallClockMs();
    const auto accepts = [&](const RunSummary& run) {
        return filter.acceptsRecord(run, now)
            && (words.empty() || containsAll(searchTextOf(run.info), words));
    };
    const std::size_t most = limit > 0 ? static_cast<std::size_t>(limit) : SIZE_MAX;
    Statement query = m_impl->database->prepare(kSql, "list the runs");
    query.bind(limit > 0 && filter == RunFilter() ? limit : kAll);
    std::vector<RunSummary> runs;
    const Status done = query.forEachRow([&](Statement& one) {
        RunRow row;
        takeRow(one, row);
        RunSummary run{std::move(row.info), std::move(row.metrics)};
        if (runs.size() == most || !accepts(run))
            return;
        readEnergyRecordText(row.energy_record, run.info.power);
        readProfilingText(row.profiling_record, run.info.profiling);
        runs.push_back(std::move(run));
    });
    if (!done)
        return done.error();
    return runs;
}

Result<Run> Store::load(const std::string& runId, const CancelToken& cancel) const
{
    Database& database = *m_impl->database;
    Reading reading(database, cancel);
    if (const Status begun = reading.begin("read the run"); !begun)
        return begun.error();
    return readRun(database, runId);
}

namespace {

class StoredRun final : public RunSource {
public:
    StoredRun(Database& database, const CancelToken& cancel)
        : m_database(database)
        , m_reading(database, cancel)
    {
    }

    Status open(const std::string& runId)
    {
        if (const Status begun = m_reading.begin(kReadingRun); !begun)
            return begun;
        auto head = readRun(m_database, runId, TraceParts::Head);
        if (!head)
            return head.error();
        m_head = std::move(*head);
        return {};
    }

    const Run& head() const override { return m_head; }
    Status read(Parts parts, const Take& take) const override
    {
        return readPieces(m_database, m_head.info.id, m_head.trace.time.begin_ns, parts, take);
    }

private:
    Database& m_database;
    Reading m_reading;
    Run m_head;
};

} // namespace

Result<std::unique_ptr<RunSource>> Store::source(const std::string& runId,
                                                 const CancelToken& cancel) const
{
    auto run = std::make_unique<StoredRun>(*m_impl->database, cancel);
    if (const Status opened = run->open(runId); !opened)
        return opened.error();
    return std::unique_ptr<RunSource>(std::move(run));
}

Result<RunOverview> Store::overview(const std::string& runId, const CancelToken& cancel) const
{
    Database& database = *m_impl->database;
    Reading reading(database, cancel);
    if (const Status begun = reading.begin("read the run"); !begun)
        return begun.error();
    auto run = readRun(database, runId, TraceParts::Overview);
    if (!run)
        return run.error();
    auto totals = readTotals(database, runId);
    if (!totals)
        return totals.error();
    return RunOverview{std::move(*run), std::move(*totals)};
}

Result<RunBreakdown> Store::breakdown(const std::string& runId, const CancelToken& cancel) const
{
    Database& database = *m_impl->database;
    Reading reading(database, cancel);
    if (const Status begun = reading.begin("read the run"); !begun)
        return begun.error();
    Statement run = database.prepare("SELECT 1 FROM profiling_runs WHERE id = ?", "read the run");
    const Result<bool> found = run.bind(runId).next();
    if (!found)
        return found.error();
    return *found ? readBreakdown(database, runId) : noSuchRun(database, runId);
}

Result<RunTrace> Store::steps(const std::string& runId, TokenRange tokens,
                              const CancelToken& cancel) const
{
    Database& database = *m_impl->database;
    Reading reading(database, cancel);
    if (const Status begun = reading.begin("read the run"); !begun)
        return begun.error();
    return readSteps(database, runId, tokens);
}

namespace {

// How many runs are newer than the one that "last" or "last~N" means; absent: it is an id.
std::optional<std::int64_t> runsAfter(std::string_view word)
{
    constexpr std::string_view kLast = "last";
    constexpr std::size_t kMaxDigits = 9;
    if (!word.starts_with(kLast))
        return std::nullopt;
    word.remove_prefix(kLast.size());
    if (word.empty())
        return 0;
    if (word.front() != '~' || word.size() < 2 || word.size() > kMaxDigits
        || word.find_first_not_of("0123456789", 1) != std::string_view::npos)
        return std::nullopt;
    std::int64_t number = 0;
    for (const char digit : word.substr(1))
        number = number * 10 + (digit - '0');
    return number;
}

Result<std::string> newestBut(Database& database, std::int64_t newer, const std::string& word)
{
    Statement query = database.prepare("SELECT id FROM profiling_runs WHERE trash_pid IS NULL "
                                       "ORDER BY created_at_ms DESC, rowid DESC LIMIT 1 OFFSET ?1",
                                       "look up the run");
    const auto ids = query.bind(newer).list<std::string>();
    if (!ids)
        return ids.error();
    return ids->empty() ? noSuchRun(database, word) : Result<std::string>(ids->front());
}

} // namespace

Result<std::string> Store::resolveId(const std::string& prefix) const
{
    Database& database = *m_impl->database;
    if (const auto newer = runsAfter(prefix))
        return newestBut(database, *newer, prefix);
    if (prefix.empty()) {
        return Error{ErrorCode::InvalidInput,
                     "No run was given; give the first characters of its id."};
    }
    // A complete id takes precedence over ids that it is a prefix of.
    Statement query =
        database.prepare("SELECT id FROM profiling_runs WHERE substr(id, 1, length(?1)) = ?1 "
                         "AND trash_pid IS NULL ORDER BY id <> ?1, id LIMIT 2",
                         "look up the run");
    const auto ids = query.bind(prefix).list<std::string>();
    if (!ids)
        return ids.error();
    if (ids->empty())
        return noSuchRun(database, prefix);
    if (ids->size() > 1 && ids->front() != prefix) {
        return Error{ErrorCode::InvalidInput,
                     {"Several runs begin with \"%1\" (%2, %3); give more characters of the id.",
                      prefix, ids->at(0), ids->at(1)}};
    }
    return ids->front();
}

Result<std::int64_t> Store::dataVersion() const
{
    const auto version = m_impl->database->queryInteger("PRAGMA data_version", "look for changes");
    if (!version)
        return version;
    // SQLite's counter restarts when the path is opened again.
    constexpr int kVersionBits = 32;
    return (std::int64_t{m_impl->database->generation()} << kVersionBits) + *version;
}

bool Store::hasMoved() const
{
    return m_impl->database->place() != Place::Same;
}

Status Store::edit(const std::string& runId, const RunEdit& changes)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, "change the run",
                        [&] { return editRun(database, runId, changes); });
}

// Measurements of machines, and advice that was tried.

Status Store::saveMachine(const MachineRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kLimits, [&] {
        Statement insert = database.prepare(
            "INSERT OR REPLACE INTO machine_limits (machine, device, dtype, threads, source, "
            "measured_at_ms, flops_per_second, flops_per_second_sd, bytes_per_second, "
            "bytes_per_second_sd, joules_per_flop, joules_per_flop_sd, joules_per_byte, "
            "joules_per_byte_sd, static_watts, static_watts_sd) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            kLimits);
        insert.bind(record.machine, record.device, record.dtype, record.threads, record.source,
                    record.measured_at_ms, record.flops_per_second.value,
                    record.flops_per_second.sd, record.bytes_per_second.value,
                    record.bytes_per_second.sd);
        append(insert, record.joules_per_flop);
        append(insert, record.joules_per_byte);
        append(insert, record.static_watts);
        return insert.run();
    });
}

Result<std::vector<MachineRecord>> Store::machines() const
{
    return recordsOf<MachineRecord>(
        *m_impl->database, "machine_limits",
        "SELECT machine, device, dtype, threads, source, measured_at_ms, flops_per_second, "
        "flops_per_second_sd, bytes_per_second, bytes_per_second_sd, joules_per_flop, "
        "joules_per_flop_sd, joules_per_byte, joules_per_byte_sd, static_watts, static_watts_sd "
        "FROM machine_limits ORDER BY machine, device, dtype",
        "read the machine's limits", [](Statement& row, MachineRecord& record) {
            row.get(record.machine, record.device, record.dtype, record.threads, record.source,
                    record.measured_at_ms, record.flops_per_second.value,
                    record.flops_per_second.sd, record.bytes_per_second.value,
                    record.bytes_per_second.sd);
            take(row, record.joules_per_flop);
            take(row, record.joules_per_byte);
            take(row, record.static_watts);
        });
}

Result<std::optional<MachineRecord>> Store::machine(const std::string& machine,
                                                    const std::string& device,
                                                    const std::string& dtype) const
{
    const auto records = machines();
    if (!records)
        return records.error();
    const auto found = std::ranges::find_if(*records, [&](const MachineRecord& record) {
        return record.machine == machine && record.device == device && record.dtype == dtype;
    });
    return found == records->end() ? std::optional<MachineRecord>() : std::optional(*found);
}

Status Store::saveAdvice(const AdviceRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kAdvice, [&] {
        Statement insert = database.prepare(
            "INSERT OR REPLACE INTO advice (experiment, machine, run_id, lever, setting, of_time, "
            "share, share_sd, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            kAdvice);
        insert.bind(record.experiment, record.machine, record.run, record.lever, record.setting,
                    record.of_time, record.share.value, record.share.sd, record.created_at_ms);
        return insert.run();
    });
}

Result<std::vector<AdviceRecord>> Store::advice(const std::string& machine) const
{
    return recordsOf<AdviceRecord>(
        *m_impl->database, "advice",
        "SELECT experiment, machine, run_id, lever, setting, of_time, share, share_sd, "
        "created_at_ms FROM advice WHERE machine = ? ORDER BY created_at_ms",
        "read the advice",
        [](Statement& row, AdviceRecord& record) {
            row.get(record.experiment, record.machine, record.run, record.lever, record.setting,
                    record.of_time, record.share.value, record.share.sd, record.created_at_ms);
        },
        machine);
}

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

std::string SalvageReport::sentence() const
{
    const auto all = saved + static_cast<std::int64_t>(partly.size());
    std::string text = std::to_string(all) + (all == 1 ? " run" : " runs");
    if (!partly.empty())
        text += ", " + std::to_string(partly.size()) + " of them only in part";
    if (lost > 0)
        text += "; " + std::to_string(lost) + " could not be saved";
    return text;
}

std::filesystem::path recoveredFile(const std::filesystem::path& database)
{
    return database.parent_path()
        / (database.stem().string() + ".recovered" + database.extension().string());
}

namespace {

fs::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

fs::path homeFolder()
{
    if (const fs::path home = fromEnvironment("HOME"); home.is_absolute())
        return home;
    const passwd* user = ::getpwuid(::geteuid());
    return user && user->pw_dir ? fs::path(user->pw_dir) : fs::current_path();
}

} // namespace

fs::path defaultDatabasePath()
{
    if (const fs::path chosen = fromEnvironment("EP_DB"); !chosen.empty())
        return chosen;
#ifdef __APPLE__
    return homeFolder() / "Library" / "Application Support" / "Energy Profiler" / "runs.db";
#else
    // The XDG rule: relative paths are ignored.
    fs::path data = fromEnvironment("XDG_DATA_HOME");
    if (!data.is_absolute())
        data = homeFolder() / ".local" / "share";
    return data / "energy-profiler" / "runs.db";
#endif
}

} // namespace ep::store
