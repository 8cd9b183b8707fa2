// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_tables.h"

#include "exchange/energy_record_json.h"
#include "exchange/profiling_json.h"
#include "exchange/span_cells.h"
#include "exchange/table_row.h"
#include "exchange/whole_file.h"
#include "tables/run_row.h"

#include "ep/core/answer_sections.h"
#include "ep/core/clock.h"
#include "ep/core/known_energy.h"
#include "ep/core/stated_tokens.h"
#include "ep/json/document.h"

#include <algorithm>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string_view>

namespace ep::store {

namespace {

using TakeRow = std::function<void(TableRow&)>;

// Columns that hold a list or a record as JSON text.
constexpr std::array<std::string_view, 8> kJsonColumns{"batch",
                                                       "sampling_stop",
                                                       "tags",
                                                       "annotations",
                                                       "energy_record",
                                                       "secondary_sources",
                                                       "profiling_record",
                                                       "execution_notes"};
constexpr std::array<std::string_view, 7> kTextColumns{
    "title", "notes", "status_message", "prompt", "response", "experiment", "power_notice"};

template <typename Names>
bool contains(const Names& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

class RunRows {
public:
    RunRows(const RunOverview& overview, const TableOptions& options, const TakeRow& take)
        : m_run(overview.run)
        , m_totals(overview.totals)
        , m_options(options)
        , m_take(take)
    {
    }

    void write(TableKind kind) const
    {
        if (kind == TableKind::Runs)
            run();
        if (kind == TableKind::Phases) {
            for (const PhaseSpan& one : m_run.trace.phases)
                phase(one);
        }
        if (kind == TableKind::Tokens) {
            const AnswerSections answer(m_run.info);
            for (const TokenSpan& one : m_run.trace.tokens)
                token(one, answer.nameFor(one));
        }
        if (kind == TableKind::Components) {
            for (const ComponentTotal& one : m_totals)
                component(one);
        }
    }

private:
    TableRow begin() const
    {
        TableRow row(m_options);
        row.put("run_id", m_run.info.id);
        row.put("created_at", isoTimestamp(m_run.info.created_at_ms));
        return row;
    }

    template <typename Value>
    static void cell(TableRow& row, const ColumnName& column, const Value& value)
    {
        if constexpr (std::is_same_v<Value, std::string>)
            row.putText(column.field, value);
        else
            row.put(column.text(), value);
    }

    static void known(TableRow& row, const Tally& tally)
    {
        row.put("known_energy_mj", tally.energy_mj);
        row.put("energy_uncovered_ns", tally.uncovered_ns());
    }

    void run() const
    {
        const RunRow stored{.info = m_run.info,
                            .metrics = m_run.metrics,
                            .clock_start_ns = m_run.trace.time.begin_ns,
                            .clock_duration_ns = m_run.trace.time.duration_ns(),
                            .energy_record = energyRecordText(m_run.info.power),
                            .secondary_sources = secondaryText(m_run.trace),
                            .profiling_record = profilingText(m_run.info.profiling)};
        TableRow row = begin();
        const auto& total = m_run.metrics.energy.total_mj;
        row.put("energy_j",
                total ? std::optional(total->value / kMillijoulesPerJoule) : std::nullopt);
        visitColumns(stored, [&](const ColumnName& column, const auto& field) {
            const std::string name = column.text();
            if (name == "id" || name.starts_with("writer_"))
                return;
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::string>) {
                if (contains(kJsonColumns, name))
                    return row.putJson(name, field);
                if (contains(kTextColumns, name))
                    return row.putText(name, field);
            }
            if (column.prefix.empty() && isUnstated(m_run.info, column.field))
                row.put(name, std::optional<int>());
            else
                row.put(name, field);
        });
        known(row, knownEnergy(m_run));
        m_take(row);
    }

    void phase(const PhaseSpan& phase) const
    {
        TableRow row = begin();
        visitCells(phase, m_run.trace.time.begin_ns,
                   [&](const ColumnName& column, const auto& value) { cell(row, column, value); });
        known(row, knownEnergy(m_run.trace, phase));
        m_take(row);
    }

    void token(const TokenSpan& token, std::string_view section) const
    {
        TableRow row = begin();
        visitCells(token, m_run.trace.time.begin_ns,
                   [&](const ColumnName& column, const auto& value) {
                       if (column.field == "start_ns")
                           row.put("answer_section",
                                   section.empty() ? std::optional<std::string_view>() : section);
                       cell(row, column, value);
                   });
        m_take(row);
    }

    void component(const ComponentTotal& total) const
    {
        TableRow row = begin();
        row.put("layer_index", total.layer);
        row.put("component_name", total.component);
        row.put("tokens", total.tokens);
        row.put("spans", total.sum.spans);
        row.put("duration_ns", total.sum.duration_ns);
        row.put("duration_ms", milliseconds(total.sum.duration_ns));
        row.put("energy_mj", total.sum.complete());
        row.put("energy_provenance", total.sum.provenance);
        row.put("energy_sd_mj", total.sum.sd_mj);
        known(row, total.sum);
        const auto put = [&](const ColumnName& column, const auto& value) {
            cell(row, column, value);
        };
        visitColumns(total.stats, 0, put);
        visitColumns(total.work, 0, put);
        m_take(row);
    }

    const Run& m_run; // without layers, components and operations
    const std::vector<ComponentTotal>& m_totals;
    const TableOptions& m_options;
    const TakeRow& m_take;
};

// The columns, which are the same for all runs.
std::vector<std::string> columnsOf(TableKind kind, const TableOptions& options)
{
    RunOverview example;
    example.run.trace.phases.emplace_back();
    example.run.trace.tokens.emplace_back();
    example.totals.emplace_back();
    std::vector<std::string> columns;
    const TakeRow take = [&](TableRow& row) { columns = row.columns(); };
    RunRows(example, options, take).write(kind);
    return columns;
}

std::string headerOf(TableKind kind, const TableOptions& options)
{
    std::string header;
    for (const std::string& column : columnsOf(kind, options))
        header += (header.empty() ? "" : ",") + column;
    return header;
}

Status writeRows(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                 const TableOptions& options, std::ostream& sink, const CancelToken& cancel)
{
    const TakeRow take = [&](TableRow& row) { sink << row.takeLine(); };
    for (const std::string& id : runIds) {
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "The export was cancelled."};
        const auto overview = store.overview(id, cancel);
        if (!overview)
            return overview.error();
        RunRows(*overview, options, take).write(kind);
    }
    return {};
}

// Whether rows of this kind can be appended to what a file contains.
Status checkColumns(std::istream& known, TableKind kind, const TableOptions& options,
                    const std::string& file)
{
    std::string first;
    std::getline(known, first);
    bool same = false;
    if (options.json_lines) {
        const auto row = json::parse(first);
        auto columns = columnsOf(kind, options);
        std::ranges::sort(columns);
        std::vector<std::string> found;
        if (row && row->is_object()) {
            for (const auto& [column, value] : row->items())
                found.push_back(column);
        }
        same = found == columns; // nlohmann sorts the members
    } else {
        if (first.ends_with('\r'))
            first.pop_back();
        same = first == headerOf(kind, options);
    }
    if (!same) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 has other columns than a table of %2: choose another file, or export "
                      "without --append.",
                      file, name(kind)}};
    }
    known.clear();
    known.seekg(-1, std::ios::end);
    if (known.get() != '\n') {
        return Error{ErrorCode::InvalidInput,
                     {"%1 ends in the middle of a row: complete or remove its last line.", file}};
    }
    return {};
}

} // namespace

std::string_view name(TableKind kind)
{
    constexpr std::array<std::string_view, 4> kNames{"runs", "phases", "tokens", "components"};
    return kNames[static_cast<std::size_t>(kind)];
}

Status writeTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                  const TableOptions& options, std::ostream& sink, const CancelToken& cancel)
{
    if (!options.json_lines)
        sink << headerOf(kind, options) << "\r\n";
    return writeRows(store, runIds, kind, options, sink, cancel);
}

Status exportTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                   const TableOptions& options, const std::string& file, bool append,
                   const CancelToken& cancel)
{
    if (!append) {
        return writeWhole(file, [&](std::ostream& sink) {
            return writeTable(store, runIds, kind, options, sink, cancel);
        });
    }
    return appendWhole(
        file, [&](std::istream& known) { return checkColumns(known, kind, options, file); },
        [&](std::ostream& sink, bool isNew) {
            return isNew ? writeTable(store, runIds, kind, options, sink, cancel)
                         : writeRows(store, runIds, kind, options, sink, cancel);
        });
}

} // namespace ep::store
