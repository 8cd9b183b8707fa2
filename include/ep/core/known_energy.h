// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ep {

// The known energy of a phase or a whole run: its own energy or, if samples do not cover all of
// its time, the sum over its tokens (for a run: phases and tokens) that have one.
Tally knownEnergy(const RunTrace& trace, const PhaseSpan& phase);
Tally knownEnergy(const Run& run);
// Runs of earlier versions do not store this sum: they have the whole energy or none.
Tally knownEnergy(const RunSummary& run);

// Energy per token of a run, less the cost of recording in the steps that its twin also has. Absent
// without a twin, and for a command, whose energy contains both executions.
std::optional<double> joulesPerTokenUnrecorded(const RunInfo& info, const RunMetrics& metrics);

// Computes knownEnergy() of a run whose tokens are read in pieces.
class KnownEnergies {
public:
    explicit KnownEnergies(const Run& head); // without its tokens; must outlive this object
    void add(const std::vector<TokenSpan>& tokens);
    Tally ofPhase(std::size_t phase) const; // phase: index in the trace
    Tally ofRun() const;

private:
    const Run& m_head;
    std::vector<Tally> m_tokens; // by phase
};

} // namespace ep
