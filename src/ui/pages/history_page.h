// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/figures.h"
#include "ep/ui/run_repository.h"
#include "ep/ui/settings.h"

#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace ep::ui {

class CardsTab;
class EmptyState;
class HistoryFilterBar;
class JobsTab;
class MessageBar;
class RepeatTable;
class RunFilterProxy;
class RunListModel;
class RunSummaryPane;
class SceneView;
class TotalsTab;

// The stored runs: search, filter, sort, open, compare, edit, report, export, import of dropped
// files, delete and restore; their J/token over time; details of the selected run.
class HistoryPage : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPage(RunRepository& repository, QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    TotalsTab& totals() const { return *m_totals; }
    CardsTab& cards() const { return *m_cards; }
    void writeSettings(Settings& settings) const;

    QStringList selectedIds() const;
    std::vector<const RunSummary*> shownRuns() const; // valid until the next list
    const RunList& runs() const { return m_runs; }
    QStringList completeRuns(const QString& experiment) const; // their ids
    void focusSearch();
    void resetColumns();
    void showExperiment(const QString& name); // lists only its runs
    void openSelected();
    void deleteSelected(); // asks for confirmation
    void editSelected();
    void showStorage();
    void exportSelected(RunRepository::Format format); // asks for a file or a folder
    void compareSelected();
    void reportSelected(); // asks for a file, or a folder if several runs are selected
    bool canUndo() const { return !m_removed.isEmpty(); }
    void undo(); // restores the runs that were deleted last
    // restorable: offers to restore the newest backup.
    void showProblem(const QString& problem, bool restorable = false);

Q_SIGNALS:
    void openRequested(const QString& id);
    void compareRequested(const QStringList& ids);
    void shownRunsChanged(); // after filtering, or because runs changed
    void liveRequested();
    void paysRequested(); // asks which of two settings is cheaper
    void selectionChanged();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // hides the details in a narrow window
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // follows the width of the table

private:
    void buildTable();
    QWidget* buildToolRow();
    QWidget* buildDetails();
    void buildActions();
    void followRepository();
    void showHeaderMenu(const QPoint& position);
    void applyFilter();
    void drawTrend();
    void showRuns(const RunList& runs);
    void showRemoved(const QStringList& ids);
    void updateState();
    const RunSummary* selectedRun() const; // null unless exactly one is selected
    std::vector<const RunSummary*> selectedRuns() const;
    void selectRuns(const QStringList& ids);
    QWidget* buildGroups();
    void foldRepeatsChanged();
    QString grouping() const;
    void setGrouping(const QString& id);
    void showList();
    int view() const; // the index of the chosen one of m_views; 0: runs
    void showFilters();
    QLayout* buildFooter();
    QToolButton* buildFilterButton();
    QToolButton* buildDisplayButton();
    void stretchPrompt(); // gives the prompt the room that other columns leave
    void askForFolder(const QString& title, std::function<void(const QString&)> chosen);

    RunRepository& m_repository;
    RunListModel* m_model;
    RunFilterProxy* m_filtered;
    MessageBar* m_message;
    QLineEdit* m_search;
    QToolButton* m_filterButton;
    QLabel* m_count;
    QLabel* m_total; // of the runs in the list
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    EmptyState* m_unmatched; // replaces the list while a filter hides all runs
    QTableView* m_table;
    HistoryFilterBar* m_filters;
    SceneView* m_trend;
    RunSummaryPane* m_details;
    RepeatTable* m_repeats;
    QComboBox* m_groupBy = nullptr; // by repeats, or by a property of the runs
    QStackedWidget* m_lists; // one row per run, or per group, or another view
    QActionGroup* m_views; // what the list shows: runs, jobs, cards or totals
    TotalsTab* m_totals;
    JobsTab* m_jobs;
    CardsTab* m_cards;
    QAction* m_foldRepeats;
    QAction* m_showTrend;
    QAction* m_showDetails;
    QAction* m_open;
    QAction* m_compare;
    QAction* m_report;
    QAction* m_exportJson;
    QAction* m_exportCsv;
    QAction* m_exportTrace;
    QAction* m_edit;
    QAction* m_storage;
    QAction* m_delete;
    RunList m_runs;
    QStringList m_removed; // runs that Undo restores
    bool m_narrow = false;
    bool m_filtersWanted = false;
    bool m_detailsWanted = true; // shown if there is room
    int m_stretched = 0; // extra width given to the prompt's column
};

} // namespace ep::ui
