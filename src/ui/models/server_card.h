// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figure_cards.h"

#include <QStringList>

namespace ep::ui {

// What a server that was measured from outside says of a request: its tokens with the figures that
// they are the denominators of, why figures are missing, and what cannot be seen from outside. Has
// no rows for a run of our own engine.
FigureCard serverCard(const Run& run);

// Where a run of our own engine shows layers.
QString noLayersFromOutside();
// The server, and why figures of the run are missing; empty for a run of our own engine.
QString serverText(const Run& run);
QStringList serverRefusals(const Run& run);

} // namespace ep::ui
