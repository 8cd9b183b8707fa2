// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ep::ui {

// Removes from a text of the lower layers, already translated, the command-line switches that it
// names: "choose another file with --db" is advice for a terminal.
QString withoutSwitches(QString text);

} // namespace ep::ui
