// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/battery_source.h"

#include "platform/kernel_file.h"
#include "platform/macos_battery.h"

#include "ep/core/clock.h"
#include "ep/core/shared_library.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::power {

namespace {

constexpr double kMaxPower = 2e6; // mW, more than any computer's battery supplies

// Some drivers report outgoing current as negative.
std::optional<double> numberIn(const std::filesystem::path& file)
{
    const auto value = readNumber(file);
    const bool error = value && (*value == -1.0 || isErrorCode(std::abs(*value)));
    return value && !error ? std::optional(std::abs(*value)) : std::nullopt;
}

// Charge or current times voltage, both in micro-units, converted to milli-units.
std::optional<double> times(std::optional<double> amount, std::optional<double> microvolts)
{
    return amount && microvolts ? std::optional(*amount * *microvolts * 1e-9) : std::nullopt;
}

std::optional<double> powerOf(const std::filesystem::path& battery)
{
    if (const auto microwatts = numberIn(battery / "power_now"))
        return *microwatts * 1e-3;
    return times(numberIn(battery / "current_now"), numberIn(battery / "voltage_now"));
}

// 1 mWh is 3600 mJ.
std::optional<double> capacityOf(const std::filesystem::path& battery)
{
    constexpr double kMillijoulesPerMilliwattHour = 3600.0;
    if (const auto microwattHours = numberIn(battery / "energy_full"))
        return *microwattHours * 1e-3 * kMillijoulesPerMilliwattHour;
    const auto milliwattHours =
        times(numberIn(battery / "charge_full"), numberIn(battery / "voltage_min_design"));
    return milliwattHours ? std::optional(*milliwattHours * kMillijoulesPerMilliwattHour)
                          : std::nullopt;
}

} // namespace

std::filesystem::path powerSupplyFolder()
{
    return pathFrom("EP_POWER_SUPPLY", "/sys/class/power_supply");
}

std::optional<BatteryState> readBattery(const std::filesystem::path& folder)
{
    std::error_code error;
    if (!std::filesystem::exists(folder, error))
        return readMacBattery();
    std::optional<BatteryState> state;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const auto battery = entry.path();
        // A mouse has a battery, too; the scope tells it apart.
        if (readLine(battery / "type") != "Battery" || readLine(battery / "scope") == "Device")
            continue;
        if (!state)
            state.emplace();
        if (const auto full = capacityOf(battery))
            state->full_mj = state->full_mj.value_or(Millijoules{}) + Millijoules{*full};
        if (readLine(battery / "status") != "Discharging")
            continue;
        state->discharging = true;
        const auto power = powerOf(battery);
        if (power && *power <= kMaxPower)
            state->power_mw = state->power_mw.value_or(Milliwatts{}) + Milliwatts{*power};
        else
            state->unreadable.push_back(battery.filename().string());
    }
    if (state)
        std::ranges::sort(state->unreadable);
    return state;
}

std::optional<PowerMode> powerMode()
{
    std::error_code error;
    const std::filesystem::path profileFile = "/sys/firmware/acpi/platform_profile";
    if (!std::filesystem::exists(profileFile, error))
        return readMacPowerMode();
    const std::string profile = readLine(profileFile);
    if (profile == "low-power" || profile == "quiet")
        return PowerMode::Low;
    return profile == "performance" ? PowerMode::High : PowerMode::Automatic;
}

Status checkBattery(const std::filesystem::path& folder)
{
    const auto state = readBattery(folder);
    if (!state)
        return Error{ErrorCode::Unsupported,
                     "This machine has no battery; choose another power source."};
    if (!state->discharging)
        return Error{ErrorCode::Unsupported,
                     "The battery reports the power of the machine only while discharging; unplug "
                     "the power supply."};
    if (!state->power_mw)
        return Error{ErrorCode::Unsupported,
                     "This battery does not report power; choose another power source."};
    return {};
}

BatterySource::BatterySource(std::filesystem::path folder, QObject* parent)
    : PolledSource(SampleKind::Power, parent)
    , m_folder(std::move(folder))
{
}

int BatterySource::leastIntervalMs() const
{
    // On macOS the value comes from a program, and starting it ten times a second would disturb
    // the measurement. The gauge is no faster anyway.
    constexpr int kProgramMs = 5000;
    std::error_code error;
    return std::filesystem::exists(m_folder, error) ? 1 : kProgramMs;
}

Status BatterySource::open()
{
    if (const Status usable = checkBattery(m_folder); !usable)
        return usable;
    const auto state = readBattery(m_folder);
    m_last = state ? state->power_mw : std::nullopt;
    m_leftOut = state ? state->unreadable : std::vector<std::string>{};
    noteUnreadable(m_leftOut);
    m_lastNs = monotonicNow();
    return {};
}

void BatterySource::noteUnreadable(const std::vector<std::string>& batteries)
{
    for (const std::string& battery : batteries)
        m_readings.noteUnreadable("The battery " + battery);
}

Result<std::optional<PowerSample>> BatterySource::read()
{
    const auto state = readBattery(m_folder);
    const Nanoseconds now = monotonicNow();
    if (!state || !state->discharging)
        return Error{ErrorCode::Io,
                     "The machine no longer runs on its battery; the run continues without power "
                     "from this point."};
    PowerSample sample;
    sample.window = {m_lastNs, now};
    if (sample.window.empty())
        return std::optional<PowerSample>{};
    noteUnreadable(state->unreadable);
    // If fewer batteries than before can be read, their sum is not the machine's power.
    const auto power = state->unreadable == m_leftOut ? state->power_mw : std::nullopt;
    const auto before = std::exchange(m_last, power);
    m_lastNs = now;
    if (!power || !before) {
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    sample.power_mw[Rail::System] = (*before + *power) / 2.0;
    return std::optional(completed(sample));
}

} // namespace ep::power
