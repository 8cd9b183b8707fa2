// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/pipeline_view.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {
namespace {

viz::PipelineStyle pipelineStyle(const QFontMetricsF& metrics)
{
    viz::PipelineStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height();
    style.row_height = std::max(24.0, std::ceil(metrics.height() + 8.0));
    style.strip_height = std::max(28.0, std::ceil(metrics.height() + 12.0));
    style.axis_height = std::ceil(metrics.height() + 8.0);
    return style;
}

constexpr double kToggleWidth = 18.0;
constexpr double kTextGap = 8.0;

} // namespace

PipelineView::PipelineView(QWidget* parent)
    : GeometryView(tr("Pipeline timeline of phases and sections"), QStringLiteral("pipeline"),
                   parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &ItemView::itemClicked, this,
            [this](int row) { toggle(static_cast<std::size_t>(row)); });
}

void PipelineView::setRun(RunPtr run)
{
    m_run = std::move(run);
    setCurrentItem(-1);
    relayout();
}

void PipelineView::setMetric(viz::CostMetric metric)
{
    m_metric = metric;
    relayout();
}

void PipelineView::setExpanded(Phase phase, bool expanded)
{
    bool& state = m_expanded[static_cast<std::size_t>(phase)];
    if (state == expanded)
        return;
    state = expanded;
    relayout();
}

QString PipelineView::describeItem(std::size_t index) const
{
    const viz::PipelineRow& row = m_geometry.rows[index];
    QString place = toQString(row.title);
    if (row.kind != viz::PipelineRow::Kind::PhaseRow && row.phase != Phase::Idle)
        place = term(viz::title(row.phase)) + QStringLiteral(" › ") + place;
    QString text = tr("%1: %2").arg(place, toQString(formatDuration(row.duration_ns)));
    const bool energyKnown = row.energy_mj.has_value();
    if (energyKnown)
        text += QStringLiteral(", ") + (row.partial ? QStringLiteral("≥ ") : QString())
            + toQString(formatEnergy(row.energy_mj));
    if (m_metric == viz::CostMetric::Energy)
        text += QStringLiteral(" (") + energyWord(row.provenance) + QLatin1Char(')');
    if (row.missing())
        text += tr(", share of energy unknown: no sensor covered this part");
    else
        text += tr(", %1 of the run's %2")
                    .arg(toQString(row.share_text),
                         m_metric == viz::CostMetric::Time ? tr("time") : tr("energy"));
    if (row.occurrences > 1)
        text += tr(", %1 times").arg(row.occurrences);
    return text;
}

QSize PipelineView::sizeHint() const
{
    const double height = m_geometry.rows.empty() ? 120.0 : m_geometry.height;
    return {640, static_cast<int>(std::ceil(height))};
}

int PipelineView::leastHeight() const
{
    constexpr double kPhases = 3.0; // the fourth one, after the last token, is rarely large
    const viz::PipelineStyle style = pipelineStyle(QFontMetricsF(font()));
    return static_cast<int>(
        std::ceil(3.0 * style.margin + style.strip_height + kPhases * style.row_height));
}

void PipelineView::relayout()
{
    const double before = m_geometry.height;
    m_geometry = m_run ? viz::layoutPipeline(*m_run, m_metric, width(), m_expanded,
                                             pipelineStyle(QFontMetricsF(font())))
                       : viz::PipelineGeometry{};
    const auto kept = at().current;
    resetItems(kept && *kept < itemCount() ? kept : std::nullopt);
    if (before != m_geometry.height)
        updateGeometry();
    contentChanged();
}

QString PipelineView::summary() const
{
    return term(viz::summarize(m_geometry, m_metric));
}

QRectF PipelineView::itemRect(std::size_t row) const
{
    return toRectF(m_geometry.rows[row].row);
}

bool PipelineView::onStrip(const QPointF& position) const
{
    return controller() && m_run && !m_geometry.axis_rect.empty()
        && toRectF(m_geometry.strip_rect).contains(position);
}

viz::TimeAxis PipelineView::stripAxis() const
{
    return {m_run->trace.time, m_geometry.strip_rect.x, m_geometry.strip_rect.width};
}

