// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored/machine_limits.h"

#include "ep/session/explain.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace ep::session {

energy::MachineCosts costsOf(const MachineRecord& record)
{
    using energy::CostOrigin;
    using energy::Prices;
    energy::MachineCosts costs;
    const auto inverse = [&](double Prices::*constant, const MeasuredConstant& rate) {
        costs.mean.*constant = 1.0 / rate.value;
        costs.addSpread(constant, rate.sd / (rate.value * rate.value));
    };
    if (record.flops_per_second.value > 0.0 && record.bytes_per_second.value > 0.0) {
        inverse(&Prices::seconds_per_flop, record.flops_per_second);
        inverse(&Prices::seconds_per_byte, record.bytes_per_second);
        costs.ceilings = CostOrigin::Measured;
    }
    const auto direct = [&](double Prices::*constant, const MeasuredConstant& measured) {
        costs.mean.*constant = measured.value;
        costs.addSpread(constant, measured.sd);
    };
    if (record.joules_per_flop && record.joules_per_byte && record.static_watts) {
        direct(&Prices::joules_per_flop, *record.joules_per_flop);
        direct(&Prices::joules_per_byte, *record.joules_per_byte);
        direct(&Prices::watts, *record.static_watts);
        costs.energies = CostOrigin::Measured;
    }
    return costs;
}

std::optional<energy::MachineCosts> derivedCosts(const std::string& dtype,
                                                 const std::map<std::string, MachineRecord>& limits)
{
    const MachineRecord* nearest = nullptr;
    const MachineRecord* fastest = nullptr;
    const auto distance = [bits = energy::bitsOf(dtype)](const MachineRecord& record) {
        return std::fabs(std::log(energy::bitsOf(record.dtype) / bits));
    };
    if (!(energy::bitsOf(dtype) > 0.0))
        return std::nullopt;
    for (const auto& [name, record] : limits) {
        if (!(energy::bitsOf(name) > 0.0))
            continue;
        if (nearest == nullptr || distance(record) < distance(*nearest))
            nearest = &record;
        if (fastest == nullptr || record.bytes_per_second.value > fastest->bytes_per_second.value)
            fastest = &record;
    }
    if (nearest == nullptr)
        return std::nullopt;
    constexpr double kUnsure = 0.25; // other kernels than those that were measured
    MachineRecord derived = *nearest;
    derived.bytes_per_second = fastest->bytes_per_second;
    for (MeasuredConstant* rate : {&derived.bytes_per_second, &derived.flops_per_second})
        rate->sd = std::hypot(rate->sd, kUnsure * rate->value);
    return costsOf(derived);
}

std::int64_t cacheBytes()
{
#if defined(__APPLE__)
    std::int64_t bytes = 0;
    std::size_t size = sizeof bytes;
    return ::sysctlbyname("hw.perflevel0.l2cachesize", &bytes, &size, nullptr, 0) == 0 ? bytes : 0;
#elif defined(_SC_LEVEL3_CACHE_SIZE)
    return std::max(0L, ::sysconf(_SC_LEVEL3_CACHE_SIZE));
#else
    return 0;
#endif
}

} // namespace ep::session
