// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/ioreport_source.h"

#include "ioreport.h"
#include "smc.h"

#include "ep/core/clock.h"

#include <limits>

namespace ep::power {

namespace {

// Sum of the rail's channels in mJ; nothing when one of them has no value or went back.
std::optional<double> energyOfRail(const std::vector<IoReport::Reading>& readings,
                                   const std::vector<std::size_t>& members)
{
    double sum = 0.0;
    for (const std::size_t i : members) {
        const IoReport::Reading& reading = readings[i];
        const auto unit = millijoulesPerUnit(reading.channel.unit);
        // INT64_MIN (a channel without reading) is negative as well.
        if (!unit || reading.value < 0)
            return std::nullopt;
        sum += static_cast<double>(reading.value) * *unit;
    }
    return sum;
}

std::vector<EnergyChannel> channelsOf(const std::vector<IoReport::Reading>& readings)
{
    std::vector<EnergyChannel> channels;
    channels.reserve(readings.size());
    for (const IoReport::Reading& reading : readings)
        channels.push_back(reading.channel);
    return channels;
}

} // namespace

IoReportSource::IoReportSource(QObject* parent)
    : PolledSource(parent)
{
}

IoReportSource::~IoReportSource() = default;

std::string IoReportSource::detail() const
{
    std::string text = "energy counters of the system";
    if (!m_channels.empty())
        text += " (" + m_channels + ")";
    return m_smc ? text + ", system power of the SMC" : text;
}

Status IoReportSource::open()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    m_report = std::move(*report);
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        m_smc = std::move(*smc);
    m_report->advance();
    m_lastSystem = m_smc ? m_smc->systemPower() : std::nullopt;
    m_lastNs = monotonicNow();
    return {};
}

Result<std::optional<PowerSample>> IoReportSource::read()
{
    const auto readings = m_report->advance();
    const Nanoseconds now = monotonicNow();
    PowerSample sample;
    sample.window = {m_lastNs, now};
    if (sample.window.empty())
        return std::optional<PowerSample>{};
    m_lastNs = now;
    const auto chosen = chooseChannels(channelsOf(readings));
    bool any = false;
    m_channels.clear();
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram}) {
        if (!chosen[rail])
            continue;
        const auto energy = energyOfRail(readings, *chosen[rail]);
        if (!energy)
            continue;
        any = true;
        sample.energy_mj[rail] = Millijoules{*energy};
        for (const std::size_t i : *chosen[rail])
            m_channels.append(m_channels.empty() ? "" : ", ").append(readings[i].channel.name);
    }
    const auto system = m_smc ? m_smc->systemPower() : std::nullopt;
    if (system)
        sample.power_mw[Rail::System] = m_lastSystem ? (*system + *m_lastSystem) / 2.0 : *system;
    m_lastSystem = system;
    if (!any) {
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    return std::optional(completed(sample));
}

Result<std::vector<Rail>> findIoReportRails()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    (*report)->advance();
    const auto readings = (*report)->advance();
    const auto chosen = chooseChannels(channelsOf(readings));
    std::vector<Rail> rails;
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram}) {
        if (chosen[rail] && energyOfRail(readings, *chosen[rail]))
            rails.push_back(rail);
    }
    if (rails.empty())
        return Error{ErrorCode::Unsupported,
                     "The energy counters of this system (IOReport) hold no rail that is known; "
                     "choose the power source powermetrics."};
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        rails.push_back(Rail::System);
    return rails;
}

} // namespace ep::power
