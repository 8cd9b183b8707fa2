// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/intel_gpu_source.h"

#include "platform/kernel_file.h"
#include "sources/hwmon_source.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::power {

namespace {

constexpr double kMicrowatts = 1000.0; // per milliwatt

// Names of the drivers' devices for whole cards; those of parts of a card ("i915_gt0") differ.
constexpr std::array<std::string_view, 2> kIntelDrivers{"xe", "i915"};

// Per Linux's Documentation/ABI/testing/sysfs-driver-intel-xe-hwmon and
// sysfs-driver-intel-i915-hwmon: energy1 is that of the card, energy2 that of its package.
constexpr std::array<std::string_view, 2> kIntelMeters{"1", "2"};

EnergyCounter counterOf(const std::filesystem::path& card, std::string_view meter)
{
    const std::string number(meter);
    const auto rated = readCounter(card / ("power" + number + "_rated_max"));
    return {.file = card / ("energy" + number + "_input"),
            .rail = Rail::Gpu,
            .most = mostOfDevice(
                Rail::Gpu,
                rated ? std::optional(Milliwatts{static_cast<double>(*rated) / kMicrowatts})
                      : std::nullopt)};
}

} // namespace

Result<std::vector<EnergyCounter>> findIntelGpuCounters(const std::filesystem::path& hwmon,
                                                        ReadingCheck& readings)
{
    std::vector<EnergyCounter> counters;
    std::error_code error;
    for (const auto& card : std::filesystem::directory_iterator(hwmon, error)) {
        if (std::ranges::count(kIntelDrivers, readLine(card.path() / "name")) == 0)
            continue;
        const auto meter = std::ranges::find_if(kIntelMeters, [&](std::string_view number) {
            return readCounter(counterOf(card.path(), number).file).has_value();
        });
        if (meter != kIntelMeters.end())
            counters.push_back(counterOf(card.path(), *meter));
        else
            readings.noteUnreadable("The energy counter of the graphics card in "
                                    + card.path().string());
    }
    if (counters.empty()) {
        return Error{ErrorCode::Unsupported,
                     readings.faults().empty()
                         ? Message("There is no energy counter of an Intel graphics card in %1; "
                                   "choose another power source.",
                                   hwmon.string())
                         : sequence({readings.faults().front(), "Choose another power source."})};
    }
    std::ranges::sort(counters, {}, &EnergyCounter::file);
    return counters;
}

IntelGpuSource::IntelGpuSource(QObject* parent)
    : IntelGpuSource(hwmonFolder(), parent)
{
}

IntelGpuSource::IntelGpuSource(std::filesystem::path hwmon, QObject* parent)
    : CounterSource(parent)
    , m_hwmon(std::move(hwmon))
{
}

Message IntelGpuSource::detail() const
{
    return "graphics cards: " + std::to_string(m_cards);
}

Result<std::vector<EnergyCounter>> IntelGpuSource::find()
{
    auto counters = findIntelGpuCounters(m_hwmon, m_readings);
    if (counters)
        m_cards = counters->size();
    return counters;
}

} // namespace ep::power
