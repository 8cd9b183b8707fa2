// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ep::ui {

// A text from below the window, already translated, without the switches of the command line that
// it names: "choose another file with --db" is advice for a terminal.
QString withoutSwitches(QString text);

} // namespace ep::ui
