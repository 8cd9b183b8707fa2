// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/align.h"
#include "ep/energy/energy_timeline.h"

#include <array>
#include <cstddef>
#include <vector>

namespace ep::energy {

// Least squares of windows' energies = k . (two columns of load, seconds) with all k >= 0, for many
// energies at the same shift of the load.
class LoadFit {
public:
    LoadFit(const LoadShape& load, const std::vector<TimeRange>& windows, Nanoseconds offset);

    double squares(const std::vector<double>& energies) const; // sum of squared residuals

private:
    static constexpr std::size_t kColumns = 3;
    using Row = std::array<double, kColumns>;
    // One choice of columns; the seconds always belong to it.
    struct Choice {
        std::array<bool, kColumns> used{};
        std::array<Row, kColumns> inverse{}; // of the normal matrix
    };

    std::vector<Row> m_rows;
    std::vector<Choice> m_choices;
};

// The energies that the windows would have if the same power ran `factor` times as fast (below
// zero: backwards), from another time on; the windows follow each other in a circle.
class OtherTimes {
public:
    OtherTimes(const std::vector<TimeRange>& windows, const std::vector<double>& energies);

    std::vector<double> played(double factor, double start) const; // start: share of the circle

private:
    double until(double time) const;

    std::vector<double> m_ends; // of the windows, in ns, without the gaps between them
    std::vector<double> m_sums; // energy up to there
};

} // namespace ep::energy
