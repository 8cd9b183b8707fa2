// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements other than those of Live: the local API, calibration, limits, studies, pairs.
#include "dialogs/machine_dialog.h"
#include "dialogs/study_dialog.h"
#include "pages/analysis_page.h"
#include "pages/compare_page.h"
#include "pages/history_page.h"
#include "pages/insights_page.h"
#include "pages/live_page.h"
#include "repository/run_document.h"
#include "text.h"
#include "window/api_switch.h"
#include "window/window_actions.h"

#include "ep/core/clock.h"
#include "ep/model/library.h"
#include "ep/session/calibrate.h"
#include "ep/session/explain.h"
#include "ep/ui/main_window.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QApplication>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

// The models that a dialog offers.
std::vector<model::ModelListing> listedModels(std::vector<std::filesystem::path> folders,
                                              const Settings& settings)
{
    for (const QString& folder : settings.modelFolders)
        folders.emplace_back(folder.toStdString());
    for (const std::filesystem::path& folder : model::downloadFolders())
        folders.push_back(folder);
    return model::discoverModels(folders);
}

// A study of what Live would run, for the user to extend.
session::StudySpec studyLike(const session::RunRequest& run,
                             const std::vector<model::ModelListing>& models)
{
    session::StudySpec spec;
    spec.name = MainWindow::tr("study").toStdString();
    const auto first = std::ranges::find(models, true, &model::ModelListing::supported);
    if (!run.load.folder.empty() && !run.server)
        spec.models = {run.load.folder.string()};
    else if (first != models.end())
        spec.models = {first->name};
    std::vector<std::string> prompts{run.prompt};
    prompts.insert(prompts.end(), run.further_prompts.begin(), run.further_prompts.end());
    for (const std::string& prompt : prompts) {
        if (!prompt.empty())
            spec.prompts.push_back(
                {.name = "prompt " + std::to_string(spec.prompts.size() + 1), .text = prompt});
    }
    spec.chat = run.chat != session::ChatUse::Off;
    spec.depths = {run.depth};
    spec.devices = {run.load.device};
    spec.dtypes = {run.load.dtype};
    spec.batch_sizes = {run.batch_size};
    spec.output_tokens = {run.max_new_tokens};
    spec.sampling = run.sampling;
    spec.power = run.power.kind;
    return spec;
}

} // namespace

