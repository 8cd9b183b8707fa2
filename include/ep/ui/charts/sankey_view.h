// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/viz/flow.h"

#include <memory>
#include <vector>

namespace ep::ui {

// The run's time or energy as a flow from input to output. Hovering over a node highlights the
// paths through it; a click keeps the highlight and selects the layer. GUI thread only.
class SankeyView : public ItemView {
    Q_OBJECT

public:
    explicit SankeyView(QWidget* parent = nullptr)
        : ItemView(tr("Flow from the input through the layers to the output"),
                   QStringLiteral("sankey"), parent)
    {
    }

    void setTree(std::shared_ptr<const viz::CostTree> tree);
    void setMetric(viz::CostMetric metric);

    const viz::FlowGraph& graphForTests() const { return m_graph; }
    const viz::SankeyGeometry& geometryForTests() const { return m_geometry; }
    std::vector<double> highlighted() const; // one value per link; empty: no path
    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.nodes.size(); }
    QSize sizeHint() const override { return {760, 400}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    std::optional<std::size_t> itemAt(viz::Point point) const override
    {
        return m_geometry.hitNode(point);
    }
    void choose(std::size_t item) override;
    QString summary() const override;
    QString searchableText(std::size_t item) const override;
    bool isHoverShown() const override { return false; }
    void hoverChanged() override { contentChanged(); }
    void paintContent(QPainter& painter) override;
    void relayout() override;
    QString toolTipAt(const QPointF& position) const override;

private:
    void rebuild();
    QColor colourOf(std::size_t node) const;
    QString describeLink(std::size_t link) const;
    void paintLink(QPainter& painter, std::size_t link, double share, bool dimmed) const;
    void paintNode(QPainter& painter, std::size_t node) const;

    std::shared_ptr<const viz::CostTree> m_tree;
    viz::CostMetric m_metric = viz::CostMetric::Time;
    viz::FlowGraph m_graph;
    viz::SankeyGeometry m_geometry;
};

} // namespace ep::ui
