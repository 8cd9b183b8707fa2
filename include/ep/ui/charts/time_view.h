// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/axis.h"
#include "ep/viz/time_gesture.h"

#include <QPointer>

#include <optional>

namespace ep::ui {

// Base of the charts with a horizontal time axis. They all show the controller's visible range and
// behave alike: the wheel pans; with Ctrl (Cmd), or as a pinch, it zooms at the pointer; a drag
// selects a range (the brush), or with Shift zooms to it; the ends of the brush can be dragged; a
// double click clears the brush, or shows everything if there is none; the crosshair is at the
// same time in all of them. Press and release within 5 pixels is a click. Each chart defines the
// place of its axis (plotRect) and the meaning of a click.
class TimeView : public PaintedView {
    Q_OBJECT

public:
    explicit TimeView(QWidget* parent = nullptr);

    // Aligns two charts of the same width, one above the other: their axes start and end at the
    // same x.
    void alignWith(TimeView* other);

protected:
    virtual QRectF plotRect() const = 0; // logical pixels
    // The preferred plot of this chart, intersected with that of the other chart.
    QRectF alignedPlot(const QRectF& own);
    virtual void alignmentChanged() { } // must lay out again
    virtual void clicked(const QPointF& position, Qt::KeyboardModifiers modifiers);
    virtual bool hasContent() const { return true; } // false: no gestures

    // One nanosecond if there is no controller.
    TimeRange visibleTime() const { return controller() ? controller()->visible() : TimeRange{}; }
    viz::TimeAxis timeAxis() const;
    void paintTimeTicks(QPainter& painter, Nanoseconds origin) const; // below plotRect()
    void paintBrush(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintAnnotations(QPainter& painter) const;

    void paintOverlay(QPainter& painter) override; // annotations, brush, crosshair, focus ring
    void selectionChanged() override { update(); }
    void visibleTimeChanged() override { contentChanged(); }
    void cursorTimeChanged() override { update(); }

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
    std::optional<TimeRange> brush() const
    {
        return controller() ? controller()->selection().time : std::nullopt;
    }

    viz::TimeGesture m_gesture;
    QPointer<TimeView> m_other;
    double m_roomLeft = 0.0; // left margin of the preferred plot
    double m_roomRight = 0.0;
};

} // namespace ep::ui
