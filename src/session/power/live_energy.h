// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <mutex>
#include <vector>

namespace ep::session {

// Preliminary energies during a run. A token ends long before the sample that covers it arrives;
// until then, power is assumed to be that of the last window.
//
// token: with its layers and components; samples: the latest ones, in order; rails: the rails of
// the run's samples so far. There is no estimate if the last sample ended more than three windows
// before the token.
void estimateEnergy(TokenComplete& token, std::vector<PowerSample> samples,
                    const std::vector<Rail>& rails = {});

// The run's phases so far, for tagging samples as they arrive. Any thread.
class PhaseClock {
public:
    void enter(Phase phase, Nanoseconds at); // ends the previous phase
    void end(Nanoseconds at);
    std::vector<PhaseSpan> phases() const;
    // Sets phase and confidence of a sample from the phases so far; the last one is still open.
    void tag(PowerSample& sample) const;

private:
    mutable std::mutex m_mutex; // guards the members below
    std::vector<PhaseSpan> m_phases;
    bool m_goingOn = false; // the last phase is still open
};

} // namespace ep::session
