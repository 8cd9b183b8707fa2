// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/hwmon_source.h"

#include "platform/kernel_file.h"

#include "ep/core/clock.h"
#include "ep/core/joined.h"
#include "ep/core/shared_library.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ep::power {

namespace {

constexpr double kMicrowattsPerMilliwatt = 1000.0;

struct KnownDriver {
    std::string_view name;
    Rail rail;
    std::string_view label; // of the meter, where the driver has several; empty: the first
};

// powerN_label of macsmc_hwmon is from its device tree.
constexpr std::array<KnownDriver, 3> kDrivers = {{
    {"amdgpu", Rail::Gpu, ""},
    {"macsmc_hwmon", Rail::System, "Total System Power"},
    {"power_meter", Rail::System, ""},
}};

// The file of one meter of a device: the average where there is one, else the present value.
std::filesystem::path meterOf(const std::filesystem::path& device, std::string_view label)
{
    constexpr int kMostMeters = 64;
    for (int i = 1; i <= kMostMeters; ++i) {
        const std::string stem = "power" + std::to_string(i);
        if (!label.empty() && readLine(device / (stem + "_label")) != label)
            continue;
        for (const char* suffix : {"_average", "_input"}) {
            if (readCounter(device / (stem + suffix)))
                return device / (stem + suffix);
        }
    }
    return {};
}

} // namespace

std::filesystem::path hwmonFolder()
{
    return pathFrom("EP_HWMON", "/sys/class/hwmon");
}

Result<std::vector<HwmonMeter>> findHwmonMeters(const std::filesystem::path& folder)
{
    std::vector<HwmonMeter> meters;
    std::error_code error;
    for (const auto& device : std::filesystem::directory_iterator(folder, error)) {
        const std::string driver = readLine(device.path() / "name");
        const auto known = std::ranges::find(kDrivers, driver, &KnownDriver::name);
        if (known == kDrivers.end())
            continue;
        if (auto file = meterOf(device.path(), known->label); !file.empty())
            meters.push_back({std::move(file), driver, known->rail});
    }
    if (meters.empty())
        return Error{ErrorCode::Unsupported,
                     "There is no power meter of a graphics card or of the machine in "
                         + folder.string() + "; choose another power source."};
    std::ranges::sort(meters, {}, &HwmonMeter::file);
    return meters;
}

HwmonSource::HwmonSource(std::filesystem::path folder, QObject* parent)
    : PolledSource(parent)
    , m_folder(std::move(folder))
{
}

std::string HwmonSource::detail() const
{
    std::vector<std::string> drivers;
    for (const HwmonMeter& meter : m_meters)
        drivers.push_back(meter.driver);
    return joined(drivers);
}

Result<PerRail<Milliwatts>> HwmonSource::readMeters() const
{
    PerRail<Milliwatts> powers;
    for (const HwmonMeter& meter : m_meters) {
        const auto microwatts = readCounter(meter.file);
        if (!microwatts)
            return Error{ErrorCode::Io,
                         "The power meter " + meter.file.string()
                             + " can no longer be read; the run continues without power from this "
                               "point."};
        auto& power = powers[meter.rail];
        power = power.value_or(Milliwatts{})
            + Milliwatts{static_cast<double>(*microwatts) / kMicrowattsPerMilliwatt};
    }
    return powers;
}

Status HwmonSource::open()
{
    auto meters = findHwmonMeters(m_folder);
    if (!meters)
        return meters.error();
    m_meters = std::move(*meters);
    const auto powers = readMeters();
    if (!powers)
        return powers.error();
    m_last = *powers;
    m_lastNs = monotonicNow();
    return {};
}

Result<std::optional<PowerSample>> HwmonSource::read()
{
    const auto powers = readMeters();
    if (!powers)
        return powers.error();
    const Nanoseconds now = monotonicNow();
    PowerSample sample;
    sample.window = {m_lastNs, now};
    if (sample.window.empty())
        return std::optional<PowerSample>{};
    for (std::size_t i = 0; i < kRailCount; ++i) {
        const auto& before = m_last.values[i];
        const auto& after = powers->values[i];
        if (before && after)
            sample.power_mw.values[i] = (*before + *after) / 2.0;
    }
    m_last = *powers;
    m_lastNs = now;
    return std::optional(completed(sample));
}

} // namespace ep::power
