// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chip.h"

#include "ep/core/run.h"

namespace ep::ui {

// Says how the adjacent energies were obtained; the tool tip explains it. A replayed capture was
// measured, but not in this run, so it is badged as replayed; the energy of a simulated machine as
// simulated.
class ProvenanceBadge : public Chip {
    Q_OBJECT

public:
    using Chip::Chip;

    void showEnergyOf(const PowerInfo& power, Provenance provenance);
};

} // namespace ep::ui
