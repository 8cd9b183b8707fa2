// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the pages of the window with each other and with the stored runs.
#include "dialogs/machine_dialog.h"
#include "dialogs/quality_dialog.h"
#include "pages/analysis_page.h"
#include "pages/compare_page.h"
#include "pages/export_dialog.h"
#include "pages/history_page.h"
#include "pages/insights_page.h"
#include "pages/live_page.h"
#include "repository/run_document.h"
#include "text.h"
#include "widgets/status_figures.h"
#include "window/attention.h"
#include "window/dock_badge.h"
#include "window/window_actions.h"

#include "ep/store/store.h"
#include "ep/ui/main_window.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QStackedWidget>
#include <QStatusBar>

#include <string>
#include <utility>

namespace ep::ui {

// A window that nobody is looking at draws and polls less.
void MainWindow::followAttention()
{
    auto* watch = new AttentionWatch(*this);
    connect(watch, &AttentionWatch::changed, this, [this](Attention attention) {
        m_live->setHidden(attention == Attention::Hidden);
        m_repository.setPollInterval(pollIntervalMs(attention));
    });
}

void MainWindow::connectLive()
{
    for (const QStackedWidget* pages : {m_pages, m_stack})
        connect(pages, &QStackedWidget::currentChanged, this, &MainWindow::updateActions);
    connect(m_live, &LivePage::stateChanged, this, &MainWindow::updateActions);
    connect(m_live, &LivePage::countersChanged, this, [this] {
        m_status->show(m_live->counters(), m_live->askedIntervalMs());
        m_dock->show(m_live->counters().percent());
    });
    // Messages about the previous run would mislead.
    connect(m_live, &LivePage::runStarting, statusBar(), &QStatusBar::clearMessage);
    connect(m_live, &LivePage::runFinished, this, [this](const RunPtr& run, bool saved) {
        log("run " + std::string(name(run->info.status)) + ": " + run->info.model.architecture
            + " on " + run->info.device + ", " + run->info.dtype + ", "
            + std::to_string(run->info.output_tokens) + " tokens, power " + run->info.power.source
            + (saved ? "" : ", not saved"));
        statusBar()->showMessage(tr("Run %1.").arg(statusText(run->info.status).toLower()), 5000);
        // Does not interrupt a user who is viewing another run.
        if (currentPage() != Page::Analysis || !m_analysis->run())
            m_analysis->showRun(run);
        if (saved)
            m_repository.refresh();
    });
    connect(m_live, &LivePage::analysisRequested, this, [this](const RunPtr& run) {
        if (m_analysis->run() != run)
            m_analysis->showRun(run);
        showPage(Page::Analysis);
    });
    connect(m_live, &LivePage::repeated, this, [this](const RunPtr& run) {
        if (m_analysis->run() == run)
            m_analysis->showRepeats();
    });
    connect(&m_repository, &RunRepository::noticed, m_live,
            [this](const Message& sentence) { m_live->showWarning(term(sentence)); });
    connect(m_live, &LivePage::stateChanged, this, [this] {
        if (running())
            return;
        m_dock->show(std::nullopt);
        if (m_closeWhenStopped)
            close();
        else if (std::exchange(m_reopenWhenStopped, false))
            Q_EMIT reopenRequested();
    });
}

void MainWindow::connectAnalysis()
{
    connect(m_analysis, &AnalysisPage::historyRequested, this, [this] { showPage(Page::History); });
    connect(m_actions->saveReport, &QAction::triggered, this, [this] {
        if (currentPage() == Page::History)
            m_history->reportSelected();
        else if (m_analysis->stored())
            saveReportWithDialog(*this, m_repository, toQString(m_analysis->stored()->id));
    });
    connect(m_actions->nextRun, &QAction::triggered, this, [this] { m_analysis->step(1); });
    connect(m_actions->previousRun, &QAction::triggered, this, [this] { m_analysis->step(-1); });
    connect(&m_repository, &RunRepository::exported, this, [this](const QString& path) {
        if (currentPage() == Page::Analysis)
            m_analysis->showNotice(tr("Exported to %1.").arg(path));
    });
    connect(m_analysis, &AnalysisPage::openRequested, this, &MainWindow::openRun);
    connect(m_analysis, &AnalysisPage::againRequested, this, [this](double baselineSeconds) {
        m_live->repeatRun(m_analysis->run()->info, baselineSeconds);
        showPage(Page::Live);
    });
    connect(m_analysis, &AnalysisPage::reportRequested, m_actions->saveReport, &QAction::trigger);
    connect(m_analysis, &AnalysisPage::exportRequested, this, &MainWindow::exportRun);
    connect(m_analysis, &AnalysisPage::liveRequested, this, [this] { showPage(Page::Live); });
    connect(&m_analysis->controller(), &SelectionController::stopRuleWanted, this,
            [this](const QString& stop) {
                m_live->tryStop(m_analysis->run()->info, stop);
                showPage(Page::Live);
            });
    connect(m_analysis, &AnalysisPage::runChanged, this, &MainWindow::updateActions);
    connect(m_analysis, &AnalysisPage::annotationsEdited, this,
            [this](const QString& id, const std::vector<Annotation>& annotations) {
                m_repository.edit({id}, {.annotations = annotations});
            });
    connect(&m_repository, &RunRepository::listed, m_analysis, &AnalysisPage::setStored);
    connect(m_analysis, &AnalysisPage::tariffEdited, this, [this](const energy::Tariff& tariff) {
        const Settings before = m_settings.settings();
        keep(withTariff(before, tariff));
        applySettings(before);
    });
    connect(&m_repository, &RunRepository::opened, m_analysis, &AnalysisPage::showRun);
    m_analysis->document().readFrom(&m_repository);
    connect(&m_analysis->document(), &RunDocument::failed, &m_repository, &RunRepository::failed);
    connect(&m_repository, &RunRepository::qualitiesListed, &m_analysis->document(),
            &RunDocument::wantQualities);
    connect(m_analysis, &AnalysisPage::limitsRequested, this,
            [this] { showMachine(MachinePart::Limits); });
    connect(m_analysis, &AnalysisPage::tryRequested, this, &MainWindow::tryRemedy);
    connect(&m_repository, &RunRepository::removed, this, [this](const QStringList& ids) {
        if (m_analysis->run() && ids.contains(toQString(m_analysis->run()->info.id)))
            m_analysis->showRun(nullptr);
    });
}

// Also connects the pages that compare or sum up the listed runs.
void MainWindow::connectHistory()
{
    connect(m_history, &HistoryPage::openRequested, this, &MainWindow::openRun);
    connect(m_history, &HistoryPage::liveRequested, this, [this] { showPage(Page::Live); });
    connect(m_history, &HistoryPage::selectionChanged, this, &MainWindow::updateActions);

    const auto compare = [this](const QStringList& ids) {
        showPage(Page::Compare);
        m_compare->compareRuns(ids);
    };
    connect(m_history, &HistoryPage::compareRequested, this, compare);
    connect(m_analysis, &AnalysisPage::compareRequested, this, compare);
    connect(m_history, &HistoryPage::shownRunsChanged, this,
            [this] { m_insights->setRuns(m_history->runs(), m_history->shownRuns()); });
    connect(m_compare, &ComparePage::historyRequested, this, [this] { showPage(Page::History); });
    connect(m_compare, &ComparePage::openRequested, this, &MainWindow::openRun);
    connect(m_insights, &InsightsPage::openRequested, this, &MainWindow::openRun);
    connect(&m_repository, &RunRepository::qualitiesListed, m_insights,
            &InsightsPage::setQualities);
    connect(m_insights, &InsightsPage::qualityRequested, this,
            [this](const std::vector<session::QualityRequest>& requests) {
                auto* dialog = new QualityDialog(requests, m_repository.database(), this);
                connect(dialog, &QualityDialog::measured, &m_repository, &RunRepository::refresh);
                dialog->open();
            });
    connect(m_actions->measureQuality, &QAction::triggered, m_insights,
            &InsightsPage::measureQuality);
    connect(m_insights, &InsightsPage::historyRequested, this, [this] { showPage(Page::History); });

    connect(&m_repository, &RunRepository::failed, this, [this](const Error& error) {
        const QString problem = term(error.message);
        if (currentPage() == Page::Analysis)
            m_analysis->showProblem(problem);
        else if (currentPage() == Page::Compare)
            m_compare->showProblem(problem);
        else
            m_history->showProblem(problem);
    });
}

} // namespace ep::ui
