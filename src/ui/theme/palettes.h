// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/settings.h"

#include <QPalette>

#include <optional>

namespace ep::ui {

// The palette for the choice. For System it has none of our colours, which makes the application
// follow the platform.
QPalette paletteFor(ThemeChoice choice);

// A colour for muted text (PlaceholderText) with a contrast of at least 4.5 on windows and fields
// of this palette, if its normal text has that much; absent if its muted text has it already. Dark
// and high-contrast desktops often keep the colour of a light palette for that role.
std::optional<QColor> legibleMuted(const QPalette& palette);

} // namespace ep::ui
