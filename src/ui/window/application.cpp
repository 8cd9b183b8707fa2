// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/application.h"

#include "dialogs/missing_database.h"
#include "text.h"
#include "theme/design.h"
#include "theme/ui_resources.h"
#include "window/instance_guard.h"

#include "ep/core/executable_path.h"
#include "ep/power/source.h"
#include "ep/session/diagnostics.h"
#include "ep/session/environment.h"
#include "ep/session/guarded_application.h"
#include "ep/session/log_file.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"
#include "ep/ui/main_window.h"

#include <QApplication>
#include <QFileOpenEvent>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <QTranslator>

#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// The window, its settings, and requests from the desktop.
class Shell : public QObject {
public:
    explicit Shell(const GuiOptions& options)
        : m_options(options)
    {
        qApp->installEventFilter(this);
    }

    std::filesystem::path database() const
    {
        if (!m_options.database.empty())
            return m_options.database;
        const QString& chosen = m_settings.settings().database;
        return chosen.isEmpty() ? store::defaultDatabasePath() : toPath(chosen);
    }

    // A database of the settings, or one that has backups, existed once, so it is never created
    // silently. False: the user wants to leave.
    bool findDatabase()
    {
        Settings settings = m_settings.settings();
        const std::filesystem::path usual = database();
        if (!m_options.database.empty() || store::mayExist(usual)
            || (settings.database.isEmpty() && store::backupsOf(usual).empty()))
            return true;
        translate();
        installDesign();
        const auto found = askForDatabase(usual);
        if (!found)
            return false;
        if (*found != usual) {
            settings.database = pathText(*found);
            m_settings.save(settings);
        }
        return true;
    }

    // True: another window has taken the request over.
    bool handOver()
    {
        m_guard = std::make_unique<InstanceGuard>(database());
        if (!m_options.single)
            return false;
        if (m_guard->handOver(toQString(wholePath(m_options.open))))
            return true;
        connect(m_guard.get(), &InstanceGuard::asked, this, &Shell::comeForward);
        if (!m_guard->listen())
            m_log.write("cannot listen for further starts");
        return false;
    }

    void start()
    {
        m_log.takeOverQtMessages();
        m_log.write("started, version " + session::applicationVersion() + ", Qt " + qVersion());
        openWindow();
        const Settings& settings = m_settings.settings();
        m_window->showPage(m_options.page);
        if (!m_options.open.empty())
            open(toQString(m_options.open));
        else if (!settings.welcomeSeen)
            m_window->showWelcome();
        m_window->applyBackups();
        m_window->applyRetention();
    }

    ~Shell() override
    {
        if (std::exchange(m_window, nullptr))
            m_log.write("ended");
    }

protected:
    // Handles double clicks in the Finder, and files dropped on the Dock.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::FileOpen && m_window)
            m_window->openPath(static_cast<QFileOpenEvent*>(event)->file());
        if (m_options.exitWhenShown && event->type() == QEvent::Paint && watched == m_window.get())
            QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }

