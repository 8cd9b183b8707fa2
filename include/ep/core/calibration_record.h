// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Results of a calibration (`energy-profiler calibrate`): the share of each kind of work in the
// energy of a token, measured by replaying it alone. Plain values that are stored.
namespace ep {

struct RunInfo;

// One kind of component or section.
struct CalibratedKind {
    std::string kind{}; // name of a Component or Section
    std::int64_t calls = 0; // number of executions in a token
    std::int64_t footprint_bytes = 0; // size of weights, keys and values that a token reads
    double flops = 0.0; // in a token, according to the spans of a run
    double bytes = 0.0;
    double seconds = 0.0; // in a recorded token
    double share = 0.0; // share of a token's dynamic energy, by replay
    double share_sd = 0.0; // standard deviation of that share
    std::optional<double> doubled_share{}; // share by executing the kind twice in a live decode
    std::optional<double> doubled_share_sd{};
    double tau = 0.0; // relative standard deviation to assume for runs
    Message problem{}; // why the kind is not used; empty: it is used

    bool operator==(const CalibratedKind&) const = default;
};

// A calibration of one model on one machine. It does not apply if anything changes which code is
// executed: see mismatchOf().
struct CalibrationRecord {
    std::string id{}; // UUID
    std::string machine{}; // machineKey()
    std::string os{};
    std::string device{}; // "cpu"
    std::string dtype{}; // "bf16"
    std::string model{}; // name of the model
    std::string fingerprint{}; // describes the model's shapes, ModelFacts::fingerprint
    std::string attention{}; // ExecutionRecord::attention
    std::string kernels{}; // ProfilingRecord::kernels
    int threads = 0;
    std::string source{}; // power source
    std::int64_t position = 0; // mean number of tokens in the context
    std::int64_t measured_at_ms = 0; // wall clock, UTC
    double idle_watts = 0.0;
    double token_joules = 0.0; // dynamic energy of a token in control blocks
    double token_seconds = 0.0;
    double drift = 0.0; // relative drift of the control
    double kappa = 0.0; // sum of all shares
    double kappa_sd = 0.0;
    std::vector<CalibratedKind> kinds{};

    bool operator==(const CalibrationRecord&) const = default;
};

inline constexpr std::int64_t kCalibrationLastsMs = std::int64_t{30} * 24 * 3600 * 1000;

// Properties that a run must share with a calibration for the calibration to apply.
struct CalibrationKey {
    std::string machine{};
    std::string os{};
    std::string device{};
    std::string dtype{};
    std::string fingerprint{};
    std::string attention{};
    std::string kernels{};
    int threads = 0;
    std::string source{};
    std::int64_t at_ms = 0; // time of the run

    bool operator==(const CalibrationKey&) const = default;
};
CalibrationKey calibrationKeyOf(const RunInfo& info);

// Why a calibration does not apply to such a run, as a sentence; empty: it applies.
Message mismatchOf(const CalibrationRecord& record, const CalibrationKey& key);

} // namespace ep
