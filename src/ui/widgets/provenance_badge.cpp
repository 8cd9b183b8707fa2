// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/provenance_badge.h"

#include "ep/ui/theme.h"

namespace ep::ui {

void ProvenanceBadge::showEnergyOf(const PowerInfo& power, Provenance provenance)
{
    const QString text = tr("energy %1").arg(energyLabel(power.source, provenance));
    const bool doubtful = !powerOriginLabel(power.source).isEmpty()
        || provenance == Provenance::Modelled || provenance == Provenance::Missing;
    showFact(text, energyExplanation(power.source, provenance),
             doubtful                                 ? Tone::Doubtful
                 : provenance == Provenance::Measured ? Tone::Good
                                                      : Tone::Plain);
}

} // namespace ep::ui
