// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_total.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/tally.h"
#include "ep/core/token_range.h"
#include "ep/energy/energy_timeline.h"

#include <functional>
#include <optional>
#include <vector>

namespace ep::energy {

// What a run did and used inside a range of its time.
struct Excerpt {
    Tally sum; // time and energy of the range; where some of it is missing, the known part
    // As a run that was opened without its spans, and without samples: the range as its time, the
    // figures of the range, and the phases, sections and tokens that it touches, cut
    // off at its ends.
    Run run;
    RunBreakdown parts; // of the same range
    std::vector<ComponentTotal> totals; // likewise
};

// Time and energy of one layer, component or operation in a breakdown, over its tokens; what is
// absent is not restricted. Needs at least one of them.
struct PartOfLayer {
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
};
Tally tallyOf(const RunBreakdown& parts, const PartOfLayer& part);

// The joules of a run, of any node and any range of its time: the one origin of every figure that
// is shown.
//
// A node's energy is the one that was stored with it, by whatever rule the run was attributed
// (by time, by cost, shifted, scaled to a clean twin). It is never worked out again. A range that
// cuts a node has of it what its children have inside the range; of what no child explains, and of
// a node without children, the share that the samples' energy in that part of its time has in that
// of all of it (by time, moved by the run's offset), or the share of the time where the samples do
// not say. So the parts of a range add up as those of the run do, and a range that is exactly a
// node has exactly the node's energy.
//
// A value of const data; any thread.
class Ledger {
public:
    // run: at least what opening it in the window reads: phases, sections, tokens and samples.
    explicit Ledger(RunPtr run); // O(samples)

    const Run& run() const { return *m_run; }
    // Tokens that the range touches.
    TokenRange touched(const TimeRange& range) const;

    // Layers, components and operations of these tokens; others may be among them. Valid until the
    // next call.
    using ReadSteps = std::function<Result<const RunTrace*>(TokenRange)>;
    // Asks for a few tokens at a time.
    Result<Excerpt> excerpt(const TimeRange& range, const ReadSteps& steps) const;
    Excerpt excerpt(const TimeRange& range) const; // of a run with its spans in memory

    const EnergyTimeline& timeline() const { return m_timeline; } // by time, moved by the offset

private:
    RunPtr m_run;
    EnergyTimeline m_timeline;
};

} // namespace ep::energy
