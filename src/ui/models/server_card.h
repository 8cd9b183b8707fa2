// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figure_cards.h"

#include <QStringList>

namespace ep::ui {

// What a server that was measured from outside reports about a request: its tokens, each with the
// figures that are divided by them, why figures are missing, and what cannot be seen from outside.
// Has no rows for a run of our own engine.
FigureCard serverCard(const Run& run);

// Shown where a run of our own engine has layers.
// The server, and why figures of the run are missing; empty for a run of our own engine.
QString serverText(const Run& run);
QStringList serverRefusals(const Run& run);

} // namespace ep::ui
