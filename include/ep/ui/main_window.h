// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/ui/application.h"
#include "ep/ui/run_repository.h"
#include "ep/ui/settings_store.h"

#include <QMainWindow>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QTabWidget;

namespace ep::power {
struct SourceReport;
}

namespace ep::ui {

class AnalysisPage;
class HistoryPage;
class LivePage;
class StatusFigures;
struct WindowActions;

// What the window needs from the outside; tests put fakes in.
struct WindowServices {
    session::Backend backend;
    std::function<std::vector<power::SourceReport>()> probeSources; // any thread, may block
    std::filesystem::path database;
    std::vector<std::filesystem::path> bundledModels; // folders that hold model folders
};

// Assembles pages, menus and status bar and carries requests between them; does nothing itself.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // `settings` must outlive the window.
    MainWindow(WindowServices services, SettingsStore& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(Page page);
    void openRun(const QString& idOrItsBeginning);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void connectActions();
    void connectPages();
    void updateActions();
    void exportRun(RunRepository::Format format);
    void applyTheme(ThemeChoice choice);
    void showLibrary();
    void showPreferences();
    void showAbout();
    void askToStopAndClose();
    void saveSettings();

    SettingsStore& m_settings;
    std::vector<std::filesystem::path> m_bundledModels;
    RunRepository m_repository;
    std::unique_ptr<WindowActions> m_actions;
    QTabWidget* m_tabs;
    LivePage* m_live;
    AnalysisPage* m_analysis;
    HistoryPage* m_history;
    StatusFigures* m_status;
    bool m_closeWhenStopped = false;
};

} // namespace ep::ui
