// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/run_view.h"

#include "ep/core/run.h"
#include "ep/ui/run_repository.h"

#include <QWidget>

#include <optional>

class QMenu;
class QStackedWidget;
class QToolButton;

namespace ep::ui {

class ElidedLabel;
class EmptyState;
class MessageBar;
class RunSidebar;

// One finished run, or how to get one, with the list of all stored runs at its left.
class AnalysisPage : public QWidget {
    Q_OBJECT

public:
    explicit AnalysisPage(QWidget* parent = nullptr);

    void showNotice(const QString& what);
    void showRun(RunPtr run, const TotalsPtr& totals = nullptr); // null: the empty page
    void showProblem(const QString& problem);
    void setStored(const RunList& runs); // current state of the runs in the database
    // Opens the repeats of the shown run as their mean, as soon as they are listed.
    void showRepeats();
    RunDocument& document() { return m_view->document(); } // all open data of the shown run
    const RunPtr& run() const { return m_run; }
    const RunInfo* stored() const; // the shown run; null: it is not stored
    SelectionController& controller() { return m_view->controller(); } // shared by the charts
    RunView& view() { return *m_view; }
    bool canStep(int step) const; // whether there is a next (1) or previous (-1) run in the list
    void step(int step);

Q_SIGNALS:
    void historyRequested();
    void openRequested(const QString& id);
    void compareRequested(const QStringList& ids); // several runs, with or without the shown one
    void againRequested(double baselineSeconds); // the shown run is to be prepared in Live
    void reportRequested(); // report about the shown run
    void exportRequested(ep::ui::RunRepository::Format format); // file of the shown run
    // Asks for a study that tries the remedy with this index.
    void tryRequested(const ep::RunPtr& run, const ep::ui::ExplanationPtr& explanation, int remedy);
    void liveRequested();
    void runChanged(); // also if its stored properties changed
    void annotationsEdited(const QString& id, const std::vector<ep::Annotation>& annotations);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    MessageBar* m_message;
    RunView* m_view;
    void showNotes();
    void findRepeats();
    void buildTools();
    void fillCompareMenu();
    void showSidebar();
    void openLast();

    RunPtr m_run;
    bool m_opensLast = true; // until any run was shown
    RunList m_runs; // may be null
    RunSidebar* m_sidebar;
    QToolButton* m_showRuns; // shows or hides the list of runs
    std::optional<bool> m_runsWanted; // the user's choice; absent: shown if there is room
    QToolButton* m_again; // prepares the same run in Live
    QMenu* m_compare; // runs that the shown one can be compared with
    ElidedLabel* m_notes;
};

} // namespace ep::ui
