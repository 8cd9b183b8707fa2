// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/main_window.h"

#include "model_library_dialog.h"
#include "pages/analysis_page.h"
#include "pages/export_dialog.h"
#include "pages/history_page.h"
#include "pages/live_page.h"
#include "palettes.h"
#include "preferences_dialog.h"
#include "sensor_doctor_dialog.h"
#include "shortcut_sheet.h"
#include "text.h"
#include "widgets/status_figures.h"
#include "window_actions.h"

#include "ep/session/environment.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr QSize kFirstSize(1280, 800);

} // namespace

MainWindow::MainWindow(WindowServices services, SettingsStore& settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_bundledModels(services.bundledModels)
    , m_repository(services.database)
    , m_actions(std::make_unique<WindowActions>(buildMenus(*this)))
    , m_tabs(new QTabWidget(this))
    , m_live(new LivePage(std::move(services.backend), std::move(services.bundledModels),
                          std::move(services.probeSources), services.database, this))
    , m_analysis(new AnalysisPage(this))
    , m_history(new HistoryPage(m_repository, this))
    , m_status(new StatusFigures(*statusBar()))
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Energy Profiler"));
    m_tabs->setObjectName(u"pages"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_live, tr("Live"));
    m_tabs->addTab(m_analysis, tr("Analysis"));
    m_tabs->addTab(m_history, tr("History"));
    setCentralWidget(m_tabs);

    const Settings& remembered = m_settings.settings();
    if (!restoreGeometry(remembered.windowGeometry))
        resize(kFirstSize);
    applyTheme(remembered.theme);
    m_live->readSettings(remembered);
    m_history->readSettings(remembered);

    connectActions();
    connectPages();
    updateActions();
    m_repository.refresh();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectActions()
{
    const WindowActions& a = *m_actions;
    const auto on = [this](QAction* action, auto reaction) {
        connect(action, &QAction::triggered, this, reaction);
    };
    on(a.newRun, [this] {
        showPage(Page::Live);
        m_live->newRun();
    });
    on(a.library, [this] { showLibrary(); });
    on(a.exportJson, [this] { exportRun(RunRepository::Format::Json); });
    on(a.exportCsv, [this] { exportRun(RunRepository::Format::Csv); });
    on(a.close, [this] { close(); });
    on(a.quit, [this] { close(); });
    on(a.find, [this] {
        showPage(Page::History);
        m_history->focusSearch();
    });
    on(a.deleteRuns, [this] { m_history->deleteSelected(); });
    on(a.preferences, [this] { showPreferences(); });
    on(a.live, [this] { showPage(Page::Live); });
    on(a.analysis, [this] { showPage(Page::Analysis); });
    on(a.history, [this] { showPage(Page::History); });
    on(a.start, [this] {
        showPage(Page::Live);
        m_live->start();
    });
    on(a.stop, [this] { m_live->stop(); });
    on(a.sensorDoctor, [this] {
        const auto examine = [](double seconds, const CancelToken& cancel,
                                const ProgressFn& progress) {
            return session::examineSensors({.seconds = seconds}, session::realBackend(), cancel,
                                           progress);
        };
        (new SensorDoctorDialog(examine, this))->open();
    });
    on(a.shortcuts, [this] { (new ShortcutSheet(*menuBar(), this))->open(); });
    on(a.about, [this] { showAbout(); });
    on(a.aboutQt, [] { QApplication::aboutQt(); });
    connect(a.themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        const auto choice = static_cast<ThemeChoice>(action->data().toInt());
        Settings settings = m_settings.settings();
        settings.theme = choice;
        m_settings.save(settings);
        applyTheme(choice);
    });
}

void MainWindow::connectPages()
{
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::updateActions);
    connect(m_live, &LivePage::stateChanged, this, &MainWindow::updateActions);
    connect(m_live, &LivePage::countersChanged, this,
            [this] { m_status->show(m_live->counters(), m_live->askedIntervalMs()); });
    connect(m_live, &LivePage::runFinished, this, [this](const RunPtr& run, bool saved) {
        statusBar()->showMessage(tr("Run %1.").arg(statusText(run->info.status).toLower()), 5000);
        // Whoever reads another run is not interrupted.
        if (m_tabs->currentWidget() != m_analysis || !m_analysis->run())
            m_analysis->showRun(run);
        if (saved)
            m_repository.refresh();
    });
    connect(m_live, &LivePage::stateChanged, this, [this] {
        if (m_closeWhenStopped && !m_live->running())
            close();
    });

    connect(m_analysis, &AnalysisPage::historyRequested, this, [this] { showPage(Page::History); });
    connect(m_analysis, &AnalysisPage::liveRequested, this, [this] { showPage(Page::Live); });
    connect(m_analysis, &AnalysisPage::runChanged, this, &MainWindow::updateActions);

    connect(m_history, &HistoryPage::openRequested, this, &MainWindow::openRun);
    connect(m_history, &HistoryPage::liveRequested, this, [this] { showPage(Page::Live); });
    connect(m_history, &HistoryPage::selectionChanged, this, &MainWindow::updateActions);

    connect(&m_repository, &RunRepository::opened, m_analysis, &AnalysisPage::showRun);
    connect(&m_repository, &RunRepository::removed, this, [this](const QStringList& ids) {
        if (m_analysis->run() && ids.contains(toQString(m_analysis->run()->info.id)))
            m_analysis->showRun(nullptr);
    });
    connect(&m_repository, &RunRepository::failed, this, [this](const QString& problem) {
        if (m_tabs->currentWidget() == m_analysis)
            m_analysis->showProblem(problem);
        else
            m_history->showProblem(problem);
    });
}

