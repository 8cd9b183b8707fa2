// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/statement.h"

#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

// Groups of columns that several tables share; writer and reader use the same order.
namespace ep::store {

inline constexpr const char* kRangeColumns = "start_ns, duration_ns";
inline constexpr const char* kEnergyColumns =
    "energy_mj, energy_provenance, cpu_energy_mj, gpu_energy_mj, ane_energy_mj, dram_energy_mj, "
    "system_energy_mj, energy_sd_mj, energy_alternative_mj";
inline constexpr const char* kStatsColumns =
    "activation_mean, activation_std, activation_max, activation_sparsity";
inline constexpr const char* kWorkColumns = "flops_estimate, bytes_estimate";

// clockStart: origin of the table's times.
inline void appendRange(Statement& statement, const TimeRange& range, Nanoseconds clockStart)
{
    statement.append(wrappingDifference(range.begin_ns, clockStart));
    statement.append(wrappingDifference(range.end_ns, range.begin_ns));
}
inline void takeRange(Statement& statement, TimeRange& range, Nanoseconds clockStart)
{
    Nanoseconds start = 0;
    Nanoseconds duration = 0;
    statement.take(start);
    statement.take(duration);
    range.begin_ns = wrappingSum(start, clockStart);
    range.end_ns = wrappingSum(range.begin_ns, duration);
}

template <typename Quantity>
void appendRails(Statement& statement, const PerRail<Quantity>& rails)
{
    for (const Rail rail : kRails)
        statement.append(rails[rail]);
}
template <typename Quantity>
void takeRails(Statement& statement, PerRail<Quantity>& rails)
{
    for (const Rail rail : kRails)
        statement.take(rails[rail]);
}

inline void appendEnergy(Statement& statement, const EnergyValue& energy)
{
    statement.append(energy.total_mj);
    statement.append(energy.provenance);
    appendRails(statement, energy.rails_mj);
    statement.append(energy.sd_mj);
    statement.append(energy.alternative_mj);
}
inline void takeEnergy(Statement& statement, EnergyValue& energy)
{
    statement.take(energy.total_mj);
    statement.take(energy.provenance);
    takeRails(statement, energy.rails_mj);
    statement.take(energy.sd_mj);
    statement.take(energy.alternative_mj);
}

// NULL: NaN
inline void takeNotes(Statement& statement, SpanEnergyNotes& notes)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::optional<float> sd;
    std::optional<float> alternative;
    statement.take(sd);
    statement.take(alternative);
    notes = {sd.value_or(nan), alternative.value_or(nan)};
}

inline void appendStats(Statement& statement, const std::optional<ActivationStats>& stats)
{
    if (!stats) {
        for (int i = 0; i < 4; ++i)
            statement.append(nullptr);
        return;
    }
    statement.append(stats->mean_abs);
    statement.append(stats->std);
    statement.append(stats->max_abs);
    statement.append(stats->sparsity);
}
// One missing part of four was NaN; four missing parts mean no statistics.
inline void takeStats(Statement& statement, std::optional<ActivationStats>& stats)
{
    std::array<std::optional<float>, 4> parts;
    for (auto& part : parts)
        statement.take(part);
    stats.reset();
    if (!parts[0] && !parts[1] && !parts[2] && !parts[3])
        return;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    stats = ActivationStats{parts[0].value_or(nan), parts[1].value_or(nan), parts[2].value_or(nan),
                            parts[3].value_or(nan)};
}

inline void appendWork(Statement& statement, const std::optional<SpanWork>& work)
{
    statement.append(work ? std::optional(work->flops) : std::nullopt);
    statement.append(work ? std::optional(work->bytes) : std::nullopt);
}
inline void takeWork(Statement& statement, std::optional<SpanWork>& work)
{
    std::optional<std::int64_t> flops;
    std::optional<std::int64_t> bytes;
    statement.take(flops);
    statement.take(bytes);
    work.reset();
    if (flops || bytes)
        work = SpanWork{flops.value_or(0), bytes.value_or(0)};
}

} // namespace ep::store
