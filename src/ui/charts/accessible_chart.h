// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// Exposes painted views and plots to assistive technology as charts whose value is their
// description, which follows the cursor. Call it once.
void installChartAccessibility();

} // namespace ep::ui
