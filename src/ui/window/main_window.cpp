// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/main_window.h"

#include "dialogs/model_library_dialog.h"
#include "dialogs/study_dialog.h"
#include "pages/analysis_page.h"
#include "pages/compare_page.h"
#include "pages/export_dialog.h"
#include "pages/history_page.h"
#include "pages/insights_page.h"
#include "pages/live_page.h"
#include "pages/run_view.h"
#include "pages/welcome_page.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/navigation_rail.h"
#include "widgets/page_scroll.h"
#include "widgets/splitters.h"
#include "widgets/status_figures.h"
#include "window/api_switch.h"
#include "window/attention.h"
#include "window/dock_badge.h"
#include "window/window_actions.h"

#include "ep/core/clock.h"
#include "ep/session/environment.h"
#include "ep/session/explain.h"
#include "ep/store/store.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>

#include <array>
#include <string>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr QSize kFirstWindowSize(1280, 760); // fits a screen of 1280 x 800 with its frame
constexpr QSize kMinWindowSize(800, 500);

// Keeps the work of the window out of the run.
session::Backend besideWindow(session::Backend backend, const RunRepository& repository)
{
    backend.beside = {ThreadClock::ofThisThread(), repository.threadClock()};
    return backend;
}

} // namespace

MainWindow::MainWindow(WindowServices services, SettingsStore& settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_bundledModels(services.bundledModels)
    , m_demoRun(services.demoRun)
    , m_collectDiagnostics(std::move(services.collectDiagnostics))
    , m_selfTest(std::move(services.selfTest))
    , m_log(std::move(services.log))
    , m_repository(services.database)
    , m_actions(std::make_unique<WindowActions>(buildMenus(*this)))
    , m_stack(new QStackedWidget(this))
    , m_welcome(new WelcomePage(this))
    , m_navigation(new NavigationRail(this))
    , m_pages(new QStackedWidget(this))
    , m_backend(besideWindow(std::move(services.backend), m_repository))
    , m_api(std::make_unique<ApiSwitch>(
          m_backend,
          api::Options{.database = services.database,
                       .token_file = services.database.parent_path() / "api-token",
                       .model_folders = services.bundledModels}))
    , m_live(new LivePage(m_backend, std::move(services.bundledModels),
                          std::move(services.probeSources), services.database, this))
    , m_analysis(new AnalysisPage(this))
    , m_history(new HistoryPage(m_repository, this))
    , m_compare(new ComparePage(m_repository, this))
    , m_insights(new InsightsPage(this))
    , m_status(new StatusFigures(*statusBar()))
    , m_dock(std::make_unique<DockBadge>())
{
    installDesign();
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Energy Profiler"));
    buildFrame();
    setAcceptDrops(true);

    const Settings& remembered = m_settings.settings();
    if (!restoreGeometry(remembered.windowGeometry))
        resize(kFirstWindowSize);
    Theme::useOkabeIto(remembered.okabeIto);
    applyTheme(remembered.theme);
    m_analysis->setTariff(tariffFrom(remembered));
    m_history->setTariff(tariffFrom(remembered));
    m_saveLater.setSingleShot(true);
    connect(&m_saveLater, &QTimer::timeout, this, &MainWindow::saveSettings);
    m_live->readSettings(remembered);
    connect(m_live, &LivePage::edited, this, &MainWindow::saveSoon);
    m_history->readSettings(remembered);
    m_navigation->setFolded(remembered.navigationFolded);

    connectRunActions();
    connectViewActions();
    connectToolActions();
    connectFiles();
    connectApi(); // before the pages, because these ask whether anything is running
    connectLive();
    connectAnalysis();
    connectHistory();
    connectWelcome();
    followAttention();
    updateActions();
    m_repository.refresh();
}

MainWindow::~MainWindow() = default;

// Places the navigation at the left of the pages; a page larger than a small window scrolls.
void MainWindow::buildFrame()
{
    struct Entry {
        Page page;
        const char* id;
        QLatin1StringView icon;
        QString title;
        QAction* action;
    };
    const std::array entries{
        Entry{Page::Live, "navigationLive", "live"_L1, tr("Live"), m_actions->live},
        Entry{Page::Analysis, "navigationAnalysis", "analysis"_L1, tr("Analysis"),
              m_actions->analysis},
        Entry{Page::History, "navigationHistory", "history"_L1, tr("History"), m_actions->history},
        Entry{Page::Compare, "navigationCompare", "compare"_L1, tr("Compare"), m_actions->compare},
        Entry{Page::Insights, "navigationInsights", "insights"_L1, tr("Insights"),
              m_actions->insights}};
    m_pages->setObjectName(u"pages"_s);
    for (const Entry& entry : entries) {
        m_navigation->addPage(QString::fromLatin1(entry.id), entry.icon, entry.title,
                              entry.action->shortcut());
        m_pages->addWidget(new PageScroll(page(entry.page), this));
    }
    connect(m_navigation, &NavigationRail::chosen, this,
            [this](int page) { showPage(static_cast<Page>(page)); });
    connect(m_pages, &QStackedWidget::currentChanged, m_navigation, &NavigationRail::setCurrent);
    m_navigation->setCurrent(0);

    auto* workspace = new QWidget(this);
    auto* row = new QHBoxLayout(workspace);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_navigation);
    row->addWidget(separator(Qt::Vertical, workspace));
    row->addWidget(m_pages, 1);
    m_stack->addWidget(workspace);
    m_stack->addWidget(new PageScroll(m_welcome, this));
    setCentralWidget(m_stack);
    setMinimumSize(kMinWindowSize);
}

