// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/rapl_source.h"

#include "platform/kernel_file.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

namespace {
constexpr double kMicrojoulesPerMillijoule = 1000.0;
}

RaplSource::RaplSource(std::filesystem::path powercap, QObject* parent)
    : PolledSource(parent)
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
    return {.dropped = m_dropped,
            .rated_mw = raplRatedPower(m_zones),
            .sample_kind = SampleKind::Counter};
}

int RaplSource::longestIntervalMs() const
{
    return static_cast<int>(toMilliseconds(kShortestRaplWrap / 2));
}

Status RaplSource::open()
{
    auto zones = findRaplZones(m_powercap);
    if (!zones)
        return zones.error();
    m_zones = std::move(*zones);
    const Status status = readCounters(m_last);
    m_lastNs = monotonicNow();
    return status;
}

Status RaplSource::readCounters(std::vector<std::uint64_t>& counters) const
{
    counters.clear();
    for (const auto& zone : m_zones) {
        const auto value = readCounter(zone.folder / "energy_uj");
        if (!value)
            return Error{
                ErrorCode::Io,
                "The energy counter " + (zone.folder / "energy_uj").string()
                    + " can no longer be read; the run continues without power from this point."};
        counters.push_back(*value);
    }
    return {};
}

Result<std::optional<PowerSample>> RaplSource::read()
{
    std::vector<std::uint64_t> counters;
    if (auto status = readCounters(counters); !status)
        return status.error();
    const auto now = monotonicNow();
    if (now <= m_lastNs)
        return std::optional<PowerSample>{};
    PowerSample sample;
    sample.window = {m_lastNs, now};
    bool complete = true;
    for (std::size_t i = 0; i < m_zones.size(); ++i) {
        const auto difference = raplDifference(
            m_last[i], counters[i], m_zones[i].max_energy_range_uj, sample.window.duration_ns());
        complete = complete && difference;
        auto& energy = sample.energy_mj[m_zones[i].rail];
        energy = energy.value_or(Millijoules{})
            + Millijoules{static_cast<double>(difference.value_or(0)) / kMicrojoulesPerMillijoule};
    }
    m_last = std::move(counters);
    m_lastNs = now;
    if (!complete) { // a counter was reset: the energy of this window is unknown, which leaves a
                     // gap
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    return std::optional(completed(sample));
}

} // namespace ep::power
