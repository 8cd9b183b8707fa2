// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/statement.h"
#include "tables/record_fields.h"

#include <limits>
#include <string>
#include <string_view>

// A row of profiling_runs as fields. Its columns are derived from the lists in record_fields.h.
namespace ep::store {

struct RunRow {
    RunInfo info{};
    RunMetrics metrics{};
    // The trace's own range; NULL while a run in progress has no token yet.
    std::optional<Nanoseconds> clock_start_ns{};
    std::optional<Nanoseconds> clock_duration_ns{};
    // The process that is recording the run; NULL once the run has ended.
    std::optional<std::int64_t> writer_pid{};
    std::optional<std::string> writer_mark{};
    std::string energy_record = "{}"; // energyRecordText()
    std::string secondary_sources = "[]"; // secondaryText()
    std::string profiling_record = "{}"; // profilingText()
};

// A column's name in two parts: the prefix of a nested record ("model_") and the field.
struct ColumnName {
    std::string_view prefix;
    std::string_view field;

    std::string text() const { return std::string(prefix) + std::string(field); }
};

// Comma-separated names of the columns, in the order of visitColumns().
std::string runColumnNames();

namespace detail {

// The property of a type that determines the names of its fields.
template <typename T>
constexpr std::string_view columnPrefix()
{
    if constexpr (std::is_same_v<T, SamplingSettings>)
        return "sampling_";
    else if constexpr (std::is_same_v<T, ModelFacts>)
        return "model_";
    else if constexpr (std::is_same_v<T, PowerInfo>)
        return "power_";
    else if constexpr (std::is_same_v<T, ExecutionRecord>)
        return "execution_";
    else
        return "";
}

constexpr std::string_view columnField(std::string_view field)
{
    if (field == "experiment")
        return "experiment_name";
    return field == "samples" ? "sample_count" : field;
}

// total: name of the column of the total
template <typename Energy, typename Visit>
void visitEnergyColumns(std::string_view total, Energy& energy, Visit&& visit)
{
    visit(ColumnName{"", total}, energy.total_mj);
    visit(ColumnName{"", "energy_provenance"}, energy.provenance);
    visit(ColumnName{"", "cpu_energy_mj"}, energy.rails_mj[Rail::Cpu]);
    visit(ColumnName{"", "gpu_energy_mj"}, energy.rails_mj[Rail::Gpu]);
    visit(ColumnName{"", "ane_energy_mj"}, energy.rails_mj[Rail::Ane]);
    visit(ColumnName{"", "dram_energy_mj"}, energy.rails_mj[Rail::Dram]);
    visit(ColumnName{"", "system_energy_mj"}, energy.rails_mj[Rail::System]);
    visit(ColumnName{"", "energy_sd_mj"}, energy.sd_mj);
    visit(ColumnName{"", "energy_alternative_mj"}, energy.alternative_mj);
}

// If the record is absent, all its parts are NULL.
template <typename Quality, typename Visit>
void visitQualityColumns(Quality& quality, Visit&& visit)
{
    PowerQuality parts = quality.value_or(PowerQuality{});
    bool known = false;
    visitFields(parts, [&](const char* name, auto& part) {
        using Part = std::remove_reference_t<decltype(part)>;
        std::optional<Part> cell;
        if (quality)
            cell = part;
        visit(ColumnName{"power_", columnField(name)}, cell);
        if constexpr (!std::is_const_v<Quality>) {
            // A part that was NaN is stored as NULL.
            part = cell.value_or(std::numeric_limits<Part>::quiet_NaN());
            known = known || cell.has_value();
        }
    });
    if constexpr (!std::is_const_v<Quality>) {
        quality.reset();
        if (known)
            quality = parts;
    }
}

template <typename List, typename Visit>
void visitListColumn(const ColumnName& name, List& list, Visit&& visit)
{
    if constexpr (std::is_const_v<List>) {
        const std::string text = listText(list);
        visit(name, text);
    } else {
        std::string text = listText(list);
        visit(name, text);
        readList(text, list);
    }
}

template <typename Fields, typename Visit>
void visitRecordColumns(Fields& record, Visit&& visit)
{
    constexpr std::string_view kPrefix = columnPrefix<std::remove_const_t<Fields>>();
    visitFields(record, [&](const char* name, auto& field) {
        using Field = std::remove_cvref_t<decltype(field)>;
        const ColumnName column{kPrefix, columnField(name)};
        if constexpr (std::is_same_v<Field, EnergyValue>)
            visitEnergyColumns("total_energy_mj", field, visit);
        else if constexpr (std::is_same_v<Field, std::optional<PowerQuality>>)
            visitQualityColumns(field, visit);
        else if constexpr (ListColumn<Field>)
            visitListColumn(column, field, visit);
        else if constexpr (HasFields<Field>)
            visitRecordColumns(field, visit);
        else
            visit(column, field);
    });
}

} // namespace detail

// Calls visit(ColumnName, field) for each stored column. Row is RunRow or const RunRow; visit may
// set the fields of a non-const row.
template <typename Row, typename Visit>
void visitColumns(Row& row, Visit&& visit)
{
    detail::visitRecordColumns(row.info, visit);
    detail::visitRecordColumns(row.metrics, visit);
    visit(ColumnName{"", "energy_record"}, row.energy_record);
    visit(ColumnName{"", "secondary_sources"}, row.secondary_sources);
    visit(ColumnName{"", "profiling_record"}, row.profiling_record);
    visit(ColumnName{"", "clock_start_ns"}, row.clock_start_ns);
    visit(ColumnName{"", "clock_duration_ns"}, row.clock_duration_ns);
    visit(ColumnName{"", "writer_pid"}, row.writer_pid);
    visit(ColumnName{"", "writer_mark"}, row.writer_mark);
}

// All columns from the current row of a statement that selects runColumnNames().
inline void takeRow(Statement& statement, RunRow& row)
{
    visitColumns(row, [&](const ColumnName&, auto& field) { statement.take(field); });
}

} // namespace ep::store
