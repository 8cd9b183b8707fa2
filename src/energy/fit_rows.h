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
    double weight = 1.0; // below 1: too far off to count fully
};

// Whether the windows follow the costs that were fitted to them far more closely than a sensor's
// errors would let them: then there is nothing that the fit could have mistaken for zero.
bool followsExactly(const std::vector<FitRow>& rows);

// Scale of the residuals' random part: neighbours share what drifts slowly, and the median ignores
// bursts. The unknowns of the fit have taken their share of the noise, and a few windows say
// little, so that the expected scale of 1 counts as some of them.
struct Noise {
    double scale = 1.0;
    double freedom = 0.0; // degrees of it, of the scale
};
// `used`: unknowns that the rows decided.
Noise noiseOf(const std::vector<FitRow>& rows, double used);

// The end of a window that is stamped late takes from the next one what it gives to its own: the
// deviation of such an energy, in units of the expected one; 0 if neighbours do not show it.
double sharedEnds(const std::vector<FitRow>& rows, double noise);

// By how much more the residuals say about slow changes of power than independent ones would.
double dependenceOf(const std::vector<FitRow>& rows);

} // namespace ep::energy
