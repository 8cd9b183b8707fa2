// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/rapl_source.h"

#include "platform/kernel_file.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

namespace {

constexpr double kMicrojoulesPerMillijoule = 1000.0;

std::string nameOf(const RaplZone& zone)
{
    return "The energy counter " + (zone.folder / "energy_uj").string();
}

} // namespace

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
    auto zones = findRaplZones(m_powercap, m_readings);
    if (!zones)
        return zones.error();
    m_zones = std::move(*zones);
    for (const RaplZone& zone : m_zones)
        m_most.push_back(mostOfDevice(zone.rail, raplPeakPower(zone)));
    const Status status = readCounters(m_last);
    m_lastNs = monotonicNow();
    return status;
}

// Fails if no zone can be read.
Status RaplSource::readCounters(std::vector<std::optional<std::uint64_t>>& counters)
{
    counters.clear();
    for (const auto& zone : m_zones)
        counters.push_back(readCounter(zone.folder / "energy_uj"));
    if (std::ranges::any_of(counters, [](const auto& counter) { return counter.has_value(); })) {
        for (std::size_t i = 0; i < m_zones.size(); ++i) {
            if (!counters[i])
                m_readings.noteUnreadable(nameOf(m_zones[i]));
        }
        return {};
    }
    return Error{ErrorCode::Io,
                 nameOf(m_zones.front())
                     + " can no longer be read; the run continues without power from this point."};
}

// Energy that a zone used in the window; absent if its counter could not be read or was reset.
std::optional<Millijoules>
RaplSource::energyOfZone(std::size_t i, std::optional<std::uint64_t> counter, Nanoseconds window)
{
    if (!counter || !m_last[i])
        return std::nullopt;
    const auto difference =
        raplDifference(*m_last[i], *counter, m_zones[i].max_energy_range_uj, window);
    if (!difference)
        return std::nullopt;
    return m_readings.energy(
        nameOf(m_zones[i]),
        Millijoules{static_cast<double>(*difference) / kMicrojoulesPerMillijoule}, window,
        m_most[i]);
}

// A rail is the sum of its zones, so it has no value if one of them has none.
Result<std::optional<PowerSample>> RaplSource::read()
{
    std::vector<std::optional<std::uint64_t>> counters;
    if (auto status = readCounters(counters); !status)
        return status.error();
    const auto now = monotonicNow();
    if (now <= m_lastNs)
        return std::optional<PowerSample>{};
    PowerSample sample;
    sample.window = {m_lastNs, now};
    PerRail<bool> incomplete;
    for (std::size_t i = 0; i < m_zones.size(); ++i) {
        const Rail rail = m_zones[i].rail;
        auto& energy = sample.energy_mj[rail];
        if (const auto own = energyOfZone(i, counters[i], sample.window.duration_ns()))
            energy = energy.value_or(Millijoules{}) + *own;
        else
            incomplete[rail] = true;
    }
    bool complete = true;
    bool empty = true;
    for (const Rail rail : kRails) {
        if (incomplete[rail]) {
            sample.energy_mj[rail].reset();
            complete = false;
        }
        empty = empty && !sample.energy_mj[rail];
    }
    m_last = std::move(counters);
    m_lastNs = now;
    m_dropped += complete ? 0 : 1;
    if (empty) // leaves a gap
        return std::optional<PowerSample>{};
    return std::optional(complete ? completed(sample) : withoutTotal(completed(sample)));
}

} // namespace ep::power
