// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/pipeline.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_tree.h"
#include "ep/viz/axis.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

std::string shareText(std::optional<double> share)
{
    if (!share)
        return kMissingText;
    if (*share == 0.0)
        return "0 %";
    return *share < 0.0005 ? "< 0.1 %" : formatPercent(*share);
}

class PipelineLayout {
public:
    PipelineLayout(const Run& run, CostMetric metric, double width, const PipelineStyle& style)
        : m_run(run)
        , m_metric(metric)
        , m_style(style)
        , m_width(width)
        , m_sums(sumsOfPhases(run.trace))
    {
        for (const PhaseSum& of : m_sums)
            m_phases.add(of.sum);
        m_whole = knownEnergy(run);
        // The run may be longer than its phases, but noise must not make the phases exceed it.
        m_whole.duration_ns = std::max(m_whole.duration_ns, m_phases.duration_ns);
        if (m_phases.energy_mj)
            m_whole.energy_mj = std::max(m_whole.energy_mj, m_phases.energy_mj);
    }

    PipelineGeometry operator()(const ExpandedPhases& expanded)
    {
        if (m_sums.empty())
            return {};
        m_geometry.strip_rect = {m_style.margin, m_style.margin,
                                 std::max(1.0, m_width - 2.0 * m_style.margin),
                                 m_style.strip_height};
        m_y = m_geometry.strip_rect.bottom();
        if (m_metric == CostMetric::Time) {
            m_geometry.axis_rect = {m_geometry.strip_rect.x, m_y, m_geometry.strip_rect.width,
                                    m_style.axis_height};
            m_y += m_style.axis_height;
        }
        m_y += m_style.margin;

        std::array<std::size_t, kPhaseCount> rowOf{};
        for (const PhaseSum& of : m_sums) {
            rowOf[static_cast<std::size_t>(of.phase)] = m_geometry.rows.size();
            addPhase(of, expanded[static_cast<std::size_t>(of.phase)]);
        }
        addRunRemainder();
        m_geometry.height = m_y + m_style.margin;
        summarizeProvenance();
        if (!m_geometry.metric_missing)
            addStrip(rowOf);
        return std::move(m_geometry);
    }

private:
    void addPhase(const PhaseSum& of, bool expanded)
    {
        PipelineRow row;
        row.phase = of.phase;
        row.title = std::string(title(of.phase));
        row.expandable = !of.sections.empty();
        row.expanded = row.expandable && expanded;
        addRow(row, of.sum);
        if (!row.expanded)
            return;

        Tally known;
        for (const SectionSum& own : of.sections) {
            PipelineRow child;
            child.kind = PipelineRow::Kind::SectionRow;
            child.phase = of.phase;
            child.section = own.section;
            child.title = std::string(title(own.section));
            addRow(child, own.sum);
            known.add(own.sum);
        }
        const Tally rest = remainderOf(of.sum, known);
        PipelineRow remainder;
        remainder.kind = PipelineRow::Kind::Remainder;
        remainder.phase = of.phase;
        remainder.title = std::string(title(Remainder::BetweenParts));
        addRow(remainder, rest);
    }

    void addRunRemainder()
    {
        const Tally rest = remainderOf(m_whole, m_phases);
        if (!isRemainder(rest, m_whole))
            return;
        PipelineRow row;
        row.kind = PipelineRow::Kind::Remainder;
        row.title = std::string(title(Remainder::BetweenPhases));
        addRow(row, rest);
    }

    std::optional<double> shareOf(const Tally& total) const
    {
        if (m_metric == CostMetric::Time)
            return m_whole.duration_ns > 0
                ? static_cast<double>(total.duration_ns) / static_cast<double>(m_whole.duration_ns)
                : 0.0;
        if (!total.energy_mj || !m_whole.energy_mj)
            return std::nullopt;
        return m_whole.energy_mj->value != 0.0 ? *total.energy_mj / *m_whole.energy_mj : 0.0;
    }

