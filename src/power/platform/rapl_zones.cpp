// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/kernel_file.h"

#include "ep/power/rapl_source.h"

#include <algorithm>
#include <cstdlib>

namespace ep::power {

namespace {
// Excludes intel-rapl-mmio, which shows the same package again.
constexpr std::string_view kPrefix = "intel-rapl:";

std::optional<Rail> railOfZone(const std::string& zone)
{
    if (zone.rfind("package-", 0) == 0)
        return Rail::Cpu;
    if (zone == "psys")
        return Rail::System;
    return zone == "dram" ? std::optional(Rail::Dram) : std::nullopt;
}
} // namespace

std::filesystem::path powercapFolder()
{
    const char* folder = std::getenv("EP_POWERCAP");
    return folder != nullptr && *folder != '\0' ? folder : "/sys/class/powercap";
}

std::string raplRemedy(const std::filesystem::path& powercap)
{
    return "sudo chmod a+r " + (powercap / "intel-rapl:*").string() + "/energy_uj";
}

Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap)
{
    std::vector<RaplZone> zones;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(powercap, error)) {
        const auto folder = entry.path();
        if (folder.filename().string().rfind(kPrefix, 0) != 0)
            continue;
        const auto rail = railOfZone(readLine(folder / "name"));
        if (!rail)
            continue;
        if (!readCounter(folder / "energy_uj"))
            return Error{ErrorCode::Unsupported,
                         "The energy counters of the processor (RAPL) exist, but only root may "
                         "read them; make them readable until the next restart with `"
                             + raplRemedy(powercap) + "`."};
        zones.push_back({folder, *rail, readCounter(folder / "max_energy_range_uj").value_or(0)});
    }
    std::ranges::sort(zones, {}, &RaplZone::folder);
    if (std::ranges::none_of(zones, [](const RaplZone& zone) { return zone.rail == Rail::Cpu; }))
        return Error{ErrorCode::Unsupported,
                     "This machine has no energy counters of its processor (RAPL) in "
                         + powercap.string()
                         + ", as in most virtual machines; choose another power source."};
    return zones;
}

std::optional<Milliwatts> raplRatedPower(const std::vector<RaplZone>& zones)
{
    std::optional<Milliwatts> sum;
    for (const RaplZone& zone : zones) {
        if (zone.rail != Rail::Cpu)
            continue;
        const auto limit = readCounter(zone.folder / "constraint_0_power_limit_uw");
        if (!limit || *limit == 0)
            return std::nullopt;
        sum = sum.value_or(Milliwatts{}) + Milliwatts{static_cast<double>(*limit) / 1000.0};
    }
    return sum;
}

std::optional<std::uint64_t> raplDifference(std::uint64_t before, std::uint64_t after,
                                            std::uint64_t range, Nanoseconds elapsed)
{
    if (elapsed >= kShortestRaplWrap)
        return std::nullopt;
    if (after >= before)
        return after - before;
    if (range < before)
        return std::nullopt;
    const std::uint64_t advanced = range - before + after;
    const double most =
        static_cast<double>(range) * toSeconds(elapsed) / toSeconds(kShortestRaplWrap);
    return static_cast<double>(advanced) <= most ? std::optional(advanced) : std::nullopt;
}

} // namespace ep::power
