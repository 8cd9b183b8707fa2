// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Figures that are derived from a run's record rather than stored.
namespace ep::energy {

// System power covers the whole machine; this is the part that no rail covers. Absent unless both
// are known.
std::optional<Millijoules> outsideRails(const EnergyValue& energy);

// Mean power / rated power of the measured device.
std::optional<double> utilisation(const RunSummary& run);

// Price and emissions of energy in a region.
inline constexpr double kMaxUsdPerKwh = 1000.0;
inline constexpr double kMaxGramsPerKwh = 1e5;

struct Tariff {
    std::string region = "US"; // empty: the user's own value
    double usd_per_kwh = 0.12;
    double grams_per_kwh = 400.0; // CO2
    std::string date; // date of the values
    std::string source; // source of the values

    bool operator==(const Tariff&) const = default;
};
// "US", "California", "Texas", "EU"; all with a price of 0.12 unless the user changes it.
std::span<const Tariff> tariffPresets();
std::optional<Tariff> tariffOf(std::string_view region);

double costUsd(Millijoules energy, const Tariff& tariff);
double emittedGrams(Millijoules energy, const Tariff& tariff);
// Energy as a share of the full battery.
std::optional<double> batteryShare(std::optional<Millijoules> energy,
                                   std::optional<Millijoules> capacity);

// How many answers like this run a full battery gives without mains: capacity / energy that the
// whole machine uses for one, if answers follow each other, or begin every three minutes with an
// idle machine in between. The capacity is the present one of the battery, not its capacity when
// new.
struct AnswersPerCharge {
    std::optional<double> in_a_row{};
    std::optional<double> every_three_minutes{};
    std::string reason{}; // why one of them is missing, as a sentence
};
inline constexpr Nanoseconds kAnswerPeriodNs = 180'000'000'000;
AnswersPerCharge answersPerCharge(const RunSummary& run);

} // namespace ep::energy
