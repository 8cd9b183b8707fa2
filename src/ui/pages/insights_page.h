// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/insights_quality.h"

#include "ep/energy/figures.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace ep::ui {

class CardsTab;
class EmptyState;
class JobsTab;
class SceneView;
class TotalsTab;

// Conclusions from the runs listed in History: how energy scales, the Pareto front of speed and
// energy, rankings, costs of tokens, by day and model, and by job. Points and bars lead to their
// runs. Also shows the kept results of pairs.
class InsightsPage : public QWidget {
    Q_OBJECT

public:
    explicit InsightsPage(RunRepository& repository, QWidget* parent = nullptr);

    // `shown`: some of `runs`, which keeps them alive. Only complete runs are used.
    void setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown);
    void setQualities(const QualityList& qualities); // call before setRuns()
    void setTariff(const energy::Tariff& tariff);
    void reloadCards();

Q_SIGNALS:
    void openRequested(const QString& id);
    void historyRequested();
    void paysRequested(); // asks which of two settings is cheaper
    void qualityRequested(const std::vector<ep::session::QualityRequest>& requests);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Panel {
        QWidget* box = nullptr;
        SceneView* chart = nullptr;
        QLabel* text = nullptr;
    };
    Panel addPanel(const QString& id, const QString& name,
                   std::initializer_list<QWidget*> controls);
    QComboBox* addCombo(const QString& id, const QString& name);
    void fillOrigins();
    void chooseWhatVaries(); // chooses a property that varies
    void findShown(); // fills m_shown, by the chosen origin
    void arrange(); // puts as many charts side by side as fit
    bool arrangeBeside();
    void draw();
    void fitHeights();

    RunList m_runs;
    QualityList m_qualities = std::make_shared<const Qualities>();
    std::vector<const RunSummary*> m_complete; // complete runs among those that History shows
    std::vector<const RunSummary*> m_shown; // with energies of the chosen origin, or no energy
    bool m_stale = true;
    int m_columns = 3; // charts side by side
    bool m_wide = false; // bars fit beside the other charts
    bool m_few = false; // few points, which need no tall charts
    bool m_beside = false; // the bars are beside the charts of few points
    bool m_qualityKnown = true; // for some shown run; otherwise its chart is hidden
    QTabWidget* m_views;
    TotalsTab* m_totals;
    JobsTab* m_jobs;
    CardsTab* m_cards;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QWidget* m_content;
    QLabel* m_count;
    QComboBox* m_origin; // hidden unless there are several
    QString m_chosenOrigin; // by the user; empty: the most frequent one
    QComboBox* m_feature;
    QComboBox* m_metric;
    QComboBox* m_grouping;
    QComboBox* m_groupMetric;
    Panel m_scaling;
    Panel m_pareto;
    Panel m_groups;
    Panel m_costs;
    Panel m_quality;
};

} // namespace ep::ui
