// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/flame.h"

#include "ep/core/enum_words.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

float energyOf(const std::optional<Millijoules>& energy)
{
    return energy ? static_cast<float>(energy->value) : std::numeric_limits<float>::quiet_NaN();
}

FlameSpan spanOf(const PhaseSpan& s)
{
    return {
        s.time, kNoToken, kNoLayer, energyOf(s.energy.total_mj), static_cast<std::uint8_t>(s.phase),
        0};
}
FlameSpan spanOf(const TokenSpan& s)
{
    return {s.time, s.index, kNoLayer, energyOf(s.energy.total_mj), 0, 0};
}
FlameSpan spanOf(const Span& s)
{
    const auto word = [&]() -> std::uint8_t {
        switch (s.level) {
        case SpanLevel::Section:
            return static_cast<std::uint8_t>(s.section);
        case SpanLevel::Layer:
            break;
        case SpanLevel::Component:
            return static_cast<std::uint8_t>(s.component);
        case SpanLevel::Operation:
            return static_cast<std::uint8_t>(s.operation);
        }
        return 0;
    }();
    const bool within = s.level == SpanLevel::Operation;
    return {s.time,  s.token,
            s.layer, energyOf(s.energy_mj),
            word,    within ? static_cast<std::uint8_t>(s.component) : std::uint8_t{0}};
}

FlameLevel flameLevel(SpanLevel level)
{
    return static_cast<FlameLevel>(static_cast<int>(FlameLevel::Section) + static_cast<int>(level));
}

template <typename Spans>
std::vector<FlameSpan> converted(const Spans& spans)
{
    std::vector<FlameSpan> result;
    result.reserve(spans.size());
    for (const auto& span : spans)
        result.push_back(spanOf(span));
    return result;
}

} // namespace

std::string_view title(FlameLevel level)
{
    constexpr std::array<std::string_view, 6> kTitles{"Phases", "Tokens",     "Sections",
                                                      "Layers", "Components", "Operations"};
    return wordOf(kTitles, level);
}

Message title(FlameLevel level, const FlameSpan& span)
{
    switch (level) {
    case FlameLevel::Phase:
        return title(static_cast<Phase>(span.word));
    case FlameLevel::Token:
        return {"token %1", span.token};
    case FlameLevel::Section:
        return title(static_cast<Section>(span.word));
    case FlameLevel::Layer:
        return {"layer %1", span.layer};
    case FlameLevel::Component:
        return name(static_cast<Component>(span.word));
    case FlameLevel::Operation:
        return name(static_cast<Operation>(span.word));
    }
    return {};
}

FlameData::FlameData(const RunTrace& trace)
    : m_whole(!trace.layers.empty() || !trace.components.empty())
{
    insert(FlameLevel::Phase, converted(trace.phases));
    insert(FlameLevel::Token, converted(trace.tokens));
    for (const SpanLevel level : kSpanLevels)
        insert(flameLevel(level), converted(trace.spans(level)));
}

void FlameData::addStep(std::int32_t token, const RunTrace& step)
{
    if (hasStep(token))
        return;
    m_steps.insert(token);
    for (const SpanLevel level : kStepLevels)
        insert(flameLevel(level), converted(step.spans(level)));
}

// Steps do not overlap, so the spans of a step can be inserted as one block.
void FlameData::insert(FlameLevel level, std::vector<FlameSpan> spans)
{
    std::erase_if(spans, [](const FlameSpan& span) { return span.time.empty(); });
    const auto before = [](const FlameSpan& a, const FlameSpan& b) {
        return a.time.begin_ns < b.time.begin_ns;
    };
    if (!std::is_sorted(spans.begin(), spans.end(), before))
        std::stable_sort(spans.begin(), spans.end(), before);
    if (spans.empty())
        return;
    for (const FlameSpan& span : spans) {
        const double seconds = toSeconds(span.time.duration_ns());
        if (!span.hasEnergy() || !(seconds > 0.0))
            continue;
        const double power = static_cast<double>(span.energy_mj) / seconds;
        const bool coarse = level == FlameLevel::Token || level == FlameLevel::Section;
        if (level == FlameLevel::Component)
            m_largestPower = std::max(m_largestPower, power);
        else if (coarse)
            m_coarsePower = std::max(m_coarsePower, power);
        if (level == FlameLevel::Component || coarse)
            m_leastPower = std::min(m_leastPower, power);
    }
    auto& all = m_levels[static_cast<std::size_t>(level)];
    const auto at = std::upper_bound(all.begin(), all.end(), spans.front(), before);
    all.insert(at, spans.begin(), spans.end());
}

bool FlameData::powerIsEven() const
{
    constexpr double kEven = 0.98; // colours do not show smaller differences
    return m_leastPower > kEven * std::max(m_largestPower, m_coarsePower) && largestPowerMw() > 0.0;
}

