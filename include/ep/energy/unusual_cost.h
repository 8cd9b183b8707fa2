// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/energy/diagnosis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::energy {

// A run whose energy per token differs clearly from that of the other runs like it.
struct UnusualCost {
    double joules_per_token = 0.0;
    double median = 0.0; // median of the others at the lengths of this run, J/token
    std::int64_t others = 0;

    double ratio() const { return joules_per_token / median; }
    bool operator==(const UnusualCost&) const = default;
};

inline constexpr std::size_t kMinOthers = 5; // number of other runs that define what is usual

// Compares a run with the complete runs among `runs` that have the same settings, energyOrigin()
// and similar lengths (up to twice as many input and output tokens), converted to its own lengths;
// the run itself may be one of them. Absent with fewer than kMinOthers others, if the run is within
// 10 % of their median, or if the others scatter as much: at most 2 % of ordinary runs are unusual.
std::optional<UnusualCost> unusualCostOf(const RunSummary& run,
                                         const std::vector<RunSummary>& runs);

// "Unusual: 24.9 mJ per token, 1.4 times the median of 9 other runs of this model and setting."
Message lineOf(const UnusualCost& cost);

// Returns the complete runs among `runs` that are like `run` in the same sense, without `run`
// itself.
std::vector<const RunSummary*> runsLike(const RunSummary& run, const std::vector<RunSummary>& runs);

// A part of the model that took a larger share of the run than its FLOPs and bytes predict.
struct UnusualPart {
    const char* phrase = ""; // "attention"
    bool of_time = false; // shares of time, because the energy is unknown
    double share = 0.0; // share of the run
    double expected = 0.0; // predicted from the FLOPs and bytes of all parts

    double ratio() const { return share / expected; }
    bool operator==(const UnusualPart&) const = default;
};

// Returns the part whose share of the total of all counted parts exceeds its prediction by most.
// The prediction uses FLOPs, bytes and the costs of the machine. Absent if these costs are unknown,
// or unless the excess is certain (97.5 %), at least 10 % of the run and at least half of the
// prediction.
std::optional<UnusualPart> unusualPartOf(const Diagnosis& diagnosis);

// "Unusual: 34.0 % of the energy went into attention, 2.8 times the share that FLOPs and bytes
// predict."
Message lineOf(const UnusualPart& part);

} // namespace ep::energy
