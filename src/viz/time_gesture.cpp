// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_gesture.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

std::optional<BrushEnd> brushEndAt(const TimeAxis& axis, const std::optional<TimeRange>& brush,
                                   double x)
{
    if (!brush || brush->empty())
        return std::nullopt;
    const double begin = std::abs(axis.toX(brush->begin_ns) - x);
    const double end = std::abs(axis.toX(brush->end_ns) - x);
    if (std::min(begin, end) > kGripSlack)
        return std::nullopt;
    return begin < end ? BrushEnd::Begin : BrushEnd::End;
}

void TimeGesture::press(const TimeAxis& axis, const std::optional<TimeRange>& brush, double x,
                        bool zoom)
{
    *this = TimeGesture();
    m_pressed = true;
    m_zoom = zoom;
    m_kind = Kind::Click;
    m_from = x;
    m_fixed = axis.toTime(x);
    const auto grip = zoom ? std::nullopt : brushEndAt(axis, brush, x);
    if (grip) {
        m_grip = true;
        m_fixed = *grip == BrushEnd::Begin ? brush->end_ns : brush->begin_ns;
    }
}

std::optional<TimeRange> TimeGesture::move(const TimeAxis& axis, double x)
{
    if (!m_pressed)
        return std::nullopt;
    if (m_kind == Kind::Click && std::abs(x - m_from) <= kClickSlack)
        return std::nullopt;
    m_kind = m_zoom ? Kind::Zoom : Kind::Brush;
    const TimeRange shown = axis.visible();
    const Nanoseconds at =
        std::clamp(axis.toTime(x), shown.begin_ns, std::max(shown.begin_ns, shown.end_ns));
    m_range = {std::min(m_fixed, at), std::max(m_fixed, at)};
    return m_range;
}

TimeGesture::Kind TimeGesture::release(const TimeAxis& axis, double x)
{
    if (!m_pressed)
        return Kind::None;
    static_cast<void>(move(axis, x));
    m_pressed = false;
    const bool clickOnGrip = m_kind == Kind::Click && m_grip;
    return clickOnGrip ? Kind::None : m_kind;
}

void TimeGesture::cancel()
{
    *this = TimeGesture();
}

} // namespace ep::viz
