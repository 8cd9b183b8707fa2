// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace ep::ui {

// All commands of the window. Each is in a menu, so that the shortcut sheet can list it.
struct WindowActions {
    QAction* newRun;
    QAction* newStudy;
    QAction* openFile;
    QAction* importPower;
    QMenu* recent; // filled when the menu is opened
    QAction* library;
    QAction* saveReport;
    QAction* exportJson;
    QAction* exportCsv;
    QAction* close;
    QAction* quit;
    QAction* undoView; // for charts: selection and visible range
    QAction* redoView;
    QAction* copyChart;
    QAction* find;
    QAction* editRun; // edits the run in Analysis
    QAction* deleteRuns;
    QAction* preferences;
    QAction* live;
    QAction* analysis;
    QAction* history;
    QAction* compare;
    QAction* insights;
    QAction* nextRun; // next run of the list in Analysis
    QAction* previousRun;
    QAction* zoomToSelection;
    QAction* zoomToAll;
    QAction* palette; // opens the command palette
    QAction* resetLayout;
    QAction* paintTimes; // can be checked
    QAction* fullScreen;
    QActionGroup* themes; // data of the actions: int(ThemeChoice)
    QAction* start;
    QAction* stop;
    QAction* machine; // sensors, limits, calibration, self-test, diagnostics
    QAction* measureQuality;
    QAction* compareWith;
    QAction* recordCommand;
    QAction* welcome;
    QAction* guide; // opens the user guide
    QAction* glossary;
    QAction* shortcuts;
    QAction* about;
    QAction* aboutQt;
};

// Creates the actions and the menus of the window.
WindowActions buildMenus(QMainWindow& window);

} // namespace ep::ui
