// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace ep::ui {

// Every command of the window. All are in a menu, so that the shortcut sheet can list them.
struct WindowActions {
    QAction* newRun;
    QAction* newStudy;
    QAction* openFile;
    QAction* importPower;
    QMenu* recent; // filled when it is shown
    QAction* library;
    QAction* saveReport;
    QAction* exportJson;
    QAction* exportCsv;
    QAction* close;
    QAction* quit;
    QAction* undoView; // for the charts: selection and visible range
    QAction* redoView;
    QAction* copyChart;
    QAction* find;
    QAction* editRun; // the one in Analysis
    QAction* deleteRuns;
    QAction* preferences;
    QAction* live;
    QAction* analysis;
    QAction* history;
    QAction* compare;
    QAction* insights;
    QAction* nextRun; // of the list in Analysis
    QAction* previousRun;
    QAction* zoomToSelection;
    QAction* zoomToAll;
    QAction* palette; // the command palette
    QAction* resetLayout;
    QAction* paintTimes; // checkable
    QAction* fullScreen;
    QActionGroup* themes; // actions' data: int(ThemeChoice)
    QAction* start;
    QAction* stop;
    QAction* sensorDoctor;
    QAction* calibrate;
    QAction* measureLimits;
    QAction* pays;
    QAction* welcome;
    QAction* guide; // the user guide
    QAction* shortcuts;
    QAction* diagnostics;
    QAction* selfTest;
    QAction* about;
    QAction* aboutQt;
};

// Creates the actions and the menus of the window.
WindowActions buildMenus(QMainWindow& window);

} // namespace ep::ui
