// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

// The equations of the split model's fit, and what their residuals say about the sensor.
namespace ep::energy {

// One window. Energies in mJ.
struct FitRow {
    std::size_t window = 0; // index in the timeline
    std::vector<double> j; // derivatives of its energy with respect to the unknowns
    double residual = 0.0;
    double sd = 0.0; // expected
    double weight = 1.0; // below 1: an outlier that counts only partly
};

// Whether the windows follow the fitted costs far more closely than the errors of a sensor would
// allow. Then no small cost can be mistaken for zero.
bool followsExactly(const std::vector<FitRow>& rows);

// Scale of the random part of the residuals. Differences of neighbours cancel slow drift, and the
// median ignores bursts. The fit has absorbed a part of the noise, and a few windows say little, so
// the expected scale of 1 counts as some additional windows.
struct Noise {
    double scale = 1.0;
    double freedom = 0.0; // degrees of freedom of the scale
};
// `used`: number of unknowns that the rows determine.
Noise noiseOf(const std::vector<FitRow>& rows, double used);

// Standard deviation of the energy that a late timestamp moves to a window from the next one,
// relative to the expected deviation; 0 if the residuals of neighbours do not show it.
double sharedEnds(const std::vector<FitRow>& rows, double noise);

// Factor by which the correlation of neighbouring residuals increases a variance; 1 if they are
// independent.
double dependenceOf(const std::vector<FitRow>& rows);

} // namespace ep::energy
