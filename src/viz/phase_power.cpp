// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/phase_power.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"
#include "ep/viz/metric.h"

#include <algorithm>

namespace ep::viz {

namespace {

PhaseBox boxOf(Phase phase, std::vector<double> values)
{
    PhaseBox box;
    box.phase = phase;
    box.samples = values.size();
    std::sort(values.begin(), values.end());
    box.least = values.front();
    box.most = values.back();
    box.q1 = quantileOf(values, 0.25);
    box.median = quantileOf(values, 0.5);
    box.q3 = quantileOf(values, 0.75);
    const double reach = 1.5 * (box.q3 - box.q1);
    box.low_whisker = *std::lower_bound(values.begin(), values.end(), box.q1 - reach);
    box.high_whisker = *(std::upper_bound(values.begin(), values.end(), box.q3 + reach) - 1);
    for (const double value : values)
        box.mean += value / static_cast<double>(values.size());
    return box;
}

// Many samples far from the others, as in the gaps between kernels, are a second level of the
// phase rather than anomalies, so they are not marked.
void unmarkLevels(PhasePower& data)
{
    constexpr std::size_t kMaxShare = 20; // at most one sample in this many
    for (PhaseBox& box : data.boxes) {
        if (box.anomalies * kMaxShare <= box.samples)
            continue;
        box.anomalies = 0;
        for (PhasePoint& point : data.points) {
            if (point.phase == box.phase)
                point.anomalous = false;
        }
    }
}

} // namespace

PhasePower buildPhasePower(const RunTrace& trace, const PhasePowerFilter& filter)
{
    PhasePower data;
    std::array<std::vector<double>, kPhaseCount> values;
    for (std::size_t i = 0; i < trace.samples.size(); ++i) {
        const PowerSample& sample = trace.samples[i];
        data.modelled = data.modelled || sample.modelled;
        if (i == 0)
            data.time.begin_ns = sample.window.begin_ns;
        data.time.end_ns = std::max(data.time.end_ns, sample.window.end_ns);
        const auto power = filter.rail ? powerOf(sample, *filter.rail) : totalPowerOf(sample);
        if (!power) {
            ++data.without_value;
            continue;
        }
        if (!filter.phases[static_cast<std::size_t>(sample.phase)]
            || sample.phase_confidence < filter.least_confidence) {
            ++data.hidden;
            continue;
        }
        PhasePoint point;
        point.sample = i;
        point.at_ns = sample.window.begin_ns + sample.window.duration_ns() / 2;
        point.mw = power->value;
        point.phase = sample.phase;
        point.confidence = sample.phase_confidence;
        data.points.push_back(point);
        values[static_cast<std::size_t>(sample.phase)].push_back(point.mw);
    }
    std::array<RobustScale, kPhaseCount> scales;
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
        if (values[phase].empty())
            continue;
        scales[phase] = robustScale(values[phase]);
        data.boxes.push_back(boxOf(static_cast<Phase>(phase), values[phase]));
    }
    for (PhasePoint& point : data.points) {
        const RobustScale& scale = scales[static_cast<std::size_t>(point.phase)];
        point.z = scale.z(point.mw);
        // Outside of the run, the machine may do anything.
        point.anomalous = point.phase != Phase::Idle && scale.anomalous(point.mw);
        for (PhaseBox& box : data.boxes)
            box.anomalies += box.phase == point.phase && point.anomalous ? 1U : 0U;
    }
    unmarkLevels(data);
    return data;
}

PhasePowerGeometry layoutPhasePower(const PhasePower& data, TimeRange visible, Nanoseconds origin,
                                    const Rect& area, const WaterfallStyle& style)
{
    PhasePowerGeometry result;
    const double axis = kAxisCharacters * style.char_width;
    const double top = style.line_height;
    const double height = area.height - top - 2.0 * style.line_height - style.margin;
    const double width = area.width - axis - style.margin;
    if (data.points.empty() || height <= 1.0 || width <= 1.0)
        return result;
    const double boxWidth = std::min(width * 0.4, 92.0 * static_cast<double>(data.boxes.size()));
    result.scatter = {area.x + axis, area.y + top, width - boxWidth - style.margin, height};
    result.boxes = {result.scatter.right() + style.margin, area.y + top, boxWidth, height};
    double most = 0.0;
    for (const PhasePoint& point : data.points)
        most = std::max(most, point.mw);
    result.ceiling = niceCeiling(most * 1.02);
    const auto toY = [&](double mw) {
        return area.y + top + height * (1.0 - std::clamp(mw / result.ceiling, 0.0, 1.0));
    };
    const TimeAxis timeAxis(visible, result.scatter.x, result.scatter.width);
    for (const PhasePoint& point : data.points)
        result.points.push_back({timeAxis.toX(point.at_ns), toY(point.mw)});
    const double each = boxWidth / static_cast<double>(std::max<std::size_t>(1, data.boxes.size()));
    for (std::size_t i = 0; i < data.boxes.size(); ++i) {
        const PhaseBox& box = data.boxes[i];
        PhasePowerGeometry::Box shape;
        shape.column = {result.boxes.x + each * static_cast<double>(i), area.y + top, each, height};
        const double body = std::min(each * 0.5, 40.0);
        const double upper = toY(box.q3);
        shape.body = {shape.column.centre().x - body / 2.0, upper, body,
                      std::max(1.0, toY(box.q1) - upper)};
        shape.median_y = toY(box.median);
        shape.low_y = toY(box.low_whisker);
        shape.high_y = toY(box.high_whisker);
        result.box_shapes.push_back(shape);
    }
    result.values = valueTicks(result.ceiling, area.y + top + height, area.y + top,
                               2.0 * style.line_height, displayUnit("mW", result.ceiling));
    result.times = timeTicks(timeAxis, origin, 12.0 * style.char_width);
    return result;
}

