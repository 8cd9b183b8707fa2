// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/diagnosis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::energy {

// A run whose energy per token stands out from that of the other runs like it.
struct UnusualCost {
    double joules_per_token = 0.0;
    double median = 0.0; // of the others, J/token
    std::int64_t others = 0;

    double ratio() const { return joules_per_token / median; }
    bool operator==(const UnusualCost&) const = default;
};

inline constexpr std::size_t kMinOthers = 5; // to say what is usual

// Compares a run with the complete ones among `runs` that have the same model, number format,
// device, batch size, depth and energyOrigin(); it may be one of them itself. Absent with fewer
// than kMinOthers, within 10 % of their median, and where the others scatter as much (robust |z|
// up to 3.5).
std::optional<UnusualCost> unusualCostOf(const RunSummary& run,
                                         const std::vector<RunSummary>& runs);

// "Unusual: 24.9 mJ per token, 1.4 times the median of 9 other runs of this model and setting."
std::string lineOf(const UnusualCost& cost);

// The complete ones among `runs` that are like it in the same way, itself left out.
std::vector<const RunSummary*> runsLike(const RunSummary& run, const std::vector<RunSummary>& runs);

// A part of the model that took a larger share of the run than its FLOPs and bytes predict.
struct UnusualPart {
    const char* phrase = ""; // "attention"
    bool of_time = false; // shares are of time, where the energy is not known
    double share = 0.0; // of the run
    double expected = 0.0; // from the FLOPs and bytes of all parts

    double ratio() const { return share / expected; }
    bool operator==(const UnusualPart&) const = default;
};

// The part furthest above the share that FLOPs, bytes and the costs of the machine predict of what
// all counted parts took together. Absent where the costs of the machine are unknown, and unless
// the excess is certain (97.5 %), 10 % of the run or more, and half of what was predicted or more.
std::optional<UnusualPart> unusualPartOf(const Diagnosis& diagnosis);

// "Unusual: 34.0 % of the energy went into attention, 2.8 times the share that FLOPs and bytes
// predict."
std::string lineOf(const UnusualPart& part);

} // namespace ep::energy
