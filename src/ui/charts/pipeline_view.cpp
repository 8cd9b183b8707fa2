// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/pipeline_view.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"
#include "ep/viz/axis.h"

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
    : PaintedView(parent)
    , m_emptyText(tr("No run is open."))
{
    setAccessibleName(tr("Pipeline timeline of phases and sections"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addExportActions(*this, QStringLiteral("pipeline"));
}

void PipelineView::setRun(RunPtr run)
{
    m_run = std::move(run);
    m_hover.reset();
    m_cursor.reset();
    relayout();
}

void PipelineView::setMetric(viz::NodeMetric metric)
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

bool PipelineView::isExpanded(Phase phase) const
{
    return m_expanded[static_cast<std::size_t>(phase)];
}

void PipelineView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    relayout();
}

QString PipelineView::describe(std::size_t index) const
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
    if (m_metric == viz::NodeMetric::Energy)
        text += QStringLiteral(" (") + energyWord(row.provenance) + QLatin1Char(')');
    if (row.missing())
        text += tr(", share of energy unknown: no sensor covered this part");
    else
        text += tr(", %1 of the run's %2")
                    .arg(toQString(row.share_text),
                         m_metric == viz::NodeMetric::Time ? tr("time") : tr("energy"));
    if (row.occurrences > 1)
        text += tr(", %1 times").arg(row.occurrences);
    return text;
}

QSize PipelineView::sizeHint() const
{
    const double height = m_geometry.rows.empty() ? 120.0 : m_geometry.height;
    return {640, static_cast<int>(std::ceil(height))};
}

QSize PipelineView::minimumSizeHint() const
{
    return {240, sizeHint().height()};
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
    if (m_cursor && *m_cursor >= m_geometry.rows.size())
        m_cursor.reset();
    m_hover.reset();
    setAccessibleDescription(m_geometry.rows.empty() ? m_emptyText
                                                     : term(viz::summarize(m_geometry, m_metric)));
    if (before != m_geometry.height)
        updateGeometry();
    contentChanged();
}

void PipelineView::selectionChanged()
{
    update();
}

void PipelineView::visibleTimeChanged()
{
    update();
}

void PipelineView::cursorTimeChanged()
{
    update();
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
    details.rows.emplace_back(m_metric == viz::NodeMetric::Time ? tr("Share of time")
                                                                : tr("Share of energy"),
                              toQString(row.share_text));
    if (row.energy_mj && row.duration_ns > 0)
        details.rows.emplace_back(
            tr("Mean power"),
            toQString(formatPower(Milliwatts{row.energy_mj->value / toSeconds(row.duration_ns)})));
    if (row.occurrences > 1)
        details.rows.emplace_back(tr("Spans"), QString::number(row.occurrences));
    if (m_metric == viz::NodeMetric::Energy)
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
    const auto row = m_geometry.hit(toPoint(position));
    if (!row)
        return {};
    QString text = describe(*row);
    if (m_metric == viz::NodeMetric::Energy)
        text +=
            QLatin1Char('\n') + energyExplanation(powerSource(), m_geometry.rows[*row].provenance);
    if (m_geometry.rows[*row].expandable)
        text += QLatin1Char('\n')
            + (m_geometry.rows[*row].expanded ? tr("Click to hide the sections.")
                                              : tr("Click to show the sections."));
    return text;
}

void PipelineView::themeChanged()
{
    relayout();
}

void PipelineView::resizeEvent(QResizeEvent* event)
{
    PaintedView::resizeEvent(event);
    relayout();
}

void PipelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = m_geometry.hit(toPoint(event->position()));
    if (onStrip(event->position()))
        m_gesture.press(stripAxis(), controller()->selection().time, event->position().x(),
                        event->modifiers().testFlag(Qt::ShiftModifier));
}

void PipelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (event->button() == Qt::LeftButton && m_gesture.active()) {
        const auto kind = m_gesture.release(stripAxis(), event->position().x());
        if (kind == viz::TimeGesture::Kind::Brush)
            controller()->finishChange();
        else if (kind == viz::TimeGesture::Kind::Zoom)
            controller()->show(m_gesture.range());
        if (kind != viz::TimeGesture::Kind::Click)
            return;
    }
    if (event->button() != Qt::LeftButton || !pressed
        || m_geometry.hit(toPoint(event->position())) != pressed)
        return;
    m_cursor = pressed;
    activate(*pressed);
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
    const auto hover = m_geometry.hit(toPoint(event->position()));
    if (hover == m_hover)
        return;
    m_hover = hover;
    update();
}

void PipelineView::leaveEvent(QEvent* event)
{
    m_hover.reset();
    if (controller())
        controller()->setCursor(std::nullopt);
    update();
    PaintedView::leaveEvent(event);
}

void PipelineView::activate(std::size_t index)
{
    const viz::PipelineRow row = m_geometry.rows[index]; // a copy: expanding changes the layout
    pin(detailsOf(index));
    if (controller() && row.phase != Phase::Idle)
        controller()->selectPhase(row.phase);
    if (row.kind == viz::PipelineRow::Kind::PhaseRow) {
        if (row.expandable)
            setExpanded(row.phase, !row.expanded);
        update();
        Q_EMIT phaseActivated(row.phase);
    } else if (row.section) {
        update();
        Q_EMIT sectionActivated(row.phase, *row.section);
    }
}

void PipelineView::keyPressEvent(QKeyEvent* event)
{
    const std::size_t count = m_geometry.rows.size();
    if (count == 0) {
        PaintedView::keyPressEvent(event);
        return;
    }
    const std::size_t at = m_cursor.value_or(0);
    std::size_t next = at;
    switch (event->key()) {
    case Qt::Key_Up:
        next = at > 0 ? at - 1 : 0;
        break;
    case Qt::Key_Down:
        next = m_cursor ? std::min(at + 1, count - 1) : 0;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = count - 1;
        break;
    case Qt::Key_Right:
    case Qt::Key_Left: {
        const viz::PipelineRow& row = m_geometry.rows[at];
        if (row.expandable)
            setExpanded(row.phase, event->key() == Qt::Key_Right);
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        m_cursor = at;
        activate(at);
        return;
    default:
        PaintedView::keyPressEvent(event);
        return;
    }
    m_cursor = next;
    setAccessibleDescription(describe(next));
    update();
}

void PipelineView::paintContent(QPainter& painter)
{
    if (m_geometry.rows.empty()) {
        paintEmptyText(painter, m_emptyText);
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
    const QFontMetricsF metrics(font());
    for (const viz::Tick& tick : viz::timeTicks(axis, time.begin_ns, 90.0)) {
        const double x = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(theme().outline, 1.0));
        painter.drawLine(QPointF(x, axisRect.top()), QPointF(x, axisRect.top() + 4.0));
        painter.setPen(theme().mutedText);
        const QString text = toQString(tick.label);
        const double width = metrics.horizontalAdvance(text) + 2.0;
        const double left = std::clamp(x - width / 2.0, axisRect.left(), axisRect.right() - width);
        painter.drawText(QRectF(left, axisRect.top() + 4.0, width, axisRect.height() - 4.0),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
    }
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

void PipelineView::paintOverlay(QPainter& painter)
{
    const auto mark = [&](std::size_t row, const QColor& colour, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, width));
        painter.drawRect(toRectF(m_geometry.rows[row].row).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    if (controller() && m_run && !m_geometry.axis_rect.empty())
        paintWindow(painter);
    if (controller() && controller()->selection().phase) {
        for (const viz::PipelineRow& row : m_geometry.rows) {
            if (row.phase == controller()->selection().phase)
                painter.fillRect(QRectF(row.row.x, row.row.y + 2.0, 3.0, row.row.height - 4.0),
                                 theme().focus);
        }
    }
    if (m_hover)
        mark(*m_hover, theme().outline, 1.0);
    if (m_cursor && hasFocus())
        mark(*m_cursor, theme().focus, 2.0);
    PaintedView::paintOverlay(painter);
}

} // namespace ep::ui
