// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/safe_text.h"
#include "ep/store/store.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Any number of runs in one table, for pandas, DuckDB and so on (docs/tables.md). Every row begins
// with the id of its run and the time when it was made (ISO 8601, UTC).
namespace ep::store {

// Each table has the same columns for one run and for many. Rows of `phases` and of `components`
// add up to the run, with a row "remainder".
enum class TableKind : std::uint8_t {
    Runs,
    Phases,
    Components, // sums over all tokens: components of layers, then sections outside of them
    Tokens,
    Sections,
    Samples,
    AnswerSections, // thinking and answer
    Layers, // a row for each layer of each token, and so on
    ComponentSpans,
    Operations,
};
inline constexpr std::array kTableKinds{
    TableKind::Runs,           TableKind::Phases,    TableKind::Components,     TableKind::Tokens,
    TableKind::Sections,       TableKind::Samples,   TableKind::AnswerSections, TableKind::Layers,
    TableKind::ComponentSpans, TableKind::Operations};
// Tables whose rows are the spans inside of tokens, which may be millions.
constexpr bool isOfSpans(TableKind kind)
{
    return kind >= TableKind::Layers;
}
// Tables that are made from the steps of a run.
constexpr bool isOfSteps(TableKind kind)
{
    return isOfSpans(kind) || kind == TableKind::Components || kind == TableKind::Tokens
        || kind == TableKind::Sections;
}
std::string_view name(TableKind kind); // "runs", "phases", ..
std::optional<TableKind> tableKindFromName(std::string_view name);

struct TableOptions {
    // One JSON object per line; otherwise CSV with a header (RFC 4180). In CSV, texts written by a
    // user or a model are JSON strings, in columns whose names end in _json, because readers take
    // cells such as null and NA for missing values.
    bool json_lines = false;
    CsvText formulas = CsvText::Quoted;
};

// Writes the rows of the runs in the given order.
Status writeTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                  const TableOptions& options, std::ostream& sink, const CancelToken& cancel = {});

// Writes the table to a file, completely or not at all. append: adds to an existing file, which
// must have the same columns.
Status exportTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                   const TableOptions& options, const std::string& file, bool append,
                   const CancelToken& cancel = {});

// Writes several tables to a folder or, if its name ends in .zip, an archive.
Status exportTables(const Store& store, const std::vector<std::string>& runIds,
                    std::span<const TableKind> kinds, const TableOptions& options,
                    const std::string& out, bool append, const CancelToken& cancel = {});

} // namespace ep::store
