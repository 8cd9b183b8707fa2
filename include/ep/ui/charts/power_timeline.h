// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/charts/time_view.h"

#include <memory>
#include <span>
#include <vector>

class QPen;

namespace ep::ui {

struct PowerData;
class StrokePicture;

// The power of a finished run over time: a line for each rail and the total, phases, tokens, idle
// power and peak. Shows any number of samples, because it paints from the pyramids of the history.
// Left and Right move the crosshair from sample to sample. GUI thread only.
class PowerTimeline : public TimeView {
    Q_OBJECT

public:
    explicit PowerTimeline(QWidget* parent = nullptr);
    ~PowerTimeline() override;

    // The history must belong to the controller's run. Null: not available yet.
    void setHistory(PowerHistoryPtr history);
    void setEmptyText(const QString& text);
    // Hiding a rail's line leaves more height to the others; figures still cover all rails.
    void setShown(Channel channel, bool shown);
    bool isShown(Channel channel) const;
    std::vector<Channel> channels() const; // channels that the run has

    ChartTable table() const override; // table of the visible samples
    QString describe(Nanoseconds time) const; // time, phase and power at that time

    QRectF plotForTests() const { return plotRect(); }
    QSize sizeHint() const override { return {640, 240}; }
    QSize minimumSizeHint() const override { return {240, 150}; }

protected:
    QRectF plotRect() const override { return m_plot; }
    void alignmentChanged() override { relayout(); }
    bool hasContent() const override;
    void clicked(const QPointF& position, Qt::KeyboardModifiers modifiers) override;
    void paintContent(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void themeChanged() override { relayout(); }
    void runChanged() override;
    void visibleTimeChanged() override { relayout(); }
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void relayout();
    void paintLines(QPainter& painter) const;
    void paintLine(QPainter& painter, std::span<const viz::TimeSeries::LinePoint> points,
                   const QPen& pen) const;
    void step(int direction);
    ChartDetails detailsAt(Nanoseconds time) const;

    std::unique_ptr<PowerData> m_data;
    std::unique_ptr<StrokePicture> m_strokes; // strokes of the last frame
    QRectF m_plot;
};

} // namespace ep::ui
