// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/update_throttle.h"
#include "ep/ui/theme.h"

#include <QPixmap>
#include <QString>
#include <QWidget>

class QHelpEvent;

namespace ep::ui {

// Base of the painted charts: opaque, theme follows the palette, everything but the overlay (hover,
// cursor, focus ring) is kept in a pixmap until content, size or device pixel ratio changes.
// GUI thread only.
class PaintedView : public QWidget {
    Q_OBJECT

public:
    explicit PaintedView(QWidget* parent = nullptr);

    const Theme& theme() const { return m_theme; }
    double lastPaintMs() const { return m_lastPaintMs; } // duration of the last paintEvent

protected:
    virtual void paintContent(QPainter& painter) = 0; // in logical pixels, surface already filled
    virtual void paintOverlay(QPainter& painter);
    virtual QString toolTipAt(const QPointF& position) const; // empty: no tool tip
    virtual void themeChanged() { }

    void contentChanged(); // drop the pixmap and repaint
    void contentChangedOften(); // the same for live data: repaints at most 15 times a second
    void paintEmptyText(QPainter& painter, const QString& text) const;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    Theme m_theme;
    QPixmap m_cache;
    double m_lastPaintMs = 0.0;
    bool m_stale = false; // the pixmap is older than the content
    UpdateThrottle m_often;
};

} // namespace ep::ui
