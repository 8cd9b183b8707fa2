// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/viz/heatmap.h"

#include <memory>
#include <optional>

namespace ep::ui {

// Layer x component heatmap. Arrow keys, Home, End and Page keys move the cursor, Enter or a click
// activates a cell. With a controller, the cursor is the selected layer and component, a click on
// a layer's number or a component's name selects all of it, and cells that do not match the search
// are dimmed. GUI thread only.
class HeatmapView : public ItemView {
    Q_OBJECT

public:
    explicit HeatmapView(QWidget* parent = nullptr);

    // Fixed upper end of the colours for all further data; absent: determined by the data.
    void setScale(std::optional<double> high) { m_fixedHigh = high; }
    std::optional<double> scale() const { return m_fixedHigh; }
    // Fast enough to be called for each token; null shows the empty text. The cursor stays on its
    // cell.
    void setData(std::shared_ptr<const viz::HeatmapData> data);
    const viz::HeatmapData* data() const { return m_data.get(); }

    void setBatch(bool batch) { m_batch = batch; } // without a controller: tokens are batch steps

    struct Current {
        int layer = 0;
        Component component = Component::InputLayernorm;

        bool operator==(const Current&) const = default;
    };
    std::optional<Current> current() const;
    void setCurrent(int layer, Component component); // ignored if there is no such cell

    // "Layer 3, q_proj: 12.3 µJ (attributed, mean of 40 tokens)"
    QString describe(int layer, int column) const;
    QString describeItem(std::size_t cell) const override; // cells by row
    QRectF itemRect(std::size_t cell) const override;
    std::size_t itemCount() const override { return m_data ? m_data->values.size() : 0; }
    ChartTable table() const override;

    const viz::HeatmapGeometry& geometryForTests() const { return m_geometry; }
    QSize sizeHint() const override { return {640, 360}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    void cellActivated(int layer, ep::Component component);
    void currentChanged(int layer, ep::Component component);

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override;
    void activate(std::size_t item) override { pin(detailsOf(item)); }
    void currentMoved() override;
    QString summary() const override;
    ChartDetails detailsOf(std::size_t cell) const override;
    std::optional<std::size_t> itemFor(int key) const override;
    QString searchableText(std::size_t cell) const override;
    void relayout() override;
    void paintContent(QPainter& painter) override;
    void paintMark(QPainter& painter, std::size_t cell, bool current) const override;
    void paintOverlay(QPainter& painter) override;
    QString toolTipAt(const QPointF& position) const override;
    void selectionChanged() override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    viz::HeatmapStyle style() const;
    void layoutCells();
    viz::GridCell cellOf(std::size_t item) const;
    std::size_t itemOf(const viz::GridCell& cell) const;
    Component componentOf(std::size_t item) const
    {
        return m_data->components[item % m_data->components.size()];
    }
    bool ofBatch() const; // whether the run is a batch
    bool chooseHeader(const QPointF& position);

    std::shared_ptr<const viz::HeatmapData> m_data;
    viz::HeatmapGeometry m_geometry;
    std::optional<double> m_fixedHigh;
    viz::HeatmapScale m_scale;
    bool m_batch = false;
};

} // namespace ep::ui
