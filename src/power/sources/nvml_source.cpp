// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/nvml_source.h"

#include "platform/nvml.h"
#include "powermetrics/plist_text.h"

#include "ep/core/clock.h"

#include <algorithm>

namespace ep::power {

Result<std::vector<NvmlDevice>> findNvmlDevices()
{
    const auto nvml = Nvml::open();
    if (!nvml)
        return nvml.error();
    const auto count = (*nvml)->count();
    if (!count)
        return count.error();
    std::vector<NvmlDevice> devices;
    for (unsigned i = 0; i < *count; ++i) {
        auto device = (*nvml)->describe(i);
        if (!device)
            return device.error();
        devices.push_back(std::move(*device));
    }
    if (devices.empty())
        return Error{
            ErrorCode::Unsupported,
            "NVIDIA's driver is loaded, but it finds no device; choose another power source."};
    return devices;
}

Result<std::vector<unsigned>> parseNvmlDevices(const std::string& text)
{
    std::vector<unsigned> devices;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto comma = std::min(text.find(',', at), text.size());
        const auto value = parseInteger(std::string_view(text).substr(at, comma - at));
        if (!value || *value < 0 || *value > 255)
            return Error{ErrorCode::InvalidInput,
                         "The devices '" + text
                             + "' of the power source nvml are not understood; write nvml:0 or "
                               "nvml:0,2."};
        devices.push_back(static_cast<unsigned>(*value));
        at = comma + 1;
    }
    return devices;
}

NvmlSource::NvmlSource(std::vector<unsigned> devices, QObject* parent)
    : PolledSource(parent)
    , m_wanted(std::move(devices))
{
}

NvmlSource::~NvmlSource() = default;

std::string NvmlSource::detail() const
{
    std::string text;
    for (const NvmlDevice& device : m_devices) {
        text.append(text.empty() ? "" : ", ").append(std::to_string(device.index)).append(": ");
        text.append(device.name);
        text.append(device.has_counter ? "" : " (no energy counter: instantaneous power)");
    }
    return text.empty() ? "NVIDIA devices" : text;
}

SourceFacts NvmlSource::facts() const
{
    SourceFacts facts{
        .dropped = m_dropped, .rated_mw = Milliwatts{}, .sample_kind = SampleKind::Counter};
    for (const NvmlDevice& device : m_devices) {
        if (!device.has_counter)
            facts.sample_kind = SampleKind::Power;
        if (facts.rated_mw && device.limit_mw)
            *facts.rated_mw += *device.limit_mw;
        else
            facts.rated_mw.reset();
    }
    if (m_devices.empty())
        facts.rated_mw.reset();
    return facts;
}

Status NvmlSource::open()
{
    auto nvml = Nvml::open();
    if (!nvml)
        return nvml.error();
    m_nvml = std::move(*nvml);
    const auto devices = findNvmlDevices();
    if (!devices)
        return devices.error();
    for (const NvmlDevice& device : *devices) {
        if (m_wanted.empty() || std::ranges::count(m_wanted, device.index) > 0)
            m_devices.push_back(device);
    }
    if (m_devices.empty() || (!m_wanted.empty() && m_devices.size() != m_wanted.size()))
        return Error{ErrorCode::NotFound,
                     "There is no such NVIDIA device; this machine has "
                         + std::to_string(devices->size()) + ", numbered from 0."};
    auto first = readCards();
    if (!first)
        return first.error();
    m_last = std::move(*first);
    m_lastNs = monotonicNow();
    return {};
}

Result<std::vector<NvmlSource::Reading>> NvmlSource::readCards() const
{
    std::vector<Reading> readings;
    for (const NvmlDevice& device : m_devices) {
        Reading reading;
        if (device.has_counter) {
            const auto energy = m_nvml->energyMj(device.index);
            if (!energy)
                return energy.error();
            reading.counter_mj = *energy;
        } else {
            const auto power = m_nvml->powerMw(device.index);
            if (!power)
                return power.error();
            reading.power_mw = *power;
        }
        readings.push_back(reading);
    }
    return readings;
}

Result<std::optional<PowerSample>> NvmlSource::read()
{
    auto readings = readCards();
    if (!readings)
        return readings.error();
    const Nanoseconds now = monotonicNow();
    PowerSample sample;
    sample.window = {m_lastNs, now};
    if (sample.window.empty())
        return std::optional<PowerSample>{};
    double energy = 0.0;
    bool lost = false;
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const Reading& before = m_last[i];
        const Reading& after = (*readings)[i];
        if (after.counter_mj == before.counter_mj && after.counter_mj)
            return std::optional<PowerSample>{}; // not advanced yet: the window continues
        if (after.counter_mj && before.counter_mj) {
            lost = lost || *after.counter_mj < *before.counter_mj; // the driver was reloaded
            energy += lost ? 0.0 : static_cast<double>(*after.counter_mj - *before.counter_mj);
        } else {
            const Milliwatts mean{(before.power_mw + after.power_mw) / 2.0};
            energy += energyOf(mean, sample.window.duration_ns()).value;
        }
    }
    m_last = std::move(*readings);
    m_lastNs = now;
    if (lost) {
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    sample.energy_mj[Rail::Gpu] = Millijoules{energy};
    return std::optional(completed(sample));
}

} // namespace ep::power