private:
    // The other process has a different working folder.
    static std::string wholePath(const std::string& asked)
    {
        std::error_code ignored;
        if (asked.empty() || !std::filesystem::exists(asked, ignored))
            return asked;
        return std::filesystem::absolute(asked, ignored).string();
    }

    void openWindow()
    {
        translate();
        useNumberStyle(m_settings.settings().energyUnit);
        m_window = std::make_unique<MainWindow>(
            WindowServices{
                .backend = session::realBackend(),
                .probeSources = [] { return power::probeSources(); },
                .database = database(),
                .bundledModels = m_options.modelFolders,
                .demoRun = m_options.demoRun,
                .collectDiagnostics =
                    [request = diagnostics()] { return session::collectDiagnostics(request); },
                .selfTest =
                    [models = m_options.modelFolders](const CancelToken& cancel,
                                                      const auto& found) {
                        const std::filesystem::path folder =
                            models.empty() ? std::filesystem::path() : models.front();
                        return session::selfTest(
                            {.model = folder / "demo-llama-5m", .program = executablePath()},
                            session::realBackend(), cancel, found);
                    },
                .log = [this](const std::string& line) { m_log.write(line); }},
            m_settings);
        // Deferred, so that it does not run inside a signal of the closing window.
        connect(
            m_window.get(), &MainWindow::reopenRequested, this, [this] { reopen(); },
            Qt::QueuedConnection);
        m_window->fitInto(m_window->screen()->availableSize());
        m_window->show();
        // A window manager adds its frame later, and that must be on the screen, too.
        constexpr int kFrameMs = 300;
        QTimer::singleShot(kFrameMs, m_window.get(), [window = m_window.get()] {
            fit(*window);
            window->prepareRuns();
        });
    }

    static void fit(MainWindow& window)
    {
        if (window.isMaximized() || window.isFullScreen())
            return;
        const QRect room = window.screen()->availableGeometry();
        const QSize frame = window.frameSize() - window.size();
        if (room.size().expandedTo(window.frameSize()) != room.size())
            window.fitInto(room.size() - frame);
        const QRect at = window.frameGeometry();
        const QPoint wanted(
            std::max(room.left(), std::min(at.left(), room.right() + 1 - at.width())),
            std::max(room.top(), std::min(at.top(), room.bottom() + 1 - at.height())));
        if (wanted != at.topLeft())
            window.move(wanted);
    }

    void reopen()
    {
        QApplication::setQuitOnLastWindowClosed(false);
        m_window.reset();
        openWindow();
        QApplication::setQuitOnLastWindowClosed(true);
        if (!m_options.single)
            return;
        m_guard = std::make_unique<InstanceGuard>(database());
        if (m_guard->handOver({})) // another window shows that database: both are allowed
            return;
        connect(m_guard.get(), &InstanceGuard::asked, this, &Shell::comeForward);
        m_guard->listen();
    }

    session::DiagnosticsRequest diagnostics() const
    {
        return {.database = database(),
                .resources = m_options.resources,
                .log = m_log.file(),
                .settings = toPath(QSettings().fileName()),
                .probeSources = [] { return power::probeSources(); }};
    }

    void open(const QString& what)
    {
        std::error_code ignored;
        if (std::filesystem::exists(toPath(what), ignored))
            m_window->openPath(what);
        else
            m_window->openRun(what);
    }

    void comeForward(const QString& what)
    {
        m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
        m_window->show();
        m_window->raise();
        m_window->activateWindow();
        if (!what.isEmpty())
            open(what);
    }

    // Installs our own translation, and Qt's for buttons and dialogs.
    void translate()
    {
        const QString& chosen = m_settings.settings().language;
        const QLocale locale = chosen.isEmpty() ? QLocale::system() : QLocale(chosen);
        for (QTranslator* translator : {&m_texts, &m_qtTexts})
            QApplication::removeTranslator(translator);
        if (m_texts.load(locale, u"energy-profiler"_s, u"_"_s, u":/i18n"_s))
            QApplication::installTranslator(&m_texts);
        if (m_qtTexts.load(locale, u"qtbase"_s, u"_"_s,
                           QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
            QApplication::installTranslator(&m_qtTexts);
    }

    GuiOptions m_options;
    SettingsStore m_settings;
    session::LogFile m_log{session::defaultLogPath()};
    QTranslator m_texts;
    QTranslator m_qtTexts;
    std::unique_ptr<InstanceGuard> m_guard;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace

int runApplication(int& argc, char** argv, const GuiOptions& options)
{
    const session::GuardedApplication<QApplication> application(argc, argv);
    // Both names determine where settings are stored.
    QApplication::setOrganizationName(u"energy-profiler"_s);
    QApplication::setApplicationName(u"energy-profiler"_s);
    QApplication::setApplicationDisplayName(u"Energy Profiler"_s);
    QApplication::setApplicationVersion(toQString(session::applicationVersion()));
    QApplication::setDesktopFileName(u"energy-profiler"_s);
    initResources();
#ifndef Q_OS_MACOS // there the bundle's icon is sharper, and this one would replace it in the Dock
    QIcon icon;
    for (const char* size : {"48", "128", "256"})
        icon.addFile(u":/icons/energy-profiler-%1.png"_s.arg(QLatin1StringView(size)));
    QApplication::setWindowIcon(icon);
#endif

    Shell shell(options);
    if (!shell.findDatabase())
        return 0;
    if (shell.handOver()) {
        std::fputs("energy-profiler: a window with this database is already open; it was raised.\n",
                   stderr);
        return 0;
    }
    shell.start();
    return QApplication::exec();
}

} // namespace ep::ui
