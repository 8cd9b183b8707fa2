// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/nvml.h"

#include <array>

namespace ep::power {

namespace {
constexpr unsigned kFieldPowerInstant = 186;
constexpr const char* kDriverName = "libnvidia-ml.so.1";
} // namespace

Result<std::unique_ptr<Nvml>> Nvml::open()
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
        return Error{ErrorCode::Unsupported,
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

Nvml::~Nvml()
{
    if (m_shutdown != nullptr)
        m_shutdown();
}

Error Nvml::failure(Return status, const std::string& what) const
{
    const char* text = m_errorString != nullptr ? m_errorString(status) : nullptr;
    return {ErrorCode::Unsupported,
            {"NVIDIA's management library %1 (%2); check that `nvidia-smi` works, or choose "
             "another power source.",
             what, text != nullptr ? std::string(text) : "error " + std::to_string(status)}};
}

Result<unsigned> Nvml::count() const
{
    unsigned count = 0;
    if (const Return status = m_count(&count); status != 0)
        return failure(status, "does not list devices");
    return count;
}

Result<Nvml::Device> Nvml::device(unsigned index) const
{
    Device device = nullptr;
    if (const Return status = m_handle(index, &device); status != 0)
        return failure(status, "does not open device " + std::to_string(index));
    return device;
}

Result<NvmlDevice> Nvml::describe(unsigned index) const
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

Result<std::uint64_t> Nvml::energyMj(unsigned index) const
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

Result<double> Nvml::powerMw(unsigned index) const
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

} // namespace ep::power