QWidget* MainWindow::page(Page page) const
{
    switch (page) {
    case Page::Live:
        return m_live;
    case Page::Analysis:
        return m_analysis;
    case Page::History:
        return m_history;
    case Page::Compare:
        return m_compare;
    case Page::Insights:
        break;
    }
    return m_insights;
}

Page MainWindow::currentPage() const
{
    return static_cast<Page>(m_pages->currentIndex());
}

void MainWindow::prepareRuns()
{
    m_live->prepare();
}

void MainWindow::fitInto(const QSize& screen)
{
    // A small screen with a large scale may be below the minimum size; everything scrolls there.
    setMinimumSize(kMinWindowSize.boundedTo(screen));
    resize(size().boundedTo(screen));
}

// Resets everything that can be moved to the state of a first window.
void MainWindow::resetLayout()
{
    for (QSplitter* splitter : findChildren<QSplitter*>())
        resetSplitter(*splitter);
    m_history->resetColumns();
    m_live->setChoicesShown(true);
    m_navigation->setFolded(false);
    setWindowState(windowState() & ~(Qt::WindowMaximized | Qt::WindowFullScreen));
    resize(kFirstWindowSize);
}

void MainWindow::showPage(Page page)
{
    m_stack->setCurrentIndex(0);
    m_pages->setCurrentIndex(static_cast<int>(page));
}

void MainWindow::openRun(const QString& idOrItsBeginning)
{
    showPage(Page::Analysis);
    m_analysis->showNotice(tr("Opening the run…"));
    m_repository.open(idOrItsBeginning);
}

void MainWindow::exportRun(RunRepository::Format format)
{
    if (currentPage() == Page::History)
        m_history->exportSelected(format);
    else if (m_analysis->run())
        exportWithDialog(*this, m_repository, m_analysis->run()->info, format);
}

void MainWindow::showLibrary()
{
    saveSettings();
    const Settings& now = m_settings.settings();
    auto* dialog = new ModelLibraryDialog(m_bundledModels, now.modelFolders, now.modelFolder, this);
    connect(dialog, &ModelLibraryDialog::foldersChanged, this, [this](const QStringList& folders) {
        Settings settings = m_settings.settings();
        settings.modelFolders = folders;
        keep(settings);
        m_live->readSettings(settings);
    });
    connect(dialog, &ModelLibraryDialog::modelChosen, this,
            [this](const std::filesystem::path& folder) {
                showPage(Page::Live);
                m_live->chooseModel(folder);
            });
    dialog->open();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (running()) {
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
        else if (m_studyRuns)
            findChild<StudyDialog*>()->stop();
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
    settings.navigationFolded = m_navigation->foldedByUser();
    keep(settings);
}

} // namespace ep::ui
