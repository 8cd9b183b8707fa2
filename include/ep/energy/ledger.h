// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_tree.h"
#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/energy_timeline.h"

#include <functional>
#include <optional>
#include <vector>

namespace ep::energy {

// Work and energy of a run within a range of its time.
struct Excerpt {
    Tally sum; // time and energy of the range; the known part if some is missing
    // Like a run opened without its spans, and without samples: its time is the range, its figures
    // are those of the range, and its phases, sections and tokens end where the range does.
    Run run;
    RunBreakdown parts; // for the same range
    std::vector<ComponentTotal> totals; // totals for the same range
};

// Time and energy of one layer, component or operation in a breakdown, over its tokens. Absent
// arguments do not restrict; at least one is required.
struct PartOfLayer {
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
};
Tally tallyOf(const RunBreakdown& parts, const PartOfLayer& part);

// The energies of a run, of any node and any range of its time: the single origin of all displayed
// energies.
//
// A node's energy is the stored one, by whatever method the run was attributed (by time, by cost,
// shifted). It is never recomputed. If a range cuts a node, the node's part
// is the sum of its children's parts inside the range. The remainder, and a node without children,
// are divided in proportion to the samples' energy over their time (by time, shifted by the run's
// offset), or to time if there are no samples. So the parts of a range add up like those of the
// run, and a range equal to a node has exactly the node's energy.
//
// An immutable value; any thread.
class Ledger {
public:
    // run: must have at least phases, sections, tokens and samples.
    explicit Ledger(RunPtr run); // O(samples)

    const Run& run() const { return *m_run; }
    // Tokens that overlap the range.
    TokenRange touched(const TimeRange& range) const;

    // Reads layers, components and operations of these tokens; may return others, too. The result
    // is valid until the next call.
    using ReadSteps = std::function<Result<const RunTrace*>(TokenRange)>;
    // Reads a few tokens at a time.
    Result<Excerpt> excerpt(const TimeRange& range, const ReadSteps& steps) const;
    Excerpt excerpt(const TimeRange& range) const; // for a run with its spans in memory

    const EnergyTimeline& timeline() const { return m_timeline; } // by time, shifted by the offset

private:
    RunPtr m_run;
    EnergyTimeline m_timeline;
};

} // namespace ep::energy
