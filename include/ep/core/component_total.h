// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/trace.h"

#include <cstdint>
#include <optional>

namespace ep {

// One component of one layer over all tokens of a run: what a heatmap shows without the spans.
struct ComponentTotal {
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
    std::int64_t tokens = 0; // that have it
    std::int64_t spans = 0; // more than tokens where it stands twice in a layer
    Nanoseconds duration_ns = 0; // sum
    std::optional<Millijoules> energy_mj; // sum over the spans that have one
    Provenance provenance = Provenance::Missing; // the worst among those spans
    std::int64_t energy_spans = 0;
    Nanoseconds energy_duration_ns = 0; // of the spans that have energy
    std::int64_t stats_spans = 0;
    std::optional<ActivationStats> stats; // means over the spans; max_abs is the maximum
    std::optional<SpanWork> work; // sum; missing as soon as one span's is

    bool operator==(const ComponentTotal&) const = default;
};

} // namespace ep
