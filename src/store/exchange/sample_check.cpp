// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sample_check.h"

#include "ep/core/format.h"

#include <algorithm>
#include <numeric>

namespace ep::store {

void checkSamples(std::vector<PowerSample>& samples, const JsonPlace& list, JsonProblem& problem)
{
    const Nanoseconds tolerance = timestampTolerance(samples);
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const TimeRange& one = samples[a].window;
        const TimeRange& other = samples[b].window;
        return one.begin_ns != other.begin_ns ? one.begin_ns < other.begin_ns
                                              : one.end_ns > other.end_ns;
    });
    std::vector<PowerSample> sorted;
    sorted.reserve(samples.size());
    for (const std::size_t index : order) {
        const TimeRange& window = samples[index].window;
        if (!sorted.empty() && !window.empty()) {
            const std::size_t before = order[sorted.size() - 1];
            const TimeRange& earlier = samples[before].window;
            const bool contains = earlier.contains(window)
                && earlier.duration_ns() - window.duration_ns() > tolerance;
            const Nanoseconds overlap = earlier.end_ns - window.begin_ns;
            if (contains)
                problem.report({&list, {}, before},
                               "holds the window of sample " + std::to_string(index)
                                   + " within its own, as a summary does; leave it out, or its "
                                     "energy would count twice");
            else if (overlap > tolerance)
                problem.report({&list, {}, index},
                               "begins " + formatDuration(overlap) + " before the end of sample "
                                   + std::to_string(before)
                                   + "; give every sample the window that it alone measured");
        }
        sorted.push_back(samples[index]);
    }
    samples = std::move(sorted);
}

} // namespace ep::store
