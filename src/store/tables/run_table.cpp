// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/run_table.h"

#include "exchange/record_json.h"
#include "sqlite/statement.h"
#include "sqlite/writer_mark.h"
#include "tables/trace_columns.h"
#include "tables/trace_writer.h"

#include "ep/core/metrics.h"
#include "ep/core/run_tree.h"
#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::store {
namespace {

Result<bool> readRow(Database& database, const std::string& id, RunRow& row)
{
    static const std::string kSql =
        "SELECT " + runColumnNames() + " FROM profiling_runs WHERE id = ?";
    Statement query = database.prepare(kSql, "read the run");
    bool found = false;
    const Status done = query.bind(id).forEachRow([&](Statement& one) {
        takeRow(one, row);
        found = true;
    });
    if (!done)
        return done.error();
    return found;
}

// Counts used pages, since pages that a transaction adds are visible at once.
Result<std::int64_t> usedBytes(Database& database)
{
    std::array<std::int64_t, 3> values{};
    constexpr std::array kPragmas{"PRAGMA page_size", "PRAGMA page_count", "PRAGMA freelist_count"};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = database.queryInteger(kPragmas[i], kSavingRun);
        if (!value)
            return value;
        values[i] = *value;
    }
    return values[0] * (values[1] - values[2]);
}

// Runs of status "running" whose process is alive, or those whose process is dead.
Result<std::vector<std::string>> runningRuns(Database& database, bool alive)
{
    Statement query = database.prepare(
        "SELECT id, writer_pid, writer_mark FROM profiling_runs WHERE status = 'running'",
        "look for interrupted runs");
    std::vector<std::string> ids;
    const Status done = query.forEachRow([&](Statement& row) {
        std::string id;
        std::optional<std::int64_t> pid;
        std::optional<std::string> mark;
        row.get(id, pid, mark);
        if (alive == (pid && isAlive({*pid, mark.value_or(std::string())})))
            ids.push_back(std::move(id));
    });
    if (!done)
        return done.error();
    return ids;
}

constexpr const char* kColumns =
    "layer_index, component_name, token_count, span_count, duration_ns, energy_mj, "
    "energy_provenance, energy_span_count, energy_duration_ns, stats_span_count, activation_mean, "
    "activation_std, activation_max, activation_sparsity, flops_estimate, bytes_estimate, "
    "energy_sd_mj";

// The sum of the nodes' energies; for a recovered run, only if complete.
class EnergySum {
public:
    void add(const TimeRange& time, const EnergyValue& part)
    {
        m_total.add(tallyOf(time, part));
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            m_rails[rail].add(time.duration_ns(), part.rails_mj.values[rail], part.provenance);
    }

    EnergyValue sum() const
    {
        EnergyValue sum;
        sum.total_mj = m_total.complete();
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            sum.rails_mj.values[rail] = m_rails[rail].complete();
        if (sum.total_mj)
            sum.provenance = m_total.provenance;
        return sum;
    }

private:
    Tally m_total;
    std::array<Tally, kRailCount> m_rails;
};

// Adds the range from the first to the last token of a phase.
void addPhase(RunTrace& trace, Phase phase)
{
    std::optional<TimeRange> time;
    EnergySum energy;
    for (const TokenSpan& token : trace.tokens) {
        if (token.phase != phase)
            continue;
        energy.add(token.time, token.energy);
        if (!time)
            time = token.time;
        time->begin_ns = std::min(time->begin_ns, token.time.begin_ns);
        time->end_ns = std::max(time->end_ns, token.time.end_ns);
    }
    if (time)
        trace.phases.push_back({phase, *time, energy.sum()});
}

} // namespace

Error noSuchRun(const Database& database, const std::string& id)
{
    return {ErrorCode::NotFound,
            {"There is no run %1 in %2; \"energy-profiler runs list\" lists the stored runs.", id,
             database.file().string()}};
}

Result<RunRow> knownRow(Database& database, const std::string& id)
{
    RunRow row;
    const Result<bool> found = readRow(database, id, row);
    if (!found)
        return found.error();
    if (!*found)
        return noSuchRun(database, id);
    return row;
}

Result<Run> readRun(Database& database, const std::string& id, TraceParts parts)
{
    auto known = knownRow(database, id);
    if (!known)
        return known.error();
    RunRow& row = *known;
    const Nanoseconds clockStart = row.clock_start_ns.value_or(0);
    const Nanoseconds clockEnd = wrappingSum(clockStart, row.clock_duration_ns.value_or(0));
    Result<RunTrace> trace = readTrace(database, id, clockStart, parts);
    if (!trace)
        return trace.error();
    trace->time = {clockStart, clockEnd};
    Run run{std::move(row.info), std::move(row.metrics), std::move(*trace)};
    readEnergyRecordText(row.energy_record, run.info.power);
    readProfilingText(row.profiling_record, run.info.profiling);
    readSecondaryText(row.secondary_sources, run.trace);
    return run;
}

