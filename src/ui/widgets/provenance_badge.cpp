// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/provenance_badge.h"

#include "ep/ui/theme.h"

namespace ep::ui {

void ProvenanceBadge::showEnergyOf(const PowerInfo& power, Provenance provenance)
{
    const QString text = tr("energy %1").arg(energyLabel(power.source, provenance));
    if (!powerOriginLabel(power.source).isEmpty() && provenance != Provenance::Missing) {
        showFact(text,
                 power.source == "replay"
                     ? tr("The power of a recorded capture, not of this run: it says nothing about "
                          "this machine.")
                     : tr("The power of a simulated machine: it says nothing about this one."),
                 Tone::Doubtful);
        return;
    }
    const bool doubtful = provenance == Provenance::Modelled || provenance == Provenance::Missing;
    showFact(text, provenanceExplanation(provenance),
             provenance == Provenance::Measured ? Tone::Good
                 : doubtful                     ? Tone::Doubtful
                                                : Tone::Plain);
}

} // namespace ep::ui
