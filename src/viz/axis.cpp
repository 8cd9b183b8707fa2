// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/axis.h"

#include "tick_step.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ep::viz {

namespace {

struct Prefix {
    double factor; // relative to the base unit
    const char* text;
};
constexpr std::array<Prefix, 5> kPrefixes{
    {{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1.0, ""}, {1e3, "k"}}};

// Decimals needed to tell multiples of `step` apart.
int decimalsFor(double step)
{
    if (!(step > 0.0))
        return 0;
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
}

std::string withUnit(std::string number, const DisplayUnit& unit)
{
    if (!unit.suffix.empty())
        number += ' ' + unit.suffix;
    return number;
}

} // namespace

TimeAxis::TimeAxis(TimeRange visible, double left, double width)
    : m_visible{visible.begin_ns, std::max(visible.end_ns, visible.begin_ns + 1)}
    , m_left(left)
    , m_width(width > 0.0 ? width : 1.0)
{
}

double TimeAxis::toX(Nanoseconds time) const
{
    return m_left
        + m_width * static_cast<double>(time - m_visible.begin_ns)
        / static_cast<double>(m_visible.duration_ns());
}

Nanoseconds TimeAxis::toTime(double x) const
{
    return m_visible.begin_ns
        + std::llround((x - m_left) / m_width * static_cast<double>(m_visible.duration_ns()));
}

double niceStep(double span, int maxCount)
{
    if (!(span > 0.0) || !std::isfinite(span) || maxCount < 1)
        return 0.0;
    const double smallest = span / maxCount;
    const double power = std::pow(10.0, std::floor(std::log10(smallest)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= smallest * (1.0 - 1e-9))
            return factor * power;
    }
    return 10.0 * power;
}

double niceCeiling(double value)
{
    if (!(value > 0.0) || !std::isfinite(value))
        return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (factor * power >= value * (1.0 - 1e-9))
            return factor * power;
    }
    return 10.0 * power;
}

std::vector<Tick> timeTicks(const TimeAxis& axis, Nanoseconds origin, double minSpacing)
{
    const TimeRange range = axis.visible();
    const int maxCount = std::max(2, static_cast<int>(axis.width() / std::max(1.0, minSpacing)));
    const Nanoseconds begin = range.begin_ns - origin;
    const Nanoseconds end = range.end_ns - origin;
    const Nanoseconds step = std::max<Nanoseconds>(
        1, std::llround(tickStep(static_cast<double>(begin), static_cast<double>(end), maxCount)));
    const auto largest = static_cast<double>(std::max(std::abs(begin), std::abs(end)));
    DisplayUnit unit = displayUnit("s", largest * 1e-9);
    if (unit.suffix == "ks")
        unit = {1.0, "s"};
    const int decimals = decimalsFor(static_cast<double>(step) * 1e-9 * unit.factor);

    std::vector<Tick> ticks;
    Nanoseconds time = begin / step * step;
    if (time < begin)
        time += step;
    for (; time <= end; time += step) {
        const double seconds = static_cast<double>(time) * 1e-9;
        ticks.push_back({axis.toX(time + origin), seconds,
                         withUnit(formatFixed(seconds * unit.factor, decimals), unit)});
    }
    return ticks;
}

DisplayUnit displayUnit(std::string_view unit, double largest)
{
    constexpr double kJoulesInWattHour = 3600.0;
    double rawFactor = 1.0;
    std::string_view base = unit;
    if (unit == "mJ" && numberStyle().energy == EnergyUnit::WattHours) {
        rawFactor = 1e-3 / kJoulesInWattHour;
        base = "Wh";
    } else if (unit == "ms" || unit == "mJ" || unit == "mW") {
        rawFactor = 1e-3;
        base = unit.substr(1);
    } else if (unit != "s" && unit != "J" && unit != "W") {
        return {1.0, std::string(unit)};
    }
    const double inBase = std::abs(largest) * rawFactor;
    if (!(inBase > 0.0) || !std::isfinite(inBase))
        return {1.0, std::string(unit)};
    const Prefix* chosen = &kPrefixes.front();
    for (const Prefix& prefix : kPrefixes) {
        if (inBase >= 0.9995 * prefix.factor) // 999.5 already shows as the next prefix
            chosen = &prefix;
    }
    return {rawFactor / chosen->factor, std::string(chosen->text) + std::string(base)};
}

std::string formatIn(const DisplayUnit& unit, double value, bool withSuffix)
{
    const double shown = value * unit.factor;
    if (withSuffix)
        return withUnit(formatSignificant(shown), unit);
    // The unit suits the largest of many numbers, so the smallest would be mostly zeros.
    const bool negligible = !unit.suffix.empty() && shown > 0.0 && shown < 0.01;
    return negligible ? "<0.01" : formatSignificant(shown);
}

std::vector<Tick> valueTicks(double maximum, double bottom, double top, double minSpacing,
                             const DisplayUnit& unit)
{
    const double length = bottom - top;
    const double shown = maximum * unit.factor;
    const int maxCount = std::max(1, static_cast<int>(length / std::max(1.0, minSpacing)));
    // An axis too short for two labels keeps a single one.
    const double step =
        length >= minSpacing ? tickStep(0.0, shown, maxCount) : niceStep(shown, maxCount);
    std::vector<Tick> ticks;
    if (!(step > 0.0) || !(length > 0.0))
        return ticks;
    const int decimals = decimalsFor(step);
    const int count = static_cast<int>(std::floor(shown / step + 1e-9));
    for (int i = 0; i <= count; ++i) {
        const double value = step * i;
        ticks.push_back({bottom - length * value / shown, value / unit.factor,
                         withUnit(formatFixed(value, decimals), unit)});
    }
    return ticks;
}

std::vector<double> spreadLabels(std::span<const double> wanted, double height, double top,
                                 double bottom)
{
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    std::vector<double> centres(wanted.begin(), wanted.end());
    // Moves each label below the previous one, from the top down, and then back up from the bottom.
    double lowest = top + height / 2.0;
    for (const std::size_t i : order) {
        centres[i] = std::max(centres[i], lowest);
        lowest = centres[i] + height;
    }
    double highest = bottom - height / 2.0;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        centres[*i] = std::min(centres[*i], highest);
        highest = centres[*i] - height;
    }
    return centres;
}

void LiveCeiling::clear()
{
    *this = {};
}

double LiveCeiling::update(double peak, Nanoseconds now)
{
    const double wanted = niceCeiling(peak * 1.05); // leaves some space above the line
    if (!m_started || wanted > m_ceiling) {
        m_ceiling = wanted;
        m_started = true;
        m_low = false;
    } else if (peak >= m_ceiling / 2.0) {
        m_low = false;
    } else if (!m_low) {
        m_low = true;
        m_lowSince = now;
    } else if (now - m_lowSince >= kHold) {
        m_ceiling = wanted;
        m_low = false;
    }
    return m_ceiling;
}

} // namespace ep::viz
