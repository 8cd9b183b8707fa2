// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/nvml_source.h"

#include "ep/core/clock.h"
#include "ep/core/number_text.h"
#include "ep/core/shared_library.h"

#include <algorithm>
#include <array>

namespace ep::power {

namespace {

std::string nameOf(const NvmlDevice& device)
{
    return "The NVIDIA device " + std::to_string(device.index)
        + (device.name.empty() ? "" : " (" + device.name + ")");
}

constexpr unsigned kFieldPowerInstant = 186;
constexpr const char* kDriverName = "libnvidia-ml.so.1";

} // namespace

// The functions used from NVIDIA's management library, with prototypes of our own that follow its
// documented interface. Every member fails with the driver's error message.
class Nvml {
public:
    static Result<std::unique_ptr<Nvml>> open()
    {
        auto library =
            SharedLibrary::open(pathFrom("EP_NVML", kDriverName), "management library of NVIDIA",
                                "choose another power source");
        if (!library)
            return library.error();
        std::unique_ptr<Nvml> nvml(new Nvml);
        nvml->m_library = std::move(*library);
        const SharedLibrary& from = nvml->m_library;
        Return (*init)() = nullptr;
        const bool complete = from.load(init, "nvmlInit_v2")
            && from.load(nvml->m_count, "nvmlDeviceGetCount_v2")
            && from.load(nvml->m_handle, "nvmlDeviceGetHandleByIndex_v2")
            && from.load(nvml->m_power, "nvmlDeviceGetPowerUsage");
        if (!complete)
            return Error{
                ErrorCode::Unsupported,
                "NVIDIA's management library is too old to report power; update the driver."};
        from.load(nvml->m_errorString, "nvmlErrorString");
        from.load(nvml->m_name, "nvmlDeviceGetName");
        from.load(nvml->m_energy, "nvmlDeviceGetTotalEnergyConsumption");
        from.load(nvml->m_limit, "nvmlDeviceGetEnforcedPowerLimit");
        from.load(nvml->m_fields, "nvmlDeviceGetFieldValues");
        if (const Return status = init(); status != 0)
            return nvml->failure(status, "could not be started");
        from.load(nvml->m_shutdown, "nvmlShutdown");
        return nvml;
    }

    ~Nvml()
    {
        if (m_shutdown != nullptr)
            m_shutdown();
    }

    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    Result<unsigned> count() const
    {
        unsigned count = 0;
        if (const Return status = m_count(&count); status != 0)
            return failure(status, "does not list devices");
        return count;
    }

    Result<NvmlDevice> describe(unsigned index) const
    {
        const auto handle = device(index);
        if (!handle)
            return handle.error();
        NvmlDevice described;
        described.index = index;
        std::array<char, 128> name{};
        if (m_name != nullptr && m_name(*handle, name.data(), name.size() - 1) == 0)
            described.name = name.data();
        unsigned limit = 0;
        if (m_limit != nullptr && m_limit(*handle, &limit) == 0 && limit > 0)
            described.limit_mw = Milliwatts{static_cast<double>(limit)};
        described.has_counter = energyMj(index).has_value();
        return described;
    }

    // Since the driver was loaded.
    Result<std::uint64_t> energyMj(unsigned index) const
    {
        const auto handle = device(index);
        if (!handle)
            return handle.error();
        unsigned long long energy = 0;
        if (m_energy == nullptr)
            return Error{ErrorCode::Unsupported, "NVIDIA's driver has no energy counter."};
        if (const Return status = m_energy(*handle, &energy); status != 0)
            return failure(status, "gives no energy for device " + std::to_string(index));
        return static_cast<std::uint64_t>(energy);
    }

    Result<double> powerMw(unsigned index) const
    {
        const auto handle = device(index);
        if (!handle)
            return handle.error();
        FieldValue field;
        field.field_id = kFieldPowerInstant;
        if (m_fields != nullptr && m_fields(*handle, 1, &field) == 0 && field.status == 0
            && field.value.as_uint > 0)
            return static_cast<double>(field.value.as_uint);
        unsigned power = 0;
        if (const Return status = m_power(*handle, &power); status != 0)
            return failure(status, "gives no power for device " + std::to_string(index));
        return static_cast<double>(power);
    }

private:
    Nvml() = default;
    using Return = int;
    using Device = void*;
    struct FieldValue { // nvmlFieldValue_t
        unsigned field_id = 0;
        unsigned scope_id = 0;
        long long timestamp = 0;
        long long latency_us = 0;
        int value_type = 0;
        Return status = 0;
        union {
            double as_double;
            unsigned as_uint;
            unsigned long as_ulong;
            unsigned long long as_ulonglong;
            long long as_longlong;
        } value{};
    };

