// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Figures that follow from a run's record and need no place in it.
namespace ep::energy {

// System power is of the whole machine: what no rail accounts for. Absent unless both are known.
std::optional<Millijoules> outsideRails(const EnergyValue& energy);

// Mean power / rated power of what the source measures.
std::optional<double> utilisation(const RunSummary& run);

// What energy costs and emits where the machine stands.
struct Tariff {
    std::string region = "US";
    double usd_per_kwh = 0.12;
    double grams_per_kwh = 400.0; // CO2
    std::string date; // of the figures
    std::string source; // of the figures

    bool operator==(const Tariff&) const = default;
};
// "US", "California", "Texas", "EU"; the price is 0.12 everywhere until edited.
std::span<const Tariff> tariffPresets();
std::optional<Tariff> tariffOf(std::string_view region);

double costUsd(Millijoules energy, const Tariff& tariff);
double emittedGrams(Millijoules energy, const Tariff& tariff);
// Energy as a share of the full battery.
std::optional<double> batteryShare(std::optional<Millijoules> energy,
                                   std::optional<Millijoules> capacity);

} // namespace ep::energy
