// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/self_test.h"
#include "ep/ui/application.h"
#include "ep/ui/run_repository.h"
#include "ep/ui/settings_store.h"

#include <QMainWindow>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QStackedWidget;

namespace ep::power {
struct SourceReport;
}

namespace ep::ui {

class AnalysisPage;
class ComparePage;
class ApiSwitch;
class DockBadge;
class HistoryPage;
class InsightsPage;
class LivePage;
enum class MachinePart;
class NavigationRail;
struct PaletteEntry;
class StatusFigures;
class StudyDialog;
class WelcomePage;
struct WindowActions;

// The environment of the window; tests replace it by fakes.
struct WindowServices {
    session::Backend backend;
    std::function<std::vector<power::SourceReport>()> probeSources; // any thread, may block
    std::filesystem::path database;
    std::vector<std::filesystem::path> bundledModels; // folders that contain model folders
    std::filesystem::path demoRun{}; // file of the recorded run; empty: none
    std::function<std::string()> collectDiagnostics{}; // any thread, may block
    session::RunSelfTest selfTest{}; // any thread, blocks
    std::function<void(const std::string&)>
        log{}; // writes a line, which must not contain user input
};

// Assembles pages, menus and status bar and passes requests between them, without any logic of its
// own.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // `settings` must outlive the window.
    MainWindow(WindowServices services, SettingsStore& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(Page page);
    void openRun(const QString& idOrItsBeginning);
    // Opens a run file, a run database, a model folder or a folder of models; otherwise shows why
    // it cannot be opened.
    void openPath(const QString& path);
    void importPower(const QString& file); // opens a recording in a dialog with a preview
    void showWelcome();
    void prepareRuns(); // opens the engine in advance for the first run
    void fitInto(const QSize& screen); // shrinks a window that is larger
    void applyBackups();
    void applyRetention(); // deletes runs that the retention settings do not keep
    bool running() const;

Q_SIGNALS:
    // A changed setting needs a new window; never emitted during a run.
    void reopenRequested();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectRunActions();
    void connectViewActions();
    void connectFiles();
    void connectLive();
    void connectAnalysis();
    void connectHistory();
    void connectApi();
    void applyApi();
    void shareMachine();
    void connectWelcome();
    void buildFrame();
    QWidget* page(Page page) const; // the page's content
    Page currentPage() const;
    void updateActions();
    std::vector<PaletteEntry> paletteEntries();
    std::vector<PaletteEntry> paletteHits(const QString& query); // search hits in the open run
    void resetLayout();
    void exportRun(RunRepository::Format format);
    void applyTheme(ThemeChoice choice);
    void keepLegible(); // keeps muted text legible with any system palette
    void showLibrary();
    void showMachine(MachinePart part);
    StudyDialog* showStudy();
    void showExperiment(const QString& name); // shows the experiment's runs in History
    void compareExperiment(const QString& name);
    void tryRemedy(const RunPtr& run, const ExplanationPtr& explanation, int remedy);
    void showPreferences();
    void askForRunFile();
    void askForPowerLog();
    void addModelFolder();
    QString demoModel() const; // folder of the demo model; empty: none
    void profileDemoModel();
    void startDemo();
    void applySettings(const Settings& before);
    void tellProblem(const QString& problem); // for something that could not be opened
    void remember(const QString& file); // adds the file to the recent files
    void log(const std::string& line) const;
    void askToStopAndClose();
    void saveSettings();
    void saveSoon(); // saves within seconds, so that a crash loses few changes
    void keep(const Settings& settings); // tells the user once if the settings cannot be written

    SettingsStore& m_settings;
    std::vector<std::filesystem::path> m_bundledModels;
    std::filesystem::path m_demoRun;
    std::function<std::string()> m_collectDiagnostics;
    session::RunSelfTest m_selfTest;
    std::function<void(const std::string&)> m_log;
    RunRepository m_repository;
    std::unique_ptr<WindowActions> m_actions;
    QStackedWidget* m_stack;
    WelcomePage* m_welcome;
    NavigationRail* m_navigation;
    QStackedWidget* m_pages; // in the order of Page
    session::Backend m_backend;
    std::unique_ptr<ApiSwitch> m_api;
    LivePage* m_live;
    AnalysisPage* m_analysis;
    HistoryPage* m_history;
    ComparePage* m_compare;
    InsightsPage* m_insights;
    StatusFigures* m_status;
    std::unique_ptr<DockBadge> m_dock; // shows the progress of a run
    QTimer m_saveLater; // saves often, so that a crash loses only the last seconds' changes
    bool m_closeWhenStopped = false;
    QString m_study; // the running study and its step; empty: none
    bool m_reopenWhenStopped = false;
    bool m_startDemo = false; // start the demo once its model is selected
};

} // namespace ep::ui
