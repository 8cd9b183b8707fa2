// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>

namespace ep::ui {

// Sets direction and spacing of a box layout, each only if it differs. QBoxLayout's setters post a
// LayoutRequest even if nothing changes, so a handler of LayoutRequest or Resize that calls them
// unconditionally wakes itself forever.
inline void rearrange(QBoxLayout& box, QBoxLayout::Direction direction, int spacing)
{
    if (box.direction() != direction)
        box.setDirection(direction);
    if (box.spacing() != spacing)
        box.setSpacing(spacing);
}

} // namespace ep::ui