    Error failure(Return status, const std::string& what) const
    {
        const char* text = m_errorString != nullptr ? m_errorString(status) : nullptr;
        return {ErrorCode::Unsupported,
                {"NVIDIA's management library %1 (%2); check that `nvidia-smi` works, or choose "
                 "another power source.",
                 what, text != nullptr ? std::string(text) : "error " + std::to_string(status)}};
    }

    Result<Device> device(unsigned index) const
    {
        Device device = nullptr;
        if (const Return status = m_handle(index, &device); status != 0)
            return failure(status, "does not open device " + std::to_string(index));
        return device;
    }

    SharedLibrary m_library{};
    Return (*m_shutdown)() = nullptr;
    const char* (*m_errorString)(Return) = nullptr;
    Return (*m_count)(unsigned*) = nullptr;
    Return (*m_handle)(unsigned, Device*) = nullptr;
    Return (*m_name)(Device, char*, unsigned) = nullptr;
    Return (*m_energy)(Device, unsigned long long*) = nullptr;
    Return (*m_power)(Device, unsigned*) = nullptr;
    Return (*m_limit)(Device, unsigned*) = nullptr;
    Return (*m_fields)(Device, int, FieldValue*) = nullptr;
};

Result<std::vector<NvmlDevice>> findNvmlDevices(ReadingCheck& readings)
{
    const auto nvml = Nvml::open();
    if (!nvml)
        return nvml.error();
    const auto count = (*nvml)->count();
    if (!count)
        return count.error();
    std::vector<NvmlDevice> devices;
    std::optional<Error> failure;
    for (unsigned i = 0; i < *count; ++i) {
        auto device = (*nvml)->describe(i);
        if (device && !device->has_counter) {
            if (auto power = (*nvml)->powerMw(i); !power)
                device = power.error();
        }
        if (device) {
            devices.push_back(std::move(*device));
            continue;
        }
        readings.noteUnreadable(nameOf({.index = i, .name = {}, .limit_mw = {}}));
        failure = failure.value_or(device.error());
    }
    if (devices.empty() && failure)
        return *failure;
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
        const auto value = ep::readWhole(std::string_view(text).substr(at, comma - at));
        if (!value || *value < 0 || *value > 255)
            return Error{ErrorCode::InvalidInput,
                         {"The devices '%1' of the power source nvml are not understood; write "
                          "nvml:0 or nvml:0,2.",
                          text}};
        devices.push_back(static_cast<unsigned>(*value));
        at = comma + 1;
    }
    return devices;
}

NvmlSource::NvmlSource(std::vector<unsigned> devices, QObject* parent)
    : PolledSource(SampleKind::Counter, parent)
    , m_wanted(std::move(devices))
{
}

NvmlSource::~NvmlSource() = default;

Message NvmlSource::detail() const
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
    SourceFacts facts = PolledSource::facts();
    facts.rated_mw = m_devices.empty() ? std::nullopt : std::optional(Milliwatts{});
    for (const NvmlDevice& device : m_devices) {
        if (!device.has_counter)
            facts.sample_kind = SampleKind::Power;
        if (facts.rated_mw && device.limit_mw)
            *facts.rated_mw += *device.limit_mw;
        else
            facts.rated_mw.reset();
    }
    return facts;
}

