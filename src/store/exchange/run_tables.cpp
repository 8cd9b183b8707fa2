// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_tables.h"

#include "exchange/json_parts.h"
#include "exchange/record_json.h"
#include "exchange/run_sums.h"
#include "exchange/whole_file.h"
#include "tables/message_json.h"
#include "tables/run_row.h"
#include "tables/trace_columns.h"

#include "ep/core/answer_sections.h"
#include "ep/core/clock.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_tree.h"
#include "ep/core/stated_tokens.h"
#include "ep/json/document.h"
#include "ep/store/run_json.h"
#include "ep/store/run_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <istream>
#include <ostream>
#include <system_error>
#include <type_traits>

namespace ep::store {
namespace {

// Columns of spans in text tables: those of the database, plus times in milliseconds.

// Appends the value as a cell: nothing if it is missing, true or false if it is a boolean.
template <typename Value>
void appendCell(std::string& line, const Value& value, CsvText formulas)
{
    if constexpr (std::is_same_v<Value, bool>)
        line += value ? "true" : "false";
    else if constexpr (std::is_enum_v<Value>)
        line += name(value);
    else if constexpr (std::is_integral_v<Value>)
        line += std::to_string(value);
    else if constexpr (std::is_floating_point_v<Value>)
        line += exactNumber(value);
    else if constexpr (std::is_convertible_v<const Value&, std::string_view>)
        line += csvCell(value, formulas);
    else if constexpr (requires { value.has_value(); }) {
        if (value)
            appendCell(line, *value, formulas);
    } else {
        line += exactNumber(value.value); // a Quantity
    }
}

// One row of a table: names and values in the order of the columns.
class TableRow {
public:
    explicit TableRow(const TableOptions& options)
        : m_options(options)
    {
        m_json.beginObject(JsonWriter::Layout::Inline);
    }

    template <typename Value>
    void put(std::string_view name, const Value& value)
    {
        m_columns.emplace_back(name);
        if (m_options.json_lines) {
            m_json.member(name, value);
            return;
        }
        if (m_columns.size() > 1)
            m_line += ',';
        appendCell(m_line, value, m_options.formulas);
    }

    // Text that a user or a model wrote.
    void putText(std::string_view name, std::string_view text)
    {
        if (m_options.json_lines)
            put(name, text);
        else
            put(std::string(name) + "_json", jsonText(text));
    }

    // A list or record that is stored as JSON; empty: none.
    void putJson(std::string_view name, const std::string& text)
    {
        if (!m_options.json_lines)
            return put(name, text);
        m_columns.emplace_back(name);
        m_json.key(name);
        m_json.tree(ep::json::parsedOrNull(text));
    }

    const std::vector<std::string>& columns() const { return m_columns; }
    std::string takeLine()
    {
        if (!m_options.json_lines)
            return std::move(m_line) + "\r\n";
        m_json.endObject();
        return m_json.take() + '\n';
    }

private:
    TableOptions m_options;
    std::vector<std::string> m_columns;
    std::string m_line; // one line of CSV
    JsonWriter m_json{-1};
};

using TakeRow = std::function<void(TableKind, TableRow&)>;

std::string headerOf(TableKind kind, const TableOptions& options); // joined by commas

template <typename Any>
bool isOutsideSteps(const Any& span, std::int32_t token)
{
    if constexpr (std::is_same_v<Any, Span>)
        return span.level == SpanLevel::Section && token == kNoToken;
    return false;
}

// Calls visit(ColumnName, value) for each of them.
template <typename Any, typename Visit>
void visitCells(const Any& span, Nanoseconds runBegin, const Visit& visit)
{
    visitSpanFields(span, [&](const SpanField& field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, SharedExtras>) {
            visit(ColumnName{"", field.column}, extrasText(value));
        } else if constexpr (std::is_same_v<Any, Span> && std::is_same_v<Value, std::int32_t>) {
            visit(ColumnName{"", field.column},
                  isOutsideSteps(span, value) ? std::nullopt : std::optional(value));
        } else {
            visitColumns(field, value, runBegin, visit);
        }
        if constexpr (std::is_same_v<Value, TimeRange>) {
            const Nanoseconds start = wrappingDifference(value.begin_ns, runBegin);
            visit(ColumnName{"", "start_ms"}, milliseconds(start));
            visit(ColumnName{"", "duration_ms"}, milliseconds(value.duration_ns()));
        }
    });
}

constexpr std::array<std::pair<TableKind, SpanLevel>, 4> kTablesOfSpans{
    {{TableKind::Sections, SpanLevel::Section},
     {TableKind::Layers, SpanLevel::Layer},
     {TableKind::ComponentSpans, SpanLevel::Component},
     {TableKind::Operations, SpanLevel::Operation}}};

constexpr std::string_view kRemainder = "remainder"; // energy and time that no other row has

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

class RowMaker {
public:
    RowMaker(const Run& head, const TableOptions& options, const TakeRow& take)
        : m_run(head)
        , m_answer(head.info)
        , m_options(options)
        , m_take(take)
    {
    }

