// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/time_range.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"
#include "ep/viz/time_series.h"

#include <QChartView>
#include <QString>

#include <array>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace ep::ui {

struct PhaseBand {
    Phase phase = Phase::Idle;
    TimeRange time;
};

// What the strip shows: filled by PowerChart, read by PowerPlot.
struct PowerData {
    std::array<viz::TimeSeries, kChannelCount> series;
    std::vector<PhaseBand> phases;
    Nanoseconds origin = 0; // zero of the time axis
    TimeRange visible;
    double ceiling_mw = 1.0;
    bool modelled = false;
    QString emptyText;

    const viz::TimeSeries& of(Channel channel) const
    {
        return series[static_cast<std::size_t>(channel)];
    }
    bool empty() const { return of(Channel::Total).empty(); }
    Nanoseconds gapLimit() const; // uncovered time from here on is a gap, not jitter
};

// The strip itself. QtCharts draws the lines; bands, grid, labels and the cursor are painted below
// and above them, because its axes cut labels and know no direct ones.
class PowerPlot : public QChartView {
public:
    static constexpr double kSwatchWidth = 20.0; // a piece of the line beside its name
    static constexpr double kGap = 6.0;

    PowerPlot(const PowerData& shown, int maxPoints, QWidget* parent);

    void rebuild(); // after the data changed
    int pointCount(Channel channel) const;

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void applyTheme();
    void layoutPlot();
    QLineSeries* seriesFor(Channel channel, std::size_t run);
    viz::TimeAxis timeAxis() const;
    double yOf(double milliwatts) const;
    viz::DisplayUnit unit() const;

    void paintPhases(QPainter& painter) const;
    void paintGrid(QPainter& painter) const;
    void paintGaps(QPainter& painter) const;
    void paintBadges(QPainter& painter) const;
    void paintLineLabels(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void paintSwatch(QPainter& painter, Channel channel, double x, double y) const;
    void stepCursor(int direction);

    const PowerData& m_data;
    int m_maxPoints;
    Theme m_theme;
    QRectF m_plot;
    std::array<std::vector<QLineSeries*>, kChannelCount> m_lines; // owned by the chart
    QValueAxis* m_timeAxis = nullptr; // owned by the chart
    QValueAxis* m_powerAxis = nullptr;
    std::optional<Nanoseconds> m_cursor;
};

} // namespace ep::ui
