// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/run_repository.h"
#include "ep/ui/settings.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QTextBrowser;

namespace ep::ui {

class EmptyState;
class HistoryFilterBar;
class MessageBar;
class RunFilterProxy;
class RunListModel;
class SceneView;

// The stored runs: search, filter, sort, open, compare, edit, report, export, import by dropping a
// file, delete and restore; their J/token over time; details of the selected run.
class HistoryPage : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPage(RunRepository& repository, QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;

    QStringList selectedIds() const;
    std::vector<const RunSummary*> shownRuns() const; // valid until the next list
    const RunList& runs() const { return m_runs; }
    void focusSearch();
    void openSelected();
    void deleteSelected(); // asks for confirmation
    void editSelected();
    void showStorage();
    void exportSelected(RunRepository::Format format); // asks for the file
    void compareSelected();
    void reportSelected(); // for one run; asks for the file
    void showProblem(const QString& problem);

Q_SIGNALS:
    void openRequested(const QString& id);
    void compareRequested(const QStringList& ids);
    void shownRunsChanged(); // by another filter, or by changed runs
    void liveRequested();
    void selectionChanged();

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildTable();
    QWidget* buildToolRow();
    QWidget* buildDetails();
    void buildActions();
    void showHeaderMenu(const QPoint& position);
    void applyFilter();
    void drawTrend();
    void showDetails();
    void showRuns(const RunList& runs);
    void showRemoved(const QStringList& ids);
    void updateState();
    const RunSummary* selectedRun() const; // null unless exactly one is selected

    RunRepository& m_repository;
    RunListModel* m_model;
    RunFilterProxy* m_filtered;
    MessageBar* m_message;
    QLineEdit* m_search;
    QLabel* m_count;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QTableView* m_table;
    HistoryFilterBar* m_filters;
    SceneView* m_trend;
    QTextBrowser* m_details;
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
    QStringList m_removed; // restored by Undo
};

} // namespace ep::ui
