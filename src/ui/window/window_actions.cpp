// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_actions.h"

#include "widgets/assembly.h"

#include "ep/ui/settings.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString trMenu(const char* text)
{
    return QCoreApplication::translate("ep::ui::MainWindow", text);
}

// Adds actions to one menu. Every action gets NoRole unless stated otherwise, because the platform
// would guess from the text and move some of them to the application menu.
class MenuFiller {
public:
    MenuFiller(QMainWindow& window, const char* title)
        : m_window(window)
        , m_menu(window.menuBar()->addMenu(trMenu(title)))
    {
    }

    QAction* add(const QString& id, const char* text, const QKeySequence& keys = {},
                 QAction::MenuRole role = QAction::NoRole)
    {
        auto* action = named(new QAction(trMenu(text), &m_window), id);
        action->setShortcut(keys);
        action->setMenuRole(role);
        m_menu->addAction(action);
        return action;
    }
    void separate() { m_menu->addSeparator(); }
    QMenu* menu() const { return m_menu; }

private:
    QMainWindow& m_window;
    QMenu* m_menu;
};

QActionGroup* buildThemes(QMainWindow& window, QMenu& view)
{
    auto* group = new QActionGroup(&window);
    QMenu* menu = view.addMenu(trMenu("&Theme"));
    menu->menuAction()->setMenuRole(QAction::NoRole);
    const auto add = [&](const QString& id, const char* text, ThemeChoice choice) {
        QAction* action = named(menu->addAction(trMenu(text)), id);
        action->setCheckable(true);
        action->setMenuRole(QAction::NoRole);
        action->setData(static_cast<int>(choice));
        group->addAction(action);
    };
    add(u"actionThemeSystem"_s, "&System", ThemeChoice::System);
    add(u"actionThemeLight"_s, "&Light", ThemeChoice::Light);
    add(u"actionThemeDark"_s, "&Dark", ThemeChoice::Dark);
    return group;
}

void addFileMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller file(window, "&File");
    a.newRun = file.add(u"actionNewRun"_s, "&New Run", QKeySequence::New);
    a.newStudy = file.add(u"actionNewStudy"_s, "New &Study…");
    a.openFile = file.add(u"actionOpenFile"_s, "&Open Run File…", QKeySequence::Open);
    a.importPower = file.add(u"actionImportPower"_s, "Import &Power Recording…");
    a.recent = file.menu()->addMenu(trMenu("Open &Recent"));
    a.recent->setObjectName(u"recentMenu"_s);
    a.recent->menuAction()->setMenuRole(QAction::NoRole);
    a.recent->setToolTipsVisible(true);
    a.library = file.add(u"actionLibrary"_s, "&Model Library…", QKeySequence(Qt::CTRL | Qt::Key_L));
    file.separate();
    a.saveReport = file.add(u"actionSaveReport"_s, "S&ave Report…");
    a.exportJson = file.add(u"actionExportJson"_s, "&Export Run as JSON…", QKeySequence::Save);
    a.exportCsv = file.add(u"actionExportCsv"_s, "Export Run as &CSV…");
    file.separate();
    a.close = file.add(u"actionClose"_s, "Close &Window", QKeySequence::Close);
    a.quit = file.add(u"actionQuit"_s, "&Quit", QKeySequence::Quit, QAction::QuitRole);
}

void addEditMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller edit(window, "&Edit");
    a.undoView = edit.add(u"actionUndoView"_s, "&Undo", QKeySequence::Undo);
    a.undoView->setShortcuts(
        {QKeySequence(QKeySequence::Undo), QKeySequence(Qt::CTRL | Qt::Key_BracketLeft)});
    a.redoView = edit.add(u"actionRedoView"_s, "&Redo", QKeySequence::Redo);
    a.redoView->setShortcuts(
        {QKeySequence(QKeySequence::Redo), QKeySequence(Qt::CTRL | Qt::Key_BracketRight)});
    edit.separate();
    a.copyChart = edit.add(u"actionCopyChart"_s, "&Copy Chart",
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    a.find = edit.add(u"actionFind"_s, "&Find", QKeySequence::Find);
    a.editRun = edit.add(u"actionEditRun"_s, "&Notes and Tags…", QKeySequence(Qt::Key_M));
    a.deleteRuns = edit.add(u"actionDelete"_s, "&Delete Selected Runs…");
    edit.separate();
    a.preferences = edit.add(u"actionPreferences"_s, "&Settings…",
                             QKeySequence(Qt::CTRL | Qt::Key_Comma), QAction::PreferencesRole);
}

void addViewMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller view(window, "&View");
    a.live = view.add(u"actionLive"_s, "&Live", QKeySequence(Qt::CTRL | Qt::Key_1));
    a.analysis = view.add(u"actionAnalysis"_s, "&Analysis", QKeySequence(Qt::CTRL | Qt::Key_2));
    a.history = view.add(u"actionHistory"_s, "&History", QKeySequence(Qt::CTRL | Qt::Key_3));
    a.compare = view.add(u"actionCompare"_s, "&Compare", QKeySequence(Qt::CTRL | Qt::Key_4));
    a.insights = view.add(u"actionInsights"_s, "&Insights", QKeySequence(Qt::CTRL | Qt::Key_5));
    view.separate();
    a.nextRun = view.add(u"actionNextRun"_s, "&Next Run", QKeySequence(Qt::Key_J));
    a.previousRun = view.add(u"actionPreviousRun"_s, "Pre&vious Run", QKeySequence(Qt::Key_K));
    a.zoomToSelection = view.add(u"actionZoomToSelection"_s, "&Zoom to Selection");
    a.zoomToAll = view.add(u"actionZoomToAll"_s, "Show the &Whole Run");
    view.separate();
    a.palette =
        view.add(u"actionPalette"_s, "C&ommand Palette…", QKeySequence(Qt::CTRL | Qt::Key_K));
    a.resetLayout = view.add(u"actionResetLayout"_s, "&Reset Layout");
    a.paintTimes = view.add(u"actionPaintTimes"_s, "Show &Paint Times");
    a.paintTimes->setCheckable(true);
    a.fullScreen = view.add(u"actionFullScreen"_s, "&Full Screen", QKeySequence::FullScreen);
    a.themes = buildThemes(window, *view.menu());
}

void addRunMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller run(window, "&Run");
    a.start = run.add(u"actionStart"_s, "&Start", QKeySequence(Qt::CTRL | Qt::Key_R));
    a.stop = run.add(u"actionStop"_s, "S&top", QKeySequence(Qt::CTRL | Qt::Key_Period));
    run.separate();
    a.compareWith = run.add(u"actionCompareWith"_s, "&Compare With…");
    a.recordCommand = run.add(u"actionRecordCommand"_s, "&Record a Command…");
}

void addToolsMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller tools(window, "&Tools");
    a.machine = tools.add(u"actionMachine"_s, "&This Machine…");
    a.measureQuality = tools.add(u"actionMeasureQuality"_s, "Measure &Quality…");
}

void addHelpMenu(QMainWindow& window, WindowActions& a)
{
    MenuFiller help(window, "&Help");
    a.welcome = help.add(u"actionWelcome"_s, "&Welcome");
    a.guide = help.add(u"actionGuide"_s, "&User Guide");
    a.glossary = help.add(u"actionGlossary"_s, "&Glossary");
    a.shortcuts =
        help.add(u"actionShortcuts"_s, "&Keyboard Shortcuts", QKeySequence(Qt::Key_Question));
    a.shortcuts->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)});
    help.separate();
    a.about = help.add(u"actionAbout"_s, "&About Energy Profiler", {}, QAction::AboutRole);
    a.aboutQt = help.add(u"actionAboutQt"_s, "About &Qt", {}, QAction::AboutQtRole);
}

} // namespace

WindowActions buildMenus(QMainWindow& window)
{
    WindowActions actions{};
    for (const auto add :
         {addFileMenu, addEditMenu, addViewMenu, addRunMenu, addToolsMenu, addHelpMenu})
        add(window, actions);
    return actions;
}

} // namespace ep::ui
