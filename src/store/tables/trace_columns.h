// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/statement.h"
#include "tables/run_row.h"
#include "tables/span_fields.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

// The columns of spans, in the database and in tables of text. A field of a span (span_fields.h)
// may be a group of several columns.
//
// visitColumns(..., visit) calls visit(ColumnName, value) for each column. If visit changes a
// value, the span changes, unless it is const. origin: what the times of the columns count from.
namespace ep::store {

namespace detail {

template <typename Range, typename Visit>
void visitRange(Range& range, Nanoseconds origin, const Visit& visit)
{
    Nanoseconds start = wrappingDifference(range.begin_ns, origin);
    Nanoseconds duration = wrappingDifference(range.end_ns, range.begin_ns);
    visit(ColumnName{"", "start_ns"}, start);
    visit(ColumnName{"", "duration_ns"}, duration);
    if constexpr (!std::is_const_v<Range>) {
        range.begin_ns = wrappingSum(start, origin);
        range.end_ns = wrappingSum(range.begin_ns, duration);
    }
}

template <typename Rails, typename Visit>
void visitRails(std::string_view column, Rails& rails, const Visit& visit)
{
    static constexpr std::array<std::string_view, kRailCount> kPrefixes{"cpu_", "gpu_", "ane_",
                                                                        "dram_", "system_"};
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        visit(ColumnName{kPrefixes[rail], column}, rails.values[rail]);
}

// One missing value out of four was NaN; if all four are missing, there are no statistics.
template <typename Stats, typename Visit>
void visitStats(std::string_view prefix, Stats& stats, const Visit& visit)
{
    static constexpr std::array<std::string_view, 4> kNames{"mean", "std", "max", "sparsity"};
    std::array<std::optional<float>, 4> parts;
    if (stats)
        parts = {stats->mean_abs, stats->std, stats->max_abs, stats->sparsity};
    bool known = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        visit(ColumnName{prefix, kNames[i]}, parts[i]);
        known = known || parts[i];
    }
    if constexpr (!std::is_const_v<Stats>) {
        const auto part = [&](std::size_t i) {
            return parts[i].value_or(std::numeric_limits<float>::quiet_NaN());
        };
        stats.reset();
        if (known)
            stats = ActivationStats{part(0), part(1), part(2), part(3)};
    }
}

template <typename Work, typename Visit>
void visitWork(Work& work, const Visit& visit)
{
    auto flops = work ? std::optional(work->flops) : std::nullopt;
    auto bytes = work ? std::optional(work->bytes) : std::nullopt;
    visit(ColumnName{"", "flops_estimate"}, flops);
    visit(ColumnName{"", "bytes_estimate"}, bytes);
    if constexpr (!std::is_const_v<Work>) {
        work.reset();
        if (flops || bytes)
            work = SpanWork{flops.value_or(0), bytes.value_or(0)};
    }
}

template <typename Time, typename Visit>
void visitInstant(std::string_view column, Instant<Time> instant, Nanoseconds origin,
                  const Visit& visit)
{
    Nanoseconds time = wrappingDifference(instant.ns, origin);
    visit(ColumnName{"", column}, time);
    if constexpr (!std::is_const_v<Time>)
        instant.ns = wrappingSum(time, origin);
}

} // namespace detail

template <typename Value, typename Visit>
void visitColumns(const SpanField& field, Value& value, Nanoseconds origin, const Visit& visit)
{
    using Group = std::remove_const_t<Value>;
    if constexpr (std::is_same_v<Group, TimeRange>)
        detail::visitRange(value, origin, visit);
    else if constexpr (kIsA<Group, Instant>)
        detail::visitInstant(field.column, value, origin, visit);
    else if constexpr (std::is_same_v<Group, EnergyValue>)
        detail::visitEnergyColumns("energy_mj", value, visit);
    else if constexpr (kIsA<Group, PerRail>)
        detail::visitRails(field.column, value, visit);
    else if constexpr (kIsA<Group, EnergyNotes>)
        value.visitBoth([&](const char* column, auto& one) { visit(ColumnName{"", column}, one); });
    else if constexpr (std::is_same_v<Group, std::optional<ActivationStats>>)
        detail::visitStats(field.column, value, visit);
    else if constexpr (std::is_same_v<Group, std::optional<SpanWork>>)
        detail::visitWork(value, visit);
    else
        visit(ColumnName{"", field.column}, value);
}

// Span may also be a single field, whose columns need no prefix.
template <typename Span, typename Visit>
void visitColumns(Span& span, Nanoseconds origin, const Visit& visit)
{
    const auto visitOne = [&](const SpanField& field, auto&& value) {
        visitColumns(field, value, origin, visit);
    };
    if constexpr (requires { visitSpanFields(span, visitOne); })
        visitSpanFields(span, visitOne);
    else
        visitOne(SpanField{"activation_"}, span);
}

// "start_ns, duration_ns"
template <typename Span>
std::string columnNames()
{
    std::string names;
    const Span span;
    visitColumns(span, 0, [&](const ColumnName& column, const auto&) {
        names.append(names.empty() ? "" : ", ").append(column.text());
    });
    return names;
}

template <typename Span>
void appendColumns(Statement& statement, const Span& span, Nanoseconds origin = 0)
{
    visitColumns(span, origin,
                 [&](const ColumnName&, const auto& value) { statement.append(value); });
}
template <typename Span>
void takeColumns(Statement& statement, Span& span, Nanoseconds origin = 0)
{
    visitColumns(span, origin, [&](const ColumnName&, auto& value) { statement.take(value); });
}

} // namespace ep::store
