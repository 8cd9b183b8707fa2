// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inverse.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

// What the blocks of a calibration say about its kinds of components.
namespace ep::energy {

// Energies of repeated blocks relative to the control.
struct Series {
    std::vector<double> ratios;
    double mean() const;
    double squares() const; // sum of the squared relative deviations
};
using SeriesOf = std::map<std::vector<int>, Series>; // by passes

// Relative standard deviation of the mean of each series. The noise of windows and of the control
// affects all series alike, so it is estimated from all of them.
class Scatter {
public:
    Scatter(const SeriesOf& replays, const SeriesOf& multiplied);
    double of(const Series& series) const;

private:
    double m_pooled = 0.0;
};

struct Shares {
    std::vector<double> shares;
    SquareMatrix covariance;
};

// Weighted least squares; absent if a kind was in no block.
std::optional<Shares> sharesOf(const SeriesOf& replays, const Scatter& scatter, std::size_t kinds);

} // namespace ep::energy
