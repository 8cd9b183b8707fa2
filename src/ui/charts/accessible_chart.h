// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::ui {

// From now on painted views and plots are charts to assistive technology, and their description,
// which follows their cursor, is their value. Once is enough.
void installChartAccessibility();

} // namespace ep::ui