ChartDetails PipelineView::detailsOf(std::size_t index) const
{
    const viz::PipelineRow& row = m_geometry.rows[index];
    ChartDetails details;
    details.title = toQString(row.title);
    if (row.kind != viz::PipelineRow::Kind::PhaseRow && row.phase != Phase::Idle)
        details.rows.emplace_back(tr("Phase"), term(viz::title(row.phase)));
    details.rows.emplace_back(tr("Time"), toQString(formatDuration(row.duration_ns)));
    details.rows.emplace_back(tr("Energy"),
                              (row.partial ? QStringLiteral("≥ ") : QString())
                                  + toQString(formatEnergy(row.energy_mj)));
    details.rows.emplace_back(m_metric == viz::CostMetric::Time ? tr("Share of time")
                                                                : tr("Share of energy"),
                              toQString(row.share_text));
    if (row.energy_mj && row.duration_ns > 0)
        details.rows.emplace_back(
            tr("Mean power"),
            toQString(formatPower(Milliwatts{row.energy_mj->value / toSeconds(row.duration_ns)})));
    if (row.occurrences > 1)
        details.rows.emplace_back(tr("Spans"), QString::number(row.occurrences));
    if (m_metric == viz::CostMetric::Energy)
        details.rows.emplace_back(tr("Provenance"), energyWord(row.provenance));
    return details;
}

ChartTable PipelineView::table() const
{
    ChartTable table;
    table.headings << tr("Phase") << tr("Section") << tr("Time (ms)") << tr("Energy (mJ)")
                   << tr("Share (%)") << tr("Spans");
    for (const viz::PipelineRow& row : m_geometry.rows) {
        const bool phase = row.kind == viz::PipelineRow::Kind::PhaseRow;
        table.rows.push_back({textCell(term(viz::title(row.phase))),
                              textCell(phase ? QString() : toQString(row.title)),
                              numberCell(toMilliseconds(row.duration_ns)),
                              row.energy_mj ? numberCell(row.energy_mj->value) : missingCell(),
                              row.share ? numberCell(*row.share * 100.0, 3) : missingCell(),
                              numberCell(row.occurrences)});
    }
    return table;
}

QString PipelineView::toolTipAt(const QPointF& position) const
{
    const auto row = itemAt(toPoint(position));
    if (!row)
        return {};
    QString text = describeItem(*row);
    if (m_metric == viz::CostMetric::Energy)
        text +=
            QLatin1Char('\n') + energyExplanation(powerSource(), m_geometry.rows[*row].provenance);
    if (m_geometry.rows[*row].expandable)
        text += QLatin1Char('\n')
            + (m_geometry.rows[*row].expanded ? tr("Click to hide the sections.")
                                              : tr("Click to show the sections."));
    return text;
}

void PipelineView::mousePressEvent(QMouseEvent* event)
{
    ItemView::mousePressEvent(event);
    if (event->button() == Qt::LeftButton && onStrip(event->position()))
        m_gesture.press(stripAxis(), controller()->selection().time, event->position().x(),
                        event->modifiers().testFlag(Qt::ShiftModifier));
}

void PipelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_gesture.active()) {
        const auto kind = m_gesture.release(stripAxis(), event->position().x());
        if (kind == viz::TimeGesture::Kind::Brush)
            controller()->finishChange();
        else if (kind == viz::TimeGesture::Kind::Zoom)
            controller()->show(m_gesture.range());
        if (kind != viz::TimeGesture::Kind::Click)
            return;
    }
    ItemView::mouseReleaseEvent(event);
}

void PipelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto row = m_geometry.hit(toPoint(event->position()));
    if (event->button() != Qt::LeftButton || !row || !controller())
        return;
    controller()->selectPhase(m_geometry.rows[*row].phase);
    if (controller()->selection().time)
        controller()->show(*controller()->selection().time);
}

void PipelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (controller() && m_run) {
        const bool inside = onStrip(event->position());
        controller()->setCursor(inside ? std::optional(stripAxis().toTime(event->position().x()))
                                       : std::nullopt);
        if (m_gesture.active()) {
            const auto range = m_gesture.move(stripAxis(), event->position().x());
            if (range && m_gesture.kind() == viz::TimeGesture::Kind::Brush)
                controller()->selectTime(*range, SelectionController::Change::Brush);
            return;
        }
    }
    ItemView::mouseMoveEvent(event);
}

