// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/reading_check.h"

#include "ep/core/format.h"
#include "ep/core/power_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ep::power {

namespace {

// Counters are published in batches of up to this length.
constexpr Nanoseconds kPublishedBatch = 250'000'000;

} // namespace

Milliwatts mostOfDevice(Rail rail, std::optional<Milliwatts> rated)
{
    const Milliwatts most = mostPower(rail).device;
    const bool known = rated && rated->value > 0.0 && !isErrorCode(rated->value);
    return known ? std::min(*rated * kAboveRated, most) : most;
}

bool isErrorCode(double reading)
{
    constexpr std::array<double, 5> kCodes{
        std::numeric_limits<std::int32_t>::max(), -1.0 * std::numeric_limits<std::int32_t>::min(),
        std::numeric_limits<std::uint32_t>::max(),
        static_cast<double>(std::numeric_limits<std::int64_t>::max()),
        static_cast<double>(std::numeric_limits<std::uint64_t>::max())};
    if (!std::isfinite(reading) || reading < 0.0)
        return true;
    // Some drivers return an error code as a reading, converted to other units like one.
    return std::ranges::any_of(kCodes, [&](double code) {
        return reading == code || reading == code * 1e3 || reading == code * 1e6;
    });
}

std::optional<Milliwatts> ReadingCheck::power(const std::string& sensor,
                                              std::optional<double> reading, double perMilliwatt,
                                              Milliwatts most)
{
    if (!reading) {
        noteUnreadable(sensor);
        return std::nullopt;
    }
    const Milliwatts power{*reading / perMilliwatt};
    if (!isErrorCode(*reading) && power <= most)
        return power;
    noteImpossible(sensor, formatSignificant(power.value / 1000.0) + " W");
    return std::nullopt;
}

std::optional<Millijoules> ReadingCheck::energy(const std::string& sensor, Millijoules advance,
                                                Nanoseconds window, Milliwatts most)
{
    if (std::isfinite(advance.value) && advance.value >= 0.0
        && advance <= energyOf(most, window + kPublishedBatch))
        return advance;
    noteImpossible(sensor,
                   formatSignificant(advance.value / kMillijoulesPerJoule) + " J in "
                       + formatDuration(window));
    return std::nullopt;
}

bool ReadingCheck::clean(PowerSample& sample, bool counters)
{
    bool removed = false;
    bool left = false;
    bool partLost = false; // a rail other than that of the whole machine was removed
    for (const Rail rail : kRails) {
        auto& energy = sample.energy_mj[rail];
        auto& power = sample.power_mw[rail];
        const std::string sensor = "The rail " + std::string(name(rail));
        const bool possible = energy && counters
            ? this->energy(sensor, *energy, sample.window.duration_ns(), mostPower(rail).machine)
                  .has_value()
            : !power || this->power(sensor, power->value, 1.0, mostPower(rail).machine).has_value();
        if (!possible) {
            energy.reset();
            power.reset();
            removed = true;
            partLost = partLost || rail != Rail::System;
        }
        left = left || energy || power;
    }
    const bool noTotal = partLost || (removed && !totalOf(sample.power_mw));
    if (noTotal
        || (sample.total_mw && !counters
            && !this->power("The total", sample.total_mw->value, 1.0,
                            mostPower(Rail::System).machine)))
        sample.total_mw.reset();
    return left || !removed;
}

void ReadingCheck::noteUnreadable(const std::string& sensor)
{
    note(sensor, {"%1 cannot be read; its readings are missing.", sensor});
}

void ReadingCheck::noteImpossible(const std::string& sensor, const std::string& reading)
{
    note(sensor,
         {"%1 gave a reading that cannot be true (%2); such readings are missing.", sensor,
          reading});
}

void ReadingCheck::note(const std::string& sensor, Message sentence)
{
    if (std::ranges::count(m_noted, sensor) > 0)
        return;
    m_noted.push_back(sensor);
    m_faults.push_back(std::move(sentence));
}

} // namespace ep::power
