// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <cstdint>
#include <optional>
#include <string>

// Measurements of a machine, and remedies tried on it: plain values that are stored.
namespace ep {

struct MeasuredConstant {
    double value = 0.0;
    double sd = 0.0; // standard deviation

    bool operator==(const MeasuredConstant&) const = default;
};

// The limits of a machine for one number format on one device (`energy-profiler calibrate`).
struct MachineRecord {
    std::string machine; // machineKey()
    std::string device; // "cpu"
    std::string dtype; // "bf16"
    int threads = 0;
    MeasuredConstant flops_per_second;
    MeasuredConstant bytes_per_second;
    std::optional<MeasuredConstant> joules_per_flop{}; // absent if there is no sensor
    std::optional<MeasuredConstant> joules_per_byte{};
    std::optional<MeasuredConstant> static_watts{};
    std::string source{}; // power source; empty: none
    std::int64_t measured_at_ms = 0; // wall clock, UTC

    bool operator==(const MachineRecord&) const = default;
};

// A remedy that a study tried, with its prediction. The observed saving is computed from the runs
// of the experiment.
struct AdviceRecord {
    std::string experiment; // experiment of the study; unique
    std::string machine; // machineKey()
    std::string run; // id of the run that the advice was about
    std::string lever; // "number_format"
    std::string setting; // "int8"
    bool of_time = false; // the prediction is about time rather than energy
    MeasuredConstant share; // predicted saving per output token, as a share
    std::int64_t created_at_ms = 0; // wall clock, UTC

    bool operator==(const AdviceRecord&) const = default;
};

// Runs with equal keys were made on equal machines.
inline std::string machineKey(const Environment& environment)
{
    return environment.machine + ", " + environment.cpu;
}

} // namespace ep
