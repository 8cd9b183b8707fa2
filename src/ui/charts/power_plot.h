// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power_scene.h"

#include "ep/viz/time_gesture.h"

#include <QChartView>

#include <array>
#include <functional>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace ep::ui {

// The plot itself. QtCharts draws the lines; bands, grid, labels and the cursor are painted below
// and above them, because its axes truncate labels and do not support direct labels.
class PowerPlot : public QChartView {
public:
    PowerPlot(const PowerData& shown, int maxPoints, QWidget* parent);

    // Callbacks for wheel, drags and keys; all must be set.
    std::function<void(Nanoseconds anchor, double factor)> zoom; // below 1: zooms in
    std::function<void(double share)> pan; // fraction of the visible range
    std::function<void(TimeRange range)> look; // shows this range
    std::function<void(std::optional<TimeRange> range)> brush; // absent: removes the brush
    std::function<double()> taken; // width of the buttons to the right of the badges, in pixels

    void rebuild(); // call it after the data changed
    int pointCount(Channel channel) const;

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void applyTheme();
    void layoutPlot();
    QLineSeries* seriesFor(Channel channel, std::size_t run);
    viz::TimeAxis timeAxis() const;
    PowerScene scene() const;
    void stepCursor(int direction, bool brushing);

    const PowerData& m_data;
    int m_maxPoints;
    Theme m_theme;
    QRectF m_plot;
    std::array<std::vector<QLineSeries*>, kChannelCount> m_lines; // owned by the chart
    QValueAxis* m_timeAxis = nullptr; // owned by the chart
    QValueAxis* m_powerAxis = nullptr;
    std::optional<Nanoseconds> m_cursor;
    viz::TimeGesture m_gesture;
    std::optional<Nanoseconds> m_anchor; // where the keys began the brush
};

} // namespace ep::ui
