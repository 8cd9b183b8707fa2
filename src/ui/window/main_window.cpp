// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/main_window.h"

#include "dialogs/machine_dialog.h"
#include "dialogs/model_library_dialog.h"
#include "dialogs/preferences_dialog.h"
#include "dialogs/quality_dialog.h"
#include "dialogs/study_dialog.h"
#include "pages/analysis_page.h"
#include "pages/compare_page.h"
#include "pages/history_dialogs.h"
#include "pages/history_page.h"
#include "pages/insights_page.h"
#include "pages/live_page.h"
#include "pages/totals_tab.h"
#include "pages/welcome_page.h"
#include "repository/run_document.h"
#include "text.h"
#include "theme/design.h"
#include "theme/palettes.h"
#include "widgets/assembly.h"
#include "widgets/navigation_rail.h"
#include "widgets/status_figures.h"
#include "window/api_switch.h"
#include "window/dock_badge.h"
#include "window/window_actions.h"

#include "ep/core/clock.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleHints>
#include <QToolTip>
#include <QWindow>

#include <array>
#include <functional>
#include <string>
#include <utility>

namespace ep::ui {

namespace {

// Shows a page as large as the window; scrolls if the window is below the page's minimum.
class PageScroll : public QScrollArea {
public:
    explicit PageScroll(QWidget* page, QWidget* parent = nullptr)
        : QScrollArea(parent)
    {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setWidget(new Holder(page));
    }

private:
    // Has no layout of its own: a scroll area uses a layout's height for width as its minimum
    // height, which is the preferred height as soon as a text on the page can wrap.
    class Holder : public QWidget {
    public:
        explicit Holder(QWidget* page)
            : m_page(page)
        {
            page->setParent(this);
        }
        QSize sizeHint() const override { return m_page->sizeHint(); }
        QSize minimumSizeHint() const override { return m_page->minimumSizeHint(); }

    protected:
        void resizeEvent(QResizeEvent*) override { m_page->setGeometry(rect()); }
        bool event(QEvent* event) override
        {
            if (event->type() == QEvent::LayoutRequest)
                updateGeometry();
            return QWidget::event(event);
        }

