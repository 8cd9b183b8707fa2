// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/nvml_source.h"

#include "ep/core/shared_library.h"

#include <cstdint>

namespace ep::power {

// The functions used from NVIDIA's management library, with prototypes of our own that follow its
// documented interface. Every member fails with the driver's error message.
class Nvml {
public:
    static Result<std::unique_ptr<Nvml>> open();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    Result<unsigned> count() const;
    Result<NvmlDevice> describe(unsigned index) const;
    Result<std::uint64_t> energyMj(unsigned index) const; // since the driver was loaded
    Result<double> powerMw(unsigned index) const;

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

    Error failure(Return status, const std::string& what) const;
    Result<Device> device(unsigned index) const;

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

} // namespace ep::power