std::optional<std::size_t> PhasePowerGeometry::hitPoint(Point point) const
{
    std::optional<std::size_t> nearest;
    double best = kHitDistance * kHitDistance;
    if (!scatter.contains(point))
        return nearest;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double dx = points[i].x - point.x;
        const double dy = points[i].y - point.y;
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            nearest = i;
        }
    }
    return nearest;
}

std::optional<std::size_t> PhasePowerGeometry::hitBox(Point point) const
{
    for (std::size_t i = 0; i < box_shapes.size(); ++i) {
        if (box_shapes[i].column.contains(point))
            return i;
    }
    return std::nullopt;
}

Message summarize(const PhasePower& data)
{
    if (data.points.empty())
        return "No samples";
    std::vector<Message> parts{Message("%1 samples", data.points.size())};
    std::size_t anomalies = 0;
    for (const PhaseBox& box : data.boxes) {
        parts.emplace_back("%1: median %2", title(box.phase), formatPower(Milliwatts{box.median}));
        anomalies += box.anomalies;
    }
    parts.emplace_back(anomalies == 1 ? "%1 anomaly" : "%1 anomalies", anomalies);
    return sequence(std::move(parts), "; ");
}

RailBars layoutRailBars(const Run& run, bool net, double width, const WaterfallStyle& style,
                        double textWidth)
{
    RailBars result;
    const auto& baseline = run.info.power.baseline;
    const auto railOf = [&](const PhaseSpan& span, Rail rail) -> std::optional<double> {
        const auto& gross = span.energy.rails_mj[rail];
        if (!gross || !net)
            return gross ? std::optional(gross->value) : std::nullopt;
        const auto idle = baseline ? baseline->power_mw[rail] : std::nullopt;
        const auto above =
            netEnergy(gross, span.time.duration_ns(), BaselineRecord{.total_mw = idle});
        return above ? std::optional(above->value) : std::nullopt;
    };
    std::array<bool, kRailCount> known{};
    for (const PhaseSpan& span : run.trace.phases)
        for (const Rail rail : kPartRails)
            known[static_cast<std::size_t>(rail)] |= railOf(span, rail).has_value();

    double most = 0.0;
    for (const PhaseSpan& span : run.trace.phases) {
        if (span.phase == Phase::Idle)
            continue;
        RailBars::Row row;
        row.phase = span.phase;
        row.provenance = span.energy.provenance;
        double sum = 0.0;
        for (const Rail rail : kPartRails) {
            if (const auto value = railOf(span, rail)) {
                row.segments.push_back({rail, *value, {}});
                sum += std::max(0.0, *value);
            } else if (known[static_cast<std::size_t>(rail)]) {
                row.missing.push_back(rail);
            }
        }
        const auto system = railOf(span, Rail::System);
        if (system && *system > sum) {
            row.segments.push_back({std::nullopt, *system - sum, {}});
            sum = *system;
        }
        if (!row.segments.empty()) {
            row.total_mj = sum;
            result.all_missing = false;
        }
        most = std::max(most, sum);
        result.rows.push_back(std::move(row));
    }
    const double ceiling = niceCeiling(most);
    const double height = std::max(30.0, style.line_height + 14.0);
    const double label = 16.0 * style.char_width;
    const double text = std::max(20.0 * style.char_width, textWidth + style.char_width);
    const double track = std::max(1.0, width - label - text - 2.0 * style.margin);
    double y = style.margin;
    for (RailBars::Row& row : result.rows) {
        row.row = {0.0, y, width, height};
        row.label = {style.margin, y, label, height};
        row.track = {style.margin + label, y + 5.0, track, height - 10.0};
        row.text = {row.track.right() + style.char_width, y, text - style.char_width, height};
        double x = row.track.x;
        for (RailBars::Segment& segment : row.segments) {
            const double own = track * std::max(0.0, segment.mj) / ceiling;
            segment.rect = {x, row.track.y, own, row.track.height};
            x += own;
        }
        y += height;
    }
    if (!result.all_missing) {
        // A horizontal axis over the width of the track.
        for (Tick& tick :
             valueTicks(ceiling, track, 0.0, 12.0 * style.char_width, displayUnit("mJ", ceiling))) {
            tick.position = style.margin + label + track - tick.position;
            result.values.push_back(tick);
        }
    }
    result.height = y + style.line_height + style.margin;
    return result;
}

std::optional<std::size_t> RailBars::hit(Point point) const
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].row.contains(point))
            return i;
    }
    return std::nullopt;
}

} // namespace ep::viz
