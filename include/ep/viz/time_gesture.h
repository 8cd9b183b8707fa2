// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/viz/axis.h"

#include <optional>

namespace ep::viz {

// Pixels by which a pressed pointer may move in a click.
inline constexpr double kClickSlack = 5.0;
// Distance in pixels from an end of a brush at which it can be dragged.
inline constexpr double kGripSlack = 6.0;

// The end of a brush that x can grab; the nearer one if it can grab both.
enum class BrushEnd { Begin, End };
std::optional<BrushEnd> brushEndAt(const TimeAxis& axis, const std::optional<TimeRange>& brush,
                                   double x);

// A gesture on a time axis while the pointer is pressed: it drags a new brush, moves an end of the
// existing one, or drags the range to zoom to; within kClickSlack it is a click. A plain value.
class TimeGesture {
public:
    enum class Kind { None, Click, Brush, Zoom };

    // `zoom`: zooms to the range on release (Shift).
    void press(const TimeAxis& axis, const std::optional<TimeRange>& brush, double x, bool zoom);
    // The range so far, clamped to the visible range; absent while it may still be a click.
    std::optional<TimeRange> move(const TimeAxis& axis, double x);
    // Returns the kind of gesture. The range remains available until the next press.
    Kind release(const TimeAxis& axis, double x);
    void cancel();

    bool active() const { return m_pressed; }
    Kind kind() const { return m_kind; } // kind of the gesture in progress
    TimeRange range() const { return m_range; }

private:
    bool m_pressed = false;
    bool m_zoom = false;
    Kind m_kind = Kind::None;
    double m_from = 0.0; // pixels
    Nanoseconds m_fixed = 0; // the end that stays in place
    bool m_grip = false; // whether an end is being dragged
    TimeRange m_range;
};

} // namespace ep::viz
