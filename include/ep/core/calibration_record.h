// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a calibration found out (`energy-profiler calibrate`): the part that each kind of work has
// in the energy of a token, measured by replaying it alone. Plain values that are stored.
namespace ep {

struct RunInfo;

// One kind of component or section.
struct CalibratedKind {
    std::string kind{}; // name of a Component or Section
    std::int64_t calls = 0; // operations of a token
    std::int64_t footprint_bytes = 0; // weights, keys and values that a token reads
    double flops = 0.0; // of a token, as the spans of a run have them
    double bytes = 0.0;
    double seconds = 0.0; // in a token that was recorded
    double share = 0.0; // of the dynamic energy of a token
    double share_sd = 0.0; // of its replay
    std::optional<double> doubled_share{}; // by executing it twice in a live decode
    std::optional<double> doubled_share_sd{};
    double tau = 0.0; // relative standard deviation that runs have to expect
    std::string problem{}; // why it is not used; empty: it is

    bool operator==(const CalibratedKind&) const = default;
};

// With one model on one machine. Whatever makes another program of it makes the record useless:
// see mismatchOf().
struct CalibrationRecord {
    std::string id{}; // UUID
    std::string machine{}; // machineKey()
    std::string os{};
    std::string device{}; // "cpu"
    std::string dtype{}; // "bf16"
    std::string model{}; // name
    std::string fingerprint{}; // of its shapes, ModelFacts::fingerprint
    std::string attention{}; // ExecutionRecord::attention
    std::string kernels{}; // ProfilingRecord::kernels
    int threads = 0;
    std::string source{}; // power source
    std::int64_t position = 0; // of the tokens in the context
    std::int64_t measured_at_ms = 0; // wall clock, UTC
    double idle_watts = 0.0;
    double token_joules = 0.0; // dynamic, of the control
    double token_seconds = 0.0;
    double drift = 0.0; // of the control, relative
    double kappa = 0.0; // sum of all shares
    double kappa_sd = 0.0;
    std::vector<CalibratedKind> kinds{};

    bool operator==(const CalibrationRecord&) const = default;
};

inline constexpr std::int64_t kCalibrationLastsMs = std::int64_t{30} * 24 * 3600 * 1000;

// What a run has to share with a calibration.
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
    std::int64_t at_ms = 0; // when the run was made

    bool operator==(const CalibrationKey&) const = default;
};
CalibrationKey calibrationKeyOf(const RunInfo& info);

// Why a calibration says nothing about such a run, as a sentence; empty: it applies.
std::string mismatchOf(const CalibrationRecord& record, const CalibrationKey& key);

} // namespace ep
