// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace ep::ui {

struct PhaseBand {
    Phase phase = Phase::Idle;
    TimeRange time;
};

// What a chart of power shows.
struct PowerData {
    PowerHistoryPtr history = std::make_shared<PowerHistory>(); // never null
    std::vector<PhaseBand> phases;
    std::vector<Nanoseconds> tokens; // when each was complete, in order
    std::optional<double> baseline_mw; // idle power before the run
    Nanoseconds origin = 0; // zero of the time axis
    TimeRange visible;
    std::optional<TimeRange> run; // absent: not begun, or not known
    double ceiling_mw = 1.0;
    QString emptyText;

    bool empty() const { return history->empty(); }
    // What mean and peak are of: the visible part of the run, without what came before and after.
    TimeRange counted() const { return run ? intersection(visible, *run) : visible; }
    QString textWithoutFigures() const; // why there is no mean
};

// Paints all of it but the lines themselves; the live strip and the timeline share it. A
// short-lived value: the references must outlive it.
class PowerScene {
public:
    static constexpr double kSwatchWidth = 20.0; // a piece of the line beside its name
    static constexpr double kGap = 6.0;

    PowerScene(const PowerData& data, const QRectF& plot, const Theme& theme, const QFont& font,
               QSizeF size);

    // Where the plot lies in a widget of that size.
    static QRectF plotFor(const PowerData& data, const QFont& font, QSizeF size);

    void paintPhases(QPainter& painter) const;
    void paintGrid(QPainter& painter) const; // with both axes
    void paintGaps(QPainter& painter) const;
    void paintTokens(QPainter& painter) const; // ticks along the bottom
    void paintBaseline(QPainter& painter) const;
    void paintPeak(QPainter& painter) const;
    void paintBadges(QPainter& painter) const;
    void paintLineLabels(QPainter& painter) const;
    void paintCursor(QPainter& painter, Nanoseconds time) const; // with the values there

private:
    viz::TimeAxis timeAxis() const;
    double yOf(double milliwatts) const;
    void paintSwatch(QPainter& painter, Channel channel, double x, double y) const;

    const PowerData& m_data;
    QRectF m_plot;
    const Theme& m_theme;
    const QFont& m_font;
    QSizeF m_size;
};

} // namespace ep::ui
