// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/pipeline_view.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/viz/axis.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kToggleWidth = 18.0;
constexpr double kTextGap = 8.0;

viz::PipelineStyle styleFor(const QFontMetricsF& metrics)
{
    viz::PipelineStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height();
    style.row_height = std::max(24.0, std::ceil(metrics.height() + 8.0));
    style.strip_height = std::max(28.0, std::ceil(metrics.height() + 12.0));
    style.axis_height = std::ceil(metrics.height() + 8.0);
    return style;
}

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
    QString place = fromUtf8(row.title);
    if (row.kind != viz::PipelineRow::Kind::PhaseRow && row.phase != Phase::Idle)
        place = fromUtf8(viz::title(row.phase)) + QStringLiteral(" › ") + place;
    QString text = tr("%1: %2").arg(place, fromUtf8(formatDuration(row.duration_ns)));
    const bool energyKnown = row.energy_mj.has_value();
    if (energyKnown)
        text += QStringLiteral(", ") + (row.partial ? QStringLiteral("≥ ") : QString())
            + fromUtf8(formatEnergy(row.energy_mj));
    if (m_metric == viz::NodeMetric::Energy)
        text += QStringLiteral(" (") + provenanceLabel(row.provenance) + QLatin1Char(')');
    if (row.missing())
        text += tr(", no share of the energy: no sensor covered this");
    else
        text += tr(", %1 of the run's %2")
                    .arg(fromUtf8(row.share_text),
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
    return {320, sizeHint().height()};
}

void PipelineView::relayout()
{
    const double before = m_geometry.height;
    m_geometry = m_run ? viz::layoutPipeline(*m_run, m_metric, width(), m_expanded,
                                             styleFor(QFontMetricsF(font())))
                       : viz::PipelineGeometry{};
    if (m_cursor && *m_cursor >= m_geometry.rows.size())
        m_cursor.reset();
    m_hover.reset();
    setAccessibleDescription(
        m_geometry.rows.empty() ? m_emptyText : fromUtf8(viz::summarize(m_geometry, m_metric)));
    if (before != m_geometry.height)
        updateGeometry();
    contentChanged();
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
            tr("%1: — (%2)")
                .arg(fromUtf8(viz::title(m_metric)), provenanceLabel(Provenance::Missing));
        paintNotice(painter, strip, theme(), text);
        return;
    }
    painter.fillRect(strip, theme().grid);
    for (const viz::PipelineSegment& segment : m_geometry.strip) {
        const QRectF rect = toRectF(segment.rect);
        const QColor fill = theme().phase(segment.phase);
        painter.fillRect(rect, fill);
        paintProvenance(painter, rect, m_geometry.rows[segment.row].provenance, fill, theme());
        if (segment.label_fits) {
            painter.setPen(theme().textOn(fill));
            painter.drawText(rect, Qt::AlignCenter, fromUtf8(viz::title(segment.phase)));
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
        const QString text = fromUtf8(tick.label);
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
    paintElided(painter, label, Qt::AlignLeft | Qt::AlignVCenter, fromUtf8(row.title));

    if (row.missing()) {
        paintMissing(painter, track, theme());
    } else {
        painter.fillRect(track, theme().grid);
        if (row.kind == viz::PipelineRow::Kind::Remainder) {
            painter.fillRect(bar, theme().outline);
        } else {
            const QColor fill = theme().phase(row.phase);
            painter.fillRect(bar, fill);
            paintProvenance(painter, bar, row.provenance, fill, theme());
        }
    }

    QRectF text = toRectF(row.text);
    text.setLeft(text.left() + kTextGap);
    const double shareWidth = QFontMetricsF(font()).horizontalAdvance(QStringLiteral("100.0 %"));
    painter.setPen(theme().text);
    painter.drawText(QRectF(text.left(), text.top(), shareWidth, text.height()),
                     Qt::AlignRight | Qt::AlignVCenter, fromUtf8(row.share_text));
    painter.setPen(theme().mutedText);
    const QRectF value(text.left() + shareWidth + kTextGap, text.top(),
                       text.width() - shareWidth - kTextGap, text.height());
    paintElided(painter, value, Qt::AlignRight | Qt::AlignVCenter,
                row.missing() ? provenanceLabel(Provenance::Missing) : fromUtf8(row.value_text));
}

void PipelineView::paintOverlay(QPainter& painter)
{
    const auto mark = [&](std::size_t row, const QColor& colour, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, width));
        painter.drawRect(toRectF(m_geometry.rows[row].row).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    if (m_hover)
        mark(*m_hover, theme().outline, 1.0);
    if (m_cursor && hasFocus())
        mark(*m_cursor, theme().focus, 2.0);
    PaintedView::paintOverlay(painter);
}

QString PipelineView::toolTipAt(const QPointF& position) const
{
    const auto row = m_geometry.hit(toPoint(position));
    if (!row)
        return {};
    QString text = describe(*row);
    if (m_metric == viz::NodeMetric::Energy)
        text += QLatin1Char('\n') + provenanceExplanation(m_geometry.rows[*row].provenance);
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
    if (event->button() == Qt::LeftButton)
        m_pressed = m_geometry.hit(toPoint(event->position()));
}

void PipelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (event->button() != Qt::LeftButton || !pressed
        || m_geometry.hit(toPoint(event->position())) != pressed)
        return;
    m_cursor = pressed;
    activate(*pressed);
}

void PipelineView::mouseMoveEvent(QMouseEvent* event)
{
    const auto hover = m_geometry.hit(toPoint(event->position()));
    if (hover == m_hover)
        return;
    m_hover = hover;
    update();
}

void PipelineView::leaveEvent(QEvent* event)
{
    m_hover.reset();
    update();
    PaintedView::leaveEvent(event);
}

void PipelineView::activate(std::size_t index)
{
    const viz::PipelineRow row = m_geometry.rows[index]; // a copy: expanding lays out anew
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

} // namespace ep::ui
