// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/core/units.h"
#include "ep/core/words.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ep {

// Clean / instrumented.
struct TwinFactors {
    double time = 1.0;
    double energy = 1.0;

    bool operator==(const TwinFactors&) const = default;
};

// How the spans of a recorded execution become those of the clean one, phase by phase.
struct TwinScale {
    TwinFactors prefill;
    TwinFactors decode;

    TwinFactors of(Phase phase) const
    {
        return phase == Phase::Prefill ? prefill : phase == Phase::Decode ? decode : TwinFactors{};
    }
    bool operator==(const TwinScale&) const = default;
};

// The same prompt and seed, first without any recording but that of sections, then as asked for.
struct TwinRecord {
    Nanoseconds clean_prefill_ns = 0;
    Nanoseconds clean_decode_ns = 0; // sum over the tokens that both runs have
    Nanoseconds prefill_ns = 0; // of the instrumented run
    Nanoseconds decode_ns = 0;
    std::int64_t tokens = 0; // compared
    std::int64_t different_tokens = 0; // from the first one that differs on
    std::optional<double> clean_mj{}; // energies of prefill and decode
    std::optional<double> instrumented_mj{};
    // Of the clean execution, first to last of those steps. Counted from the begin of the run, and
    // so negative; empty where there is no such step.
    TimeRange clean_prefill{};
    TimeRange clean_decode{};
    // Present where energies and figures of the run are those of the clean execution: energies of
    // spans are multiplied by it already, their times are as recorded. Absent in runs of before.
    std::optional<TwinScale> scale{};

    bool operator==(const TwinRecord&) const = default;
};

// How a run was watched, and what the watching took.
struct ProfilingRecord {
    std::string computation; // how matrix products are computed, in words
    std::string clock = "host"; // of the spans: host, device, synchronised
    std::string clock_note; // why that one; empty: as asked for
    std::int64_t statistics_every = 1; // of so many tokens one has statistics
    std::int64_t spans = 0; // recorded
    std::int64_t statistics = 0; // computed
    double span_cost_ns = 0.0; // of one, calibrated at the start
    double statistic_cost_ns = 0.0; // of one, as measured in this run
    Nanoseconds cost_ns = 0; // of all of them
    std::int64_t memory_bytes = 0; // that the recording holds
    std::optional<double> exact_slowdown{}; // time of a token, synchronised / not
    std::optional<TwinRecord> twin{};

    bool operator==(const ProfilingRecord&) const = default;
};

// What the recording added to the time of the tokens, as a share of it: 0.02 is two percent.
inline std::optional<double> perturbationOf(const TwinRecord& twin)
{
    const Nanoseconds clean = twin.clean_prefill_ns + twin.clean_decode_ns;
    if (clean <= 0)
        return std::nullopt;
    return static_cast<double>(twin.prefill_ns + twin.decode_ns - clean)
        / static_cast<double>(clean);
}

} // namespace ep