Result<RunTrace> readSteps(Database& database, const std::string& id, TokenRange tokens)
{
    const auto row = knownRow(database, id);
    if (!row)
        return row.error();
    return readTrace(database, id, row->clock_start_ns.value_or(0), TraceParts::Details, tokens);
}

Status insertRow(Database& database, RunRow row)
{
    static const std::string kSql = [] {
        const std::string names = runColumnNames();
        std::string marks = "?";
        for (auto i = std::count(names.begin(), names.end(), ','); i > 0; --i)
            marks += ", ?";
        return "INSERT INTO profiling_runs (" + names + ") VALUES (" + marks + ")";
    }();
    if (row.info.id.empty()) {
        return Error{ErrorCode::InvalidInput, "A run without an id cannot be saved; give it one."};
    }
    if (row.info.status == RunStatus::Running) {
        const WriterMark writer = thisWriter();
        row.writer_pid = writer.pid;
        row.writer_mark = writer.mark;
    }
    Statement insert = database.prepare(kSql, kSavingRun);
    insert.bind();
    visitColumns(std::as_const(row),
                 [&](const ColumnName&, const auto& field) { insert.append(field); });
    return insert.run();
}

Result<bool> deleteRun(Database& database, const std::string& id)
{
    Statement erase =
        database.prepare("DELETE FROM profiling_runs WHERE id = ? RETURNING 1", "delete the run");
    const Result<bool> found = erase.bind(id).next();
    if (!found || !*found)
        return found;
    if (const Status done = erase.run(); !done)
        return done.error();
    return true;
}

Status replaceRun(Database& database, const Run& run)
{
    if (const Result<bool> deleted = deleteRun(database, run.info.id); !deleted)
        return deleted.error();
    const auto before = usedBytes(database);
    if (!before)
        return before.error();
    RunRow row{.info = run.info, .metrics = run.metrics};
    row.energy_record = energyRecordText(run.info.power);
    row.secondary_sources = secondaryText(run.trace);
    row.profiling_record = profilingText(run.info.profiling);
    const TimeRange& time = run.trace.time;
    row.clock_start_ns = time.begin_ns;
    row.clock_duration_ns = wrappingDifference(time.end_ns, time.begin_ns);
    Status done = insertRow(database, std::move(row));
    if (done)
        done = TraceWriter(database, run.info.id, time.begin_ns).writeAll(run.trace);
    if (done)
        done = writeTotals(database, run.info.id, totalsOf(run.trace));
    if (!done)
        return done;
    const auto after = usedBytes(database);
    if (!after)
        return after.error();
    Statement update =
        database.prepare("UPDATE profiling_runs SET stored_bytes = ? WHERE id = ?", kSavingRun);
    // A very small run may have fitted into existing pages.
    const std::int64_t added = std::max<std::int64_t>(*after - *before, 1024);
    return update.bind(added, run.info.id).run();
}

Result<bool> isPresent(Database& database, const std::string& id, const std::string& doing)
{
    Statement query =
        database.prepare("SELECT 1 FROM profiling_runs WHERE id = ? AND trash_pid IS NULL", doing);
    return query.bind(id).next();
}

Result<bool> addRun(Database& database, const Run& run)
{
    const Result<bool> present = isPresent(database, run.info.id, kSavingRun);
    if (!present || *present)
        return present ? false : present;
    if (const Status done = replaceRun(database, run); !done)
        return done.error();
    return true;
}

Status checkIsOver(Database& database, const std::string& id)
{
    Statement query = database.prepare(
        "SELECT 1 FROM profiling_runs WHERE id = ? AND status = 'running'", "look up the run");
    const Result<bool> running = query.bind(id).next();
    if (!running)
        return running.error();
    if (!*running)
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"Run %1 is still being recorded; change it when it is over.", id}};
}

