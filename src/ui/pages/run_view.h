// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"
#include "ep/viz/heatmap.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace ep::ui {

class ComponentTableModel;
class FigureCards;
class HeatmapView;
class MetricSelector;
class PipelineView;
class PowerChart;
class ProvenanceBadge;
class RawSortProxy;
class TokenStreamView;

// All views of one finished run. The heatmap and its table share the cell that is chosen.
class RunView : public QWidget {
    Q_OBJECT

public:
    explicit RunView(QWidget* parent = nullptr);

    // null clears. totals: in place of the run's components, where it comes without them.
    void setRun(const RunPtr& run, const TotalsPtr& totals = nullptr);

private:
    QWidget* buildHeader();
    QWidget* buildTimes();
    QWidget* buildComponents();
    void connectSelection();
    void showHeader(const Run& run);
    void showFigures(const Run& run);
    void drawHeatmap();

    RunPtr m_run;
    viz::HeatmapAccumulator m_accumulator;
    QLabel* m_title;
    QLabel* m_prompt;
    QLabel* m_facts;
    QLabel* m_problem;
    ProvenanceBadge* m_badge;
    FigureCards* m_cards;
    PipelineView* m_pipeline;
    QComboBox* m_nodeMetric;
    PowerChart* m_power;
    TokenStreamView* m_tokens;
    MetricSelector* m_metric;
    QComboBox* m_reduction;
    HeatmapView* m_heatmap;
    ComponentTableModel* m_components;
    RawSortProxy* m_sorted;
    QTableView* m_table;
};

} // namespace ep::ui
