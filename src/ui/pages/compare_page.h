// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_charts.h"
#include "repository/latest_job.h"

#include "ep/energy/comparison.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabWidget;
class QTableWidget;
class QToolButton;

namespace ep::ui {

// The quality that the energy buys: one figure per group of a comparison, and a button to measure
// it.
class QualityLine : public QWidget {
    Q_OBJECT

public:
    explicit QualityLine(RunRepository& repository, QWidget* parent = nullptr);

    void setComparison(const RunGroups& groups, const energy::Comparison& comparison);

Q_SIGNALS:
    void measured(); // the groups should be read again

private:
    void measure();

    RunRepository& m_repository;
    RunGroups m_groups;
    QLabel* m_text;
    QPushButton* m_measure;
};

class DifferenceTree;
class EmptyState;
class MessageBar;
class SceneView;

// Compares 2 to 4 runs or groups of repeats: figures with their differences and statistics,
// overlaid curves, and the differences by part of the model.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    explicit ComparePage(RunRepository& repository, QWidget* parent = nullptr);

    void compareRuns(const QStringList& ids); // requests the runs from the repository
    void showProblem(const QString& problem);
    const energy::Comparison* comparison() const { return m_comparison.get(); }
    void saveReport(); // asks for the file to save, HTML or PDF

Q_SIGNALS:
    void historyRequested();
    void openRequested(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using ComparisonPtr = std::shared_ptr<const energy::Comparison>;

    QWidget* buildControls();
    QWidget* buildCharts();
    SceneView* addChart(const QString& id, const QString& name);
    QWidget* chartTab(SceneView* view, std::initializer_list<QWidget*> controls);
    void ask();
    void closeIfDeleted(const RunList& runs);
    void showGroups(const RunGroups& groups);
    void recompute();
    void showComparison(ComparisonPtr comparison);
    void fillWarnings();
    void showVerdict();
    void showCauses();
    void fitWarnings(); // makes the warnings as high as their text, up to some lines
    void fillTable();
    void fitColumns();
    void showFigures(); // shows all figures, or only tested ones
    void labelCharts();
    void fillCombos();
    void drawCharts();
    void drawMetric();

    RunRepository& m_repository;
    QStringList m_ids;
    RunGroups m_groups;
    ComparisonPtr m_comparison;
    LatestJob m_job;
    LatestJob m_saving;
    MessageBar* m_message;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QWidget* m_content;
    QComboBox* m_baseline;
    QComboBox* m_repeats;
    QComboBox* m_normalisation;
    QToolButton* m_report;
    QCheckBox* m_allFigures;
    QScrollArea* m_warningArea;
    QLabel* m_warnings;
    QTableWidget* m_table;
    std::vector<int> m_groupColumns; // with the figures of the groups
    QTabWidget* m_tabs;
    SceneView* m_power;
    QComboBox* m_alignment;
    SceneView* m_cumulative;
    SceneView* m_layers;
    QComboBox* m_layerGroup;
    QComboBox* m_layerQuantity;
    DifferenceTree* m_tree;
    QualityLine* m_quality;
    QLabel* m_verdict;
    QLabel* m_causes;
    QComboBox* m_metric;
    SceneView* m_metricChart;
    QLabel* m_metricText;
};

} // namespace ep::ui
