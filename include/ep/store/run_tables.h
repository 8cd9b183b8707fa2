// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/safe_text.h"
#include "ep/store/store.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

// Any number of runs in one table, for pandas, DuckDB and so on (docs/tables.md). Every row begins
// with the id of its run and the time when it was made (ISO 8601, UTC).
namespace ep::store {

enum class TableKind : std::uint8_t { Runs, Phases, Tokens, Components };
inline constexpr std::array<TableKind, 4> kTableKinds{TableKind::Runs, TableKind::Phases,
                                                      TableKind::Tokens, TableKind::Components};
std::string_view name(TableKind kind); // "runs", "phases", ..

struct TableOptions {
    // One JSON object per line; otherwise CSV with a header (RFC 4180). In CSV, texts written by a
    // user or a model are JSON strings, in columns whose names end in _json, because readers take
    // cells such as null and NA for missing values.
    bool json_lines = false;
    CsvText formulas = CsvText::Quoted;
};

// Writes the rows of the runs in this order.
Status writeTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                  const TableOptions& options, std::ostream& sink, const CancelToken& cancel = {});

// The same to a file, completely or not at all. append: adds to an existing file, which must have
// the same columns.
Status exportTable(const Store& store, const std::vector<std::string>& runIds, TableKind kind,
                   const TableOptions& options, const std::string& file, bool append,
                   const CancelToken& cancel = {});

} // namespace ep::store
