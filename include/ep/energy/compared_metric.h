// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ep::energy {

// Figures of a whole run that runs are compared by.
enum class ComparedMetric : std::uint8_t {
    JoulesPerToken,
    JoulesPerOutputToken, // decode only
    JoulesPerInputToken, // prefill only
    Energy,
    NetEnergy, // beyond the idle power
    EnergyPerMillionParameters,
    EnergyDelayProduct,
    TokensPerJoule,
    MeanPower,
    PeakPower,
    Duration,
    TimeToFirstToken,
    TokensPerSecond,
};
inline constexpr std::size_t kComparedMetricCount = 13;
inline constexpr std::array<ComparedMetric, kComparedMetricCount> kComparedMetrics{
    ComparedMetric::JoulesPerToken,
    ComparedMetric::JoulesPerOutputToken,
    ComparedMetric::JoulesPerInputToken,
    ComparedMetric::Energy,
    ComparedMetric::NetEnergy,
    ComparedMetric::EnergyPerMillionParameters,
    ComparedMetric::EnergyDelayProduct,
    ComparedMetric::TokensPerJoule,
    ComparedMetric::MeanPower,
    ComparedMetric::PeakPower,
    ComparedMetric::Duration,
    ComparedMetric::TimeToFirstToken,
    ComparedMetric::TokensPerSecond};

enum class Better : std::uint8_t { Neither, Lower, Higher };

std::string_view name(ComparedMetric metric); // "joules_per_token"
std::string_view title(ComparedMetric metric); // "Energy per token"
std::string_view unit(ComparedMetric metric); // "J/token", "s", "W"; of the values below
Better better(ComparedMetric metric);
bool needsEnergy(ComparedMetric metric);
// The figures that carry a test; the others follow from them and would only be tested twice.
bool isTested(ComparedMetric metric);
std::optional<ComparedMetric> comparedMetricFromName(std::string_view word);

// In unit(metric); absent where the run has no such figure. Finite.
std::optional<double> valueOf(ComparedMetric metric, const RunSummary& run);
std::optional<double> valueOf(ComparedMetric metric, const RunInfo& info,
                              const RunMetrics& metrics);

// "23.4 mJ/token", "1.20 s": 3 significant digits with an SI prefix; `sign` puts a plus before it.
std::string formatValue(ComparedMetric metric, std::optional<double> value, bool sign = false);

// "joules_per_token > +5%": what a difference to the baseline must not be. Without the per cent
// sign it is in unit(metric).
struct DifferenceLimit {
    ComparedMetric metric = ComparedMetric::JoulesPerToken;
    bool above = true; // fails above the limit, else below it
    double limit = 0.0; // a fraction when relative
    bool relative = true;

    bool operator==(const DifferenceLimit&) const = default;
};
Result<DifferenceLimit> parseLimit(std::string_view text);
bool exceeds(const DifferenceLimit& limit, double difference, std::optional<double> relative);

} // namespace ep::energy
