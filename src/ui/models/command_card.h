// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figure_cards.h"

namespace ep::ui {

// How a recorded command ended, what it used, and what its spans lack. Has no rows for other runs.
FigureCard commandCard(const Run& run);

} // namespace ep::ui
