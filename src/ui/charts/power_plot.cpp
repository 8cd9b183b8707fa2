// SPDX-License-Identifier: GPL-3.0-or-later
#include "power_plot.h"

#include "chart_paint.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/viz/time_gesture.h"

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
    // Both axes stay at 0..1: changing them would lay out every line a second and third time.
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
    parts.paintBadges(*painter);
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
    if (event->button() == Qt::LeftButton && m_plot.contains(event->position()))
        m_dragX = event->position().x();
}

void PowerPlot::mouseReleaseEvent(QMouseEvent*)
{
    m_dragX.reset();
}

void PowerPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (!m_data.empty()) {
        if (event->modifiers().testFlag(Qt::ControlModifier))
            zoom(timeAxis().toTime(event->position().x()), std::pow(1.25, -steps));
        else
            pan(-0.1 * steps);
    }
    event->accept();
}

void PowerPlot::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (m_dragX && !m_data.empty()) {
        // Content follows the pointer, once it has moved too far for a click.
        if (std::abs(x - *m_dragX) >= viz::kClickSlack) {
            pan((*m_dragX - x) / m_plot.width());
            m_dragX = x;
        }
    }
    std::optional<Nanoseconds> cursor;
    if (m_plot.contains(event->position()) && !m_data.empty())
        cursor = timeAxis().toTime(event->position().x());
    if (cursor != m_cursor) {
        m_cursor = cursor;
        viewport()->update();
    }
}

void PowerPlot::leaveEvent(QEvent* event)
{
    m_cursor.reset();
    viewport()->update();
    QChartView::leaveEvent(event);
}

void PowerPlot::stepCursor(int direction)
{
    const viz::TimeSeries& total = m_data.history->of(Channel::Total);
    if (total.empty())
        return;
    const auto middle = [&](std::size_t index) {
        const TimeRange window = total.window(index);
        return window.begin_ns + window.duration_ns() / 2;
    };
    const auto visible = [&](std::size_t index) { return m_data.visible.contains(middle(index)); };
    // From the sample under the cursor to the next one; without a cursor, to the newest.
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
    if (next && visible(*next))
        m_cursor = middle(*next);
    viewport()->update();
}

void PowerPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        stepCursor(-1);
        break;
    case Qt::Key_Right:
        stepCursor(1);
        break;
    case Qt::Key_Escape:
        if (!m_cursor) {
            event->ignore();
            return;
        }
        m_cursor.reset();
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
