// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/waterfall.h"

#include "ep/core/format.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

constexpr double kDrowns = 3.0; // clips a prefill that costs this many times the costliest token

// Round values for an axis from left to right, between its ends.
std::vector<Tick> ticksBetween(double low, double high, const Rect& plot, double minSpacing,
                               const DisplayUnit& unit)
{
    std::vector<Tick> ticks;
    const int most = std::max(1, static_cast<int>(plot.width / minSpacing));
    const double step = niceStep((high - low) * unit.factor, most);
    if (!(step > 0.0))
        return ticks;
    const double first = std::ceil(low * unit.factor / step - 1e-9);
    const double last = std::floor(high * unit.factor / step + 1e-9);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
    for (double at = first; at <= last; at += 1.0) {
        const double value = at * step / unit.factor;
        ticks.push_back(
            {plot.x + plot.width * (value - low) / (high - low), value,
             formatFixed(at * step, decimals) + (unit.suffix.empty() ? "" : ' ' + unit.suffix)});
    }
    return ticks;
}

Rect insideAxes(const Rect& area, const WaterfallStyle& style, bool rightAxis)
{
    const double axis = kAxisCharacters * style.char_width;
    const double right = rightAxis ? axis : style.margin;
    const double top = style.line_height;
    return {area.x + axis, area.y + top, std::max(0.0, area.width - axis - right),
            std::max(0.0, area.height - top - style.line_height - style.margin)};
}

// Integer ticks along the bottom, from `first` to `last`, at the centres of equal columns.
std::vector<Tick> wholeTicks(double first, double last, double left, double width,
                             double minSpacing)
{
    std::vector<Tick> ticks;
    if (last <= first || width <= 0.0)
        return ticks;
    const double step =
        std::max(1.0, niceStep(last - first, std::max(1, static_cast<int>(width / minSpacing))));
    for (double value = std::ceil(first / step) * step; value < last; value += step) {
        const double x = left + width * (value + 0.5 - first) / (last - first);
        ticks.push_back({x, value, std::to_string(static_cast<long long>(value))});
    }
    return ticks;
}

double ceilingOf(const TokenCosts& costs, TokenWindow window)
{
    std::vector<double> decoded;
    double any = 0.0;
    for (std::size_t i = window.first; i < window.last; ++i) {
        const TokenCost& token = costs.tokens[i];
        any = std::max(any, token.value.value_or(0.0));
        if (token.phase == Phase::Decode && token.value)
            decoded.push_back(*token.value);
    }
    const double usual = highestUsual(decoded);
    return niceCeiling(usual > 0.0 && any > kDrowns * usual ? usual : any);
}

// Sets the segments of a bar: the mean of its tokens by part, stacked from the bottom.
void fillBar(WaterfallBar& bar, const TokenCosts& costs, const Rect& plot, double ceiling)
{
    std::array<double, kRunPartCount> parts{};
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = bar.tokens.first; i < bar.tokens.last; ++i) {
        const TokenCost& token = costs.tokens[i];
        bar.disturbed = bar.disturbed || token.disturbed;
        if (!token.value)
            continue;
        bar.least = count > 0.0 ? std::min(bar.least, *token.value) : *token.value;
        bar.most = count > 0.0 ? std::max(bar.most, *token.value) : *token.value;
        sum += *token.value;
        count += 1.0;
        double explained = 0.0;
        for (std::size_t part = 0; part < kRunPartCount; ++part) {
            parts[part] += std::max(0.0, token.parts[part].value_or(0.0));
            explained += std::max(0.0, token.parts[part].value_or(0.0));
        }
        if (explained <= 0.0) // the parts of the token's energy are unknown
            parts[static_cast<std::size_t>(RunPart::Rest)] += std::max(0.0, *token.value);
    }
    bar.top = plot.bottom();
    if (count <= 0.0)
        return;
    bar.value = sum / count;
    const double scale = plot.height / ceiling / count;
    double bottom = plot.bottom();
    const double gap = bar.rect.width >= 6.0 ? 1.0 : 0.0;
    for (std::size_t part = 0; part < kRunPartCount; ++part) {
        const double top = std::max(plot.y, bottom - parts[part] * scale);
        if (parts[part] > 0.0 && bottom > top)
            bar.segments[part] = {bar.rect.x, top, bar.rect.width - gap, bottom - top};
        bottom = top;
    }
    bar.top = bottom;
    bar.clipped = *bar.value > ceiling * (1.0 + 1e-9);
}

} // namespace

TokenWindow clampedWindow(TokenWindow window, std::size_t count)
{
    constexpr std::size_t kLeast = 8; // tokens
    const std::size_t size = std::min(count, std::max(window.size(), kLeast));
    const std::size_t first = std::min(window.first, count - size);
    return {first, first + size};
}

