// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/chart_table.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/update_throttle.h"
#include "ep/ui/theme.h"

#include <QPixmap>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <string>

namespace ep::ui {

// Base of the painted charts: opaque, theme follows the palette, everything except the overlay
// (hover, cursor, focus ring) is cached in a pixmap until content, size or device pixel ratio
// changes.
//
// A derived chart gets:
// - setController(): the selection, time range, metric and search text that all charts share.
//   Override the ...Changed() functions; change them through controller() on clicks and keys.
// - Keys, once keyPressEvent() passes on what it does not know: W, S or +, - zoom, A, D pan, 0 all,
//   F the selection, Escape one level up.
// - addExportActions(*this, name) in its constructor: copy, PNG, SVG, PDF; with table() also the
//   table twin, its CSV and copy.
// - toolTipAt(), pin() for the details pane, and the paint time overlay.
// The chart itself sets its accessible name, and the description whenever its cursor moves.
// GUI thread only.
class PaintedView : public QWidget {
    Q_OBJECT

public:
    explicit PaintedView(QWidget* parent = nullptr);

    const Theme& theme() const { return m_theme; }

    // The controller must outlive the chart or be a QObject that signals its end; null: standalone.
    void setController(SelectionController* controller);
    SelectionController* controller() const { return m_controller; }

    // The power source of the joules shown during a run, while no controller has a run.
    void setPowerSource(const std::string& source) { m_powerSource = source; }

    virtual ChartTable table() const { return {}; } // table of the chart's content; empty: none

    // Shows the paint time in the corner of all charts of the program.
    static inline bool paintTimesShown = false;

protected:
    virtual void paintContent(QPainter& painter) = 0; // logical pixels; surface is already filled
    virtual void paintOverlay(QPainter& painter);
    virtual QString toolTipAt(const QPointF&) const { return {}; } // empty: no tool tip
    virtual void themeChanged() { }

    // Reactions to the controller's signals; all are called when a controller is set.
    virtual void runChanged() { }
    virtual void selectionChanged() { }
    virtual void visibleTimeChanged() { }
    virtual void metricChanged() { }
    virtual void cursorTimeChanged() { }
    virtual void searchChanged() { }

    void contentChanged(); // drops the pixmap and repaints
    void contentChangedOften(); // contentChanged() for live data, at most 15 times a second
    void paintEmptyText(QPainter& painter, const QString& text) const;
    bool matchesSearch(const QString& text) const; // true without a search
    void pin(const ChartDetails& details) const; // has no effect without a controller
    // The word for an energy: its provenance ("modelled"), or "simulated" or "replayed" if the
    // power source is of that kind.
    QString energyWord(Provenance provenance) const;
    std::string powerSource() const;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintTime(QPainter& painter) const;

    Theme m_theme;
    QPointer<SelectionController> m_controller;
    std::string m_powerSource;
    QPixmap m_cache;
    double m_lastPaintMs = 0.0; // duration of the last paintEvent
    bool m_stale = false; // the pixmap does not show the current content
    UpdateThrottle m_often;
};

// Handles the keys that all charts share; false for other keys.
bool handleChartKey(const QKeyEvent& event, SelectionController& controller);

} // namespace ep::ui