Status NvmlSource::open()
{
    auto nvml = Nvml::open();
    if (!nvml)
        return nvml.error();
    m_nvml = std::move(*nvml);
    ReadingCheck found; // problems of devices that were not requested do not matter
    const auto devices = findNvmlDevices(m_wanted.empty() ? m_readings : found);
    if (!devices)
        return devices.error();
    for (const NvmlDevice& device : *devices) {
        if (m_wanted.empty() || std::ranges::count(m_wanted, device.index) > 0)
            m_devices.push_back(device);
    }
    if (m_devices.empty() || (!m_wanted.empty() && m_devices.size() != m_wanted.size()))
        return Error{ErrorCode::NotFound,
                     !found.faults().empty()
                         ? sequence({found.faults().front(), "Choose another device."})
                         : Message("There is no such NVIDIA device; this machine has %1, numbered "
                                   "from 0.",
                                   devices->size())};
    auto first = readCards();
    if (!first)
        return first.error();
    m_last = std::move(*first);
    m_lastNs = monotonicNow();
    return {};
}

// Fails if no card can be read.
Result<std::vector<NvmlSource::Reading>> NvmlSource::readCards()
{
    std::vector<Reading> readings;
    std::optional<Error> failure;
    std::size_t failed = 0;
    for (const NvmlDevice& device : m_devices) {
        Reading reading;
        if (device.has_counter) {
            const auto energy = m_nvml->energyMj(device.index);
            if (energy && !isErrorCode(static_cast<double>(*energy)))
                reading.counter_mj = *energy;
            else if (!energy)
                failure = energy.error();
        } else {
            const auto power = m_nvml->powerMw(device.index);
            if (power)
                reading.power_mw = m_readings.power(nameOf(device), *power, 1.0,
                                                    mostOfDevice(Rail::Gpu, device.limit_mw));
            else
                failure = power.error();
        }
        if (!reading.counter_mj && !reading.power_mw) {
            m_readings.noteUnreadable(nameOf(device));
            ++failed;
        }
        readings.push_back(reading);
    }
    if (failed == m_devices.size() && failure)
        return *failure;
    return readings;
}

// Energy that a card used in the window; absent if unknown.
std::optional<Millijoules> NvmlSource::energyOfCard(std::size_t i, const Reading& after,
                                                    Nanoseconds window)
{
    const Reading& before = m_last[i];
    if (before.power_mw && after.power_mw)
        return energyOf((*before.power_mw + *after.power_mw) / 2.0, window);
    if (!before.counter_mj || !after.counter_mj || *after.counter_mj <= *before.counter_mj)
        return std::nullopt; // unreadable or standing still, or the driver was reloaded
    return m_readings.energy(
        nameOf(m_devices[i]),
        Millijoules{static_cast<double>(*after.counter_mj - *before.counter_mj)}, window,
        mostOfDevice(Rail::Gpu, m_devices[i].limit_mw));
}

// Whether the window continues because a counter has not advanced yet. A counter that stands still
// for too long is broken: from then on, its card is read as power.
bool NvmlSource::waits(const std::vector<Reading>& readings, Nanoseconds now)
{
    constexpr Nanoseconds kStandstill = 2'000'000'000;
    bool waiting = false;
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const auto& counter = readings[i].counter_mj;
        if (!counter || counter != m_last[i].counter_mj)
            continue;
        if (now - m_lastNs < kStandstill || !m_nvml->powerMw(m_devices[i].index)) {
            waiting = true;
            continue;
        }
        m_devices[i].has_counter = false;
        m_readings.note(
            nameOf(m_devices[i]),
            Message("%1 has an energy counter that does not advance; its power is read instead.",
                    nameOf(m_devices[i])));
    }
    return waiting;
}

Result<std::optional<PowerSample>> NvmlSource::read()
{
    auto readings = readCards();
    if (!readings)
        return readings.error();
    const Nanoseconds now = monotonicNow();
    PowerSample sample;
    sample.window = {m_lastNs, now};
    if (sample.window.empty() || waits(*readings, now))
        return std::optional<PowerSample>{};
    std::optional<Millijoules> energy = Millijoules{};
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const auto own = energyOfCard(i, (*readings)[i], sample.window.duration_ns());
        energy = energy && own ? std::optional(*energy + *own) : std::nullopt;
    }
    m_last = std::move(*readings);
    m_lastNs = now;
    if (!energy) {
        ++m_dropped;
        return std::optional<PowerSample>{};
    }
    sample.energy_mj[Rail::Gpu] = energy;
    return std::optional(completed(sample));
}

} // namespace ep::power
