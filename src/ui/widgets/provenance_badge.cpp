// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/provenance_badge.h"

#include "ep/ui/theme.h"

namespace ep::ui {

void ProvenanceBadge::showEnergyOf(const PowerInfo& power, Provenance provenance)
{
    if (power.source == "replay" && provenance != Provenance::Missing) {
        showFact(tr("energy replayed"),
                 tr("The power of a recorded capture, not of this run: it says nothing about this "
                    "machine."),
                 Tone::Doubtful);
        return;
    }
    const bool doubtful = provenance == Provenance::Modelled || provenance == Provenance::Missing;
    showFact(tr("energy %1").arg(provenanceLabel(provenance)), provenanceExplanation(provenance),
             provenance == Provenance::Measured ? Tone::Good
                 : doubtful                     ? Tone::Doubtful
                                                : Tone::Plain);
}

} // namespace ep::ui