Status editRun(Database& database, const std::string& id, const RunEdit& changes)
{
    const std::string doing = "change the run";
    if (const Status over = checkIsOver(database, id); !over)
        return over;
    RunInfo info;
    bool found = false;
    {
        Statement query = database.prepare("SELECT title, notes, experiment_name, tags, "
                                           "annotations FROM profiling_runs WHERE id = ?",
                                           doing);
        const Status read = query.bind(id).forEachRow([&](Statement& row) {
            std::string tags;
            std::string annotations;
            std::string notes;
            row.get(info.title, notes, info.experiment, tags, annotations);
            readList(notes, info.notes);
            readList(tags, info.tags);
            readList(annotations, info.annotations);
            found = true;
        });
        if (!read)
            return read;
    }
    if (!found)
        return noSuchRun(database, id);
    info.title = changes.title.value_or(info.title);
    if (changes.notes && info.notes != *changes.notes)
        info.notes = *changes.notes;
    info.experiment = changes.experiment.value_or(info.experiment);
    info.tags = changes.tags.value_or(info.tags);
    std::erase_if(info.tags, [&](const std::string& tag) {
        return std::count(changes.remove_tags.begin(), changes.remove_tags.end(), tag) > 0;
    });
    for (const std::string& tag : changes.add_tags) {
        if (std::find(info.tags.begin(), info.tags.end(), tag) == info.tags.end())
            info.tags.push_back(tag);
    }
    info.annotations = changes.annotations.value_or(std::move(info.annotations));
    Statement update = database.prepare("UPDATE profiling_runs SET title = ?, notes = ?, "
                                        "experiment_name = ?, tags = ?, annotations = ? "
                                        "WHERE id = ?",
                                        doing);
    return update
        .bind(info.title, listText(info.notes), info.experiment, listText(info.tags),
              listText(info.annotations), id)
        .run();
}

Result<std::vector<std::string>> runsThatGoOn(Database& database)
{
    return runningRuns(database, true);
}

Status recoverInterrupted(Database& database)
{
    const std::string doing = "recover interrupted runs";
    auto ids = runningRuns(database, false);
    if (!ids)
        return ids.error();
    if (ids->empty())
        return {};
    Transaction transaction(database);
    if (const Status begun = transaction.begin(doing); !begun)
        return begun;
    // Reads the list again under the write lock, since another process may have changed it
    // meanwhile.
    ids = runningRuns(database, false);
    if (!ids)
        return ids.error();
    for (const std::string& id : *ids) {
        Result<Run> run = readRun(database, id);
        if (!run)
            return run.error();
        completeInterrupted(*run);
        if (const Status replaced = replaceRun(database, *run); !replaced)
            return replaced;
    }
    return transaction.commit(doing);
}

std::string runColumnNames()
{
    std::string names;
    const RunRow row;
    visitColumns(row, [&](const ColumnName& name, const auto&) {
        names += names.empty() ? "" : ", ";
        names += name.text();
    });
    return names;
}

Status writeTotals(Database& database, const std::string& runId,
                   const std::vector<ComponentTotal>& totals)
{
    static const std::string kSql = std::string("INSERT INTO component_totals (run_id, ") + kColumns
        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Statement insert = database.prepare(kSql, "save the run");
    for (const ComponentTotal& total : totals) {
        insert.bind(runId, total.layer, total.component, total.tokens, total.sum.spans,
                    total.sum.duration_ns, total.sum.energy_mj, total.sum.provenance,
                    total.sum.energy_spans, total.sum.energy_duration_ns, total.stats_spans);
        appendColumns(insert, total.stats);
        appendColumns(insert, total.work);
        insert.append(total.sum.sd_mj);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Result<std::vector<ComponentTotal>> readTotals(Database& database, const std::string& runId)
{
    static const std::string kSql =
        std::string("SELECT ") + kColumns + " FROM component_totals WHERE run_id = ?";
    Statement query = database.prepare(kSql, "read the run");
    auto totals = query.bind(runId).list<ComponentTotal>([](Statement& row, ComponentTotal& total) {
        row.get(total.layer, total.component, total.tokens, total.sum.spans, total.sum.duration_ns,
                total.sum.energy_mj, total.sum.provenance, total.sum.energy_spans,
                total.sum.energy_duration_ns, total.stats_spans);
        takeColumns(row, total.stats);
        takeColumns(row, total.work);
        row.take(total.sum.sd_mj);
    });
    if (totals)
        std::ranges::sort(*totals, {}, [](const ComponentTotal& total) { return keyOf(total); });
    return totals;
}

void completeInterrupted(Run& run)
{
    run.info.status = RunStatus::Interrupted;
    run.info.status_message =
        "The program ended during this run; the data below were saved before that.";
    RunTrace& trace = run.trace;
    run.metrics = {};
    trace.phases.clear();
    run.info.output_tokens = static_cast<int>(outputTokens(trace.tokens));
    run.info.response.clear();
    if (trace.tokens.empty())
        return;

    EnergySum energy;
    trace.time = trace.tokens.front().time;
    for (const TokenSpan& token : trace.tokens) {
        run.info.response += token.text;
        energy.add(token.time, token.energy);
        trace.time.begin_ns = std::min(trace.time.begin_ns, token.time.begin_ns);
        trace.time.end_ns = std::max(trace.time.end_ns, token.time.end_ns);
    }
    addPhase(trace, Phase::Prefill);
    addPhase(trace, Phase::Decode);
    run.metrics = computeMetrics(trace, run.info.input_tokens, energy.sum(),
                                 run.info.profiling.server ? &*run.info.profiling.server : nullptr);
}

} // namespace ep::store
