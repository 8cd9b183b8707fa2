// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QActionGroup;
class QMainWindow;

namespace ep::ui {

// Every command of the window. All are in a menu, so that the shortcut sheet can list them.
struct WindowActions {
    QAction* newRun;
    QAction* library;
    QAction* exportJson;
    QAction* exportCsv;
    QAction* close;
    QAction* quit;
    QAction* find;
    QAction* deleteRuns;
    QAction* preferences;
    QAction* live;
    QAction* analysis;
    QAction* history;
    QActionGroup* themes; // actions' data: int(ThemeChoice)
    QAction* start;
    QAction* stop;
    QAction* sensorDoctor;
    QAction* shortcuts;
    QAction* about;
    QAction* aboutQt;
};

// Makes the actions and the menus of the window.
WindowActions buildMenus(QMainWindow& window);

} // namespace ep::ui
