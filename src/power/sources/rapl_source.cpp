// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/rapl_source.h"

#include <algorithm>

namespace ep::power {

RaplSource::RaplSource(std::filesystem::path powercap, QObject* parent)
    : CounterSource(parent)
    , m_powercap(std::move(powercap))
{
}

std::string RaplSource::detail() const
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

} // namespace ep::power
