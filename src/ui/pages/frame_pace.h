// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ep::ui {

// Spaces the frames of a live view so that the window takes little from the run that it shows: the
// more processor time a frame took, the later the next one comes.
class FramePace {
public:
    static constexpr double kBudget = 0.02; // share of one core
    static constexpr int kShortestMs = 100; // ten frames a second are enough to follow a run
    static constexpr int kLongestMs = 1000;

    void begin() { m_last.reset(); }

    // Call it at each frame. used: processor time of this thread so far (absent: unknown). Returns
    // the milliseconds until the next frame.
    int next(std::optional<Nanoseconds> used)
    {
        const auto last = std::exchange(m_last, used);
        if (!last || !used)
            return kShortestMs;
        const double ms = static_cast<double>(*used - *last) * 1e-6 / kBudget;
        return static_cast<int>(std::clamp<double>(ms, kShortestMs, kLongestMs));
    }

private:
    std::optional<Nanoseconds> m_last;
};

} // namespace ep::ui