    void run(const Tally& energy) const
    {
        const RunInfo info = inEnglish(m_run.info);
        const RunRow stored{.info = info,
                            .metrics = m_run.metrics,
                            .clock_start_ns = m_run.trace.time.begin_ns,
                            .clock_duration_ns = m_run.trace.time.duration_ns(),
                            .energy_record = energyRecordText(info.power),
                            .secondary_sources = json::textOf(
                                inEnglish(json::parsedOrNull(secondaryText(m_run.trace)))),
                            .profiling_record = profilingText(info.profiling)};
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
        for (const RunFigureFacts& facts : kRunFigures) {
            if (facts.field == nullptr)
                row.put(facts.api, apiValueOf(facts.figure, {m_run.info, m_run.metrics}));
        }
        known(row, energy);
        m_take(TableKind::Runs, row);
    }

    void phases(const KnownEnergies& energies) const
    {
        const std::vector<PhaseSpan>& all = m_run.trace.phases;
        for (std::size_t i = 0; i < all.size(); ++i) {
            TableRow row = begin();
            cells(row, all[i]);
            known(row, energies.ofPhase(i));
            m_take(TableKind::Phases, row);
        }
        if (all.empty())
            return;
        const Tally rest = remainderOfRun(m_run);
        PhaseSpan span;
        span.time = {0, rest.duration_ns};
        span.energy.total_mj = rest.energy_mj;
        span.energy.provenance = rest.provenance;
        TableRow row = begin();
        visitCells(span, 0, [&](const ColumnName& column, const auto& value) {
            if (column.field == "phase" || column.field == "phase_name")
                row.put(column.text(), kRemainder);
            else if (column.field.starts_with("start_"))
                row.put(column.text(), std::optional<int>());
            else
                cell(row, column, value);
        });
        known(row, rest);
        m_take(TableKind::Phases, row);
    }

    void components(const std::vector<ComponentTotal>& totals, const std::vector<Span>& all) const
    {
        OutsideLayers outside(!totals.empty());
        outside.add(all);
        Tally inLayers;
        for (const ComponentTotal& one : totals) {
            component(one);
            inLayers.add(one.sum);
        }
        const auto sections = outside.sections();
        for (const auto& [section, sum] : sections)
            part(name(section), sum);
        if (!totals.empty() || !sections.empty())
            part(kRemainder, outside.remainder(m_run, inLayers));
    }

    void component(const ComponentTotal& total) const
    {
        put(std::optional(total.layer), name(total.component), std::optional(total.tokens),
            total.sum, total);
    }

    void answerSections(const std::vector<AnswerSection>& sections) const
    {
        for (const AnswerSection& section : sections)
            answerSection(section);
    }

    void answerSection(const AnswerSection& section) const
    {
        TableRow row = begin();
        const Nanoseconds start = section.time.begin_ns - m_run.trace.time.begin_ns;
        row.put("section", section.name);
        row.put("start_ns", start);
        row.put("duration_ns", section.time.duration_ns());
        row.put("start_ms", milliseconds(start));
        row.put("duration_ms", milliseconds(section.time.duration_ns()));
        row.put("tokens", section.tokens);
        energy(row, section.energy);
        row.put("joules_per_decoded_token", section.joulesPerToken());
        m_take(TableKind::AnswerSections, row);
    }

    void token(const TokenSpan& token) const
    {
        TableRow row = begin();
        const std::string_view section = m_answer.nameFor(token);
        visitCells(token, m_run.trace.time.begin_ns,
                   [&](const ColumnName& column, const auto& value) {
                       if (column.field == "start_ns")
                           row.put("answer_section",
                                   section.empty() ? std::optional<std::string_view>() : section);
                       cell(row, column, value);
                   });
        m_take(TableKind::Tokens, row);
    }

