// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/growing_scale.h"

#include "ep/viz/colour.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::ui {

double GrowingScale::of(const viz::HeatmapData& shown)
{
    constexpr double kHeadroom = 1.25; // so that the next heatmaps fit without a new scale
    const bool other = std::exchange(m_metric, shown.metric) != shown.metric;
    if (std::exchange(m_reduction, shown.reduction) != shown.reduction || other)
        reset();
    std::vector<double> present;
    for (const auto& value : shown.values) {
        if (value)
            present.push_back(*value);
    }
    const double top = std::max(0.0, viz::scaleTop(std::move(present)));
    if (!m_high || top > *m_high)
        m_high = kHeadroom * top;
    return *m_high;
}

} // namespace ep::ui