void MainWindow::showPage(Page page)
{
    switch (page) {
    case Page::Live:
        m_tabs->setCurrentWidget(m_live);
        break;
    case Page::Analysis:
        m_tabs->setCurrentWidget(m_analysis);
        break;
    case Page::History:
        m_tabs->setCurrentWidget(m_history);
        break;
    }
}

void MainWindow::openRun(const QString& idOrItsBeginning)
{
    showPage(Page::Analysis);
    m_analysis->showLoading(tr("Opening the run…"));
    m_repository.open(idOrItsBeginning);
}

void MainWindow::updateActions()
{
    const WindowActions& a = *m_actions;
    const bool inHistory = m_tabs->currentWidget() == m_history;
    const bool inAnalysis = m_tabs->currentWidget() == m_analysis;
    const auto selected = m_history->selectedIds().size();
    const bool exportable = (inHistory && selected == 1) || (inAnalysis && m_analysis->run());
    a.exportJson->setEnabled(exportable);
    a.exportCsv->setEnabled(exportable);
    a.deleteRuns->setEnabled(inHistory && selected > 0);
    a.library->setEnabled(!m_live->running());
    a.start->setEnabled(m_live->canStart());
    a.stop->setEnabled(m_live->canStop());
}

void MainWindow::exportRun(RunRepository::Format format)
{
    if (m_tabs->currentWidget() == m_history)
        m_history->exportSelected(format);
    else if (m_analysis->run())
        exportWithDialog(*this, m_repository, m_analysis->run()->info, format);
}

void MainWindow::applyTheme(ThemeChoice choice)
{
    for (QAction* action : m_actions->themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
    QApplication::setPalette(paletteFor(choice));
}

void MainWindow::showLibrary()
{
    saveSettings();
    const Settings& now = m_settings.settings();
    auto* dialog = new ModelLibraryDialog(m_bundledModels, now.modelFolders, now.modelFolder, this);
    connect(dialog, &ModelLibraryDialog::foldersChanged, this, [this](const QStringList& folders) {
        Settings settings = m_settings.settings();
        settings.modelFolders = folders;
        m_settings.save(settings);
        m_live->readSettings(settings);
    });
    connect(dialog, &ModelLibraryDialog::modelChosen, this,
            [this](const std::filesystem::path& folder) {
                showPage(Page::Live);
                m_live->chooseModel(folder);
            });
    dialog->open();
}

void MainWindow::showPreferences()
{
    saveSettings();
    auto* dialog = new PreferencesDialog(m_settings.settings(), this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        Settings settings = m_settings.settings();
        dialog->writeSettings(settings);
        m_settings.save(settings);
        m_live->readSettings(settings);
    });
    dialog->open();
}

void MainWindow::showAbout()
{
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Energy Profiler"),
                        tr("Energy Profiler %1").arg(toQString(session::applicationVersion())),
                        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(windowIcon().pixmap(64));
    box->setInformativeText(tr("Shows where the joules of a transformer's inference go.\n\n"
                               "Free software under the GNU General Public License, version 3 or "
                               "later; it comes without any warranty.\n\nRuns are stored in %1")
                                .arg(pathText(m_repository.database())));
    box->open();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_live->running()) {
        event->ignore();
        if (!m_closeWhenStopped)
            askToStopAndClose();
        return;
    }
    saveSettings();
    QMainWindow::closeEvent(event);
}

void MainWindow::askToStopAndClose()
{
    auto* box = new QMessageBox(QMessageBox::Question, tr("Run in Progress"),
                                tr("Stop the run and close?"), QMessageBox::Cancel, this);
    box->setObjectName(u"closeQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("What has been recorded so far is kept in History."));
    QPushButton* stop = box->addButton(tr("Stop and Close"), QMessageBox::DestructiveRole);
    stop->setObjectName(u"closeConfirm"_s);
    connect(stop, &QPushButton::clicked, this, [this] {
        m_closeWhenStopped = true;
        if (m_live->running())
            m_live->stop();
        else
            close();
    });
    box->open();
}

void MainWindow::saveSettings()
{
    Settings settings = m_settings.settings();
    m_live->writeSettings(settings);
    m_history->writeSettings(settings);
    settings.windowGeometry = saveGeometry();
    m_settings.save(settings);
}

} // namespace ep::ui
