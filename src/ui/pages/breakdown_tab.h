// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/selection_controller.h"
#include "ep/viz/cost_tree.h"

#include <QWidget>

#include <memory>

namespace ep::ui {

class CostSelector;
class SankeyView;
class TreemapView;

// Distribution of time or energy: treemap and flow.
class BreakdownTab : public QWidget {
    Q_OBJECT

public:
    explicit BreakdownTab(SelectionController& controller, QWidget* parent = nullptr);

    void setTree(const Run* run, const std::shared_ptr<const viz::CostTree>& tree);
    void setMetric(viz::CostMetric metric);
    void setEmptyText(const QString& text);

Q_SIGNALS:
    void metricChosen(ep::viz::CostMetric metric);

private:
    CostSelector* m_metric;
    TreemapView* m_treemap;
    SankeyView* m_sankey;
};

} // namespace ep::ui
