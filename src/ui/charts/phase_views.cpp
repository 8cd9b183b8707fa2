// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/phase_views.h"

#include "../repository/latest_job.h"
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

constexpr std::size_t kFewSamples = 50'000; // sorted synchronously

QString power(double mw)
{
    return toQString(formatPower(Milliwatts{mw}));
}

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

PhasePowerView::PhasePowerView(QWidget* parent)
    : ItemView(tr("Power samples by phase with box plots"), QStringLiteral("phase-power"), parent)
    , m_sorting(std::make_unique<LatestJob>())
{
}

PhasePowerView::~PhasePowerView() = default;

void PhasePowerView::setRun(RunPtr run)
{
    m_run = std::move(run);
    rebuild();
}

void PhasePowerView::setFilter(const viz::PhasePowerFilter& filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
    rebuild();
}

void PhasePowerView::rebuild()
{
    m_sorting->drop();
    if (!m_run || m_run->trace.samples.size() <= kFewSamples) {
        m_data = m_run ? viz::buildPhasePower(m_run->trace, m_filter) : viz::PhasePower{};
        relayout();
        return;
    }
    m_sorting->start(
        [run = m_run, filter = m_filter] { return viz::buildPhasePower(run->trace, filter); },
        [this](viz::PhasePower data) {
            m_data = std::move(data);
            relayout();
        });
}

void PhasePowerView::relayout()
{
    const QFontMetricsF metrics(font());
    const viz::WaterfallStyle style = waterfallStyle(metrics);
    const double head = metrics.height() + 6.0;
    TimeRange visible = m_data.time;
    if (controller() && controller()->run() == m_run && controller()->visible().duration_ns() > 0)
        visible = controller()->visible();
    m_geometry = m_run
        ? viz::layoutPhasePower(m_data, visible, m_run->trace.time.begin_ns,
                                {0.0, head, static_cast<double>(width()), height() - head}, style)
        : viz::PhasePowerGeometry{};
    itemsChanged();
}

QString PhasePowerView::describeItem(std::size_t item) const
{
    const QString how = energyWord(m_data.modelled ? Provenance::Modelled : Provenance::Measured);
    if (item < m_data.boxes.size()) {
        const viz::PhaseBox& box = m_data.boxes[item];
        return tr("%1: %2 samples (%3), median %4, quartiles %5 to %6, mean %7,\nlowest %8, ")
                   .arg(term(viz::title(box.phase)))
                   .arg(box.samples)
                   .arg(how, power(box.median), power(box.q1), power(box.q3), power(box.mean),
                        power(box.least))
            + tr("highest %1, %2 anomalies").arg(power(box.most)).arg(box.anomalies);
    }
    const viz::PhasePoint& point = m_data.points[item - m_data.boxes.size()];
    const TimeRange& window = m_run->trace.samples[point.sample].window;
    return tr("%1 at %2, %3, %4 of its window in that phase (%5),\nwindow %6, robust z %7%8")
        .arg(power(point.mw), toQString(formatDuration(point.at_ns - m_run->trace.time.begin_ns)),
             term(viz::title(point.phase)), toQString(formatPercent(point.confidence)), how,
             toQString(formatDuration(window.duration_ns())), QString::number(point.z, 'f', 1),
             point.anomalous
                 ? tr(": anomaly, |z| is above %1").arg(QLocale().toString(viz::kAnomalyZ))
                 : QString());
}

QRectF PhasePowerView::itemRect(std::size_t item) const
{
    if (item < m_data.boxes.size())
        return item < m_geometry.box_shapes.size() ? toRectF(m_geometry.box_shapes[item].column)
                                                   : QRectF();
    const viz::Point& at = m_geometry.points[item - m_data.boxes.size()];
    return {at.x - 6.0, at.y - 6.0, 12.0, 12.0};
}

std::optional<std::size_t> PhasePowerView::itemAt(viz::Point point) const
{
    if (const auto box = m_geometry.hitBox(point))
        return box;
    if (const auto sample = m_geometry.hitPoint(point))
        return *sample + m_data.boxes.size();
    return std::nullopt;
}

QString PhasePowerView::summary() const
{
    return m_data.points.empty() ? emptyText() : term(viz::summarize(m_data));
}

void PhasePowerView::choose(std::size_t item)
{
    if (!controller())
        return;
    if (item < m_data.boxes.size())
        controller()->selectPhase(m_data.boxes[item].phase);
    else
        controller()->selectTime(
            m_run->trace.samples[m_data.points[item - m_data.boxes.size()].sample].window);
}

void PhasePowerView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        QString text = emptyText();
        if (m_run && !m_run->trace.samples.empty())
            text = m_data.hidden > 0
                ? tr("No sample passes the filter.")
                : tr("— (missing): the power source does not report this rail.");
        paintEmptyText(painter, text);
        return;
    }
    const QRectF plot = toRectF(m_geometry.scatter);
    const QRectF whole(plot.left(), plot.top(), m_geometry.boxes.right() - plot.left(),
                       plot.height());
    paintValueAxis(painter, whole, theme(), m_geometry.values);
    paintBottomAxis(painter, plot, theme(), m_geometry.times);
    paintPoints(painter);
    for (std::size_t i = 0; i < m_geometry.box_shapes.size(); ++i)
        paintBox(painter, i);

    const QFontMetricsF metrics(font());
    std::array<bool, kPhaseCount> shown{};
    for (const viz::PhaseBox& box : m_data.boxes)
        shown[static_cast<std::size_t>(box.phase)] = true;
    const QRectF top(8.0, 2.0, width() - 16.0, metrics.height() + 4.0);
    const double used = paintPhaseLegend(painter, top, theme(), shown);
    QString caption =
        tr("× anomaly: robust |z| in its phase > %1 · %2 samples (%3)")
            .arg(QLocale().toString(viz::kAnomalyZ))
            .arg(m_data.points.size())
            .arg(energyWord(m_data.modelled ? Provenance::Modelled : Provenance::Measured));
    if (m_data.hidden > 0)
        caption += tr(" · %1 hidden by the filter").arg(m_data.hidden);
    if (m_data.without_value > 0)
        caption += tr(" · %1 without this rail").arg(m_data.without_value);
    painter.setPen(theme().mutedText);
    if (top.width() - used > 60.0)
        paintElided(painter, top.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                    caption);
}

