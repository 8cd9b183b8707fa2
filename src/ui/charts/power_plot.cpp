// SPDX-License-Identifier: GPL-3.0-or-later
#include "power_plot.h"

#include "chart_paint.h"

#include "ep/ui/charts/chart_export.h"

#include <QChart>
#include <QKeyEvent>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QValueAxis>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ep::ui {

PowerPlot::PowerPlot(const PowerData& shown, int maxPoints, QWidget* parent)
    : QChartView(parent)
    , m_data(shown)
    , m_maxPoints(maxPoints)
    , m_timeAxis(new QValueAxis)
    , m_powerAxis(new QValueAxis)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setRenderHint(QPainter::Antialiasing, false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundVisible(false);
    chart()->setMargins(QMargins());
    chart()->legend()->hide();
    chart()->addAxis(m_timeAxis, Qt::AlignBottom);
    chart()->addAxis(m_powerAxis, Qt::AlignLeft);
    m_timeAxis->setRange(0.0, 1.0);
    m_powerAxis->setRange(0.0, 1.0);
    m_timeAxis->setVisible(false);
    m_powerAxis->setVisible(false);
    applyTheme();
}

void PowerPlot::applyTheme()
{
    m_theme = Theme::fromPalette(palette());
    rebuild();
}

QLineSeries* PowerPlot::seriesFor(Channel channel, std::size_t run)
{
    auto& lines = m_lines[static_cast<std::size_t>(channel)];
    while (lines.size() <= run) {
        auto* line = new QLineSeries;
        chart()->addSeries(line);
        line->attachAxis(m_timeAxis);
        line->attachAxis(m_powerAxis);
        lines.push_back(line);
    }
    return lines[run];
}

void PowerPlot::rebuild()
{
    layoutPlot();
    // Both axes stay at 0..1, because changing them would lay out every line again, twice.
    const TimeRange visible = m_data.visible;
    const auto whole = static_cast<double>(std::max<Nanoseconds>(1, visible.duration_ns()));
    const Nanoseconds gap = m_data.history->gapLimit();
    for (const Channel channel : kChannels) {
        const auto runs = m_data.history->of(channel).lines(visible, m_maxPoints, gap);
        qsizetype count = 0;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            QList<QPointF> points;
            points.reserve(static_cast<qsizetype>(runs[run].size()));
            for (const auto& point : runs[run])
                points.append({static_cast<double>(point.time - visible.begin_ns) / whole,
                               point.value / m_data.ceiling_mw});
            QLineSeries* line = seriesFor(channel, run);
            line->replace(points);
            count += points.size();
        }
        // If extremes alternate every few pixels, wide lines would merge into a block.
        QPen pen = m_theme.linePen(channel);
        if (static_cast<double>(count) * 2.0 > m_plot.width())
            pen.setWidthF(pen.widthF() * 0.7);
        for (QLineSeries* line : m_lines[static_cast<std::size_t>(channel)])
            line->setPen(pen);
        const auto& lines = m_lines[static_cast<std::size_t>(channel)];
        for (std::size_t run = runs.size(); run < lines.size(); ++run)
            lines[run]->clear();
    }
    viewport()->update();
}

int PowerPlot::pointCount(Channel channel) const
{
    int count = 0;
    for (const QLineSeries* line : m_lines[static_cast<std::size_t>(channel)])
        count += static_cast<int>(line->count());
    return count;
}

viz::TimeAxis PowerPlot::timeAxis() const
{
    return {m_data.visible, m_plot.left(), m_plot.width()};
}

PowerScene PowerPlot::scene() const
{
    return {m_data, m_plot, m_theme, font(), viewport()->size()};
}

void PowerPlot::layoutPlot()
{
    const QRectF plot = PowerScene::plotFor(m_data, font(), viewport()->size());
    if (plot == m_plot)
        return;
    m_plot = plot;
    chart()->setPlotArea(m_plot);
}

void PowerPlot::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    painter->setFont(font());
    if (m_data.empty())
        return;
    const PowerScene parts = scene();
    parts.paintPhases(*painter);
    parts.paintGrid(*painter);
    parts.paintGaps(*painter);
    parts.paintTokens(*painter);
    parts.paintBadges(*painter, taken());
}

void PowerPlot::drawForeground(QPainter* painter, const QRectF&)
{
    painter->setFont(font());
    const QRectF all = viewport()->rect();
    const bool exporting = isBeingExported(*this);
    if (m_data.empty()) {
        paintEmpty(*painter, all, m_theme, m_data.emptyText);
    } else {
        const PowerScene parts = scene();
        parts.paintBaseline(*painter);
        parts.paintPeak(*painter);
        parts.paintLineLabels(*painter);
        const bool zooming = m_gesture.active() && m_gesture.kind() == viz::TimeGesture::Kind::Zoom;
        if (zooming && !exporting)
            paintTimeBrush(*painter, m_plot, timeAxis(), m_gesture.range(), true, m_theme);
        else if (m_data.brush)
            paintTimeBrush(*painter, m_plot, timeAxis(), *m_data.brush, false, m_theme);
        if (m_cursor && !exporting)
            parts.paintCursor(*painter, *m_cursor);
    }
    if (hasFocus() && !exporting)
        paintFocusRing(*painter, all, m_theme);
}

