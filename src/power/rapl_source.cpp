// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/rapl_source.h"

#include "rapl_counter.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

namespace {
constexpr double kMicrojoulesPerMillijoule = 1000.0;
}

RaplSource::RaplSource(std::filesystem::path powercap, QObject* parent)
    : Source(parent)
    , m_powercap(std::move(powercap))
    , m_timer(this)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RaplSource::sample);
}

std::string RaplSource::detail() const
{
    const auto count = [this](Rail rail) {
        return std::to_string(std::ranges::count(m_zones, rail, &RaplZone::rail));
    };
    return "processor packages: " + count(Rail::Cpu) + ", memory counters: " + count(Rail::Dram);
}

void RaplSource::start(int intervalMs)
{
    auto zones = findRaplZones(m_powercap);
    Status status = zones ? Status() : Status(zones.error());
    if (zones) {
        m_zones = std::move(*zones);
        status = read(m_last);
        m_lastNs = monotonicNow();
    }
    if (!status) {
        QMetaObject::invokeMethod(
            this, [this, message = status.error().message] { end(message); }, Qt::QueuedConnection);
        return;
    }
    m_timer.start(std::max(1, intervalMs));
}

Status RaplSource::read(std::vector<std::uint64_t>& counters) const
{
    counters.clear();
    for (const auto& zone : m_zones) {
        const auto value = readCounter(zone.folder / "energy_uj");
        if (!value)
            return Error{ErrorCode::Io,
                         "The energy counter " + (zone.folder / "energy_uj").string()
                             + " can no longer be read; the run goes on without power from there."};
        counters.push_back(*value);
    }
    return {};
}

void RaplSource::sample()
{
    std::vector<std::uint64_t> counters;
    if (auto status = read(counters); !status)
        return end(status.error().message);
    const auto now = monotonicNow();
    if (now <= m_lastNs)
        return;
    PowerSample sample;
    sample.window = {m_lastNs, now};
    sample.arrival_ns = now;
    bool complete = true;
    for (std::size_t i = 0; i < m_zones.size(); ++i) {
        const auto difference =
            raplDifference(m_last[i], counters[i], m_zones[i].max_energy_range_uj);
        complete = complete && difference;
        auto& energy = sample.energy_mj[m_zones[i].rail];
        energy = energy.value_or(Millijoules{})
            + Millijoules{static_cast<double>(difference.value_or(0)) / kMicrojoulesPerMillijoule};
    }
    m_last = std::move(counters);
    m_lastNs = now;
    if (!complete)
        return; // a counter was reset: this window has no known energy, and the gap shows
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (const auto& energy = sample.energy_mj.values[i])
            sample.power_mw.values[i] = meanPower(*energy, sample.window.duration_ns());
    }
    sample.total_mw = totalOf(sample.power_mw);
    Q_EMIT sampleReady(sample);
}

void RaplSource::stop()
{
    if (m_timer.isActive())
        sample();
    end({});
}

void RaplSource::end(const std::string& problem)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    Q_EMIT ended(QString::fromStdString(problem));
}

} // namespace ep::power