void PipelineView::leaveEvent(QEvent* event)
{
    if (controller())
        controller()->setCursor(std::nullopt);
    ItemView::leaveEvent(event);
}

void PipelineView::activate(std::size_t index)
{
    pin(detailsOf(index));
    toggle(index);
}

void PipelineView::toggle(std::size_t index)
{
    const viz::PipelineRow row = m_geometry.rows[index]; // a copy: expanding changes the layout
    if (controller() && row.phase != Phase::Idle)
        controller()->selectPhase(row.phase);
    if (row.kind == viz::PipelineRow::Kind::PhaseRow && row.expandable)
        setExpanded(row.phase, !row.expanded);
}

std::optional<std::size_t> PipelineView::itemFor(int key) const
{
    const bool scrolls = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    return scrolls ? std::nullopt : ItemView::itemFor(key);
}

void PipelineView::keyPressEvent(QKeyEvent* event)
{
    const bool expands = event->key() == Qt::Key_Right;
    if (itemCount() == 0 || (!expands && event->key() != Qt::Key_Left)) {
        ItemView::keyPressEvent(event);
        return;
    }
    const auto index = at().current.value_or(0);
    const viz::PipelineRow& row = m_geometry.rows[index];
    if (row.expandable)
        setExpanded(row.phase, expands);
    setCurrentItem(static_cast<int>(index));
    setAccessibleDescription(describeItem(index));
}

void PipelineView::paintContent(QPainter& painter)
{
    if (m_geometry.rows.empty()) {
        paintEmptyText(painter, emptyText());
        return;
    }
    paintStrip(painter);
    for (const viz::PipelineRow& row : m_geometry.rows)
        paintRow(painter, row);
}

void PipelineView::paintStrip(QPainter& painter) const
{
    const QRectF strip = toRectF(m_geometry.strip_rect);
    if (m_geometry.metric_missing) {
        paintMissing(painter, strip, theme());
        const QString text =
            tr("%1: — (%2)").arg(term(viz::title(m_metric)), provenanceLabel(Provenance::Missing));
        paintNotice(painter, strip, theme(), text);
        return;
    }
    painter.fillRect(strip, theme().grid);
    for (const viz::PipelineSegment& segment : m_geometry.strip) {
        const QRectF rect = toRectF(segment.rect);
        const QColor fill = theme().phase(segment.phase);
        painter.fillRect(rect, fill);
        if (segment.label_fits) {
            painter.setPen(theme().textOn(fill));
            painter.drawText(rect, Qt::AlignCenter, term(viz::title(segment.phase)));
        }
    }
    if (m_geometry.axis_rect.empty())
        return;

    const QRectF axisRect = toRectF(m_geometry.axis_rect);
    const TimeRange time = m_run->trace.time;
    const viz::TimeAxis axis(time, axisRect.left(), axisRect.width());
    paintTimeTicks(painter, axisRect.adjusted(0.0, 4.0, 0.0, 0.0), axisRect.top(),
                   viz::timeTicks(axis, time.begin_ns, 90.0), theme());
}