std::optional<RunPart> partOf(FlameLevel level, const FlameSpan& span)
{
    if (level == FlameLevel::Section && static_cast<Section>(span.word) != Section::Layers)
        return partOf(static_cast<Section>(span.word));
    if (level == FlameLevel::Component)
        return partOf(static_cast<Component>(span.word));
    if (level == FlameLevel::Operation)
        return partOf(static_cast<Component>(span.component));
    return std::nullopt;
}

std::vector<FlameLevel> FlameData::levels() const
{
    std::vector<FlameLevel> result;
    for (std::size_t i = 0; i < kFlameLevelCount; ++i) {
        if (!m_levels[i].empty())
            result.push_back(static_cast<FlameLevel>(i));
    }
    return result;
}

std::vector<std::int32_t> FlameData::missingSteps(TimeRange range) const
{
    std::vector<std::int32_t> missing;
    for (const FlameSpan& token : spans(FlameLevel::Token)) {
        if (!intersection(token.time, range).empty() && !hasStep(token.token))
            missing.push_back(token.token);
    }
    return missing;
}

std::size_t FlameData::size() const
{
    std::size_t sum = 0;
    for (const auto& level : m_levels)
        sum += level.size();
    return sum;
}

FlameGeometry layoutFlame(const FlameData& data, TimeRange visible, const Rect& plot,
                          const FlameStyle& style)
{
    FlameGeometry geometry;
    geometry.rows = data.levels();
    geometry.top = plot.y;
    geometry.row_height = style.row_height;
    if (visible.empty() || plot.empty())
        return geometry;
    const TimeAxis axis(visible, plot.x, plot.width);
    const auto least = std::max<Nanoseconds>(
        1,
        std::llround(style.least_width / plot.width * static_cast<double>(visible.duration_ns())));

    double y = plot.y;
    for (const FlameLevel level : geometry.rows) {
        const auto& spans = data.spans(level);
        const auto place = [&](std::size_t first, std::size_t count, TimeRange time) {
            const double left = std::clamp(axis.toX(time.begin_ns), plot.x, plot.right());
            const double right = std::clamp(axis.toX(time.end_ns), plot.x, plot.right());
            const Rect rect{left, y, std::max(right - left, 1.0), style.row_height};
            geometry.boxes.push_back(
                {level, first, count, rect,
                 count == 1 && rect.width >= kLabelCharacters * style.char_width});
        };
        const auto begin =
            std::partition_point(spans.begin(), spans.end(), [&](const FlameSpan& span) {
                return span.time.end_ns <= visible.begin_ns;
            });
        auto i = static_cast<std::size_t>(begin - spans.begin());
        while (i < spans.size() && spans[i].time.begin_ns < visible.end_ns) {
            const TimeRange time = spans[i].time;
            if (time.duration_ns() >= least) {
                place(i, 1, time);
                ++i;
                continue;
            }
            // Merges spans that begin within the least width, except for a wide one at the end.
            const Nanoseconds until = time.begin_ns + least;
            auto last = static_cast<std::size_t>(
                std::partition_point(
                    spans.begin() + static_cast<std::ptrdiff_t>(i), spans.end(),
                    [&](const FlameSpan& span) { return span.time.begin_ns < until; })
                - spans.begin());
            if (last > i + 1 && spans[last - 1].time.duration_ns() >= least)
                --last;
            place(i, last - i, {time.begin_ns, std::max(until, spans[last - 1].time.end_ns)});
            // A merged box never covers the spans after it.
            if (last < spans.size()) {
                Rect& rect = geometry.boxes.back().rect;
                const double next =
                    std::clamp(axis.toX(spans[last].time.begin_ns), plot.x, plot.right());
                rect.width = std::max(1.0, std::min(rect.right(), next) - rect.x);
            }
            i = last;
        }
        y += style.row_height;
    }
    return geometry;
}

std::optional<std::size_t> FlameGeometry::hit(Point point) const
{
    if (!(row_height > 0.0) || point.y < top)
        return std::nullopt;
    const auto row = static_cast<std::size_t>((point.y - top) / row_height);
    if (row >= rows.size())
        return std::nullopt;
    const double y = top + static_cast<double>(row) * row_height;
    const auto first = std::partition_point(boxes.begin(), boxes.end(),
                                            [&](const FlameBox& box) { return box.rect.y < y; });
    const auto end = std::partition_point(first, boxes.end(),
                                          [&](const FlameBox& box) { return box.rect.y <= y; });
    auto box = std::partition_point(first, end,
                                    [&](const FlameBox& b) { return b.rect.right() <= point.x; });
    if (box == end || !box->rect.contains(point))
        return std::nullopt;
    return static_cast<std::size_t>(box - boxes.begin());
}

} // namespace ep::viz