    void addRow(PipelineRow row, const Tally& total)
    {
        row.occurrences = static_cast<int>(total.spans);
        row.duration_ns = total.duration_ns;
        row.energy_mj = total.energy_mj;
        row.share = shareOf(total);
        row.share_text = shareText(row.share);
        if (m_metric == CostMetric::Time) {
            row.provenance = Provenance::Measured;
            row.value_text = formatDuration(row.duration_ns);
        } else {
            row.provenance = total.provenance;
            row.partial = total.partial();
            row.value_text = row.energy_mj ? formatEnergy(row.energy_mj) : std::string();
            if (row.partial)
                row.value_text.insert(0, "≥ ");
        }

        const double content = m_geometry.strip_rect.width;
        const double labelWidth = std::min(m_style.char_width * 28.0, content * 0.4);
        // In a narrow view, figures get the room rather than the bar, which repeats the share.
        constexpr double kMinTrack = 12.0;
        const double textWidth =
            std::clamp(content - labelWidth - kMinTrack, 0.0, m_style.char_width * 19.0);
        row.row = {m_style.margin, m_y, content, m_style.row_height};
        row.label = {row.row.x, m_y, labelWidth, m_style.row_height};
        row.text = {row.row.right() - textWidth, m_y, textWidth, m_style.row_height};
        const double inset = row.kind == PipelineRow::Kind::PhaseRow ? 4.0 : 7.0;
        row.track = {row.label.right(), m_y + inset, row.text.x - row.label.right(),
                     m_style.row_height - 2.0 * inset};
        const double share = std::clamp(row.share.value_or(0.0), 0.0, 1.0);
        row.bar = row.track;
        row.bar.width = share > 0.0 ? std::max(1.0, std::round(row.track.width * share)) : 0.0;
        m_y += m_style.row_height;
        m_geometry.rows.push_back(std::move(row));
    }

    void summarizeProvenance()
    {
        m_geometry.metric_missing = true;
        Provenance worst = Provenance::Measured;
        for (const PipelineRow& row : m_geometry.rows) {
            if (row.missing())
                continue;
            m_geometry.metric_missing = false;
            worst = std::max(worst, row.provenance);
        }
        m_geometry.provenance = m_geometry.metric_missing ? Provenance::Missing : worst;
    }

    void addStrip(const std::array<std::size_t, kPhaseCount>& rowOf)
    {
        constexpr double kMinWidth = 2.0;
        const Rect strip = m_geometry.strip_rect;
        TimeRange whole = m_run.trace.time;
        if (whole.empty())
            whole = {m_run.trace.phases.front().time.begin_ns,
                     m_run.trace.phases.back().time.end_ns};
        const TimeAxis axis(whole, strip.x, strip.width);
        double energyBefore = 0.0;
        for (const PhaseSpan& span : m_run.trace.phases) {
            if (span.phase == Phase::Idle)
                continue;
            double left = 0.0;
            double right = 0.0;
            if (m_metric == CostMetric::Time) {
                left = axis.toX(span.time.begin_ns);
                right = axis.toX(span.time.end_ns);
            } else {
                if (!span.energy.total_mj)
                    continue;
                const double scale =
                    m_whole.energy_mj->value > 0.0 ? strip.width / m_whole.energy_mj->value : 0.0;
                left = strip.x + energyBefore * scale;
                energyBefore += std::max(0.0, span.energy.total_mj->value);
                right = strip.x + energyBefore * scale;
            }
            left = std::clamp(left, strip.x, strip.right() - kMinWidth);
            right = std::clamp(right, left + kMinWidth, strip.right());
            PipelineSegment segment;
            segment.phase = span.phase;
            segment.row = rowOf[static_cast<std::size_t>(span.phase)];
            segment.rect = {left, strip.y, right - left, strip.height};
            segment.label_fits = right - left
                >= (static_cast<double>(title(span.phase).size()) + 2.0) * m_style.char_width;
            m_geometry.strip.push_back(segment);
        }
    }

    const Run& m_run;
    CostMetric m_metric;
    PipelineStyle m_style;
    double m_width;
    std::vector<PhaseSum> m_sums;
    Tally m_whole; // sum of the run
    Tally m_phases; // sum of its phases
    double m_y = 0.0;
    PipelineGeometry m_geometry;
};

} // namespace

std::optional<std::size_t> PipelineGeometry::hit(Point point) const
{
    // Later segments are painted over earlier ones if both have the minimum width.
    for (auto segment = strip.rbegin(); segment != strip.rend(); ++segment) {
        if (segment->rect.contains(point))
            return segment->row;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].row.contains(point))
            return i;
    }
    return std::nullopt;
}

PipelineGeometry layoutPipeline(const Run& run, CostMetric metric, double width,
                                const ExpandedPhases& expanded, const PipelineStyle& style)
{
    return PipelineLayout(run, metric, width, style)(expanded);
}

Message summarize(const PipelineGeometry& geometry, CostMetric metric)
{
    if (geometry.rows.empty())
        return "No phases recorded";
    if (geometry.metric_missing)
        return {"%1 is missing for all phases", title(metric)};
    std::vector<Message> phases;
    for (const PipelineRow& row : geometry.rows) {
        if (row.kind == PipelineRow::Kind::PhaseRow)
            phases.push_back(row.missing() ? Message("%1 missing", row.title)
                                           : Message("%1 %2", row.title, row.share_text));
    }
    return {"%1 by phase: %2", title(metric), sequence(std::move(phases), ", ")};
}

} // namespace ep::viz
