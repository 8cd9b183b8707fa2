// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Figures derived from a run's record that are not stored.
namespace ep::energy {

// System power covers the whole machine; this is the part not covered by any rail. Absent unless
// both are known.
std::optional<Millijoules> outsideRails(const EnergyValue& energy);

// Mean power / rated power of the measured device.
std::optional<double> utilisation(const RunSummary& run);

// Price and emissions of energy in a region.
struct Tariff {
    std::string region = "US";
    double usd_per_kwh = 0.12;
    double grams_per_kwh = 400.0; // CO2
    std::string date; // date of the values
    std::string source; // source of the values

    bool operator==(const Tariff&) const = default;
};
// "US", "California", "Texas", "EU"; the price is 0.12 everywhere until changed.
std::span<const Tariff> tariffPresets();
std::optional<Tariff> tariffOf(std::string_view region);

double costUsd(Millijoules energy, const Tariff& tariff);
double emittedGrams(Millijoules energy, const Tariff& tariff);
// Energy as a share of the full battery.
std::optional<double> batteryShare(std::optional<Millijoules> energy,
                                   std::optional<Millijoules> capacity);

// How many answers like this run a full battery gives, without mains: capacity / energy of the
// whole machine for one, in a row or with one beginning every three minutes and the machine idle in
// between. The capacity is what the battery holds when full now, not what it was sold with.
struct AnswersPerCharge {
    std::optional<double> in_a_row{};
    std::optional<double> every_three_minutes{};
    std::string reason{}; // why one of them is missing; one sentence
};
inline constexpr Nanoseconds kAnswerPeriodNs = 180'000'000'000;
AnswersPerCharge answersPerCharge(const RunSummary& run);

} // namespace ep::energy
