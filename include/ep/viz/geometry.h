// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::viz {

inline constexpr double kLabelCharacters = 4.0; // a narrower part shows no label
inline constexpr double kAxisCharacters = 9.0; // width of a vertical axis with its labels
inline constexpr double kHitDistance = 8.0; // pixels within which the pointer hits a dot

// Logical (device-independent) pixels; y points downwards.
struct Point {
    double x = 0.0;
    double y = 0.0;

    bool operator==(const Point&) const = default;
};

// Half-open: left and top belong to the rectangle, right and bottom do not, so that neighbours
// never both claim a point.
struct Rect {
    double x = 0.0;
    double y = 0.0;
    double width = 0.0;
    double height = 0.0;

    bool operator==(const Rect&) const = default;
    constexpr double right() const { return x + width; }
    constexpr double bottom() const { return y + height; }
    constexpr bool empty() const { return !(width > 0.0 && height > 0.0); }
    constexpr Point centre() const { return {x + width / 2.0, y + height / 2.0}; }
    constexpr bool contains(Point p) const
    {
        return x <= p.x && p.x < right() && y <= p.y && p.y < bottom();
    }
};

} // namespace ep::viz
