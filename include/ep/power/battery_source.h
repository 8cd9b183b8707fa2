// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ep::power {

// The batteries of a laptop, added up.
struct BatteryState {
    bool discharging = false;
    std::optional<Milliwatts> power_mw; // that is being drawn; only while discharging
    std::optional<Millijoules> full_mj; // capacity when full
};

// Where the kernel shows them; the environment variable EP_POWER_SUPPLY replaces it for trials.
std::filesystem::path powerSupplyFolder();
// Nothing when the machine has no battery. Where there is no such folder macOS' ioreg is asked.
std::optional<BatteryState> readBattery(const std::filesystem::path& folder = powerSupplyFolder());
// What the machine was told to favour; nothing where that is not known.
std::optional<PowerMode> powerMode();

// What a laptop draws from its battery, as rail `system`: a cross-check over tens of seconds, since
// the gauge is slow. Only while it runs on battery.
class BatterySource : public PolledSource {
    Q_OBJECT
public:
    explicit BatterySource(std::filesystem::path folder = powerSupplyFolder(),
                           QObject* parent = nullptr);

    std::string kind() const override { return "battery"; }
    std::string detail() const override { return "battery gauge, slow"; }
    SourceFacts facts() const override { return {.sample_kind = SampleKind::Power}; }

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;
    int leastIntervalMs() const override;

private:
    std::filesystem::path m_folder;
    Milliwatts m_last;
    Nanoseconds m_lastNs = 0;
};

// Whether it can be read now; fails with what to do.
Status checkBattery(const std::filesystem::path& folder = powerSupplyFolder());

} // namespace ep::power