    private:
        QWidget* m_page;
    };
};

// How closely the user watches the window: it is in use, another window is in use beside it, or it
// is minimised or covered, as far as the window system reports it (X11 does not report covered
// windows).
enum class Attention { InUse, Beside, Hidden };

// How often to check for runs of other processes.
constexpr int pollIntervalMs(Attention attention)
{
    switch (attention) {
    case Attention::InUse:
        break;
    case Attention::Beside:
        return 1000;
    case Attention::Hidden:
        return 5000;
    }
    return 500;
}

// Follows the attention that a top-level window gets.
class AttentionWatch : public QObject {
public:
    AttentionWatch(QWidget& window, std::function<void(Attention)> changed)
        : QObject(&window)
        , m_window(window)
        , m_changed(std::move(changed))
    {
        window.installEventFilter(this);
        connect(qApp, &QGuiApplication::applicationStateChanged, this, [this] { look(); });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        switch (event->type()) {
        case QEvent::Show:
            if (QWindow* const shown = m_window.windowHandle())
                shown->installEventFilter(this); // has no effect the second time
            look();
            break;
        case QEvent::Expose:
        case QEvent::WindowStateChange:
            look();
            break;
        default:
            break;
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void look()
    {
        const QWindow* const window = m_window.windowHandle();
        // On macOS, a window that is minimised or behind others is not exposed.
        const bool hidden = m_window.isMinimized() || (window && !window->isExposed());
        const bool inUse = QGuiApplication::applicationState() == Qt::ApplicationActive;
        const Attention now = hidden ? Attention::Hidden
            : inUse                  ? Attention::InUse
                                     : Attention::Beside;
        if (std::exchange(m_attention, now) != now)
            m_changed(now);
    }

    QWidget& m_window;
    std::function<void(Attention)> m_changed;
    Attention m_attention = Attention::InUse;
};

// Parts without a stretch factor get their preferred size; the others share the rest.
void resetSplitter(QSplitter& splitter)
{
    constexpr int kShare = 1000; // large compared with preferred sizes
    QList<int> sizes;
    for (int i = 0; i < splitter.count(); ++i) {
        const QWidget& part = *splitter.widget(i);
        const bool across = splitter.orientation() == Qt::Horizontal;
        const int stretch =
            across ? part.sizePolicy().horizontalStretch() : part.sizePolicy().verticalStretch();
        const int asked = across ? part.sizeHint().width() : part.sizeHint().height();
        sizes << (stretch > 0 ? stretch * kShare : asked);
    }
    splitter.setSizes(sizes);
}

using namespace Qt::Literals::StringLiterals;

constexpr QSize kFirstWindowSize(1280, 760); // fits a screen of 1280 x 800 with its frame
constexpr QSize kMinWindowSize(800, 500);

// Tells a run which threads belong to the window, so that their work is not counted as its own.
session::Backend besideWindow(session::Backend backend, const RunRepository& repository)
{
    backend.beside = {ThreadClock::ofThisThread(), repository.threadClock()};
    return backend;
}

constexpr int kSaveMs = 1500;
constexpr int kNarrowWindow = 1100; // narrower windows show the navigation as icons only

// Tool tips have a palette of their own, which some styles make yellow.
void keepToolTipsPlain()
{
    const QPalette shown = QApplication::palette();
    QPalette tips = QToolTip::palette();
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        tips.setColor(group, QPalette::ToolTipBase, shown.color(QPalette::Active, QPalette::Base));
        tips.setColor(group, QPalette::ToolTipText, shown.color(QPalette::Active, QPalette::Text));
    }
    if (tips != QToolTip::palette())
        QToolTip::setPalette(tips);
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
    , m_pages(named(new QStackedWidget(this), u"pages"_s))
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
    checkSavedFiles([database = m_repository.database()](const QString& file) {
        return store::checkReplaceable(toPath(file), database);
    });
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
    m_analysis->view().setTariff(tariffFrom(remembered));
    m_history->totals().setTariff(tariffFrom(remembered));
    m_saveLater.setSingleShot(true);
    connect(&m_saveLater, &QTimer::timeout, this, &MainWindow::saveSettings);
    m_live->readSettings(remembered);
    connect(m_live, &LivePage::edited, this, &MainWindow::saveSoon);
    m_history->readSettings(remembered);
    m_navigation->setFolded(remembered.navigationFolded);

    connectRunActions();
    connectViewActions();
    connectFiles();
    connectApi(); // before the pages, because these ask whether anything is running
    connectLive();
    connectAnalysis();
    connectHistory();
    connectWelcome();
    // A window that nobody is looking at draws and polls less.
    new AttentionWatch(*this, [this](Attention attention) {
        m_live->setHidden(attention == Attention::Hidden);
        m_repository.setPollInterval(pollIntervalMs(attention));
    });
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
    auto* row =
        flush(inRow(workspace, {m_navigation, separator(Qt::Vertical, workspace), {m_pages, 1}}));
    row->setSpacing(0);
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
    auto* box = named(new QMessageBox(QMessageBox::Question, tr("Run in Progress"),
                                      tr("Stop the run and close?"), QMessageBox::Cancel, this),
                      u"closeQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("What has been recorded so far is kept in History."));
    QPushButton* stop = named(box->addButton(tr("Stop and Close"), QMessageBox::DestructiveRole),
                              u"closeConfirm"_s);
    connect(stop, &QPushButton::clicked, this, [this] {
        m_closeWhenStopped = true;
        if (m_live->running())
            m_live->stop();
        else if (!m_study.isEmpty())
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

// Connects the pages of the window with each other and with the stored runs.

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
        statusBar()->showMessage(tr("Run %1.").arg(term(name(run->info.status))), 5000);
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
            saveReportWithDialog(*this, m_repository, *m_analysis->stored());
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
    connect(&m_analysis->view(), &RunView::tariffEdited, this,
            [this](const energy::Tariff& tariff) {
                const Settings before = m_settings.settings();
                keep(withTariff(before, tariff));
                applySettings(before);
            });
    connect(&m_repository, &RunRepository::opened, m_analysis, &AnalysisPage::showRun);
    m_analysis->document().readFrom(&m_repository);
    connect(&m_analysis->document(), &RunDocument::failed, &m_repository, &RunRepository::failed);
    connect(&m_repository, &RunRepository::qualitiesListed, &m_analysis->document(),
            &RunDocument::wantQualities);
    connect(&m_analysis->view(), &RunView::limitsRequested, this,
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

// Settings, their effects, and the dialogs about the program.

void MainWindow::applyTheme(ThemeChoice choice)
{
    for (QAction* action : m_actions->themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(choice));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    // Native controls follow the system's colour scheme, not the palette.
    QGuiApplication::styleHints()->setColorScheme(
        choice == ThemeChoice::Dark        ? Qt::ColorScheme::Dark
            : choice == ThemeChoice::Light ? Qt::ColorScheme::Light
                                           : Qt::ColorScheme::Unknown);
#endif
    QApplication::setPalette(paletteFor(choice));
    keepLegible();
    keepToolTipsPlain();
}

// Follows the platform's palette, which may change at any time. A legible colour is left alone,
// because setting a palette sends the event that leads here.
void MainWindow::keepLegible()
{
    if (m_settings.settings().theme != ThemeChoice::System)
        return;
    const auto muted = legibleMuted(QApplication::palette());
    if (!muted || *muted == QApplication::palette().color(QPalette::PlaceholderText))
        return;
    QPalette palette;
    palette.setColor(QPalette::PlaceholderText, *muted);
    QApplication::setPalette(palette);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange) {
        keepLegible();
        keepToolTipsPlain();
    }
}

void MainWindow::showPreferences()
{
    saveSettings();
    auto* dialog = new PreferencesDialog(m_settings.settings(),
                                         m_repository.database().parent_path() / "api-token", this);
    connect(dialog, &PreferencesDialog::changed, this, [this, dialog] {
        saveSettings(); // includes what is typed into the form
        const Settings before = m_settings.settings();
        Settings settings = before;
        dialog->writeSettings(settings);
        keep(settings);
        applySettings(before);
    });
    connect(dialog, &QDialog::finished, this, [this, opened = m_settings.settings()] {
        const Settings& now = m_settings.settings();
        if (now.language == opened.language && now.database == opened.database
            && now.energyUnit == opened.energyUnit)
            return;
        m_reopenWhenStopped = running();
        if (!m_reopenWhenStopped)
            Q_EMIT reopenRequested();
    });
    dialog->open();
}

void MainWindow::applySettings(const Settings& before)
{
    const Settings& now = m_settings.settings();
    if (now.theme != before.theme)
        applyTheme(now.theme);
    if (now.okabeIto != before.okabeIto) {
        Theme::useOkabeIto(now.okabeIto);
        for (QWidget* widget : QApplication::allWidgets()) {
            QEvent repaint(QEvent::PaletteChange);
            QApplication::sendEvent(widget, &repaint);
        }
    }
    if (now.modelFolders != before.modelFolders)
        m_live->readSettings(now);
    else
        m_live->setPreferences(now);
    m_analysis->view().setTariff(tariffFrom(now));
    m_history->totals().setTariff(tariffFrom(now));
    applyBackups();
    applyApi();
}

void MainWindow::applyBackups()
{
    store::setBackupPolicy({.on = m_settings.settings().keepBackups});
}

void MainWindow::applyRetention()
{
    const Settings& settings = m_settings.settings();
    std::vector<store::PruneRule> rules;
    if (settings.keepRuns > 0)
        rules.push_back({.keep_last = settings.keepRuns, .only_untagged = true});
    if (settings.keepDays > 0) {
        rules.push_back({.before_ms = wallClockMs() - settings.keepDays * kMillisecondsPerDay,
                         .only_untagged = true});
    }
    if (!rules.empty())
        m_repository.retain(rules);
}

bool MainWindow::running() const
{
    return m_live->running() || !m_study.isEmpty();
}

void MainWindow::log(const std::string& line) const
{
    if (m_log)
        m_log(line);
}

void MainWindow::keep(const Settings& settings)
{
    const bool told = !m_settings.problem().isEmpty();
    m_settings.save(settings);
    if (told || m_settings.problem().isEmpty())
        return;
    m_live->showWarning(m_settings.problem());
    log("the settings cannot be written");
}

// Further changes do not postpone saving, since a user may type for minutes.
void MainWindow::saveSoon()
{
    if (!m_saveLater.isActive())
        m_saveLater.start(kSaveMs);
}

void MainWindow::moveEvent(QMoveEvent* event)
{
    QMainWindow::moveEvent(event);
    saveSoon();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_navigation->setNarrow(width() < kNarrowWindow);
    saveSoon();
}

} // namespace ep::ui