// Makes runs of the window, of programs, and of a study exclude each other.
void MainWindow::connectApi()
{
    connect(m_api.get(), &ApiSwitch::listening, this, [this](const QString& address) {
        statusBar()->showMessage(tr("The local API is available at %1.").arg(address), 10'000);
    });
    connect(m_api.get(), &ApiSwitch::failed, this, [this](const QString& problem) {
        statusBar()->showMessage(tr("The local API is off: %1").arg(problem));
    });
    connect(m_api.get(), &ApiSwitch::runningChanged, this, &MainWindow::shareMachine);
    connect(m_api.get(), &ApiSwitch::runStored, this, [this] { m_repository.refresh(); });
    connect(m_live, &LivePage::stateChanged, this, &MainWindow::shareMachine);
    connect(m_live, &LivePage::pairStored, this, [this] { m_repository.refresh(); });
    connect(m_live, &LivePage::cardKept, m_history, &HistoryPage::reloadCards);
    connect(m_history, &HistoryPage::paysRequested, m_actions->compareWith, &QAction::trigger);
    applyApi();
}

void MainWindow::applyApi()
{
    const Settings& settings = m_settings.settings();
    m_api->setStoreTexts(settings.storeTexts);
    m_api->set(settings.apiEnabled, settings.apiPort);
}

void MainWindow::shareMachine()
{
    m_api->setBusyElsewhere(running());
    const QString api =
        m_api->running() ? tr("A run through the local API is in progress.") : QString();
    m_live->setBusyElsewhere(!api.isEmpty()    ? api
                                 : m_studyRuns ? tr("A study is running.")
                                               : QString());
    m_actions->newStudy->setEnabled(!m_live->running() && !m_api->running());
}

void MainWindow::showMachine(MachinePart part)
{
    const session::RunRequest run = m_live->request();
    auto* dialog = new MachineDialog(
        {.examine =
             [](double seconds, const CancelToken& cancel, const ProgressFn& progress) {
                 return session::examineSensors({.seconds = seconds}, session::realBackend(),
                                                cancel, progress);
             },
         .measureLimits =
             [backend = m_backend, run](const CancelToken& cancel, const ProgressFn& progress) {
                 return session::measureRoofline(
                     {.power = run.power, .interval_ms = run.interval_ms}, backend, cancel,
                     progress);
             },
         .calibrate =
             [backend = m_backend, run](const CancelToken& cancel, const ProgressFn& progress) {
                 return session::calibrate(
                     {.load = run.load, .power = run.power, .interval_ms = run.interval_ms},
                     backend, cancel, progress);
             },
         .model = pathText(run.load.folder.filename()),
         .selfTest = m_selfTest,
         .diagnostics = m_collectDiagnostics,
         .database = m_repository.database()},
        this);
    connect(dialog, &MachineDialog::limitsStored, &m_analysis->document(),
            &RunDocument::wantExplanation);
    connect(dialog, &MachineDialog::modelledRequested, m_live, &LivePage::useModelledPower);
    dialog->showPart(part);
    dialog->open();
}

StudyDialog* MainWindow::showStudy()
{
    if (auto* open = findChild<StudyDialog*>(); open && (open->isVisible() || open->running())) {
        open->show();
        open->raise();
        open->activateWindow();
        return open;
    }
    saveSettings(); // includes the folders to search
    auto models = listedModels(m_bundledModels, m_settings.settings());
    const session::StudySpec like = studyLike(m_live->request(), models);
    auto* dialog = new StudyDialog(m_backend, std::move(models), m_repository.database(), this);
    dialog->setStoreTexts(m_settings.settings().storeTexts);
    dialog->setSpec(like);
    dialog->setLacksSensor(m_live->lacksSensor());
    connect(dialog, &StudyDialog::runningChanged, this, [this, dialog](bool running) {
        m_studyRuns = running;
        if (!running) {
            statusBar()->showMessage(tr("The study has ended."));
            QApplication::alert(this);
            dialog->show(); // shows the result
        }
        Q_EMIT m_live->stateChanged(); // whether something is running may have changed
    });
    connect(dialog, &StudyDialog::progressed, this,
            [this](const QString& what) { statusBar()->showMessage(tr("Study: %1").arg(what)); });
    connect(dialog, &StudyDialog::runStored, this, [this] { m_repository.refresh(); });
    connect(dialog, &StudyDialog::compareRequested, this, &MainWindow::compareExperiment);
    connect(dialog, &StudyDialog::runsRequested, this, &MainWindow::showExperiment);
    // The dialog would cover the page.
    connect(dialog, &StudyDialog::compareRequested, dialog, &QWidget::close);
    connect(dialog, &StudyDialog::runsRequested, dialog, &QWidget::close);
    dialog->show();
    return dialog;
}

void MainWindow::showExperiment(const QString& name)
{
    showPage(Page::History);
    m_history->showExperiment(name);
}

void MainWindow::compareExperiment(const QString& name)
{
    QStringList ids;
    if (const RunList& runs = m_history->runs()) {
        for (const RunSummary& run : *runs) {
            if (toQString(run.info.experiment) == name && run.info.status == RunStatus::Complete)
                ids << toQString(run.info.id);
        }
    }
    if (ids.size() < 2)
        return showExperiment(name);
    showPage(Page::Compare);
    m_compare->compareRuns(ids);
}

// Stores the prediction when the study starts, under the study's name at that time.
void MainWindow::tryRemedy(const RunPtr& run, const ExplanationPtr& explanation, int remedy)
{
    const energy::Remedy& tried = explanation->remedies.at(static_cast<std::size_t>(remedy));
    const auto study = session::studyFor(run->info, tried);
    if (!study)
        return m_analysis->showProblem(term(study.error().message));
    StudyDialog* dialog = showStudy();
    dialog->setSpec(*study);
    if (!tried.share)
        return;
    connect(dialog, &StudyDialog::runningChanged, this, [=, this](bool running) {
        if (!running)
            return;
        AdviceRecord advice = session::adviceFor(run->info, tried, explanation->diagnosis.of_time,
                                                 dialog->spec()->name);
        advice.created_at_ms = wallClockMs();
        m_repository.record(advice);
    });
}

} // namespace ep::ui
