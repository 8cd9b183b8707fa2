// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace ep::ui {

struct PhaseBand {
    Phase phase = Phase::Idle;
    TimeRange time;
};

// Data of a power chart.
struct PowerData {
    PowerHistoryPtr history = std::make_shared<PowerHistory>(); // never null
    std::vector<PhaseBand> phases;
    std::vector<Nanoseconds> tokens; // completion times, in order
    std::optional<double> baseline_mw; // idle power before the run
    Nanoseconds origin = 0; // where the time axis begins
    TimeRange visible;
    std::optional<TimeRange> run; // absent: not started, or unknown
    std::optional<TimeRange> brush; // chosen by the user
    double ceiling_mw = 1.0;
    bool finished = false; // lines are labelled with their means instead of the newest values
    QString powerOrigin; // see powerOriginLabel()
    QString emptyText;
    std::array<bool, kChannelCount> hidden{}; // channels without a line

    bool shows(Channel channel) const { return !hidden[static_cast<std::size_t>(channel)]; }

    bool empty() const { return history->empty(); }
    // The range for which mean and peak are shown: the brush or the visible part, within the run.
    TimeRange counted() const
    {
        const TimeRange chosen = brush.value_or(visible);
        return run ? intersection(chosen, *run) : chosen;
    }
    void setRun(const Run* run); // everything but the samples; null: none
    double peak() const; // of the visible samples, over the channels with a line
    QString description() const; // mean and peak, or why there are none
    // Returns `before` and the power's origin or "modelled"; empty if the power was measured.
    QString reservation(const QString& before = {}) const;
};

// Paints everything except the lines, which QtCharts draws in the live strip, and the strokes of a
// picture in the timeline. Short-lived: the references must outlive it.
class PowerScene {
public:
    static constexpr double kSwatchWidth = 20.0; // line sample next to its name
    static constexpr double kGap = 6.0;

    PowerScene(const PowerData& data, const QRectF& plot, const Theme& theme, const QFont& font,
               QSizeF size);

    // The plot area in a widget of this size.
    static QRectF plotFor(const PowerData& data, const QFont& font, QSizeF size);

    void paintBelowLines(QPainter& painter) const;
    // `taken`: pixels at the right of the badges that are occupied.
    void paintAboveLines(QPainter& painter, double taken = 0.0) const;
    void paintCursor(QPainter& painter, Nanoseconds time) const; // with the values there

private:
    void paintPhases(QPainter& painter) const;
    void paintGrid(QPainter& painter) const; // including both axes
    void paintGaps(QPainter& painter) const;
    void paintTokens(QPainter& painter) const; // ticks along the bottom
    void paintBaseline(QPainter& painter) const;
    void paintPeak(QPainter& painter) const;
    void paintBadges(QPainter& painter, double taken) const;
    void paintLineLabels(QPainter& painter) const;
    viz::TimeAxis timeAxis() const { return {m_data.visible, m_plot.left(), m_plot.width()}; }
    double yOf(double milliwatts) const
    {
        return m_plot.bottom() - m_plot.height() * milliwatts / m_data.ceiling_mw;
    }
    void paintSwatch(QPainter& painter, Channel channel, double x, double y) const;

    const PowerData& m_data;
    QRectF m_plot;
    const Theme& m_theme;
    const QFont& m_font;
    QSizeF m_size;
};

} // namespace ep::ui
