// SPDX-License-Identifier: GPL-3.0-or-later
// An idle window uses no processor time: as a returning user, on every page and tab, before and
// after a run made in it. Run offscreen, and on X11 by on_x11.py.
#include "gui/window_test.h"
#include "support/process_use.h"
#include "support/returning_user.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QScreen>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace ep;

constexpr double kMaxOfCore = 0.01;
constexpr double kMaxWakeUps = 10.0; // per second, all threads together
constexpr int kWindowMs = 150; // one wake-up at most
constexpr int kTries = 20; // work begun by the last action may finish first
constexpr std::array kSizes{QSize(1280, 760), QSize(820, 520)};

struct Use {
    double share = 0.0; // share of one core
    double wakeUps = 0.0; // a second

    bool idle() const { return share <= kMaxOfCore && wakeUps <= kMaxWakeUps; }
};

std::ostream& operator<<(std::ostream& stream, const Use& use)
{
    return stream << 100.0 * use.share << " % of a core, " << use.wakeUps << " wake-ups a second";
}

double ownSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double ownSwitches()
{
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_nvcsw);
}

// Measures this process, with the window in it, while the event loop runs.
Use watch(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    QElapsedTimer wall;
    wall.start();
    const double seconds = ownSeconds();
    const double switches = ownSwitches();
    loop.exec();
    const double passed = 1e-9 * static_cast<double>(wall.nsecsElapsed());
    // The end of the period itself wakes this thread once.
    return {(ownSeconds() - seconds) / passed, (ownSwitches() - switches - 1.0) / passed};
}

// Counts the events that the widgets of this process receive.
class EventCount : public QObject {
public:
    EventCount() { qApp->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent*) override
    {
        ++events;
        return false;
    }
    int events = 0;
};

class IdleTest : public test::WindowTest {
protected:
    IdleTest()
        : user(test::makeReturningUser(folder().toStdString() + "/used"))
    {
    }

    QString settingsFile() const override { return QString::fromStdString(user.settings.string()); }
    ui::WindowServices services() override
    {
        ui::WindowServices all = WindowTest::services();
        all.database = user.database;
        all.bundledModels = {user.models};
        return all;
    }

    void expectIdle(const std::string& where)
    {
        Use use;
        for (int attempt = 0; attempt < kTries; ++attempt) {
            use = watch(kWindowMs);
            if (use.idle())
                return;
        }
        ADD_FAILURE() << where << ": " << use;
    }

    // The tab widgets of the page in front, including nested ones.
    std::vector<QTabWidget*> shownTabs()
    {
        std::vector<QTabWidget*> shown;
        for (QTabWidget* tabs : window().findChildren<QTabWidget*>()) {
            if (tabs->isVisible())
                shown.push_back(tabs);
        }
        return shown;
    }

    void expectIdleTabs(const std::string& where)
    {
        expectIdle(where);
        for (QTabWidget* tabs : shownTabs()) {
            const int first = tabs->currentIndex();
            for (int i = 0; i < tabs->count(); ++i) {
                if (i == first || !tabs->isTabVisible(i) || !tabs->isTabEnabled(i))
                    continue;
                tabs->setCurrentIndex(i);
                expectIdle(where + ", tab " + tabs->tabText(i).toStdString());
            }
            tabs->setCurrentIndex(first);
        }
    }

    // With an earlier session's settings: what a window saves on closing is read by the next one.
    void openAsReturningUser()
    {
        openWindow();
        ASSERT_TRUE(waitForModel());
        openWindow();
        ASSERT_TRUE(waitForModel());
        ASSERT_TRUE(waitFor([this] { return runsListed() == static_cast<int>(user.runs.size()); }));
    }

    int runsListed() { return find<QTableView>("historyTable").model()->rowCount(); }

    void openRun(int index)
    {
        window().openRun(QString::fromStdString(user.runs[static_cast<std::size_t>(index)]));
        ASSERT_TRUE(waitFor([this] { return find<QTabWidget>("analysisViews").isVisible(); }));
    }

    void compareTwo()
    {
        window().showPage(ui::Page::History);
        table().clearSelection();
        for (const int row : {0, 1}) {
            const QModelIndex cell = table().model()->index(row, 2);
            table().scrollTo(cell);
            QTest::mouseClick(table().viewport(), Qt::LeftButton,
                              row == 0 ? Qt::NoModifier : Qt::ControlModifier,
                              table().visualRect(cell).center());
        }
        click("historyCompare");
        ASSERT_TRUE(waitFor([this] { return find<QTabWidget>("compareCharts").isVisible(); }));
    }

    test::ReturningUser user;
};

TEST_F(IdleTest, EveryPageAndTabAtTwoSizes)
{
    openAsReturningUser();
    ASSERT_FALSE(HasFatalFailure());
    expectIdle("Live at start");
    openRun(0);
    for (const QSize& size : kSizes) {
        window().resize(size);
        const std::string at = " at " + std::to_string(size.width());
        window().showPage(ui::Page::Live);
        expectIdle("Live" + at);
        window().showPage(ui::Page::Analysis);
        expectIdleTabs("Analysis" + at);
        window().showPage(ui::Page::Insights);
        expectIdle("Insights" + at);
        compareTwo();
        expectIdleTabs("Compare" + at);
        window().showPage(ui::Page::History);
        expectIdle("History" + at);
    }
    window().showWelcome();
    expectIdle("Welcome");
}

