// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the actions of the menus, and enables or disables them.
#include "dialogs/command_palette.h"
#include "dialogs/help_dialogs.h"
#include "dialogs/import_power_dialog.h"
#include "dialogs/machine_dialog.h"
#include "dialogs/study_dialog.h"
#include "pages/analysis_page.h"
#include "pages/cards_tab.h"
#include "pages/compare_page.h"
#include "pages/comparison_view.h"
#include "pages/history_dialogs.h"
#include "pages/history_page.h"
#include "pages/insights_page.h"
#include "pages/live_page.h"
#include "pages/run_prediction.h"
#include "pages/selection_bar.h"
#include "pages/welcome_page.h"
#include "repository/run_document.h"
#include "text.h"
#include "widgets/status_figures.h"
#include "window/api_switch.h"
#include "window/change_desk.h"
#include "window/path_opener.h"
#include "window/window_actions.h"

#include "ep/core/clock.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/model/library.h"
#include "ep/session/calibrate.h"
#include "ep/session/explain.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/main_window.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>

#include <algorithm>
#include <array>
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
    session::StudySpec spec = session::studyLike(run);
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
    spec.run.chat = run.chat;
    return spec;
}

using namespace Qt::Literals::StringLiterals;

constexpr int kMessageMs = 8000;
constexpr std::size_t kPromptCharacters = 24;

// The model for questions of the welcome page: the user's own, or the bundled one.
QString askedModel(const Settings& settings, const QString& demo)
{
    const bool own = !settings.modelFolder.isEmpty() && QFileInfo::exists(settings.modelFolder);
    return own ? settings.modelFolder : demo;
}

constexpr std::size_t kMaxRuns = 500; // searches the newest runs
constexpr std::size_t kMaxHits = 20;
constexpr std::size_t kRunWords = 60; // bytes of the prompt to show

QString withoutMark(QString text)
{
    return text.remove(u'&');
}

void collectActions(std::vector<PaletteEntry>& entries, const QString& menu,
                    const QList<QAction*>& actions)
{
    for (QAction* action : actions) {
        if (action->menu()) {
            collectActions(entries, withoutMark(action->text()), action->menu()->actions());
        } else if (!action->isSeparator() && action->isEnabled()) {
            entries.push_back({.title = withoutMark(action->text()),
                               .kind = menu,
                               .detail = {},
                               .keys = action->shortcut().toString(QKeySequence::NativeText),
                               .choose = [action] { action->trigger(); }});
        }
    }
}

} // namespace

// Connects actions for the run in Live, for stored runs and for dialogs.
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
    on(a.about, [this] { (new AboutDialog(m_repository.database(), this))->open(); });
    on(a.aboutQt, [] { QApplication::aboutQt(); });
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
            m_analysis->view().bar().focusSearch();
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
        PaintedView::paintTimesShown = shown;
        for (PaintedView* chart : findChildren<PaintedView*>())
            chart->update();
    });
    connect(charts, &SelectionController::historyChanged, this, &MainWindow::updateActions);
    connect(charts, &SelectionController::selectionChanged, this, &MainWindow::updateActions);
    on(a.palette, [this] {
        auto* palette = new CommandPalette(
            paletteEntries(), [this](const QString& query) { return paletteHits(query); }, this);
        palette->open();
    });
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

// Measurements other than those of Live: the local API, calibration, limits, studies, pairs.

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
    connect(&m_live->comparison(), &ComparisonView::pairStored, this,
            [this] { m_repository.refresh(); });
    connect(&m_live->comparison(), &ComparisonView::cardKept, &m_history->cards(),
            &CardsTab::reload);
    connect(m_history, &HistoryPage::paysRequested, m_actions->compareWith, &QAction::trigger);
    applyApi();
}

void MainWindow::applyApi()
{
    const Settings& settings = m_settings.settings();
    m_api->setStoreTexts(settings.run.store_texts);
    m_api->set(settings.apiEnabled, settings.apiPort);
}

