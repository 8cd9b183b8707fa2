// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/application.h"

#include "text.h"

#include "ep/power/source.h"
#include "ep/session/environment.h"
#include "ep/store/store.h"
#include "ep/ui/main_window.h"

#include <QApplication>
#include <QIcon>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

int runApplication(int& argc, char** argv, const GuiOptions& options)
{
    QApplication application(argc, argv);
    // These decide where settings are kept.
    QApplication::setOrganizationName(u"energy-profiler"_s);
    QApplication::setApplicationName(u"energy-profiler"_s);
    QApplication::setApplicationDisplayName(u"Energy Profiler"_s);
    QApplication::setApplicationVersion(toQString(session::applicationVersion()));
    QApplication::setDesktopFileName(u"energy-profiler"_s);
    QApplication::setWindowIcon(QIcon(u":/icons/energy-profiler.png"_s));

    SettingsStore settings;
    MainWindow window(
        {.backend = session::realBackend(),
         .probeSources = [] { return power::probeSources(); },
         .database = options.database.empty() ? store::defaultDatabasePath() : options.database,
         .bundledModels = options.modelFolders},
        settings);
    window.showPage(options.page);
    if (!options.open.empty())
        window.openRun(toQString(options.open));
    window.show();
    return QApplication::exec();
}

} // namespace ep::ui
