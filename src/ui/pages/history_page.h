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

namespace ep::ui {

class EmptyState;
class MessageBar;
class RunFilterProxy;
class RunListModel;

// The stored runs: search, sort, open, edit, export, delete and bring back.
class HistoryPage : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPage(RunRepository& repository, QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;

    QStringList selectedIds() const;
    void focusSearch();
    void openSelected();
    void deleteSelected(); // asks first
    void editSelected();
    void showStorage();
    void exportSelected(RunRepository::Format format); // asks where
    void showProblem(const QString& problem);

Q_SIGNALS:
    void openRequested(const QString& id);
    void liveRequested();
    void selectionChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTable();
    QWidget* buildToolRow();
    void buildActions();
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
    QAction* m_open;
    QAction* m_exportJson;
    QAction* m_exportCsv;
    QAction* m_exportTrace;
    QAction* m_edit;
    QAction* m_storage;
    QAction* m_delete;
    RunList m_runs;
    QStringList m_removed; // what Undo brings back
};

} // namespace ep::ui
