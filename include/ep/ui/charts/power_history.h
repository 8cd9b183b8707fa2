// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/ui/theme.h"
#include "ep/viz/time_series.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ep::ui {

// In mW. For Total, the value reported by the source, otherwise the sum of the rails.
std::optional<double> powerOf(const PowerSample& sample, Channel channel);

// The samples of a run as one series per channel, with their pyramids. Grows during a run;
// afterwards an immutable value that charts share.
struct PowerHistory {
    std::array<viz::TimeSeries, kChannelCount> series;
    bool modelled = false; // whether any sample came from a model
    std::vector<TimeRange> gaps; // uncovered intervals longer than gapLimit(); see findGaps()

    const viz::TimeSeries& of(Channel channel) const
    {
        return series[static_cast<std::size_t>(channel)];
    }
    bool empty() const { return of(Channel::Total).empty(); }
    TimeRange time() const { return of(Channel::Total).time(); }
    Nanoseconds gapLimit() const; // longer uncovered time is a gap, shorter time is jitter

    // The line of a channel; see TimeSeries::lines().
    auto lines(Channel channel, TimeRange range, int maxPoints) const
    {
        return of(channel).lines(range, maxPoints, gapLimit());
    }
    // The middle of the first sample after that time, or with a negative direction of the last one
    // before it.
    std::optional<Nanoseconds> sampleBeside(Nanoseconds time, int direction) const;

    void add(const PowerSample& sample); // in order of time
    void findGaps() { gaps = of(Channel::Total).gaps(gapLimit()); } // O(samples)
};
using PowerHistoryPtr = std::shared_ptr<const PowerHistory>;

PowerHistoryPtr powerHistoryOf(std::span<const PowerSample> samples); // any thread

} // namespace ep::ui
