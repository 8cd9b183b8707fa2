// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/axis.h"
#include "ep/viz/time_gesture.h"

#include <QPointer>

#include <optional>

namespace ep::ui {

// Base of the charts in which time runs from left to right. All of them show the controller's
// visible range and behave alike: the wheel pans, with Ctrl (Cmd) or a pinch it zooms at the
// pointer; a drag brushes, with Shift it zooms to what was spanned; the brush's ends can be
// dragged; a double click clears the brush, or shows all when there is none; a crosshair stands at
// the same time in all of them. A press and release within 5 pixels is a click.
// A chart says where its axis lies (plotRect) and what a click means.
class TimeView : public PaintedView {
    Q_OBJECT

public:
    explicit TimeView(QWidget* parent = nullptr);

    // Of two charts of the same width, one above the other: their axes begin and end at the same x.
    void alignWith(TimeView* other);

protected:
    virtual QRectF plotRect() const = 0; // logical pixels
    // The plot that a chart would choose, narrowed to where the other chart's lies too.
    QRectF alignedPlot(const QRectF& own);
    virtual void alignmentChanged() { } // lay out again
    virtual void clicked(const QPointF& position, Qt::KeyboardModifiers modifiers);
    virtual bool hasContent() const { return true; } // no gestures while there is nothing

    TimeRange visibleTime() const; // one nanosecond without a controller
    viz::TimeAxis timeAxis() const;
    void paintTimeTicks(QPainter& painter, Nanoseconds origin) const; // below plotRect()
    void paintBrush(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;

    void paintOverlay(QPainter& painter) override; // brush, crosshair, focus ring
    void selectionChanged() override;
    void visibleTimeChanged() override;
    void cursorTimeChanged() override;

    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool ready() const { return controller() && hasContent() && !visibleTime().empty(); }
    std::optional<TimeRange> brush() const;

    viz::TimeGesture m_gesture;
    QPointer<TimeView> m_other;
    double m_roomLeft = 0.0; // of the plot that this chart would choose
    double m_roomRight = 0.0;
};

} // namespace ep::ui