// Paints one dot per non-empty pixel, however many samples there are.
void PhasePowerView::paintPoints(QPainter& painter) const
{
    const QRectF plot = toRectF(m_geometry.scatter);
    const auto columns = static_cast<std::size_t>(std::max(1.0, plot.width()));
    const auto rows = static_cast<std::size_t>(std::max(1.0, plot.height()));
    std::vector<std::bitset<kPhaseCount>> taken(columns * rows);
    painter.save();
    painter.setClipRect(plot);
    const auto chosen = controller() ? controller()->selection().time : std::nullopt;
    for (std::size_t i = 0; i < m_geometry.points.size(); ++i) {
        const viz::PhasePoint& point = m_data.points[i];
        const viz::Point& at = m_geometry.points[i];
        if (point.anomalous || at.x < plot.left() || at.x >= plot.right())
            continue;
        const auto column = std::min(columns - 1, static_cast<std::size_t>(at.x - plot.left()));
        const auto row =
            std::min(rows - 1, static_cast<std::size_t>(std::max(0.0, at.y - plot.top())));
        auto& here = taken[row * columns + column];
        const auto phase = static_cast<std::size_t>(point.phase);
        if (here[phase])
            continue;
        here.set(phase);
        QColor colour = theme().phase(point.phase);
        if (chosen && !chosen->contains(point.at_ns))
            colour.setAlphaF(0.3F);
        const QRectF dot(std::round(at.x) - 2.0, std::round(at.y) - 2.0, 4.0, 4.0);
        if (m_data.modelled) { // hollow, because no sensor measured it
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colour, 1.0));
            painter.drawRect(dot.adjusted(0.5, 0.5, -0.5, -0.5));
        } else {
            painter.fillRect(dot, colour);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().error, 2.0));
    for (std::size_t i = 0; i < m_geometry.points.size(); ++i) {
        if (!m_data.points[i].anomalous)
            continue;
        const QPointF at(m_geometry.points[i].x, m_geometry.points[i].y);
        painter.drawLine(at - QPointF(4.0, 4.0), at + QPointF(4.0, 4.0));
        painter.drawLine(at - QPointF(4.0, -4.0), at + QPointF(4.0, -4.0));
    }
    painter.restore();
}

void PhasePowerView::paintBox(QPainter& painter, std::size_t index) const
{
    const viz::PhaseBox& box = m_data.boxes[index];
    const viz::PhasePowerGeometry::Box& shape = m_geometry.box_shapes[index];
    const QRectF body = toRectF(shape.body);
    const double x = std::floor(body.center().x()) + 0.5;
    painter.setPen(QPen(theme().text, 1.0));
    painter.drawLine(QPointF(x, shape.high_y), QPointF(x, shape.low_y));
    for (const double y : {shape.high_y, shape.low_y})
        painter.drawLine(QPointF(x - body.width() / 4.0, y), QPointF(x + body.width() / 4.0, y));
    const QColor fill = theme().phase(box.phase);
    painter.fillRect(body, fill);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(body.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(QPen(theme().textOn(fill), 2.0));
    if (body.height() < 3.0)
        painter.setPen(QPen(theme().text, 2.0));
    painter.drawLine(QPointF(body.left(), shape.median_y), QPointF(body.right(), shape.median_y));
    const QFontMetricsF metrics(font());
    const QRectF column = toRectF(shape.column);
    painter.setPen(theme().text);
    paintElided(painter,
                QRectF(column.left(), column.bottom() + 3.0, column.width(), metrics.height()),
                Qt::AlignHCenter | Qt::AlignTop, term(viz::title(box.phase)));
    painter.setPen(theme().mutedText);
    paintElided(painter,
                QRectF(column.left(), column.bottom() + 3.0 + metrics.height(), column.width(),
                       metrics.height()),
                Qt::AlignHCenter | Qt::AlignTop, power(box.median));
}

ChartTable PhasePowerView::table() const
{
    ChartTable table;
    table.headings << tr("Phase") << tr("Samples") << tr("Lowest (mW)") << tr("Lower quartile (mW)")
                   << tr("Median (mW)") << tr("Upper quartile (mW)") << tr("Highest (mW)")
                   << tr("Mean (mW)") << tr("Anomalies");
    for (const viz::PhaseBox& box : m_data.boxes)
        table.rows.push_back({textCell(term(viz::title(box.phase))),
                              numberCell(static_cast<double>(box.samples)), numberCell(box.least),
                              numberCell(box.q1), numberCell(box.median), numberCell(box.q3),
                              numberCell(box.most), numberCell(box.mean),
                              numberCell(static_cast<double>(box.anomalies))});
    return table;
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
    const viz::WaterfallStyle style = waterfallStyle(metrics);
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
    for (const Rail rail : kPartRails)
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
        for (const Rail rail : kPartRails)
            cells.push_back(numberCell(find(rail)));
        cells.push_back(numberCell(find(std::nullopt)));
        cells.push_back(textCell(energyWord(row.provenance)));
    }
    return table;
}

} // namespace ep::ui
