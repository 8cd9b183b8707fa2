// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/charts/item_view.h"
#include "ep/viz/pipeline.h"
#include "ep/viz/time_gesture.h"

#include <optional>

namespace ep::ui {

// Phases of a run to scale, each expandable to its sections. Up and Down move the cursor; Right,
// Left, Enter or a click expand and collapse. With a controller, a click also selects the phase, a
// double click zooms to it, and the strip is an overview of all time axes: it shows the visible
// range, and dragging on it selects a range. GUI thread only.
class PipelineView : public GeometryView<viz::PipelineGeometry> {
    Q_OBJECT

public:
    explicit PipelineView(QWidget* parent = nullptr);

    void setRun(RunPtr run); // null shows the empty text; the expanded phases are kept
    void setMetric(viz::CostMetric metric);
    viz::CostMetric shownMetric() const { return m_metric; }
    void setExpanded(Phase phase, bool expanded);
    bool isExpanded(Phase phase) const { return m_expanded[static_cast<std::size_t>(phase)]; }

    QString describeItem(std::size_t row) const override;
    QRectF itemRect(std::size_t row) const override;
    std::size_t itemCount() const override { return m_geometry.rows.size(); }
    ChartTable table() const override;

    QSize sizeHint() const override; // height follows the rows
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }
    int leastHeight() const; // height of the strip and the four phases of most runs

protected:
    void activate(std::size_t row) override;
    QString summary() const override;
    ChartDetails detailsOf(std::size_t row) const override;
    std::optional<std::size_t> itemFor(int key) const override;
    void relayout() override;
    void paintContent(QPainter& painter) override;
    void paintMark(QPainter& painter, std::size_t row, bool current) const override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void selectionChanged() override { update(); }
    void visibleTimeChanged() override { update(); }
    void cursorTimeChanged() override { update(); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void toggle(std::size_t row);
    void paintRow(QPainter& painter, const viz::PipelineRow& row) const;
    void paintStrip(QPainter& painter) const;
    void paintWindow(QPainter& painter) const; // paints the time axes' visible range on the strip
    bool onStrip(const QPointF& position) const;
    viz::TimeAxis stripAxis() const; // covers the whole run

    RunPtr m_run;
    viz::CostMetric m_metric = viz::CostMetric::Time;
    viz::ExpandedPhases m_expanded{};
    viz::TimeGesture m_gesture;
};

} // namespace ep::ui
