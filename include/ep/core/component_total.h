// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ep {

// One component of one layer over all tokens of a run: what a heatmap shows without the spans.
struct ComponentTotal {
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    std::int64_t tokens = 0; // that have it
    Tally sum; // more spans than tokens where it stands twice in a layer
    std::int64_t stats_spans = 0;
    std::optional<ActivationStats> stats; // means over the spans; max_abs is the maximum
    std::optional<SpanWork> work; // sum; missing as soon as one span's is

    bool operator==(const ComponentTotal&) const = default;
};

// Collects components; those of one token and layer are adjacent. Not synchronised: one thread
// owns it.
class TotalsBuilder {
public:
    void add(const ComponentSpan& span, Provenance ofToken);
    std::vector<ComponentTotal> finish() const; // sorted by layer and component

private:
    struct Cell {
        ComponentTotal total;
        // Sums in double: a thousand floats would lose digits.
        double mean_abs = 0.0;
        double std = 0.0;
        double max_abs = 0.0;
        double sparsity = 0.0;
        std::int32_t last_token = kNoToken;
        std::int64_t work_spans = 0;
        SpanWork work;
    };

    std::unordered_map<std::int32_t, std::array<Cell, kComponentCount>> m_layers;
};

std::vector<ComponentTotal> totalsOf(const RunTrace& trace);

} // namespace ep
