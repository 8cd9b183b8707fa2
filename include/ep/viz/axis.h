// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/core/units.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ep::viz {

// Maps a half-open time range onto [left, left + width). An empty range or width is treated as one
// nanosecond or one pixel, so that both directions stay defined.
class TimeAxis {
public:
    TimeAxis(TimeRange visible, double left, double width);

    double toX(Nanoseconds time) const;
    Nanoseconds toTime(double x) const; // rounds to the nearest nanosecond
    TimeRange visible() const { return m_visible; }
    double left() const { return m_left; }
    double width() const { return m_width; }

private:
    TimeRange m_visible;
    double m_left = 0.0;
    double m_width = 1.0;
};

struct Tick {
    double position = 0.0; // pixels along the axis
    double value = 0.0; // seconds since the origin, or in the unit of the axis
    std::string label;

    bool operator==(const Tick&) const = default;
};

// Smallest of 1, 2, 5 x 10^n that divides `span` into at most `maxCount` steps; 0 when span <= 0.
double niceStep(double span, int maxCount);

// Ticks inside the visible range, at least `minSpacing` pixels apart, at round times relative to
// `origin` (the start of the run). All labels share one unit: "250 µs", "1.2 s", "0 ms".
std::vector<Tick> timeTicks(const TimeAxis& axis, Nanoseconds origin, double minSpacing);

// One SI unit for all numbers of an axis, column or legend.
struct DisplayUnit {
    double factor = 1.0; // shown number = value x factor
    std::string suffix; // "mW"; may be empty

    bool operator==(const DisplayUnit&) const = default;
};

// A suitable unit for displaying `largest`. `unit` is the unit of the raw values: "ms", "mJ", "mW"
// take prefixes from n to k; any other unit is unchanged.
DisplayUnit displayUnit(std::string_view unit, double largest);

// The value with 3 significant digits in that unit; `withSuffix` adds the unit after a space.
// Without it, as in a table cell, values below a hundredth of the unit are "<0.01".
std::string formatIn(const DisplayUnit& unit, double value, bool withSuffix = true);

// Smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 x 10^n that is not below the value; 1 for value <= 0.
double niceCeiling(double value);

// Ticks from 0 to `maximum` on an axis that rises from `bottom` to `top` (bottom > top).
std::vector<Tick> valueTicks(double maximum, double bottom, double top, double minSpacing,
                             const DisplayUnit& unit);

// Centres for labels of equal height, as close as possible to `wanted` without overlapping,
// between `top` and `bottom`, in the same order. If they do not all fit, the first ones extend
// above `top`.
std::vector<double> spreadLabels(std::span<const double> wanted, double height, double top,
                                 double bottom);

// Upper end of a live axis: follows a rising peak immediately (rounded up to a nice value) and
// falls only after the peak has stayed below half of it for `kHold`.
class LiveCeiling {
public:
    static constexpr Nanoseconds kHold = 3'000'000'000;

    void clear();
    double update(double peak, Nanoseconds now); // returns the ceiling; > 0
    double ceiling() const { return m_ceiling; }

private:
    double m_ceiling = 1.0;
    Nanoseconds m_lowSince = 0;
    bool m_low = false;
    bool m_started = false;
};

} // namespace ep::viz