void PipelineView::paintRow(QPainter& painter, const viz::PipelineRow& row) const
{
    const bool isPhase = row.kind == viz::PipelineRow::Kind::PhaseRow;
    const QRectF track = toRectF(row.track);
    const QRectF bar = toRectF(row.bar);

    QRectF label = toRectF(row.label);
    if (row.expandable) {
        const QPointF c(label.left() + kToggleWidth / 2.0, label.center().y());
        QPolygonF arrow;
        if (row.expanded)
            arrow << c + QPointF(-4.0, -2.0) << c + QPointF(4.0, -2.0) << c + QPointF(0.0, 3.0);
        else
            arrow << c + QPointF(-2.0, -4.0) << c + QPointF(3.0, 0.0) << c + QPointF(-2.0, 4.0);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().mutedText);
        painter.drawPolygon(arrow);
        painter.restore();
    }
    label.setLeft(label.left() + kToggleWidth * (isPhase || row.phase == Phase::Idle ? 1.0 : 1.8));
    label.setRight(label.right() - kTextGap);
    painter.setPen(isPhase ? theme().text : theme().mutedText);
    paintElided(painter, label, Qt::AlignLeft | Qt::AlignVCenter, toQString(row.title));

    if (row.missing()) {
        paintMissing(painter, track, theme());
    } else {
        painter.fillRect(track, theme().grid);
        if (row.kind == viz::PipelineRow::Kind::Remainder) {
            painter.fillRect(bar, theme().outline);
        } else {
            painter.fillRect(bar, theme().phase(row.phase));
        }
    }

    QRectF text = toRectF(row.text);
    text.setLeft(text.left() + kTextGap);
    const double shareWidth = QFontMetricsF(font()).horizontalAdvance(QStringLiteral("100.0 %"));
    painter.setPen(theme().text);
    painter.drawText(QRectF(text.left(), text.top(), shareWidth, text.height()),
                     Qt::AlignRight | Qt::AlignVCenter, toQString(row.share_text));
    painter.setPen(theme().mutedText);
    const QRectF value(text.left() + shareWidth + kTextGap, text.top(),
                       text.width() - shareWidth - kTextGap, text.height());
    paintElided(painter, value, Qt::AlignRight | Qt::AlignVCenter,
                row.missing() ? provenanceLabel(Provenance::Missing) : toQString(row.value_text));
}

void PipelineView::paintWindow(QPainter& painter) const
{
    const QRectF strip = toRectF(m_geometry.strip_rect);
    const viz::TimeAxis axis = stripAxis();
    const auto area = [&](const TimeRange& range) {
        const double left = std::clamp(axis.toX(range.begin_ns), strip.left(), strip.right());
        const double right = std::clamp(axis.toX(range.end_ns), strip.left(), strip.right());
        return QRectF(left, strip.top(), std::max(1.0, right - left), strip.height());
    };
    const auto& chosen = controller()->selection().time;
    if (chosen) {
        QColor veil = theme().surface;
        veil.setAlphaF(0.6F);
        const QRectF inside = area(*chosen);
        painter.fillRect(QRectF(strip.topLeft(), inside.bottomLeft()), veil);
        painter.fillRect(QRectF(inside.topRight(), strip.bottomRight()), veil);
    }
    painter.setBrush(Qt::NoBrush);
    if (!controller()->visible().contains(m_run->trace.time)) {
        painter.setPen(QPen(theme().text, 2.0));
        painter.drawRect(area(controller()->visible()).adjusted(1.0, 1.0, -1.0, -1.0));
    }
    if (chosen) {
        painter.setPen(QPen(theme().focus, 2.0));
        const QRectF inside = area(*chosen);
        painter.drawLine(inside.topLeft(), inside.bottomLeft());
        painter.drawLine(inside.topRight(), inside.bottomRight());
    }
    const auto cursor = controller()->cursor();
    if (cursor && m_run->trace.time.contains(*cursor)) {
        const double x = std::floor(axis.toX(*cursor)) + 0.5;
        painter.setPen(QPen(theme().text, 1.0));
        painter.drawLine(QPointF(x, strip.top()), QPointF(x, strip.bottom()));
    }
}

void PipelineView::paintMark(QPainter& painter, std::size_t row, bool current) const
{
    if (current && !hasFocus())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(current ? QPen(theme().focus, 2.0) : QPen(theme().outline, 1.0));
    painter.drawRect(itemRect(row).adjusted(0.5, 0.5, -0.5, -0.5));
}

void PipelineView::paintOverlay(QPainter& painter)
{
    if (controller() && m_run && !m_geometry.axis_rect.empty())
        paintWindow(painter);
    if (controller() && controller()->selection().phase) {
        for (const viz::PipelineRow& row : m_geometry.rows) {
            if (row.phase == controller()->selection().phase)
                painter.fillRect(QRectF(row.row.x, row.row.y + 2.0, 3.0, row.row.height - 4.0),
                                 theme().focus);
        }
    }
    ItemView::paintOverlay(painter);
}

} // namespace ep::ui
