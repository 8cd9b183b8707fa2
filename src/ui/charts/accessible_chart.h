// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// Exposes painted views and plots as charts to assistive technology, with their description, which
// follows their cursor, as their value. Needs to be called once.
void installChartAccessibility();

} // namespace ep::ui
