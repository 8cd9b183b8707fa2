// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/settings.h"

#include <QPalette>

#include <optional>

namespace ep::ui {

// The palette of the choice; for System the one without our colours, which makes the application
// follow the platform.
QPalette paletteFor(ThemeChoice choice);

// A colour for muted text (PlaceholderText) that has a contrast of at least 4.5 on windows and
// fields of this palette, as far as its text has; absent if its own has. Desktops with dark or
// high-contrast palettes often leave that role as it is on a light one.
std::optional<QColor> legibleMuted(const QPalette& palette);

} // namespace ep::ui