    template <typename Any>
    void spans(TableKind kind, const std::vector<Any>& all) const
    {
        for (const Any& one : all) {
            TableRow row = begin();
            cells(row, one);
            m_take(kind, row);
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
        else if constexpr (std::is_same_v<Value, std::optional<std::string>>)
            row.putJson(column.text(), value.value_or(std::string()));
        else
            row.put(column.text(), value);
    }

    template <typename Any>
    void cells(TableRow& row, const Any& span) const
    {
        visitCells(span, m_run.trace.time.begin_ns,
                   [&](const ColumnName& column, const auto& value) { cell(row, column, value); });
    }

    static void known(TableRow& row, const Tally& tally)
    {
        row.put("known_energy_mj", tally.energy_mj);
        row.put("energy_uncovered_ns", tally.uncovered_ns());
    }

    static void energy(TableRow& row, const Tally& sum)
    {
        row.put("energy_mj", sum.complete());
        row.put("energy_provenance", sum.provenance);
        row.put("energy_sd_mj", sum.sd_mj);
        known(row, sum);
    }

    void part(std::string_view name, const Tally& sum) const
    {
        put(std::nullopt, name, std::nullopt, sum, ComponentTotal());
    }

    void put(std::optional<std::int32_t> layer, std::string_view name,
             std::optional<std::int64_t> tokens, const Tally& sum,
             const ComponentTotal& details) const
    {
        TableRow row = begin();
        row.put("layer_index", layer);
        row.put("component_name", name);
        row.put("tokens", tokens);
        row.put("spans", sum.spans);
        row.put("duration_ns", sum.duration_ns);
        row.put("duration_ms", milliseconds(sum.duration_ns));
        energy(row, sum);
        const auto cells = [&](const ColumnName& column, const auto& value) {
            cell(row, column, value);
        };
        visitColumns(details.stats, 0, cells);
        visitColumns(details.work, 0, cells);
        m_take(TableKind::Components, row);
    }

    const Run& m_run;
    AnswerSections m_answer;
    const TableOptions& m_options;
    const TakeRow& m_take;
};

// The sums from which the table of components is made, while a run is read in pieces.
class ComponentSums {
public:
    ComponentSums(const Run& head, bool addsComponents)
        : m_head(head)
        , m_adds(addsComponents)
    {
    }
    bool adds() const { return m_adds; }

