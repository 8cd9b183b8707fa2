// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/table_row.h"

#include "ep/core/component_total.h"
#include "ep/store/run_source.h"

#include <functional>
#include <span>

namespace ep::store {

using TakeRow = std::function<void(TableKind, TableRow&)>;

// Makes the rows of these tables, in one pass over the run. `totals`: those of all components, if
// they are known already. Fails if the source does.
Status makeRows(const RunSource& run, std::span<const TableKind> kinds, const TableOptions& options,
                const TakeRow& take, const std::vector<ComponentTotal>* totals = nullptr);

// The columns, which are the same for all runs.
std::vector<std::string> columnsOf(TableKind kind, const TableOptions& options);
std::string headerOf(TableKind kind, const TableOptions& options); // joined by commas

} // namespace ep::store
