// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

// A power meter of Linux's hardware monitoring: a file with microwatts, averaged by the driver if
// it can (Documentation/hwmon/sysfs-interface.rst of the kernel).
struct HwmonMeter {
    std::filesystem::path file;
    std::string driver; // "amdgpu", "macsmc_hwmon", "power_meter"
    Rail rail = Rail::System;
    std::optional<Milliwatts> rated_mw{}; // powerN_cap_max, or powerN_cap
};

// The folder in which the kernel exposes power meters; the environment variable EP_HWMON replaces
// it for testing.
std::filesystem::path hwmonFolder();
// The meters of graphics cards and of whole machines, one per device; others measure parts of a
// board that correspond to no rail. Unsupported if there is none, or none with a plausible
// reading; among several, implausible ones are left out and noted.
Result<std::vector<HwmonMeter>> findHwmonMeters(const std::filesystem::path& folder,
                                                ReadingCheck& readings);

// Power of AMD's graphics cards (amdgpu), of Macs under Linux (macsmc_hwmon) and of servers with a
// meter in their firmware (power_meter); meters of one rail are added up.
class HwmonSource : public PolledSource {
    Q_OBJECT
public:
    explicit HwmonSource(std::filesystem::path folder = hwmonFolder(), QObject* parent = nullptr);

    std::string kind() const override { return "hwmon"; }
    Message detail() const override;

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;

private:
    Result<PerRail<Milliwatts>> readMeters();

    std::filesystem::path m_folder;
    std::vector<HwmonMeter> m_meters;
    PerRail<Milliwatts> m_last;
    bool m_incomplete = false; // the last readings lacked a rail
};

} // namespace ep::power
