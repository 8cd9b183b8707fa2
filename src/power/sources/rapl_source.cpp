// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/rapl_source.h"

#include "platform/kernel_file.h"

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

RaplSource::RaplSource(std::filesystem::path powercap, QObject* parent)
    : CounterSource(parent)
    , m_powercap(std::move(powercap))
{
}

Message RaplSource::detail() const
{
    const auto count = [this](Rail rail) {
        return std::to_string(std::ranges::count(m_zones, rail, &RaplZone::rail));
    };
    const bool platform = std::ranges::count(m_zones, Rail::System, &RaplZone::rail) > 0;
    return "processor packages: " + count(Rail::Cpu) + ", memory counters: " + count(Rail::Dram)
        + (platform ? ", platform counter" : "");
}

SourceFacts RaplSource::facts() const
{
    SourceFacts facts = CounterSource::facts();
    facts.rated_mw = raplRatedPower(m_zones);
    return facts;
}

std::optional<std::uint64_t> RaplSource::advance(std::size_t zone, std::uint64_t before,
                                                 std::uint64_t after, Nanoseconds elapsed) const
{
    return raplDifference(before, after, m_zones[zone].max_energy_range_uj, elapsed);
}

int RaplSource::longestIntervalMs() const
{
    return static_cast<int>(toMilliseconds(kShortestRaplWrap / 2));
}

Result<std::vector<EnergyCounter>> RaplSource::find()
{
    auto zones = findRaplZones(m_powercap, m_readings);
    if (!zones)
        return zones.error();
    m_zones = std::move(*zones);
    std::vector<EnergyCounter> counters;
    for (const RaplZone& zone : m_zones)
        counters.push_back({.file = zone.folder / "energy_uj",
                            .rail = zone.rail,
                            .most = mostOfDevice(zone.rail, raplPeakPower(zone))});
    return counters;
}

std::filesystem::path powercapFolder()
{
    const char* folder = std::getenv("EP_POWERCAP");
    return folder != nullptr && *folder != '\0' ? folder : "/sys/class/powercap";
}

std::string raplRemedy(const std::filesystem::path& powercap)
{
    return "sudo chmod a+r " + (powercap / "intel-rapl:*").string() + "/energy_uj";
}

Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap,
                                            ReadingCheck& readings)
{
    std::vector<RaplZone> zones;
    std::vector<std::filesystem::path> unreadable;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(powercap, error)) {
        const auto folder = entry.path();
        if (folder.filename().string().rfind(kPrefix, 0) != 0)
            continue;
        const auto rail = railOfZone(readLine(folder / "name"));
        if (!rail)
            continue;
        if (readCounter(folder / "energy_uj"))
            zones.push_back(
                {folder, *rail, readCounter(folder / "max_energy_range_uj").value_or(0)});
        else
            unreadable.push_back(folder / "energy_uj");
    }
    std::ranges::sort(zones, {}, &RaplZone::folder);
    std::ranges::sort(unreadable);
    const bool useful =
        std::ranges::any_of(zones, [](const RaplZone& zone) { return zone.rail != Rail::Dram; });
    if (useful) {
        for (const auto& counter : unreadable)
            readings.noteUnreadable("The energy counter " + counter.string());
        return zones;
    }
    if (!unreadable.empty())
        return Error{ErrorCode::Io,
                     {"The energy counters of the processor (RAPL) exist, but only root may read "
                      "them; make them readable until the next restart with `%1`.",
                      raplRemedy(powercap)}};
    return Error{ErrorCode::Unsupported,
                 {"This machine has no energy counters of its processor (RAPL) in %1, as in most "
                  "virtual machines; choose another power source.",
                  powercap.string()}};
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

std::optional<Milliwatts> raplPeakPower(const RaplZone& zone)
{
    std::uint64_t most = 0;
    for (int i = 0; i < 3; ++i) { // long term, short term, peak
        const std::string constraint = "constraint_" + std::to_string(i);
        for (const char* suffix : {"_power_limit_uw", "_max_power_uw"})
            most = std::max(most, readCounter(zone.folder / (constraint + suffix)).value_or(0));
    }
    return most > 0 ? std::optional(Milliwatts{static_cast<double>(most) / 1000.0}) : std::nullopt;
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
