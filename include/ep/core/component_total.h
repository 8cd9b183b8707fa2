// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/phase_errors.h"
#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ep {

// One component of one layer over all tokens of a run, which is what a heatmap shows without
// loading the spans.
struct ComponentTotal {
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    std::int64_t tokens = 0; // number of tokens that have this component
    Tally sum; // counts more spans than tokens if the component occurs twice in a layer
    std::int64_t stats_spans = 0;
    std::optional<ActivationStats> stats; // means over the spans; max_abs is the maximum
    std::optional<SpanWork> work; // sum; missing if any span has none

    bool operator==(const ComponentTotal&) const = default;
};

// Sums components; those of one token and layer must be adjacent. Not synchronised: used by one
// thread.
class TotalsBuilder {
public:
    void add(const ComponentSpan& span, Provenance ofToken);
    // Sorted by layer and component. errors: for the phases that contain the added tokens.
    std::vector<ComponentTotal> finish(const PhaseErrors& errors = {}) const;

private:
    struct Cell {
        ComponentTotal total; // without its sum
        Tally prefill;
        Tally decode;
        // In double, because float would lose digits after a thousand additions.
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