// A layout may be stable at one width and oscillate between two arrangements at another.
TEST_F(IdleTest, LayoutsComeToRestAtEveryWidth)
{
    constexpr int kMaxEvents = 40; // by timers and the cursor, while nothing changes
    openAsReturningUser();
    ASSERT_FALSE(HasFatalFailure());
    compareTwo();
    openRun(0);
    EventCount count;
    for (const ui::Page page : {ui::Page::Live, ui::Page::Analysis, ui::Page::History,
                                ui::Page::Compare, ui::Page::Insights}) {
        window().showPage(page);
        for (int width = 800; width <= 1400; width += 75) {
            window().resize(width, 500 + (width - 800) / 2);
            int events = kMaxEvents + 1;
            for (int attempt = 0; attempt < kTries && events > kMaxEvents; ++attempt) {
                count.events = 0;
                watch(60);
                events = count.events;
            }
            EXPECT_LE(events, kMaxEvents)
                << "page " << static_cast<int>(page) << " at " << width << " pixels";
        }
    }
}

TEST_F(IdleTest, AfterRunsMadeInLive)
{
    openAsReturningUser();
    ASSERT_FALSE(HasFatalFailure());
    for (int run = 0; run < 2; ++run) {
        runToTheEnd(QStringLiteral("Once more"), 12);
        expectIdle("Live after a run");
    }
    window().showPage(ui::Page::Analysis);
    expectIdleTabs("Analysis of that run");
    for (const QSize& size : kSizes) {
        window().resize(size);
        const std::string at = " after a run, at " + std::to_string(size.width());
        for (const ui::Page page : {ui::Page::Live, ui::Page::Analysis, ui::Page::History}) {
            window().showPage(page);
            expectIdle("page " + std::to_string(static_cast<int>(page)) + at);
        }
    }
}

TEST_F(IdleTest, MinimisedAndCovered)
{
    openAsReturningUser();
    ASSERT_FALSE(HasFatalFailure());
    runToTheEnd(QStringLiteral("Once more"), 12);
    for (const ui::Page page : {ui::Page::Live, ui::Page::Analysis}) {
        window().showPage(page);
        const std::string where = page == ui::Page::Live ? "Live" : "Analysis";
        window().showMinimized();
        expectIdle(where + ", minimised");
        window().showNormal();
        window().activateWindow();

        // Covered by the window of another program.
        QProcess other;
        other.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--cover")});
        ASSERT_TRUE(other.waitForStarted() && other.waitForReadyRead());
        expectIdle(where + ", covered");
        other.kill();
        other.waitForFinished();
        expectIdle(where + ", uncovered");
    }
}

// The average, not the best moment: it includes every rare timer.
TEST_F(IdleTest, StaysIdle)
{
    openAsReturningUser();
    ASSERT_FALSE(HasFatalFailure());
    openRun(1);
    expectIdle("Analysis");
    const Use use = watch(2000);
    EXPECT_TRUE(use.idle()) << use;
}

#ifdef __linux__
// The whole program with its sensors, single-instance socket and LibTorch on demand, started the
// way a returning user starts it.
TEST(IdleProgramTest, StaysIdle)
{
    const QTemporaryDir folder;
    const test::ReturningUser user = test::makeReturningUser(folder.path().toStdString());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(QString::fromLatin1(name), folder.path());
    QDir(folder.path()).mkpath(QStringLiteral("energy-profiler"));
    ASSERT_TRUE(
        QFile::copy(QString::fromStdString(user.settings.string()),
                    folder.filePath(QStringLiteral("energy-profiler/energy-profiler.conf"))));
    const std::vector<QStringList> starts{{QStringLiteral("gui"), QStringLiteral("--separate")},
                                          {QStringLiteral("gui"), QStringLiteral("--separate"),
                                           QString::fromStdString(user.runs.front())}};
    for (const QStringList& start : starts) {
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(EP_PROGRAM), start);
        ASSERT_TRUE(program.waitForStarted());
        const auto process = static_cast<pid_t>(program.processId());
        Use use;
        for (int attempt = 0; attempt < 20; ++attempt) {
            QTest::qWait(500); // while it opens and looks for models and sensors
            const double seconds = test::processorSeconds(process);
            const long sleeps = test::wakeUps(process);
            QTest::qWait(1000);
            use = {test::processorSeconds(process) - seconds,
                   static_cast<double>(test::wakeUps(process) - sleeps)};
            if (use.idle())
                break;
        }
        EXPECT_TRUE(use.idle()) << start.join(u' ').toStdString() << ": " << use;
        EXPECT_EQ(program.state(), QProcess::Running);
        program.terminate();
        EXPECT_TRUE(program.waitForFinished());
    }
}
#endif

// Covers all other windows until the process is killed.
int cover()
{
    QWidget all;
    all.setWindowFlag(Qt::WindowStaysOnTopHint);
    all.setGeometry(all.screen()->geometry());
    all.show();
    if (!QTest::qWaitForWindowExposed(&all))
        return 1;
    std::puts("covered");
    std::fflush(stdout);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    testing::InitGoogleMock(&argc, argv);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setAttribute(Qt::AA_DontUseNativeMenuBar);
    const QApplication application(argc, argv);
    if (argc > 1 && std::string(argv[1]) == "--cover")
        return cover();
    return RUN_ALL_TESTS();
}
