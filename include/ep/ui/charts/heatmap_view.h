// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/painted_view.h"
#include "ep/viz/heatmap.h"

#include <memory>
#include <optional>

namespace ep::ui {

// Layer x component heatmap. Arrow keys, Home, End and Page keys move the cursor, Enter or a click
// activates a cell. With a controller, the cursor is the selected layer and component, a click on
// a layer's number or a component's name selects all of it, and cells that do not match the search
// are dimmed. GUI thread only.
class HeatmapView : public PaintedView {
    Q_OBJECT

public:
    explicit HeatmapView(QWidget* parent = nullptr);

    // Fixed upper end of the colours for all further data; nothing: determined by the data.
    void setScale(std::optional<double> high);
    std::optional<double> scale() const { return m_fixedHigh; }
    // Fast enough to be called for each token; null shows the empty text. The cursor stays on its
    // cell.
    void setData(std::shared_ptr<const viz::HeatmapData> data);
    const viz::HeatmapData* data() const { return m_data.get(); }

    void setBatch(bool batch) { m_batch = batch; } // without a controller: tokens are batch steps
    void setEmptyText(const QString& text);

    struct Current {
        int layer = 0;
        Component component = Component::InputLayernorm;

        bool operator==(const Current&) const = default;
    };
    std::optional<Current> current() const;
    void setCurrent(int layer, Component component); // ignored if there is no such cell

    // "Layer 3, q_proj: 12.3 µJ (attributed, mean of 40 tokens)"
    QString describe(int layer, int column) const;
    ChartTable table() const override;

    const viz::HeatmapGeometry& geometryForTests() const { return m_geometry; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cellActivated(int layer, ep::Component component);
    void currentChanged(int layer, ep::Component component);

protected:
    void paintContent(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void themeChanged() override;
    void selectionChanged() override;
    void searchChanged() override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    viz::HeatmapStyle style() const;
    void layoutCells();
    void relayout(); // also repaints
    void updateCell(const std::optional<viz::HeatmapCell>& cell);
    void moveTo(viz::HeatmapCell cell);
    bool ofBatch() const; // whether the run is a batch
    bool matches(int layer, int column) const; // matches the search text
    bool chooseHeader(const QPointF& position);
    void pinCell(const viz::HeatmapCell& cell) const;

    std::shared_ptr<const viz::HeatmapData> m_data;
    viz::HeatmapGeometry m_geometry;
    std::optional<viz::HeatmapCell> m_cursor;
    std::optional<viz::HeatmapCell> m_hover;
    std::optional<viz::HeatmapCell> m_pressed;
    QString m_emptyText;
    std::optional<double> m_fixedHigh;
    viz::HeatmapScale m_scale;
    bool m_batch = false;
};

} // namespace ep::ui
