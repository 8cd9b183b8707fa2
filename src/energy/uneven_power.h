// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"

#include <vector>

namespace ep::energy {

// How far power may depart from its mean inside a window, judged by the windows beside it.
//
// A value that moves between two bounds and has the mean p deviates from it by at most
// sqrt((p - low)(high - p)), which is reached if it is always at one of the bounds, as the power of
// a program that starts or stops (Bhatia and Davis 2000). The bounds of a window that differs from
// both of its neighbours are the levels of the nearest windows that do not, on both sides, and the
// extremes in between; if these lie beyond both levels, the power itself may go half as far again,
// because no window need have been at its extreme all the time, and three times as far in a window
// that departs alone. Where power changes by the same
// amount r from window to window, it follows a line: r / sqrt(12). In windows that agree with a
// neighbour it is even.
struct WindowPower {
    TimeRange time;
    double mw = 0.0; // power that nothing explains
    double sd_mw = 0.0; // error of the reading
    bool known = true;
};
std::vector<double> unevenness(const std::vector<WindowPower>& windows); // in mW

// Variance of the energy of a part of a window, in mJ^2, if power changes level once, anywhere in
// it; share: of the window's time.
double variancePart(double unevenMw, double seconds, double share);

} // namespace ep::energy
