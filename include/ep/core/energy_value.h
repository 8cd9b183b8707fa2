// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"
#include "ep/core/words.h"

#include <array>
#include <optional>

namespace ep {

// One value per rail; absent, never zero, if the machine has no such sensor.
template <typename T>
struct PerRail {
    std::array<std::optional<T>, kRailCount> values;

    bool operator==(const PerRail&) const = default;
    std::optional<T>& operator[](Rail rail) { return values[static_cast<std::size_t>(rail)]; }
    const std::optional<T>& operator[](Rail rail) const
    {
        return values[static_cast<std::size_t>(rail)];
    }
};

// Sum of the component rails (cpu, gpu, ane, dram) that are present; `system` is not added because
// it contains them. If only `system` is known, it is the total. Absent if nothing is known.
template <typename T>
std::optional<T> totalOf(const PerRail<T>& rails)
{
    std::optional<T> sum;
    for (const Rail rail : kPartRails) {
        if (const auto& value = rails[rail])
            sum = sum ? *sum + *value : *value;
    }
    return sum ? sum : rails[Rail::System];
}

// Energy of a node in the run's tree. total is absent exactly when provenance is Missing.
struct EnergyValue {
    PerRail<Millijoules> rails_mj;
    std::optional<Millijoules> total_mj;
    Provenance provenance = Provenance::Missing;
    std::optional<Millijoules> sd_mj{}; // standard deviation of the total
    std::optional<Millijoules> alternative_mj{}; // total according to the other attribution method

    bool operator==(const EnergyValue&) const = default;
};

} // namespace ep
