// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

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

// Compares a run with the complete ones among `runs` that have the same model, number format,
// device, batch size, depth and energyOrigin(); it may be one of them itself. Absent with fewer
// than five others, within 10 % of their median, and where the others scatter as much (robust |z|
// up to 3.5).
std::optional<UnusualCost> unusualCostOf(const RunSummary& run,
                                         const std::vector<RunSummary>& runs);

// "Unusual: 24.9 mJ per token, 1.4 times the median of 9 other runs of this model and setting."
std::string lineOf(const UnusualCost& cost);

} // namespace ep::energy
