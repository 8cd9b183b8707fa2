// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figure_cards.h"

namespace ep::ui {

// Where the tokens of a run with a prompt cache or a draft model came from, and what they cost.
// Has no rows for other runs, or for a part of a run.
FigureCard ledgerCard(const Run& run);

} // namespace ep::ui
