// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/insights_charts.h"
#include "widgets/drawn_when_seen.h"

#include "ep/ui/run_repository.h"

#include <functional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QStackedWidget;

namespace ep::ui {

class EmptyState;
class SceneView;

// Conclusions from the runs listed in History, each with its chart: how energy scales, the Pareto
// front of speed and energy, rankings, costs of tokens. Shows only what the runs support. Points
// lead to their runs.
class InsightsPage : public DrawnWhenSeen {
    Q_OBJECT

public:
    explicit InsightsPage(QWidget* parent = nullptr);

    // `shown`: some of `runs`, which keeps them alive. Only complete runs are used.
    void setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown);
    void setQualities(const QualityList& qualities); // call before setRuns()
    void measureQuality(); // of the models of the shown runs

Q_SIGNALS:
    void openRequested(const QString& id);
    void historyRequested();
    void qualityRequested(const std::vector<ep::session::QualityRequest>& requests);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Insight {
        QString id;
        QString name;
        QString text;
        bool bars;
        std::function<viz::Scene(double width, double height)> chart;
    };
    struct Panel {
        QString id;
        bool bars;
        QWidget* box;
        SceneView* chart;
        QLabel* text;
    };
    std::vector<Insight> insights() const;
    Panel addPanel(const Insight& insight, bool leads);
    void fillOrigins();
    void findShown(); // fills m_shown, by the chosen origin
    void arrange(); // puts as many charts side by side as fit
    void draw() override;
    void fitHeights();

    RunList m_runs;
    QualityList m_qualities = std::make_shared<const Qualities>();
    std::vector<const RunSummary*> m_complete; // complete runs among those that History shows
    std::vector<const RunSummary*> m_shown; // with energies of the chosen origin, or no energy
    QString m_chosenOrigin; // by the user; empty: the most frequent
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QWidget* m_content;
    QLabel* m_count;
    QComboBox* m_metric;
    QComboBox* m_origin;
    QGridLayout* m_charts;
    QLabel* m_more; // names the runs that would say more
    std::vector<Panel> m_panels; // of the charts in view
    int m_columns = 0;
};

} // namespace ep::ui