TokenWindow zoomedWindow(TokenWindow window, double anchor, double factor, std::size_t count)
{
    const auto size = static_cast<double>(window.size());
    double wanted = std::round(size * factor);
    if (wanted == size)
        wanted += factor > 1.0 ? 1.0 : -1.0;
    wanted = std::clamp(wanted, 1.0, static_cast<double>(std::max<std::size_t>(1, count)));
    const double at = static_cast<double>(window.first) + anchor * size;
    const double first = std::max(0.0, std::round(at - anchor * wanted));
    const auto begin = static_cast<std::size_t>(first);
    return clampedWindow({begin, begin + static_cast<std::size_t>(wanted)}, count);
}

TokenWindow pannedWindow(TokenWindow window, std::int64_t by, std::size_t count)
{
    const auto room = static_cast<std::int64_t>(count - std::min(count, window.size()));
    const std::int64_t first =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(window.first) + by, 0, room);
    const auto begin = static_cast<std::size_t>(first);
    return {begin, begin + window.size()};
}

WaterfallGeometry layoutWaterfall(const TokenCosts& costs, TokenWindow window, const Rect& area,
                                  const WaterfallStyle& style)
{
    WaterfallGeometry result;
    result.plot = insideAxes(area, style, true);
    window = {window.first, std::min(window.last, costs.tokens.size())};
    const Rect& plot = result.plot;
    if (window.size() == 0 || plot.empty())
        return result;
    result.all_missing = std::none_of(costs.tokens.begin(), costs.tokens.end(),
                                      [](const TokenCost& token) { return token.value; });
    result.ceiling = ceilingOf(costs, window);
    const double most = std::max(1.0, std::floor(plot.width / style.least_bar));
    const auto tokens = static_cast<double>(window.size());
    result.tokens_per_bar = static_cast<std::size_t>(std::max(1.0, std::ceil(tokens / most)));

    double total = 0.0;
    for (const TokenCost& token : costs.tokens)
        total += std::max(0.0, token.value.value_or(0.0));
    result.sum_ceiling = niceCeiling(total);
    double sum = 0.0;
    for (std::size_t i = 0; i < window.first; ++i)
        sum += std::max(0.0, costs.tokens[i].value.value_or(0.0));

    const double each = std::min(plot.width / tokens, 48.0);
    for (std::size_t first = window.first; first < window.last; first += result.tokens_per_bar) {
        WaterfallBar bar;
        bar.tokens = {first, std::min(first + result.tokens_per_bar, window.last)};
        const double left = plot.x + each * static_cast<double>(first - window.first);
        bar.rect = {left, plot.y, each * static_cast<double>(bar.tokens.size()), plot.height};
        fillBar(bar, costs, plot, result.ceiling);
        for (std::size_t i = bar.tokens.first; i < bar.tokens.last; ++i)
            sum += std::max(0.0, costs.tokens[i].value.value_or(0.0));
        bar.cumulative = sum;
        result.cumulative.push_back(
            {bar.rect.centre().x, plot.bottom() - plot.height * sum / result.sum_ceiling});
        result.bars.push_back(bar);
    }
    const DisplayUnit left = displayUnit(unit(costs.metric), result.ceiling);
    const DisplayUnit right = displayUnit(unit(costs.metric), result.sum_ceiling);
    const double spacing = 2.0 * style.line_height;
    result.values = valueTicks(result.ceiling, plot.bottom(), plot.y, spacing, left);
    result.sums = valueTicks(result.sum_ceiling, plot.bottom(), plot.y, spacing, right);
    const double firstIndex = costs.tokens[window.first].index;
    result.tokens =
        wholeTicks(firstIndex, firstIndex + tokens, plot.x, each * tokens, 8.0 * style.char_width);
    return result;
}

std::optional<std::size_t> WaterfallGeometry::hit(Point point) const
{
    const auto next = std::partition_point(bars.begin(), bars.end(), [&](const WaterfallBar& bar) {
        return bar.rect.right() <= point.x;
    });
    if (next == bars.end() || !next->rect.contains(point))
        return std::nullopt;
    return static_cast<std::size_t>(next - bars.begin());
}

std::optional<std::size_t> WaterfallGeometry::barOf(std::size_t token) const
{
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (bars[i].tokens.first <= token && token < bars[i].tokens.last)
            return i;
    }
    return std::nullopt;
}

