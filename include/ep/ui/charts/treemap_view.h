// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/item_view.h"
#include "ep/viz/treemap.h"

#include <memory>
#include <vector>

namespace ep::ui {

// Time or energy of a run as nested boxes. A click selects a part for all charts; a double click or
// Enter zooms into it, Backspace or the path above the boxes zooms out. GUI thread only.
class TreemapView : public GeometryView<viz::TreemapGeometry> {
    Q_OBJECT

public:
    explicit TreemapView(QWidget* parent = nullptr)
        : GeometryView(tr("Treemap of phases, layers, components and operations"),
                       QStringLiteral("treemap"), parent)
    {
    }

    void setTree(std::shared_ptr<const viz::CostTree> tree); // keeps the current root
    void setMetric(viz::CostMetric metric);
    std::size_t root() const { return m_root; }
    void setRoot(std::size_t node); // a node of the tree

    QRectF wholeRunRect() const { return m_wholeRun; } // the crumb that clears the selection
    QRectF crumbRect(int level) const; // level: part of the path, 0 is the run; empty: none
    ChartTable table() const override;
    QString describeItem(std::size_t item) const override;
    QRectF itemRect(std::size_t item) const override;
    std::size_t itemCount() const override { return m_geometry.cells.size(); }
    QSize sizeHint() const override { return {640, 400}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

protected:
    void choose(std::size_t item) override;
    void activate(std::size_t item) override;
    QString summary() const override;
    QString searchableText(std::size_t item) const override;
    void paintContent(QPainter& painter) override;
    void relayout() override;
    void selectionChanged() override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<std::size_t> shownPath() const; // from the root to the node that fills the chart
    void paintCell(QPainter& painter, const viz::TreemapCell& cell) const;
    void paintCrumbs(QPainter& painter);
    void paintCaption(QPainter& painter) const;
    QRectF captionRect() const;

    std::shared_ptr<const viz::CostTree> m_tree;
    viz::CostMetric m_metric = viz::CostMetric::Time;
    std::size_t m_root = 0; // node that fills the chart
    QRectF m_wholeRun; // leads back from a selected time; empty if none is selected
    std::vector<QRectF> m_crumbs;
};

// Selects what the key names: phase, layer, component and operation.
void select(SelectionController& controller, const viz::CostKey& key);

} // namespace ep::ui
