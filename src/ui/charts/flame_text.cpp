// SPDX-License-Identifier: GPL-3.0-or-later
// What a span of the timeline is: its details, its tool tip, its row in the table, and its colour.
#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/charts/flame_view.h"
#include "ep/ui/terms.h"

#include <algorithm>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxSpanRows = 100'000; // maximum for the table

std::optional<double> powerMw(const viz::FlameSpan& span)
{
    const double seconds = toSeconds(span.time.duration_ns());
    if (!span.hasEnergy() || !(seconds > 0.0))
        return std::nullopt;
    return static_cast<double>(span.energy_mj) / seconds;
}

} // namespace

QColor FlameView::colourOf(const viz::FlameBox& box) const
{
    const viz::FlameSpan& first = m_data.spans(box.level)[box.first];
    if (box.level == viz::FlameLevel::Phase)
        return theme().phase(static_cast<Phase>(first.word));
    // Power, which is nearly the same for merged neighbours.
    const auto power = powerMw(first);
    if (power && m_data.largestPowerMw() > 0.0)
        return theme().scale(std::min(1.0, *power / m_data.largestPowerMw()));
    return toColour(
        viz::mix(toRgb(theme().surface), toRgb(theme().outline), box.first % 2 == 0 ? 0.25 : 0.4));
}

QString FlameView::describe(viz::FlameLevel level, std::size_t index) const
{
    const ChartDetails details = detailsOf({level, index});
    QStringList parts;
    for (const ChartDetails::Row& row : details.rows)
        parts << row.name + QLatin1Char(' ') + row.value;
    return details.title + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

ChartDetails FlameView::detailsOf(const Cursor& cursor) const
{
    const viz::FlameSpan& at = span(cursor);
    ChartDetails details;
    details.title = term(viz::title(cursor.level, at));
    const auto add = [&](const QString& name, const QString& value) {
        details.rows.emplace_back(name, value);
    };
    if (cursor.level == viz::FlameLevel::Operation)
        add(tr("Component"), toQString(name(static_cast<Component>(at.component))));
    if (at.layer != kNoLayer && cursor.level != viz::FlameLevel::Layer)
        add(tr("Layer"), QString::number(at.layer));
    if (at.token != kNoToken && cursor.level != viz::FlameLevel::Token)
        add(tr("Token"), QString::number(at.token));
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (run)
        add(tr("From"), toQString(formatDuration(at.time.begin_ns - run->trace.time.begin_ns)));
    add(tr("Time"), toQString(formatDuration(at.time.duration_ns())));
    add(tr("Energy"),
        toQString(formatEnergy(at.hasEnergy()
                                   ? std::optional(Millijoules{static_cast<double>(at.energy_mj)})
                                   : std::nullopt)));
    if (const auto power = powerMw(at))
        add(tr("Mean power"), toQString(formatPower(Milliwatts{*power})));
    if (run) {
        // Spans smaller than a token get a share of it.
        Provenance provenance = run->metrics.energy.provenance;
        if (!at.hasEnergy())
            provenance = Provenance::Missing;
        else if (cursor.level >= viz::FlameLevel::Layer)
            provenance = std::max(provenance, Provenance::Attributed);
        add(tr("Provenance"), energyWord(provenance));
    }
    return details;
}

QString FlameView::toolTipAt(const QPointF& position) const
{
    const auto hit = m_geometry.hit(toPoint(position));
    if (!hit)
        return {};
    const viz::FlameBox& box = m_geometry.boxes[*hit];
    if (box.count > 1) {
        const auto& spans = m_data.spans(box.level);
        return tr("%1 spans within %2; click to zoom in and tell them apart")
            .arg(QString::number(box.count),
                 toQString(formatDuration(spans[box.first + box.count - 1].time.end_ns
                                          - spans[box.first].time.begin_ns)));
    }
    const ChartDetails details = detailsOf({box.level, box.first});
    QStringList lines{details.title};
    for (const ChartDetails::Row& row : details.rows)
        lines << row.name + QStringLiteral(": ") + row.value;
    return lines.join(QLatin1Char('\n'));
}

ChartTable FlameView::table() const
{
    ChartTable table;
    table.headings << tr("Level") << tr("Name") << tr("Token") << tr("Layer") << tr("Begin (ms)")
                   << tr("Time (ms)") << tr("Energy (mJ)");
    const RunPtr run = controller() ? controller()->run() : nullptr;
    const Nanoseconds origin = run ? run->trace.time.begin_ns : 0;
    const TimeRange visible = visibleTime();
    for (const viz::FlameLevel level : m_data.levels()) {
        const auto& spans = m_data.spans(level);
        auto at = std::partition_point(spans.begin(), spans.end(), [&](const viz::FlameSpan& s) {
            return s.time.end_ns <= visible.begin_ns;
        });
        for (; at != spans.end() && at->time.begin_ns < visible.end_ns
             && table.rows.size() < kMaxSpanRows;
             ++at) {
            table.rows.push_back(
                {textCell(term(viz::title(level))), textCell(term(viz::title(level, *at))),
                 at->token != kNoToken ? numberCell(at->token) : missingCell(),
                 at->layer != kNoLayer ? numberCell(at->layer) : missingCell(),
                 numberCell(toMilliseconds(at->time.begin_ns - origin), 9),
                 numberCell(toMilliseconds(at->time.duration_ns())),
                 at->hasEnergy() ? numberCell(static_cast<double>(at->energy_mj)) : missingCell()});
        }
    }
    return table;
}

} // namespace ep::ui
