// SPDX-License-Identifier: GPL-3.0-or-later
// What the actions of the menus do, and when they are enabled.
#include "dialogs/machine_dialog.h"
#include "dialogs/shortcut_sheet.h"
#include "dialogs/study_dialog.h"
#include "pages/analysis_page.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "pages/run_edit_dialog.h"
#include "widgets/status_figures.h"
#include "window/window_actions.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/main_window.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>
#include <QStackedWidget>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

// Connects actions for the run in Live and for stored runs.
void MainWindow::connectRunActions()
{
    const WindowActions& a = *m_actions;
    const auto on = [this](QAction* action, auto reaction) {
        connect(action, &QAction::triggered, this, reaction);
    };
    on(a.newRun, [this] {
        showPage(Page::Live);
        m_live->newRun();
    });
    on(a.newStudy, [this] { showStudy(); });
    on(a.library, [this] { showLibrary(); });
    on(a.exportJson, [this] { exportRun(RunRepository::Format::Json); });
    on(a.exportCsv, [this] { exportRun(RunRepository::Format::Csv); });
    on(a.close, [this] { close(); });
    on(a.quit, [this] { close(); });
    on(a.editRun, [this] {
        if (m_analysis->stored())
            (new RunEditDialog(m_repository, *m_analysis->stored(), this))->editNotes();
    });
    on(a.deleteRuns, [this] { m_history->deleteSelected(); });
    on(a.start, [this] {
        showPage(Page::Live);
        m_live->start();
    });
    on(a.stop, [this] { m_live->stop(); });
}

// Connects actions for the pages and what they show.
void MainWindow::connectViewActions()
{
    const WindowActions& a = *m_actions;
    const auto on = [this](QAction* action, auto reaction) {
        connect(action, &QAction::triggered, this, reaction);
    };
    on(a.live, [this] { showPage(Page::Live); });
    on(a.analysis, [this] { showPage(Page::Analysis); });
    on(a.history, [this] { showPage(Page::History); });
    on(a.compare, [this] { showPage(Page::Compare); });
    on(a.insights, [this] { showPage(Page::Insights); });
    on(a.find, [this] {
        if (currentPage() == Page::Analysis && m_analysis->run()) {
            m_analysis->focusSearch();
        } else {
            showPage(Page::History);
            m_history->focusSearch();
        }
    });
    SelectionController* charts = &m_analysis->controller();
    on(a.undoView, [this, charts] {
        if (currentPage() == Page::History)
            m_history->undo();
        else
            charts->undo();
    });
    on(a.redoView, [charts] { charts->redo(); });
    on(a.zoomToSelection, [charts] { charts->zoomToSelection(); });
    on(a.zoomToAll, [charts] { charts->zoomToFit(); });
    on(a.copyChart, [] {
        QWidget* chart = QApplication::focusWidget();
        while (chart
               && !chart->findChild<QAction*>(u"chartCopyImage"_s, Qt::FindDirectChildrenOnly))
            chart = chart->parentWidget();
        if (chart)
            copyChartImage(*chart);
    });
    connect(a.paintTimes, &QAction::toggled, this, [this](bool shown) {
        PaintedView::setPaintTimesShown(shown);
        for (PaintedView* chart : findChildren<PaintedView*>())
            chart->update();
    });
    connect(charts, &SelectionController::historyChanged, this, &MainWindow::updateActions);
    connect(charts, &SelectionController::selectionChanged, this, &MainWindow::updateActions);
    on(a.palette, [this] { showPalette(); });
    on(a.resetLayout, [this] { resetLayout(); });
    on(a.fullScreen, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    on(a.welcome, [this] { showWelcome(); });
    connect(a.themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        const auto choice = static_cast<ThemeChoice>(action->data().toInt());
        Settings settings = m_settings.settings();
        settings.theme = choice;
        keep(settings);
        applyTheme(choice);
    });
}

void MainWindow::connectToolActions()
{
    const WindowActions& a = *m_actions;
    const auto on = [this](QAction* action, auto reaction) {
        connect(action, &QAction::triggered, this, reaction);
    };
    on(a.preferences, [this] { showPreferences(); });
    on(a.machine, [this] { showMachine(MachinePart::Sensors); });
    on(a.compareWith, [this] {
        showPage(Page::Live);
        m_live->compareWith();
    });
    on(a.recordCommand, [this] {
        showPage(Page::Live);
        m_live->recordCommand();
    });
    on(a.shortcuts, [this] { (new ShortcutSheet(*menuBar(), this))->open(); });
    on(a.about, [this] { showAbout(); });
    on(a.aboutQt, [] { QApplication::aboutQt(); });
}

void MainWindow::updateActions()
{
    const WindowActions& a = *m_actions;
    const bool inHistory = currentPage() == Page::History;
    const bool inAnalysis = currentPage() == Page::Analysis;
    const bool welcome = m_stack->currentIndex() != 0;
    m_status->setVisible(m_live->showsRun()
                         && ((currentPage() == Page::Live && !welcome) || m_live->running()));
    const auto selected = m_history->selectedIds().size();
    const bool exportable = (inHistory && selected > 0) || (inAnalysis && m_analysis->run());
    a.exportJson->setEnabled(exportable);
    a.exportCsv->setEnabled(exportable);
    a.saveReport->setEnabled((inHistory && selected > 0) || (inAnalysis && m_analysis->stored()));
    a.nextRun->setEnabled(inAnalysis && m_analysis->canStep(1));
    a.previousRun->setEnabled(inAnalysis && m_analysis->canStep(-1));
    const SelectionController& charts = m_analysis->controller();
    const bool exploring = inAnalysis && m_analysis->run();
    a.editRun->setEnabled(exploring && m_analysis->stored());
    a.undoView->setEnabled((exploring && charts.canUndo()) || (inHistory && m_history->canUndo()));
    a.redoView->setEnabled(exploring && charts.canRedo());
    a.zoomToSelection->setEnabled(exploring && charts.selection().time);
    a.zoomToAll->setEnabled(exploring);
    a.deleteRuns->setEnabled(inHistory && selected > 0);
    a.library->setEnabled(!m_live->running());
    a.start->setEnabled(m_live->canStart());
    a.stop->setEnabled(m_live->canStop());
}

} // namespace ep::ui
