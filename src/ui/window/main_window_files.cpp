// SPDX-License-Identifier: GPL-3.0-or-later
// Handles input from outside: files, drops, the first start.
#include "dialogs/guide_dialog.h"
#include "dialogs/import_power_dialog.h"
#include "pages/analysis_page.h"
#include "pages/compare_page.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "pages/run_prediction.h"
#include "pages/welcome_page.h"
#include "text.h"
#include "window/change_desk.h"
#include "window/path_opener.h"
#include "window/window_actions.h"

#include "ep/core/utf8.h"
#include "ep/model/library.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/main_window.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>

#include <algorithm>
#include <array>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kMessageMs = 8000;
constexpr std::size_t kPromptCharacters = 24;

// The model for questions of the welcome page: the user's own, or the bundled one.
QString askedModel(const Settings& settings, const QString& demo)
{
    const bool own = !settings.modelFolder.isEmpty() && QFileInfo::exists(settings.modelFolder);
    return own ? settings.modelFolder : demo;
}

} // namespace

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
    connect(m_live, &LivePage::modelBrowsed, this, [this](const QString& folder) {
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
    connect(m_live, &LivePage::compareRequested, change, &ChangeDesk::compareRequested);
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
    // One short answer says little; several, over some windows of the sensor, open as one mean.
    constexpr int kMaxDemoRuns = 50;
    constexpr session::UntilKnown kKnown{
        .half_width = 0.02, .most_seconds = 20.0, .least_seconds = 5.0};
    m_live->startUntil({.repeats = kMaxDemoRuns, .until = kKnown});
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

} // namespace ep::ui
