// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ep {

// Sums of statistics over spans, in double, because float would lose digits after a thousand
// additions.
struct StatsSum {
    double mean_abs = 0.0;
    double std = 0.0;
    double max_abs = 0.0; // the maximum; NaN is ignored
    double sparsity = 0.0;
    std::int64_t spans = 0;

    void add(const ActivationStats& means, std::int64_t ofSpans = 1);
    std::optional<ActivationStats> mean() const; // absent without spans
};

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

std::vector<ComponentTotal> totalsOf(const RunTrace& trace);

} // namespace ep
