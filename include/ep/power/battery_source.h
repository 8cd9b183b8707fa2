// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ep::power {

// The batteries of a laptop, combined.
struct BatteryState {
    bool discharging = false;
    std::optional<Milliwatts> power_mw; // power being drawn; only while discharging
    std::optional<Millijoules> full_mj; // capacity when full
    std::vector<std::string> unreadable{}; // discharging without a plausible reading
};

// The folder in which the kernel exposes batteries; the environment variable EP_POWER_SUPPLY
// replaces it for testing.
std::filesystem::path powerSupplyFolder();
// Absent if the machine has no battery. Without that folder, macOS' ioreg is used.
std::optional<BatteryState> readBattery(const std::filesystem::path& folder = powerSupplyFolder());
// The power mode set on the machine; absent if unknown.
std::optional<PowerMode> powerMode();

// Power that a laptop draws from its battery, as rail `system`: a cross-check over tens of seconds,
// since the gauge is slow. Available only on battery.
class BatterySource : public PolledSource {
    Q_OBJECT
public:
    explicit BatterySource(std::filesystem::path folder = powerSupplyFolder(),
                           QObject* parent = nullptr);

    std::string kind() const override { return "battery"; }
    Message detail() const override { return "battery gauge, slow"; }

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;
    int leastIntervalMs() const override;

private:
    void noteUnreadable(const std::vector<std::string>& batteries);

    std::filesystem::path m_folder;
    std::optional<Milliwatts> m_last;
    std::vector<std::string> m_leftOut; // batteries that could not be read at the start
};

// Whether the battery can be read now; the error says what to do.
Status checkBattery(const std::filesystem::path& folder = powerSupplyFolder());

} // namespace ep::power
