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

// Sums of figures that only operations at depth deep have. A figure per head counts as its mean
// over the heads; NaN is ignored.
struct ExtrasSum {
    struct Figure {
        double sum = 0.0;
        std::int64_t count = 0;

        bool operator==(const Figure&) const = default;
        void add(std::optional<double> value);
        void add(const Figure& other);
        std::optional<double> mean() const; // mean over the operations that have the figure
    };
    Figure attention_entropy;
    Figure activation_kill_ratio;
    Figure variance_ratio;

    bool operator==(const ExtrasSum&) const = default;
    bool empty() const { return *this == ExtrasSum(); }
    void add(const OperationExtras& extras);
    void add(const ExtrasSum& other);
};
ExtrasSum sumOf(const OperationExtras& extras);

// Sums over a run's spans along the dimensions of its charts, without keys that have no spans and
// without interrupted spans. Phases are Prefill (step 0) and Decode.
struct RunBreakdown {
    struct OfLayer {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Tally sum;

        bool operator==(const OfLayer&) const = default;
    };
    struct OfComponent {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        Tally sum;

        bool operator==(const OfComponent&) const = default;
    };
    struct OfOperation {
        Phase phase = Phase::Decode;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        Operation operation = Operation::QkMatmul;
        Tally sum;

        bool operator==(const OfOperation&) const = default;
    };
    struct OfExtras {
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
        ExtrasSum sum; // over the component's operations in all tokens

        bool operator==(const OfExtras&) const = default;
    };
    struct OfTokenLayer {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        Tally sum; // sum of the layer's span or, without one, of its components

        bool operator==(const OfTokenLayer&) const = default;
    };
    struct OfTokenComponent {
        std::int32_t token = 0;
        Component component = Component::InputLayernorm;
        Tally sum; // over the layers

        bool operator==(const OfTokenComponent&) const = default;
    };

    // Each list is sorted by its key.
    std::vector<OfLayer> layers;
    std::vector<OfComponent> components;
    std::vector<OfOperation> operations;
    std::vector<OfExtras> extras; // components with such operations
    std::vector<OfTokenLayer> token_layers;
    std::vector<OfTokenComponent> token_components;

    bool operator==(const RunBreakdown&) const = default;
    bool empty() const { return components.empty() && layers.empty(); }
};

// The breakdown of a trace that is entirely in memory.
RunBreakdown breakDown(const RunTrace& trace);

} // namespace ep