TrendGeometry layoutTrend(const TokenCosts& costs, const Rect& area, const WaterfallStyle& style)
{
    TrendGeometry result;
    result.plot = insideAxes(area, style, false);
    const Rect& plot = result.plot;
    double first = 0.0;
    double last = 0.0;
    std::vector<double> values;
    for (const TokenCost& token : costs.tokens) {
        if (token.phase != Phase::Decode || !token.value)
            continue;
        first = values.empty() ? token.position : std::min<double>(first, token.position);
        last = values.empty() ? token.position : std::max<double>(last, token.position);
        values.push_back(*token.value);
    }
    if (values.empty() || plot.empty())
        return result;
    result.ceiling = niceCeiling(highestUsual(values) * 1.02);
    const double span = std::max(1.0, last - first);
    const auto toX = [&](double position) {
        return plot.x + plot.width * (position - first) / span;
    };
    const auto toY = [&](double value) {
        return plot.bottom() - plot.height * std::clamp(value / result.ceiling, 0.0, 1.0);
    };
    result.line = fitTrend(costs);
    std::vector<double> residuals;
    for (std::size_t i = 0; i < costs.tokens.size(); ++i) {
        const TokenCost& token = costs.tokens[i];
        if (token.phase != Phase::Decode || !token.value)
            continue;
        result.dots.push_back(
            {i, {toX(token.position), toY(*token.value)}, false, *token.value > result.ceiling});
        residuals.push_back(*token.value - (result.line ? result.line->at(token.position) : 0.0));
    }
    const RobustScale scale = robustScale(residuals);
    for (std::size_t i = 0; i < residuals.size(); ++i)
        result.dots[i].anomalous = scale.anomalous(residuals[i]);
    if (result.line) {
        result.line_begin = {toX(first), toY(result.line->at(first))};
        result.line_end = {toX(last), toY(result.line->at(last))};
    }
    result.values = valueTicks(result.ceiling, plot.bottom(), plot.y, 2.0 * style.line_height,
                               displayUnit(unit(costs.metric), result.ceiling));
    result.positions = wholeTicks(first, first + span, plot.x, plot.width, 8.0 * style.char_width);
    for (Tick& tick : result.positions)
        tick.position = toX(tick.value);
    return result;
}

std::optional<std::size_t> TrendGeometry::hit(Point point) const
{
    std::optional<std::size_t> nearest;
    double best = kHitDistance * kHitDistance;
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const double dx = dots[i].at.x - point.x;
        const double dy = dots[i].at.y - point.y;
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            nearest = i;
        }
    }
    return nearest;
}

HistogramGeometry layoutHistogram(const TokenHistogram& histogram, CostMetric metric,
                                  const Rect& area, const WaterfallStyle& style)
{
    HistogramGeometry result;
    result.plot = insideAxes(area, style, false);
    const Rect& plot = result.plot;
    if (histogram.classes.empty() || plot.empty())
        return result;
    const double ceiling = niceCeiling(static_cast<double>(histogram.largest()));
    const double each = plot.width / static_cast<double>(histogram.classes.size());
    for (std::size_t i = 0; i < histogram.classes.size(); ++i) {
        const double height =
            plot.height * static_cast<double>(histogram.classes[i].size()) / ceiling;
        result.bars.push_back({plot.x + each * static_cast<double>(i), plot.bottom() - height,
                               std::max(1.0, each - 1.0), height});
    }
    result.counts = valueTicks(ceiling, plot.bottom(), plot.y, 2.0 * style.line_height, {});
    const double high =
        histogram.low + histogram.width * static_cast<double>(histogram.classes.size());
    const DisplayUnit shown = displayUnit(unit(metric), high);
    const double spacing = 12.0 * style.char_width;
    result.values = ticksBetween(histogram.low, high, plot, spacing, shown);
    if (histogram.open_end) { // one label for the last bin, which is not to scale
        const double edge = high - histogram.width;
        const double centre = plot.right() - each / 2.0;
        std::erase_if(result.values,
                      [&](const Tick& tick) { return tick.position > centre - spacing; });
        result.values.push_back({centre, edge, "> " + formatIn(shown, edge)});
    }
    return result;
}

std::optional<std::size_t> HistogramGeometry::hit(Point point) const
{
    if (bars.empty() || !plot.contains(point))
        return std::nullopt;
    const double at = (point.x - plot.x) / plot.width * static_cast<double>(bars.size());
    return std::min(static_cast<std::size_t>(at), bars.size() - 1);
}

double HistogramGeometry::toX(const TokenHistogram& histogram, double value) const
{
    const double span = histogram.width * static_cast<double>(histogram.classes.size());
    return plot.x + plot.width * std::clamp((value - histogram.low) / span, 0.0, 1.0);
}

} // namespace ep::viz
