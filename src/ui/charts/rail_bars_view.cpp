// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/phase_views.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

QString energy(std::optional<double> mj)
{
    return mj ? costText(viz::CostMetric::Energy, mj) : QStringLiteral("—");
}

Channel channelOf(Rail rail)
{
    switch (rail) {
    case Rail::Cpu:
        return Channel::Cpu;
    case Rail::Gpu:
        return Channel::Gpu;
    case Rail::Ane:
        return Channel::Ane;
    case Rail::Dram:
        return Channel::Dram;
    case Rail::System:
        break;
    }
    return Channel::Total;
}

QString textOf(const viz::RailBars::Row& row, const QString& provenance)
{
    return RailBarsView::tr("%1 (%2)").arg(energy(row.total_mj), provenance);
}

QString titleOf(const viz::RailBars::Segment& segment)
{
    return segment.rail ? title(channelOf(*segment.rail)) : translated("outside the rails");
}

} // namespace

RailBarsView::RailBarsView(QWidget* parent)
    : ItemView(parent)
{
    setAccessibleName(tr("Energy of each phase by rail"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addExportActions(*this, QStringLiteral("rails"));
}

void RailBarsView::setRun(RunPtr run)
{
    m_run = std::move(run);
    relayout();
    updateGeometry();
}

void RailBarsView::setNet(bool net)
{
    m_net = net;
    relayout();
}

QSize RailBarsView::sizeHint() const
{
    const double legend = QFontMetricsF(font()).height() + 6.0;
    return {480, static_cast<int>(std::ceil(std::max(90.0, m_bars.height + legend)))};
}

void RailBarsView::relayout()
{
    const QFontMetricsF metrics(font());
    viz::WaterfallStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 4.0;
    m_bars = m_run ? viz::layoutRailBars(*m_run, m_net, width(), style) : viz::RailBars{};
    // The texts are known only now; the longest decides where the bars end.
    double longest = 0.0;
    for (const viz::RailBars::Row& row : m_bars.rows)
        longest = std::max(
            longest, std::ceil(metrics.horizontalAdvance(textOf(row, energyWord(row.provenance)))));
    if (!m_bars.rows.empty() && longest > m_bars.rows.front().text.width)
        m_bars = viz::layoutRailBars(*m_run, m_net, width(), style, longest);
    itemsChanged();
}

QString RailBarsView::describeItem(std::size_t item) const
{
    const viz::RailBars::Row& row = m_bars.rows[item];
    QString text = tr("%1: %2 (%3)")
                       .arg(term(viz::title(row.phase)), energy(row.total_mj),
                            energyWord(row.total_mj ? row.provenance : Provenance::Missing));
    for (const auto& segment : row.segments)
        text += tr("\n%1: %2").arg(titleOf(segment), energy(segment.mj));
    for (const Rail rail : row.missing)
        text += tr("\n%1: — (missing)").arg(title(channelOf(rail)));
    return text;
}

QRectF RailBarsView::itemRect(std::size_t item) const
{
    return toRectF(m_bars.rows[item].row);
}

std::optional<std::size_t> RailBarsView::itemAt(viz::Point point) const
{
    return m_bars.hit(point);
}

QString RailBarsView::summary() const
{
    if (m_bars.rows.empty())
        return emptyText();
    QStringList parts;
    for (const auto& row : m_bars.rows)
        parts << tr("%1: %2").arg(term(viz::title(row.phase)), energy(row.total_mj));
    return parts.join(QStringLiteral(", "));
}

void RailBarsView::choose(std::size_t item)
{
    if (controller())
        controller()->selectPhase(m_bars.rows[item].phase);
}

void RailBarsView::paintContent(QPainter& painter)
{
    if (m_bars.rows.empty() || m_bars.all_missing) {
        paintEmptyText(painter,
                       m_run && m_net && !m_bars.rows.empty()
                           ? tr("— (missing): net energy needs a baseline of each rail. Set a "
                                "baseline duration in Live.")
                           : m_run ? tr("— (missing): no rail of this run has an energy.")
                                   : emptyText());
        return;
    }
    const QFontMetricsF metrics(font());
    std::array<bool, kChannelCount> shown{};
    bool outside = false;
    for (const viz::RailBars::Row& row : m_bars.rows) {
        painter.setPen(theme().text);
        paintElided(painter, toRectF(row.label), Qt::AlignLeft | Qt::AlignVCenter,
                    term(viz::title(row.phase)));
        const QRectF track = toRectF(row.track);
        if (!row.total_mj)
            paintMissing(painter, track, theme());
        else
            painter.fillRect(track, theme().grid);
        for (const auto& segment : row.segments) {
            const QRectF rect = toRectF(segment.rect);
            QColor fill = theme().outline;
            if (segment.rail) {
                fill = theme().channel(channelOf(*segment.rail));
                shown[static_cast<std::size_t>(channelOf(*segment.rail))] = true;
            }
            outside = outside || !segment.rail;
            painter.fillRect(rect, fill);
            if (!segment.rail)
                painter.fillRect(rect, QBrush(theme().surface, Qt::BDiagPattern));
            const QString name = titleOf(segment);
            if (segment.rail && metrics.horizontalAdvance(name) + 8.0 < rect.width()) {
                painter.setPen(theme().textOn(fill));
                painter.drawText(rect, Qt::AlignCenter, name);
            }
        }
        painter.setPen(theme().mutedText);
        paintElided(painter, toRectF(row.text), Qt::AlignLeft | Qt::AlignVCenter,
                    textOf(row, energyWord(row.provenance)));
    }
    const QRectF last = toRectF(m_bars.rows.back().track);
    paintBottomAxis(painter, QRectF(last.left(), last.top(), last.width(), last.height() + 5.0),
                    theme(), m_bars.values);
    // As elsewhere, the legend shows a square and a label for each rail.
    double x = last.left();
    const double y = height() - metrics.height() - 4.0;
    const auto entry = [&](const QColor& colour, const QString& text, bool hatched) {
        const double wide = metrics.horizontalAdvance(text) + 14.0;
        if (x + wide + 14.0 > width())
            return;
        const QRectF swatch(x, y + 2.0, 12.0, 12.0);
        painter.fillRect(swatch, colour);
        if (hatched)
            painter.fillRect(swatch, QBrush(theme().surface, Qt::BDiagPattern));
        painter.setPen(theme().text);
        painter.drawText(QRectF(x + 16.0, y, wide, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += wide + 18.0;
    };
    for (const Channel channel : kChannels)
        if (shown[static_cast<std::size_t>(channel)])
            entry(theme().channel(channel), title(channel), false);
    if (outside)
        entry(theme().outline, tr("outside the rails"), true);
}

ChartTable RailBarsView::table() const
{
    ChartTable table;
    table.headings << tr("Phase");
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram})
        table.headings << tr("%1 (mJ)").arg(title(channelOf(rail)));
    table.headings << tr("Outside the rails (mJ)") << tr("Provenance");
    for (const auto& row : m_bars.rows) {
        auto& cells = table.rows.emplace_back();
        cells.push_back(textCell(term(viz::title(row.phase))));
        const auto find = [&](std::optional<Rail> rail) -> std::optional<double> {
            for (const auto& segment : row.segments)
                if (segment.rail == rail)
                    return segment.mj;
            return std::nullopt;
        };
        for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram})
            cells.push_back(numberCell(find(rail)));
        cells.push_back(numberCell(find(std::nullopt)));
        cells.push_back(textCell(energyWord(row.provenance)));
    }
    return table;
}

} // namespace ep::ui
