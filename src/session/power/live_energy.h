// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <mutex>
#include <vector>

namespace ep::session {

// First estimates while a run goes on. A token is over long before the sample that covers it has
// arrived; until then the power is taken to be what it was in the last window.
//
// token: with its layers and components; samples: the latest ones, in order; rails: those that the
// run's samples have had so far. No estimate is made from a last sample that ended more than three
// windows before the token did.
void estimateEnergy(TokenComplete& token, std::vector<PowerSample> samples,
                    const std::vector<Rail>& rails = {});

// The run's phases so far, to tag samples with as they come in. Any thread.
class PhaseClock {
public:
    void enter(Phase phase, Nanoseconds at); // ends the phase before
    void end(Nanoseconds at);
    std::vector<PhaseSpan> phases() const;
    // Sets phase and confidence of a sample by the phases so far, the last one going on.
    void tag(PowerSample& sample) const;

private:
    mutable std::mutex m_mutex; // guards the members below
    std::vector<PhaseSpan> m_phases;
    bool m_goingOn = false; // the last phase has no end yet
};

} // namespace ep::session
