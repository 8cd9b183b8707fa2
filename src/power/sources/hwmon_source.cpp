// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/hwmon_source.h"

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
    std::string_view label; // label of the meter, if the driver has several; empty: the first
};

// powerN_label of macsmc_hwmon is from its device tree.
constexpr std::array<KnownDriver, 3> kDrivers = {{
    {"amdgpu", Rail::Gpu, ""},
    {"macsmc_hwmon", Rail::System, "Total System Power"},
    {"power_meter", Rail::System, ""},
}};

std::string nameOf(const HwmonMeter& meter)
{
    return "The power meter " + meter.file.string();
}

std::optional<Milliwatts> powerOf(const HwmonMeter& meter, ReadingCheck& readings)
{
    return readings.power(nameOf(meter), readNumber(meter.file), kMicrowattsPerMilliwatt,
                          mostOfDevice(meter.rail, meter.rated_mw));
}

std::optional<Milliwatts> ratedPower(const std::filesystem::path& device, const std::string& stem)
{
    for (const char* suffix : {"_cap_max", "_cap"}) {
        if (const auto microwatts = readCounter(device / (stem + suffix)))
            return Milliwatts{static_cast<double>(*microwatts) / kMicrowattsPerMilliwatt};
    }
    return std::nullopt;
}

// The power meter of a device: its average if there is one, otherwise the present value. Absent if
// no meter can be read, which is usual for a sleeping card.
std::optional<HwmonMeter> meterOf(const std::filesystem::path& device, const KnownDriver& driver,
                                  ReadingCheck& readings)
{
    constexpr int kMaxMeters = 64;
    for (int i = 1; i <= kMaxMeters; ++i) {
        const std::string stem = "power" + std::to_string(i);
        if (!driver.label.empty() && readLine(device / (stem + "_label")) != driver.label)
            continue;
        for (const char* suffix : {"_average", "_input"}) {
            const HwmonMeter meter{.file = device / (stem + suffix),
                                   .driver = std::string(driver.name),
                                   .rail = driver.rail,
                                   .rated_mw = ratedPower(device, stem)};
            if (readNumber(meter.file) && powerOf(meter, readings))
                return meter;
        }
    }
    return std::nullopt;
}

} // namespace

std::filesystem::path hwmonFolder()
{
    return pathFrom("EP_HWMON", "/sys/class/hwmon");
}

Result<std::vector<HwmonMeter>> findHwmonMeters(const std::filesystem::path& folder,
                                                ReadingCheck& readings)
{
    std::vector<HwmonMeter> meters;
    std::error_code error;
    for (const auto& device : std::filesystem::directory_iterator(folder, error)) {
        const std::string driver = readLine(device.path() / "name");
        const auto known = std::ranges::find(kDrivers, driver, &KnownDriver::name);
        if (known == kDrivers.end())
            continue;
        if (auto meter = meterOf(device.path(), *known, readings))
            meters.push_back(*std::move(meter));
    }
    if (meters.empty()) {
        return Error{ErrorCode::Unsupported,
                     readings.faults().empty()
                         ? Message("There is no power meter of a graphics card or of the machine "
                                   "in %1; choose another power source.",
                                   folder.string())
                         : sequence({readings.faults().front(), "Choose another power source."})};
    }
    std::ranges::sort(meters, {}, &HwmonMeter::file);
    return meters;
}

HwmonSource::HwmonSource(std::filesystem::path folder, QObject* parent)
    : PolledSource(SampleKind::Power, parent)
    , m_folder(std::move(folder))
{
}

Message HwmonSource::detail() const
{
    std::vector<std::string> drivers;
    for (const HwmonMeter& meter : m_meters)
        drivers.push_back(meter.driver);
    return joined(drivers);
}

// A rail is the sum of its meters, so it has no value if one of them has none.
Result<PerRail<Milliwatts>> HwmonSource::readMeters()
{
    PerRail<Milliwatts> powers;
    PerRail<bool> incomplete;
    bool readable = false;
    for (const HwmonMeter& meter : m_meters) {
        readable = readable || readNumber(meter.file);
        auto& power = powers[meter.rail];
        if (const auto own = powerOf(meter, m_readings))
            power = power.value_or(Milliwatts{}) + *own;
        else
            incomplete[meter.rail] = true;
    }
    if (!readable) {
        return Error{ErrorCode::Io,
                     {"The power meter %1 can no longer be read; the run continues without power "
                      "from this point.",
                      m_meters.front().file.string()}};
    }
    m_incomplete = false;
    for (const Rail rail : kRails) {
        if (!incomplete[rail])
            continue;
        powers[rail].reset();
        m_incomplete = true;
    }
    return powers;
}

Status HwmonSource::open()
{
    auto meters = findHwmonMeters(m_folder, m_readings);
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
    if (std::ranges::none_of(sample.power_mw.values,
                             [](const auto& power) { return power.has_value(); })) {
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    return std::optional(m_incomplete ? withoutTotal(completed(sample)) : completed(sample));
}

} // namespace ep::power
