// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/viz/axis.h"

#include <optional>

namespace ep::viz {

// Pixels that a pressed pointer may wander and still mean a click.
inline constexpr double kClickSlack = 5.0;
// Pixels beside an end of a brush where it can be grasped: 24 together with the other side.
inline constexpr double kGripSlack = 6.0;

// An end of a brush within reach of x; the nearer one where both are.
enum class BrushEnd { Begin, End };
std::optional<BrushEnd> brushEndAt(const TimeAxis& axis, const std::optional<TimeRange>& brush,
                                   double x);

// What a pressed pointer does on a time axis: it drags a new brush, moves an end of the one that is
// there, or spans the stretch to zoom to; within kClickSlack it is a click. A plain value.
class TimeGesture {
public:
    enum class Kind { None, Click, Brush, Zoom };

    // `zoom`: the stretch is zoomed to (Shift).
    void press(const TimeAxis& axis, const std::optional<TimeRange>& brush, double x, bool zoom);
    // The stretch so far, clamped to what the axis shows; absent while it may still be a click.
    std::optional<TimeRange> move(const TimeAxis& axis, double x);
    // What it was. The stretch stays available until the next press.
    Kind release(const TimeAxis& axis, double x);
    void cancel();

    bool active() const { return m_pressed; }
    Kind kind() const { return m_kind; } // while it goes on
    TimeRange range() const { return m_range; }

private:
    bool m_pressed = false;
    bool m_zoom = false;
    Kind m_kind = Kind::None;
    double m_from = 0.0; // pixels
    Nanoseconds m_fixed = 0; // the end that stays
    bool m_grip = false; // an end was grasped
    TimeRange m_range;
};

} // namespace ep::viz
