// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/counter_source.h"

#include "platform/kernel_file.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

namespace {

constexpr double kMicrojoulesPerMillijoule = 1000.0;

std::string nameOf(const EnergyCounter& counter)
{
    return "The energy counter " + counter.file.string();
}

} // namespace

SourceFacts CounterSource::facts() const
{
    return {.dropped = m_dropped, .sample_kind = SampleKind::Counter};
}

std::optional<std::uint64_t> CounterSource::advance(std::size_t, std::uint64_t before,
                                                    std::uint64_t after, Nanoseconds) const
{
    return after >= before ? std::optional(after - before) : std::nullopt;
}

Status CounterSource::open()
{
    auto counters = find();
    if (!counters)
        return counters.error();
    m_counters = std::move(*counters);
    const Status status = readCounters(m_last);
    m_lastNs = monotonicNow();
    return status;
}

// Fails if no counter can be read.
Status CounterSource::readCounters(std::vector<std::optional<std::uint64_t>>& values)
{
    values.clear();
    for (const EnergyCounter& counter : m_counters)
        values.push_back(readCounter(counter.file));
    if (std::ranges::any_of(values, [](const auto& value) { return value.has_value(); })) {
        for (std::size_t i = 0; i < m_counters.size(); ++i) {
            if (!values[i])
                m_readings.noteUnreadable(nameOf(m_counters[i]));
        }
        return {};
    }
    return Error{ErrorCode::Io,
                 {"The energy counter %1 can no longer be read; the run continues without power "
                  "from this point.",
                  m_counters.front().file.string()}};
}

// The energy of a device in the window; absent if its counter could not be read or was reset.
std::optional<Millijoules>
CounterSource::energyOf(std::size_t i, std::optional<std::uint64_t> counter, Nanoseconds window)
{
    if (!counter || !m_last[i])
        return std::nullopt;
    const auto microjoules = advance(i, *m_last[i], *counter, window);
    if (!microjoules)
        return std::nullopt;
    return m_readings.energy(
        nameOf(m_counters[i]),
        Millijoules{static_cast<double>(*microjoules) / kMicrojoulesPerMillijoule}, window,
        m_counters[i].most);
}

// A rail is the sum of its counters, so it has no value if one of them has none.
Result<std::optional<PowerSample>> CounterSource::read()
{
    std::vector<std::optional<std::uint64_t>> values;
    if (auto status = readCounters(values); !status)
        return status.error();
    const auto now = monotonicNow();
    if (now <= m_lastNs)
        return std::optional<PowerSample>{};
    PowerSample sample;
    sample.window = {m_lastNs, now};
    PerRail<bool> incomplete;
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        const Rail rail = m_counters[i].rail;
        auto& energy = sample.energy_mj[rail];
        if (const auto own = energyOf(i, values[i], sample.window.duration_ns()))
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
    m_last = std::move(values);
    m_lastNs = now;
    m_dropped += complete ? 0 : 1;
    if (empty) // leaves a gap
        return std::optional<PowerSample>{};
    return std::optional(complete ? completed(sample) : withoutTotal(completed(sample)));
}

} // namespace ep::power