    void add(const RunTrace& piece)
    {
        m_sections.insert(m_sections.end(), piece.sections.begin(), piece.sections.end());
        if (!m_adds)
            return;
        m_tokens.insert(m_tokens.end(), piece.tokens.begin(), piece.tokens.end());
        m_components.add(piece);
    }
    std::vector<ComponentTotal> finish() const
    {
        return m_components.totals(PhaseErrors(m_tokens, m_head.trace.phases));
    }
    const std::vector<Span>& sections() const { return m_sections; }

private:
    const Run& m_head;
    bool m_adds;
    CellSums m_components;
    std::vector<Span> m_sections;
    std::vector<TokenSpan> m_tokens;
};

// Makes the rows of these tables, in one pass over the run. `totals`: the totals of all components,
// if they are known already. Fails if the source does.
Status makeRows(const RunSource& source, std::span<const TableKind> kinds,
                const TableOptions& options, const TakeRow& take,
                const std::vector<ComponentTotal>* totals = nullptr)
{
    const auto wants = [&](TableKind kind) {
        return std::ranges::find(kinds, kind) != kinds.end();
    };
    const Run& head = source.head();
    const RowMaker rows(head, options, take);
    if (wants(TableKind::Samples))
        rows.spans(TableKind::Samples, head.trace.samples);
    if (wants(TableKind::Runs) || wants(TableKind::Phases) || wants(TableKind::AnswerSections)) {
        const auto known = RunSums::of(source);
        if (!known)
            return known.error();
        if (wants(TableKind::Runs))
            rows.run(known->known.ofRun());
        if (wants(TableKind::Phases))
            rows.phases(known->known);
        if (wants(TableKind::AnswerSections))
            rows.answerSections(known->answer.sections());
    }
    ComponentSums sums(head, wants(TableKind::Components) && totals == nullptr);
    const auto piece = [&](const RunTrace& trace) -> Status {
        sums.add(trace);
        if (wants(TableKind::Tokens)) {
            for (const TokenSpan& token : trace.tokens)
                rows.token(token);
        }
        for (const auto& [kind, level] : kTablesOfSpans) {
            if (wants(kind))
                rows.spans(kind, trace.spans(level));
        }
        return {};
    };
    if (std::ranges::any_of(kinds, isOfSteps)) {
        const bool spans = std::ranges::any_of(kinds, isOfSpans) || sums.adds();
        const auto parts = spans ? RunSource::Parts::All : RunSource::Parts::Overview;
        if (const Status read = source.read(parts, piece); !read)
            return read;
    }
    if (wants(TableKind::Components))
        rows.components(totals != nullptr ? *totals : sums.finish(), sums.sections());
    return {};
}

// The columns, which are the same for all runs.
std::vector<std::string> columnsOf(TableKind kind, const TableOptions& options)
{
    Run example;
    example.trace.phases.emplace_back();
    example.trace.samples.emplace_back();
    example.trace.tokens.emplace_back();
    for (const SpanLevel level : kSpanLevels)
        example.trace.spans(level).push_back({.level = level, .token = 0, .layer = 0});
    std::vector<std::string> columns;
    const TakeRow take = [&](TableKind, TableRow& row) { columns = row.columns(); };
    if (kind == TableKind::AnswerSections)
        RowMaker(example, options, take).answerSection({});
    else // a run in memory can always be read
        static_cast<void>(makeRows(RunInMemory(example), {&kind, 1}, options, take));
    return columns;
}

std::string headerOf(TableKind kind, const TableOptions& options)
{
    std::string header;
    for (const std::string& column : columnsOf(kind, options))
        header += (header.empty() ? "" : ",") + column;
    return header;
}

} // namespace

namespace fs = std::filesystem;

namespace {

Status writeRows(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                 const TableOptions& options, std::ostream& sink, const CancelToken& cancel)
{
    const TakeRow take = [&](TableKind, TableRow& row) { sink << row.takeLine(); };
    for (const std::string& id : runIds) {
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "The export was cancelled."};
        std::vector<ComponentTotal> totals; // are stored
        if (kind == TableKind::Components) {
            auto overview = store.overview(id, cancel);
            if (!overview)
                return overview.error();
            totals = std::move(overview->totals);
        }
        const auto run = store.source(id, cancel);
        if (!run)
            return run.error();
        const Status made = makeRows(**run, {&kind, 1}, options, take,
                                     kind == TableKind::Components ? &totals : nullptr);
        if (!made)
            return made;
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
        same = found == columns; // members are sorted
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
    constexpr std::array<std::string_view, kTableKinds.size()> kNames{
        "runs",    "phases",          "components", "tokens",          "sections",
        "samples", "answer_sections", "layers",     "component_spans", "operations"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::optional<TableKind> tableKindFromName(std::string_view word)
{
    const auto* const kind =
        std::ranges::find_if(kTableKinds, [&](TableKind one) { return name(one) == word; });
    return kind == kTableKinds.end() ? std::nullopt : std::optional(*kind);
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

Status exportCsv(const RunSource& run, const std::string& folder, CsvText formulas)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder, failed)) {
        return Error{ErrorCode::Io,
                     {"Cannot create the folder %1 for the CSV files: %2; choose another one.",
                      folder, failed ? failed.message() : "a file of that name exists"}};
    }
    const TableOptions options{.formulas = formulas};
    const auto fileOf = [&](TableKind kind) {
        return fs::path(folder) / (std::string(name(kind)) + ".csv");
    };
    std::array<std::ofstream, kTableKinds.size()> files;
    const auto streamOf = [&](TableKind kind) -> std::ofstream& {
        return files[static_cast<std::size_t>(kind)];
    };
    for (const TableKind kind : kTableKinds) {
        streamOf(kind).open(fileOf(kind), std::ios::binary | std::ios::trunc);
        streamOf(kind) << headerOf(kind, options) << "\r\n";
    }
    const Status made = makeRows(run, kTableKinds, options, [&](TableKind kind, TableRow& row) {
        streamOf(kind) << row.takeLine();
    });
    if (!made)
        return made;
    for (const TableKind kind : kTableKinds) {
        streamOf(kind).close();
        if (!streamOf(kind))
            return Error{ErrorCode::Io,
                         {"Cannot write %1; free some space or choose another folder.",
                          fileOf(kind).string()}};
    }
    return {};
}

} // namespace ep::store
