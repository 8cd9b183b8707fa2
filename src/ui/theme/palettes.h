// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/settings.h"

#include <QPalette>

namespace ep::ui {

// The palette of the choice; for System the one without our colours, which makes the application
// follow the platform.
QPalette paletteFor(ThemeChoice choice);

} // namespace ep::ui
