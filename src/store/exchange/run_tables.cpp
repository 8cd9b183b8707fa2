// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_tables.h"

#include "exchange/run_rows.h"
#include "exchange/whole_file.h"

#include "ep/json/document.h"
#include "ep/store/run_json.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <system_error>

namespace ep::store {

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
