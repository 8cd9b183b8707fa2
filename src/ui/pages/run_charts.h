// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/selected_figures.h"

#include "ep/energy/figures.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/run_repository.h"
#include "ep/viz/cost_tree.h"

#include <QObject>
#include <QWidget>

#include <array>
#include <memory>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QTabWidget;

namespace ep::ui {

class PhasePowerView;
class RailBarsView;

// Power by phase with filters, and the energy of each phase by rail.
class PhasesTab : public QWidget {
    Q_OBJECT

public:
    explicit PhasesTab(SelectionController& controller, QWidget* parent = nullptr);

    void setRun(const RunPtr& run);
    void setMetric(viz::CostMetric metric); // net energy, or gross for all other metrics
    void setEmptyText(const QString& text);

private:
    QWidget* buildFilters();
    void applyFilter();

    PhasePowerView* m_power;
    RailBarsView* m_rails;
    QComboBox* m_rail;
    QDoubleSpinBox* m_confidence;
    QComboBox* m_energy;
    std::array<QAction*, kPhaseCount> m_phases{};
};

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
    CostSelector& selector() const { return *m_metric; }

private:
    CostSelector* m_metric;
    TreemapView* m_treemap;
    SankeyView* m_sankey;
};

class FiguresTab;
class TokensTab;

// The views of a run that need sums over all of its spans: breakdown, tokens, phases, figures.
// Until the sums are available, they show the run's own record.
class RunCharts : public QObject {
    Q_OBJECT

public:
    // Adds its views to the tabs, which own them, and fills `phases`.
    RunCharts(SelectionController& controller, QTabWidget& tabs, PhasesTab& phases,
              QObject* parent);

    void setRun(const RunPtr& run); // null clears
    void setBreakdown(const BreakdownPtr& breakdown); // sums of the run
    const BreakdownPtr& breakdown() const { return m_breakdown; } // null if not available yet
    // Sets the excerpt that treemap and flow show instead of the run; null: the run. title: empty
    // for the selection's excerpt; otherwise the title of an aggregate of the run, whose figures
    // are shown too.
    void setExcerpt(const ExcerptPtr& excerpt, const QString& title = {});
    viz::CostMetric metric() const { return m_metric; }
    TokensTab* tokens() const { return m_tokens; }
    FiguresTab* figures() const { return m_figures; }
    void setMetric(viz::CostMetric metric);

Q_SIGNALS:
    void breakdownChanged();

private:
    void rebuild();
    void showWhere();
    void showFigures();
    void showMetric();

    SelectionController& m_controller;
    RunPtr m_run;
    BreakdownPtr m_breakdown;
    ExcerptPtr m_excerpt;
    QString m_excerptTitle;
    std::shared_ptr<const viz::CostTree> m_tree;
    viz::CostMetric m_metric = viz::CostMetric::Time;
    BreakdownTab* m_where;
    TokensTab* m_tokens;
    PhasesTab& m_phases;
    FiguresTab* m_figures;
};

} // namespace ep::ui
