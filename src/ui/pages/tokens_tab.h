// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/waterfall_view.h"

#include <QWidget>

#include <memory>

class QDoubleSpinBox;
class QTableWidget;
class QComboBox;

namespace ep::viz {
struct TokenGrid;
}

namespace ep::ui {

class AnswerLine;
class CostSelector;
class HistogramView;
class TokenGridView;
class TrendView;

// Costs of the tokens: waterfall, context curve, distribution, the tokens on one side of a
// threshold, and tokens by layer.
class TokensTab : public QWidget {
    Q_OBJECT

public:
    explicit TokensTab(SelectionController& controller, QWidget* parent = nullptr);

    void setRun(const Run* run);
    void setCosts(const TokenCostsPtr& costs); // for the current metric
    void setGrid(const std::shared_ptr<const viz::TokenGrid>& grid);
    void setMetric(viz::CostMetric metric);
    void setEmptyText(const QString& text);
    void setGridEmptyText(const QString& text);

Q_SIGNALS:
    void metricChosen(ep::viz::CostMetric metric);

private:
    QWidget* buildDistribution();
    void setThreshold(double value);
    void listTokens();

    SelectionController& m_controller;
    TokenCostsPtr m_costs;
    CostSelector* m_metric;
    AnswerLine* m_sections;
    WaterfallView* m_waterfall;
    TrendView* m_trend;
    HistogramView* m_histogram;
    TokenGridView* m_grid;
    QComboBox* m_side;
    QDoubleSpinBox* m_threshold;
    QTableWidget* m_list;
};

} // namespace ep::ui
