// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/heatmap_scene.h"
#include "repository/run_document.h"

#include "ep/core/run.h"
#include "ep/energy/diagnosis.h"
#include "ep/energy/figures.h"
#include "ep/ui/run_repository.h"
#include "ep/viz/heatmap.h"

#include <QWidget>

#include <optional>

class QActionGroup;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace ep::ui {

// Whether Live can make this run again: it must not be a request to a server, a recorded command or
// an import, and its prompt must have been kept.
inline bool canRecordAgain(const RunInfo& info)
{
    return !info.profiling.server && !info.profiling.command && !info.model.path.empty()
        && info.power.source != kImportedSource && !info.prompt.empty()
        && !info.prompt.starts_with("sha256:");
}

class AggregateSelector;
class AnswerPanel;
class ComponentTableModel;
class DetailsPane;
class FlameView;
class HeatmapView;
class MetricSelector;
class PhasesTab;
class PipelineView;
class PowerTimeline;
class RawSortProxy;
class RunCharts;
class RunHeader;
class SelectionBar;
class SequenceView;
class TokenPlayer;
class TokenStreamView;
class WhyTab;

// All views of one finished run, next to each other or in tabs. They share the controller, so a
// selection in one applies to all.
class RunView : public QWidget {
    Q_OBJECT

public:
    explicit RunView(QWidget* parent = nullptr);

    // null clears. totals: replace the run's components if it was opened without them.
    void setRun(const RunPtr& run, const TotalsPtr& totals = nullptr);
    // The run as stored now; null: it is not stored.
    void setStored(const RunInfo* info);
    void setTariff(const energy::Tariff& tariff); // for all costs and emissions in the view

    RunDocument& document() { return m_document; } // needs a reader for stored runs
    SelectionController& controller() { return *m_controller; }
    AggregateSelector& aggregates() { return *m_aggregates; }
    RunHeader& header() { return *m_header; }
    SelectionBar& bar() { return *m_bar; }

Q_SIGNALS:
    void tariffEdited(const ep::energy::Tariff& tariff); // takes effect when passed to setTariff()
    void limitsRequested();
    void baselineRequested(); // to record the run again, with an idle baseline
    void tryRequested(const ep::ui::ExplanationPtr& explanation, int remedy);
    void annotationsEdited(const std::vector<ep::Annotation>& annotations); // all of the run's

protected:
    void resizeEvent(QResizeEvent* event) override; // hides the details in a narrow view

private:
    QWidget* buildOverview();
    void followTable(const QModelIndex& current);
    void followTab(); // details and player are shown where they say something
    QWidget* buildCorner();
    QToolButton* buildDisplay();
    void coverWhatIsOfOneRun();
    void setScope(const ExcerptPtr& mean); // the subject of the page; null: one run
    void giveRoomToWhatIsThere(bool layers);
    QWidget* buildTimeline();
    QWidget* pageOf(const QString& id, QWidget* content); // for a tab that may be covered
    const RunPtr& run() const { return m_document.run(); }
    void connectDocument();
    void showEnergy();
    void showNodeMetric();
    void showBreakdown();
    void showExplanation();
    void followSelection(); // requests a selected time's excerpt, or shows what needs none
    void showChosen();
    void showSelection();
    void showOperations(); // operations of the selected component
    QWidget* buildTimes();
    QWidget* buildComponents();
    void connectSelection();
    void showPlace(const energy::CausePlace& place);
    void markInTable(int layer, Component component);
    static viz::HeatmapFacts factsOf(const Run& run, bool pending);
    void drawHeatmap();
    std::optional<double> stepScale(const viz::HeatmapData& shown);
    viz::CellReduction reduction() const;
    ExcerptPtr shownExcerpt() const; // of the selected time, or an aggregate; null: the run
    void accumulate(const ExcerptPtr& excerpt);

    RunDocument m_document;
    energy::Tariff m_tariff;
    viz::HeatmapAccumulator m_chosen; // filled from m_accumulated
    ExcerptPtr m_accumulated;
    ExcerptPtr m_mean; // subject of the answer; null: the run
    std::vector<ComponentTotal> m_parts; // of the run
    SelectionController* m_controller;
    SelectionBar* m_bar;
    TokenPlayer* m_player;
    DetailsPane* m_details;
    AggregateSelector* m_aggregates;
    QToolButton* m_showDetails;
    bool m_narrow = false;
    QTabWidget* m_views;
    PhasesTab* m_phases = nullptr;
    RunCharts* m_charts = nullptr;
    viz::HeatmapAccumulator m_accumulator;
    GrowingScale m_stepScale; // over the decoded tokens shown so far
    RunHeader* m_header;
    AnswerPanel* m_answer;
    WhyTab* m_why;
    PipelineView* m_pipeline;
    PowerTimeline* m_power;
    PowerTimeline* m_largePower;
    FlameView* m_flame;
    TokenStreamView* m_tokens;
    SequenceView* m_sequences;
    MetricSelector* m_metric;
    QActionGroup* m_reduction; // data: int(viz::CellReduction)
    QAction* m_largestFirst; // order of the layers
    QComboBox* m_below; // selects the chart below the power in Timeline
    QStackedWidget* m_belowPower;
    HeatmapView* m_heatmap;
    ComponentTableModel* m_components;
    RawSortProxy* m_sorted;
    QTableView* m_table;
    QLabel* m_missing; // why there are no layers or no tokens
};

} // namespace ep::ui
