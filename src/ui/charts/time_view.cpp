// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/time_view.h"

#include "chart_paint.h"

#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kMinPlot = 10.0;
constexpr double kNotch = 120.0; // one notch of a wheel, in eighths of a degree
constexpr double kNotchZoom = 1.25;
constexpr double kNotchPan = 0.1; // fraction of the visible range

} // namespace

TimeView::TimeView(QWidget* parent)
    : PaintedView(parent)
{
}

void TimeView::alignWith(TimeView* other)
{
    m_other = other;
    other->m_other = this;
    other->alignmentChanged();
    alignmentChanged();
}

QRectF TimeView::alignedPlot(const QRectF& own)
{
    const double left = own.left();
    const double right = width() - own.right();
    const bool changed = left != m_roomLeft || right != m_roomRight;
    m_roomLeft = left;
    m_roomRight = right;
    if (!m_other)
        return own;
    if (changed)
        m_other->alignmentChanged();
    QRectF plot = own;
    plot.setLeft(std::max(left, m_other->m_roomLeft));
    plot.setRight(width() - std::max(right, m_other->m_roomRight));
    return plot.width() < kMinPlot ? own : plot;
}

void TimeView::clicked(const QPointF&, Qt::KeyboardModifiers) { }

viz::TimeAxis TimeView::timeAxis() const
{
    const QRectF plot = plotRect();
    return {visibleTime(), plot.left(), plot.width()};
}

void TimeView::paintTimeTicks(QPainter& painter, Nanoseconds origin) const
{
    const QRectF plot = plotRect();
    const QRectF labels(plot.left(), plot.bottom() + 4.0, plot.width(),
                        QFontMetricsF(font()).height());
    ep::ui::paintTimeTicks(painter, labels, plot.bottom(), viz::timeTicks(timeAxis(), origin, 90.0),
                           theme());
}

void TimeView::paintBrush(QPainter& painter) const
{
    const bool zooming = m_gesture.active() && m_gesture.kind() == viz::TimeGesture::Kind::Zoom;
    const auto range = zooming ? std::optional(m_gesture.range()) : brush();
    if (!range || range->empty())
        return;
    paintTimeBrush(painter, plotRect(), timeAxis(), *range, zooming, theme());
}

void TimeView::paintCrosshair(QPainter& painter) const
{
    const auto time = controller() ? controller()->cursor() : std::nullopt;
    if (!time || !visibleTime().contains(*time))
        return;
    const QRectF plot = plotRect();
    const double x = std::floor(timeAxis().toX(*time)) + 0.5;
    painter.setPen(QPen(theme().text, 1.0));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

// Paints a bracket at the top of the plot, with as much of its text as fits.
void TimeView::paintAnnotations(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const viz::TimeAxis axis = timeAxis();
    const QFontMetricsF metrics(font());
    constexpr double kArm = 5.0;
    constexpr double kSlack = 4.0;
    for (const Annotation& annotation : controller()->annotations()) {
        const double left = std::max(plot.left(), axis.toX(annotation.begin_ns));
        const double right = std::min(plot.right(), axis.toX(annotation.end_ns));
        if (right <= left)
            continue;
        painter.setPen(QPen(theme().focus, 2.0));
        const double top = plot.top() + 1.0;
        painter.drawPolyline(
            QPolygonF{{left, top + kArm}, {left, top}, {right, top}, {right, top + kArm}});
        const QRectF room(left + kSlack, top + 2.0, right - left - 2.0 * kSlack, metrics.height());
        if (room.width() < metrics.averageCharWidth() * 2.0)
            continue;
        const QString text =
            metrics.elidedText(term(annotation.text).simplified(), Qt::ElideRight, room.width());
        QRectF behind = room;
        behind.setWidth(std::min(room.width(), metrics.horizontalAdvance(text)));
        painter.fillRect(behind, theme().surface);
        painter.setPen(theme().text);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

void TimeView::paintOverlay(QPainter& painter)
{
    if (ready()) {
        paintAnnotations(painter);
        paintBrush(painter);
        paintCrosshair(painter);
    }
    PaintedView::paintOverlay(painter);
}

bool TimeView::event(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture && ready()) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            const double factor = std::clamp(1.0 - gesture->value(), 0.2, 5.0);
            controller()->zoomAt(timeAxis().toTime(gesture->position().x()), factor);
            return true;
        }
    }
    return PaintedView::event(event);
}

void TimeView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !ready())
        return;
    if (plotRect()
            .adjusted(-viz::kGripSlack, 0.0, viz::kGripSlack, 0.0)
            .contains(event->position()))
        m_gesture.press(timeAxis(), brush(), event->position().x(),
                        event->modifiers().testFlag(Qt::ShiftModifier));
}

void TimeView::mouseMoveEvent(QMouseEvent* event)
{
    if (!ready())
        return;
    const bool inside = plotRect().contains(event->position());
    const viz::TimeAxis axis = timeAxis();
    controller()->setCursor(inside ? std::optional(axis.toTime(event->position().x()))
                                   : std::nullopt);
    if (m_gesture.active()) {
        const auto range = m_gesture.move(axis, event->position().x());
        if (range && m_gesture.kind() == viz::TimeGesture::Kind::Brush)
            controller()->selectTime(*range, SelectionController::Change::Brush);
        else if (range)
            update();
        return;
    }
    const bool grip = inside && viz::brushEndAt(axis, brush(), event->position().x());
    setCursor(grip ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void TimeView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_gesture.active())
        return;
    using Kind = viz::TimeGesture::Kind;
    switch (m_gesture.release(timeAxis(), event->position().x())) {
    case Kind::Brush:
        controller()->selectTime(m_gesture.range(), SelectionController::Change::Brush);
        controller()->finishChange();
        break;
    case Kind::Zoom:
        controller()->show(m_gesture.range());
        break;
    case Kind::Click:
        clicked(event->position(), event->modifiers());
        break;
    case Kind::None:
        break;
    }
    update();
}

void TimeView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !ready())
        return;
    if (controller()->selection().time)
        controller()->selectTime(std::nullopt);
    else
        controller()->zoomToFit();
}

void TimeView::wheelEvent(QWheelEvent* event)
{
    if (!ready()) {
        PaintedView::wheelEvent(event);
        return;
    }
    const QPoint turned = event->angleDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / kNotch;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        controller()->zoomAt(timeAxis().toTime(event->position().x()),
                             std::pow(kNotchZoom, -steps));
    } else if (!event->pixelDelta().isNull() && plotRect().width() > 0.0) {
        const QPoint moved = event->pixelDelta(); // a touch pad: content follows the fingers
        controller()->panBy(-(moved.x() != 0 ? moved.x() : moved.y()) / plotRect().width());
    } else {
        controller()->panBy(-steps * kNotchPan);
    }
    event->accept();
}

void TimeView::leaveEvent(QEvent* event)
{
    if (controller())
        controller()->setCursor(std::nullopt);
    PaintedView::leaveEvent(event);
}

void TimeView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_gesture.active()) {
        m_gesture.cancel();
        update();
        return;
    }
    PaintedView::keyPressEvent(event);
}

} // namespace ep::ui
