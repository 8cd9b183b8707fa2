// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/ioreport_source.h"

#include "platform/ioreport.h"
#include "platform/smc.h"
#include "platform/thermal_notice.h"
#include "sources/window_assembler.h"

#include "ep/core/clock.h"
#include "ep/power/modelled_source.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::power {

namespace {

constexpr std::array kRails{Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram};

std::vector<EnergyChannel> channelsOf(const std::vector<IoReport::Reading>& readings)
{
    std::vector<EnergyChannel> channels;
    channels.reserve(readings.size());
    for (const IoReport::Reading& reading : readings)
        channels.push_back(reading.channel);
    return channels;
}

// The channels of the rails, always in the same order.
std::vector<CounterReading> countersOf(const std::vector<IoReport::Reading>& readings,
                                       const PerRail<std::vector<std::size_t>>& chosen)
{
    std::vector<CounterReading> counters;
    for (const Rail rail : kRails) {
        for (const std::size_t i : chosen[rail].value_or(std::vector<std::size_t>{})) {
            CounterReading counter{.rail = rail, .advance_mj = {}, .timestamp = {}};
            if (i < readings.size()) {
                const auto unit = millijoulesPerUnit(readings[i].channel.unit);
                counter.timestamp = readings[i].timestamp;
                // INT64_MIN (a channel without a value) is negative as well.
                if (unit && readings[i].value >= 0)
                    counter.advance_mj = static_cast<double>(readings[i].value) * *unit;
            }
            counters.push_back(counter);
        }
    }
    return counters;
}

} // namespace

// The system resources that are open while the source runs.
struct IoReportSource::Machine {
    std::unique_ptr<IoReport> report;
    std::unique_ptr<Smc> smc; // null if there is none
    ThermalNotice thermal;
    std::unique_ptr<CpuClock> cpu = machineCpuClock();
    std::optional<CpuTimes> lastCpu{};
    std::optional<Milliwatts> lastSystem{};
    PerRail<std::vector<std::size_t>> chosen{}; // indices of the readings
    std::optional<WindowAssembler> windows{};

    explicit Machine(std::unique_ptr<IoReport> opened)
        : report(std::move(opened))
        , thermal(report->library())
    {
    }

    // Reads the change since the previous call.
    MachineReading look(ReadingCheck& readings)
    {
        MachineReading reading;
        reading.thermal = thermal.read();
        const auto system = smc ? smc->systemPower() : std::nullopt;
        if (smc && !system)
            readings.noteUnreadable("The power of the whole machine (PSTR of the SMC)");
        if (system)
            reading.system_mw = lastSystem ? (*system + *lastSystem) / 2.0 : *system;
        lastSystem = system;
        const auto times = cpu->read();
        if (times && lastCpu && times->total > lastCpu->total) {
            reading.cores_busy = static_cast<float>(times->busy - lastCpu->busy)
                / static_cast<float>(times->total - lastCpu->total);
        }
        lastCpu = times ? std::optional(*times) : std::nullopt;
        return reading;
    }
};

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
    if (m_machine && m_machine->smc)
        text += ", system power from the SMC";
    std::string batched;
    if (m_machine && m_machine->windows) {
        for (const Rail rail : m_machine->windows->railsInBatches())
            batched += (batched.empty() ? "" : ", ") + std::string(name(rail));
    }
    return batched.empty() ? text
                           : text + "; the system publishes " + batched
            + " in batches, within which energy is spread by the load";
}

Status IoReportSource::open()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    m_machine = std::make_unique<Machine>(std::move(*report));
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        m_machine->smc = std::move(*smc);
    const auto [at, readings] = m_machine->report->advance();
    m_machine->chosen = chooseChannels(channelsOf(readings));
    m_machine->look(m_readings);
    m_machine->windows.emplace(countersOf(readings, m_machine->chosen), at,
                               Nanoseconds{intervalMs()} * 1'000'000);
    for (const Rail rail : kRails) {
        for (const std::size_t i : m_machine->chosen[rail].value_or(std::vector<std::size_t>{}))
            m_channels.append(m_channels.empty() ? "" : ", ").append(readings[i].channel.name);
    }
    return {};
}

Result<std::vector<PowerSample>> IoReportSource::readAll(bool last)
{
    const auto [at, readings] = m_machine->report->advance();
    auto samples = m_machine->windows->add(countersOf(readings, m_machine->chosen),
                                           m_machine->look(m_readings), at);
    if (last) {
        for (PowerSample& sample : m_machine->windows->finish(at))
            samples.push_back(std::move(sample));
    }
    // A window without any rail is empty; it becomes a gap.
    const auto dropped = std::erase_if(samples, [](const PowerSample& sample) {
        return std::ranges::none_of(kRails,
                                    [&](Rail rail) { return sample.energy_mj[rail].has_value(); });
    });
    m_dropped += static_cast<std::int64_t>(dropped);
    return samples;
}

std::string ioReportCpuTrouble()
{
    constexpr int kRounds = 5;
    constexpr Nanoseconds kRound = 40'000'000;
    auto report = IoReport::open();
    if (!report)
        return {};
    (*report)->advance();
    int moved = 0;
    for (int round = 0; round < kRounds; ++round) {
        // The load that the counter has to show.
        const Nanoseconds end = monotonicNow() + kRound;
        while (monotonicNow() < end) { }
        const auto readings = (*report)->advance().channels;
        const auto counters = countersOf(readings, chooseChannels(channelsOf(readings)));
        double advance = 0.0;
        bool known = false;
        for (const CounterReading& counter : counters) {
            if (counter.rail != Rail::Cpu || !counter.advance_mj)
                continue;
            known = true;
            advance += *counter.advance_mj;
        }
        if (!known)
            return {};
        moved += advance > 0.0 ? 1 : 0;
    }
    return moved == 0 ? "stands still" : moved < kRounds ? "is published in batches" : "";
}

Result<std::vector<Rail>> findIoReportRails()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    (*report)->advance();
    const auto readings = (*report)->advance().channels;
    const auto counters = countersOf(readings, chooseChannels(channelsOf(readings)));
    std::vector<Rail> rails;
    for (const Rail rail : kRails) {
        const auto belongs = [&](const CounterReading& counter) { return counter.rail == rail; };
        const bool all = std::ranges::all_of(counters, [&](const CounterReading& counter) {
            return !belongs(counter) || counter.advance_mj.has_value();
        });
        if (all && std::ranges::any_of(counters, belongs))
            rails.push_back(rail);
    }
    if (rails.empty())
        return Error{ErrorCode::Unsupported,
                     "The energy counters of this system (IOReport) include no known rail; "
                     "choose the power source powermetrics."};
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        rails.push_back(Rail::System);
    return rails;
}

} // namespace ep::power
