// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"
#include "exchange/profiling_json.h"
#include "tables/trace_columns.h"

#include <string>
#include <type_traits>

// Columns of spans in text tables: those of the database, plus times in milliseconds.
namespace ep::store {

// Calls visit(ColumnName, value) for each of them.
template <typename Span, typename Visit>
void visitCells(const Span& span, Nanoseconds runBegin, const Visit& visit)
{
    visitSpanFields(span, [&](const SpanField& field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, SharedExtras>) {
            visit(ColumnName{"", field.column}, extrasText(value));
        } else if constexpr (std::is_same_v<Span,
                                            SectionSpan> && std::is_same_v<Value, std::int32_t>) {
            visit(ColumnName{"", field.column},
                  value == kNoToken ? std::nullopt : std::optional(value));
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

// "start_ns,duration_ns,start_ms,duration_ms"
template <typename Span>
std::string cellNames()
{
    std::string names;
    visitCells(Span(), 0, [&](const ColumnName& column, const auto&) {
        names.append(names.empty() ? "" : ",").append(column.text());
    });
    return names;
}

} // namespace ep::store