void PowerPlot::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    rebuild();
}

void PowerPlot::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyTheme();
}

bool PowerPlot::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture && !m_data.empty()) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoom(timeAxis().toTime(gesture->position().x()),
                 std::clamp(1.0 - gesture->value(), 0.2, 5.0));
            return true;
        }
    }
    return QChartView::viewportEvent(event);
}

void PowerPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_data.empty())
        return;
    if (m_plot.adjusted(-viz::kGripSlack, 0.0, viz::kGripSlack, 0.0).contains(event->position()))
        m_gesture.press(timeAxis(), m_data.brush, event->position().x(),
                        event->modifiers().testFlag(Qt::ShiftModifier));
}

void PowerPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_gesture.active())
        return;
    switch (m_gesture.release(timeAxis(), event->position().x())) {
    case viz::TimeGesture::Kind::Brush:
        brush(m_gesture.range());
        break;
    case viz::TimeGesture::Kind::Zoom:
        look(m_gesture.range());
        break;
    case viz::TimeGesture::Kind::Click:
    case viz::TimeGesture::Kind::None:
        break;
    }
    viewport()->update();
}

void PowerPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_data.brush)
        brush(std::nullopt);
}

void PowerPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const QPoint moved = event->pixelDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (!m_data.empty()) {
        if (event->modifiers().testFlag(Qt::ControlModifier))
            zoom(timeAxis().toTime(event->position().x()), std::pow(1.25, -steps));
        else if (!moved.isNull()) // a touch pad: content follows the fingers and their momentum
            pan(-(moved.x() != 0 ? moved.x() : moved.y()) / m_plot.width());
        else
            pan(-0.1 * steps);
    }
    event->accept();
}

void PowerPlot::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    const viz::TimeAxis axis = timeAxis();
    const bool inside = m_plot.contains(event->position()) && !m_data.empty();
    if (m_gesture.active() && !m_data.empty()) {
        const auto range = m_gesture.move(axis, x);
        if (range && m_gesture.kind() == viz::TimeGesture::Kind::Brush)
            brush(range);
        else if (range)
            viewport()->update();
    } else {
        const bool grip = inside && viz::brushEndAt(axis, m_data.brush, x);
        viewport()->setCursor(grip ? Qt::SizeHorCursor : Qt::ArrowCursor);
    }
    const auto cursor = inside ? std::optional(axis.toTime(x)) : std::nullopt;
    if (cursor != m_cursor) {
        m_cursor = cursor;
        m_anchor.reset();
        viewport()->update();
    }
}

void PowerPlot::leaveEvent(QEvent* event)
{
    m_cursor.reset();
    viewport()->update();
    QChartView::leaveEvent(event);
}

void PowerPlot::stepCursor(int direction, bool brushing)
{
    const viz::TimeSeries& total = m_data.history->of(Channel::Total);
    if (total.empty())
        return;
    const auto middle = [&](std::size_t index) {
        const TimeRange window = total.window(index);
        return window.begin_ns + window.duration_ns() / 2;
    };
    const auto visible = [&](std::size_t index) { return m_data.visible.contains(middle(index)); };
    // From the sample under the cursor to the next one; from the newest if there is no cursor.
    std::optional<std::size_t> next;
    if (!m_cursor) {
        next = total.size() - 1;
    } else if (direction > 0) {
        for (std::size_t i = 0; i < total.size() && !next; ++i)
            if (total.window(i).begin_ns > *m_cursor)
                next = i;
    } else {
        for (std::size_t i = total.size(); i-- > 0 && !next;)
            if (total.window(i).end_ns <= *m_cursor)
                next = i;
    }
    const std::optional<Nanoseconds> before = m_cursor;
    if (next && visible(*next))
        m_cursor = middle(*next);
    if (!brushing || !before)
        m_anchor.reset();
    else if (!m_anchor)
        m_anchor = before;
    if (m_anchor && *m_anchor != *m_cursor)
        brush(TimeRange{std::min(*m_anchor, *m_cursor), std::max(*m_anchor, *m_cursor)});
    viewport()->update();
}

void PowerPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        stepCursor(-1, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Qt::Key_Right:
        stepCursor(1, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Qt::Key_Escape:
        if (m_gesture.active()) {
            m_gesture.cancel();
        } else if (m_data.brush) {
            brush(std::nullopt);
        } else if (!m_cursor) {
            event->ignore();
            return;
        }
        m_cursor.reset();
        m_anchor.reset();
        viewport()->update();
        break;
    default:
        event->ignore(); // the surrounding chart handles more keys
    }
}

void PowerPlot::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void PowerPlot::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

} // namespace ep::ui