void MainWindow::shareMachine()
{
    m_api->setBusyElsewhere(running());
    const QString api =
        m_api->running() ? tr("A run through the local API is in progress.") : QString();
    m_live->setBusyElsewhere(!api.isEmpty() ? api : m_study);
    if (auto* study = findChild<StudyDialog*>())
        study->setBusyElsewhere(!api.isEmpty()          ? api
                                    : m_live->running() ? tr("A run is in progress.")
                                                        : QString());
    m_actions->newStudy->setEnabled(!m_live->running() && !m_api->running());
}

void MainWindow::showMachine(MachinePart part)
{
    const session::RunRequest run = m_live->request();
    auto* dialog = new MachineDialog(
        {.examine =
             [run](double seconds, const CancelToken& cancel, const ProgressFn& progress) {
                 return session::examineSensors(
                     {.seconds = seconds, .interval_ms = run.interval_ms}, session::realBackend(),
                     cancel, progress);
             },
         .measureLimits =
             [backend = m_backend, run](const CancelToken& cancel, const ProgressFn& progress) {
                 return session::measureRoofline({.threads = run.load.threads,
                                                  .power = run.power,
                                                  .interval_ms = run.interval_ms},
                                                 backend, cancel, progress);
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
    auto* dialog = new StudyDialog(m_backend, m_live->profiler(), std::move(models),
                                   m_repository.database(), this);
    dialog->setStoreTexts(m_settings.settings().run.store_texts);
    dialog->setSpec(like);
    dialog->setLacksSensor(m_live->lacksSensor());
    connect(dialog, &StudyDialog::runningChanged, this, [this, dialog](bool running) {
        m_study = running ? tr("A study is running.") : QString();
        m_live->followStudy(running);
        if (!running) {
            statusBar()->showMessage(tr("The study has ended."));
            QApplication::alert(this);
            dialog->show(); // shows the result
        }
        Q_EMIT m_live->stateChanged(); // whether something is running may have changed
    });
    connect(dialog, &StudyDialog::progressed, this, [this](const QString& what) {
        m_study = tr("Study: %1").arg(what);
        statusBar()->showMessage(m_study);
        m_live->nextOfStudy();
        shareMachine();
    });
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
    const QStringList ids = m_history->completeRuns(name);
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

// Handles input from outside: files, drops, the first start.

void MainWindow::connectFiles()
{
    connect(&m_repository, &RunRepository::listed, m_live->findChild<RunPrediction*>(),
            &RunPrediction::setRuns);
    const WindowActions& a = *m_actions;
    connect(a.openFile, &QAction::triggered, this, &MainWindow::askForRunFile);
    connect(a.importPower, &QAction::triggered, this, &MainWindow::askForPowerLog);
    connect(a.recent, &QMenu::aboutToShow, this, [this] {
        fillRecentMenu(
            *m_actions->recent, m_settings.settings().recentFiles, this,
            [this](const QString& file) { openPath(file); },
            [this] {
                Settings settings = m_settings.settings();
                settings.recentFiles.clear();
                keep(settings);
                m_actions->recent->setEnabled(false);
                m_welcome->setRecentFiles({});
            });
    });
    // Keeps a model found by browsing in the library after a restart.
    connect(&m_live->form().models(), &ModelPicker::browsed, this, [this](const QString& folder) {
        Settings settings = m_settings.settings();
        if (settings.modelFolders.contains(folder))
            return;
        settings.modelFolders << folder;
        keep(settings);
    });
    a.recent->setEnabled(!m_settings.settings().recentFiles.isEmpty());
    connect(&m_repository, &RunRepository::fileOpened, this,
            [this](const QString& file, const QStringList& ids, int added) {
                remember(file);
                if (ids.size() == 1) {
                    openRun(ids.first());
                } else {
                    showPage(Page::History);
                    statusBar()->showMessage(tr("%1 runs in %2, %3 of them imported.")
                                                 .arg(QString::number(ids.size()),
                                                      QFileInfo(file).fileName(),
                                                      QString::number(added)),
                                             kMessageMs);
                }
            });
}

void MainWindow::connectWelcome()
{
    m_welcome->setProblems(
        m_demoRun.empty() ? tr("The demo run was not installed with the program.") : QString(),
        demoModel().isEmpty() ? tr("The demo model was not installed with the program.")
                              : QString());
    m_welcome->setRecentFiles(m_settings.settings().recentFiles);
    connect(m_welcome, &WelcomePage::demoRunRequested, this,
            [this] { m_repository.openFile(pathText(m_demoRun)); });
    connect(m_welcome, &WelcomePage::demoModelRequested, this, [this] {
        profileDemoModel();
        // The answer is the ranking of the parts, which Analysis begins with.
        const auto rank = [this](const RunPtr& run) {
            if (currentPage() != Page::Live)
                return;
            if (m_analysis->run() != run)
                m_analysis->showRun(run);
            m_analysis->showRepeats();
            showPage(Page::Analysis);
        };
        connect(m_live, &LivePage::repeated, this, rank, Qt::SingleShotConnection);
    });
    connect(m_welcome, &WelcomePage::millionRequested, this, [this] {
        m_live->ask(RepeatQuestion::Million);
        profileDemoModel();
    });
    connect(m_welcome, &WelcomePage::existingRequested, this, [this] { showPage(Page::History); });
    connect(m_welcome, &WelcomePage::folderRequested, this, &MainWindow::addModelFolder);
    connect(m_welcome, &WelcomePage::sensorsRequested, m_actions->machine, &QAction::trigger);
    connect(m_actions->guide, &QAction::triggered, this, [this] { GuideDialog::open(*this); });
    connect(m_actions->glossary, &QAction::triggered, this,
            [this] { GuideDialog::open(*this, u"glossary.md"_s); });
    connect(m_welcome, &WelcomePage::paysRequested, m_actions->compareWith, &QAction::trigger);
    connect(m_welcome, &WelcomePage::fileRequested, this, &MainWindow::openPath);
    auto* change = new ChangeDesk(*m_live, *m_history, this);
    connect(m_welcome, &WelcomePage::changeBeforeRequested, change, &ChangeDesk::measureBefore);
    connect(m_welcome, &WelcomePage::changeAfterRequested, change, &ChangeDesk::measureAfter);
    connect(change, &ChangeDesk::pendingChanged, m_welcome, &WelcomePage::setPendingChange);
    connect(change, &ChangeDesk::liveRequested, this, [this] { showPage(Page::Live); });
    connect(change, &ChangeDesk::told, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence, kMessageMs); });
    connect(change, &ChangeDesk::compareRequested, this, [this](const QStringList& ids) {
        showPage(Page::Compare);
        m_compare->compareRuns(ids);
    });
    connect(&m_live->comparison(), &ComparisonView::compareRequested, change,
            &ChangeDesk::compareRequested);
    connect(m_welcome, &WelcomePage::closed, this, [this] { showPage(Page::Live); });
    connect(m_live, &LivePage::stateChanged, this, &MainWindow::startDemo);
}

void MainWindow::showWelcome()
{
    m_stack->setCurrentIndex(1);
    Settings settings = m_settings.settings();
    if (const QString model = askedModel(settings, demoModel()); !model.isEmpty()) {
        const QString prompt = m_live->prompt().isEmpty() ? Settings().prompt : m_live->prompt();
        m_welcome->setFirstRun(QFileInfo(model).fileName(),
                               toQString(previewUtf8(prompt.toStdString(), kPromptCharacters)));
    }
    settings.welcomeSeen = true;
    keep(settings);
}

void MainWindow::openPath(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    switch (kindOf(whole)) {
    case PathKind::Model: {
        const QFileInfo info(whole);
        showPage(Page::Live);
        m_live->chooseModel(toPath(info.isDir() ? whole : info.absolutePath()));
        return;
    }
    case PathKind::ModelsFolder: {
        saveSettings();
        Settings settings = m_settings.settings();
        if (!settings.modelFolders.contains(whole))
            settings.modelFolders << whole;
        keep(settings);
        m_live->readSettings(settings);
        showPage(Page::Live);
        const auto found = model::discoverModels(std::array{toPath(whole)});
        const auto first = std::ranges::find(found, true, &model::ModelListing::supported);
        if (first == found.end()) {
            m_live->showWarning(tr("No model that this program can run was found in %1; File > "
                                   "Model Library says why.")
                                    .arg(whole));
            return;
        }
        m_live->chooseModel(first->path);
        statusBar()->showMessage(tr("Models added from %1: %2. %3 is selected.")
                                     .arg(whole,
                                          QString::number(std::ranges::count(
                                              found, true, &model::ModelListing::supported)),
                                          toQString(first->name)),
                                 kMessageMs);
        return;
    }
    case PathKind::RunFile:
        showPage(Page::History); // shows the error if the file cannot be read
        m_repository.openFile(whole);
        return;
    case PathKind::PowerLog:
        importPower(whole);
        return;
    case PathKind::Missing:
        tellProblem(tr("%1 no longer exists.").arg(whole));
        return;
    case PathKind::Other:
        tellProblem(tr("%1 is neither a run nor a model: open a run exported as JSON, a run "
                       "database, or a folder with config.json.")
                        .arg(whole));
        return;
    }
}

void MainWindow::tellProblem(const QString& problem)
{
    showPage(Page::History);
    m_history->showProblem(problem);
}

void MainWindow::remember(const QString& file)
{
    if (toPath(file) == m_demoRun)
        return;
    Settings settings = m_settings.settings();
    settings.recentFiles = withRecent(settings.recentFiles, file);
    keep(settings);
    m_actions->recent->setEnabled(true);
    m_welcome->setRecentFiles(settings.recentFiles);
}

void MainWindow::importPower(const QString& file)
{
    auto* dialog = new ImportPowerDialog(toPath(file), m_repository.database(),
                                         m_settings.settings().powerTables, this);
    connect(dialog, &ImportPowerDialog::described, this, [this](const QByteArray& tables) {
        Settings settings = m_settings.settings();
        settings.powerTables = tables;
        keep(settings);
    });
    connect(dialog, &ImportPowerDialog::imported, this, [this](const QString& run) {
        m_repository.refresh();
        openRun(run);
    });
    dialog->open();
}

void MainWindow::askForPowerLog()
{
    auto* dialog = makeFileDialog(this, tr("Import Power Recording"), u"powerLogDialog"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Power as CSV, JSON or text, of a power meter or a program (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::importPower);
    dialog->open();
}

void MainWindow::askForRunFile()
{
    auto* dialog = makeFileDialog(this, tr("Open Run File"), u"runFileDialog"_s);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Runs (*.eprun *.json *.db)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

void MainWindow::addModelFolder()
{
    auto* dialog = makeFileDialog(this, tr("Folder with Models"), u"modelsFolderDialog"_s);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

QString MainWindow::demoModel() const
{
    for (const std::filesystem::path& folder : m_bundledModels) {
        const QDir place(pathText(folder));
        const QStringList names = place.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        for (const QString& name : names) {
            if (kindOf(place.filePath(name)) == PathKind::Model)
                return place.filePath(name);
        }
    }
    return {};
}

void MainWindow::profileDemoModel()
{
    showPage(Page::Live);
    if (m_live->running()) {
        statusBar()->showMessage(tr("A run is in progress."), kMessageMs);
        return;
    }
    if (m_live->prompt().isEmpty())
        m_live->setPrompt(Settings().prompt);
    m_startDemo = true;
    saveSettings();
    m_live->chooseModel(toPath(askedModel(m_settings.settings(), demoModel())));
    startDemo();
}

// Models are examined on another thread; the form signals when the demo model is selected.
void MainWindow::startDemo()
{
    if (!m_startDemo || !m_live->canStart() || !m_live->knowsSensors())
        return;
    Settings form;
    m_live->writeSettings(form);
    if (toPath(form.modelFolder) != toPath(askedModel(m_settings.settings(), demoModel())))
        return;
    m_startDemo = false;
    if (m_live->lacksSensor()) { // the first run shows joules, and says how they were obtained
        m_live->useModelledPower();
        statusBar()->showMessage(
            tr("No power sensor works here: the energy of this run is modelled."), kMessageMs);
    }
    // The energy of one short answer is uncertain, so the run is repeated until its mean is known;
    // the runs open as one mean.
    m_live->startUntilKnown();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (droppedPath(*event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const auto path = droppedPath(*event->mimeData())) {
        event->acceptProposedAction();
        openPath(*path);
    }
}

// Entries of the command palette: menus, stored runs, models and, for the open run, the pages'
// search for layers, components and tokens.

std::vector<PaletteEntry> MainWindow::paletteEntries()
{
    std::vector<PaletteEntry> entries;
    collectActions(entries, {}, menuBar()->actions());
    if (const RunList& runs = m_history->runs()) {
        for (const RunSummary& run : *runs) {
            if (entries.size() > kMaxRuns)
                break;
            const std::string words = runTitle(run.info);
            entries.push_back(
                {.title = toQString(previewUtf8(words, kRunWords)).simplified(),
                 .kind = tr("Run"),
                 .detail = u"%1, %2, %3"_s.arg(toQString(run.info.model.name),
                                               dateText(run.info.created_at_ms), energyText(run)),
                 .keys = {},
                 .choose = [this, id = toQString(run.info.id)] { openRun(id); }});
        }
    }
    for (const ModelChoice& model : m_live->models()) {
        entries.push_back({.title = model.displayName(),
                           .kind = tr("Model"),
                           .detail = model.problem.isEmpty() ? model.facts : model.problem,
                           .keys = {},
                           .choose = [this, folder = model.folder] {
                               showPage(Page::Live);
                               m_live->chooseModel(folder);
                           }});
    }
    return entries;
}

// Finds layers and tokens by number or text, and components by name.
std::vector<PaletteEntry> MainWindow::paletteHits(const QString& query)
{
    const RunPtr& run = m_analysis->run();
    if (!run)
        return {};
    SelectionController* charts = &m_analysis->controller();
    const auto select = [this, charts](auto change) {
        return [this, charts, change] {
            showPage(Page::Analysis);
            change(*charts);
        };
    };
    const auto layerEntry = [&](std::int32_t layer) {
        return PaletteEntry{.title = QString::number(layer),
                            .kind = tr("Layer"),
                            .detail = {},
                            .keys = {},
                            .choose = select([layer](SelectionController& controller) {
                                controller.selectPart(layer, std::nullopt);
                            })};
    };
    std::vector<PaletteEntry> numbered;
    for (const std::int32_t layer : m_analysis->view().bar().layers())
        numbered.push_back(layerEntry(layer));
    for (const TokenSpan& token : run->trace.tokens) {
        numbered.push_back({.title = QString::number(token.index),
                            .kind = tr("Token"),
                            .detail = u"“"_s + toQString(token.text).simplified() + u"”"_s,
                            .keys = {},
                            .choose = select([index = token.index](SelectionController& c) {
                                c.selectToken(index);
                            })});
    }
    std::vector<PaletteEntry> entries;
    for (const std::size_t index : paletteMatches(query, numbered, kMaxHits))
        entries.push_back(std::move(numbered[index]));
    std::size_t components = 0;
    for (const SearchHit& hit : m_analysis->view().bar().find(query).hits) {
        if (!hit.component || ++components > kMaxHits)
            continue;
        PaletteEntry entry = layerEntry(hit.layer.value_or(0));
        entry.detail = term(viz::title(*hit.component));
        entry.choose = select([hit](SelectionController& controller) {
            controller.selectPart(hit.layer, hit.component);
        });
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace ep::ui
