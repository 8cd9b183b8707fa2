// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"

#include "support/tiny_model.h"
#include "support/wait_until.h"

#include "ep/power/source.h"
#include "ep/ui/models/run_columns.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace ep::test {

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 60s; // only failing tests wait that long

} // namespace

WindowTest::WindowTest()
{
    // Several power windows per run, few tokens per window: shorter runs would have no energies.
    engineScript.layer_time = 1ms;
    reports = {{.kind = "scripted",
                .title = "Model of the processor",
                .available = true,
                .explanation = "the test's own source",
                .remedy = {},
                .rails = {Rail::Cpu}}};
    writeTinyModel(std::filesystem::path(m_folder.path().toStdString()) / "models" / "tiny");
    // The user has emptied the prompt: tests type their own.
    ui::SettingsStore store(settingsFile());
    ui::Settings settings = store.settings();
    settings.prompt.clear();
    settings.historyGroupBy.clear(); // they count the runs
    store.save(settings);
}

WindowTest::~WindowTest()
{
    m_window.reset();
    QApplication::setPalette(QPalette());
}

void WindowTest::addUnsupportedModel()
{
    const std::filesystem::path broken =
        std::filesystem::path(folder().toStdString()) / "models" / "broken";
    std::filesystem::create_directories(broken);
    std::ofstream config(broken / "config.json");
    config << R"({"architectures": ["MambaForCausalLM"]})";
    ASSERT_TRUE(config.flush().good());
}

std::filesystem::path WindowTest::database() const
{
    return std::filesystem::path(m_folder.path().toStdString()) / "runs.db";
}

ui::WindowServices WindowTest::services()
{
    return {.backend = {.openEngineLibrary = [script = engineScript]()
                            -> Result<std::shared_ptr<model::EngineLibrary>> {
                            if (script.open_error)
                                return *script.open_error;
                            return std::shared_ptr<model::EngineLibrary>(
                                std::make_shared<FakeEngineLibrary>(script));
                        },
                        .makePowerFeed =
                            [this] {
                                return std::unique_ptr<session::PowerFeed>(
                                    std::make_unique<FakePowerFeed>(powerScript));
                            },
                        .availableMemory = [available = availableMemory] { return available; },
                        .cpuClock = test::idleMachine},
            .probeSources = [reports = reports] { return reports; },
            .database = database(),
            .bundledModels = {std::filesystem::path(m_folder.path().toStdString()) / "models"}};
}

void WindowTest::openWindow()
{
    if (m_window)
        m_window->close();
    m_window.reset();
    m_settings = std::make_unique<ui::SettingsStore>(settingsFile());
    m_window = std::make_unique<ui::MainWindow>(services(), *m_settings);
    m_window->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
}

bool WindowTest::waitFor(const std::function<bool()>& condition)
{
    return waitUntil(condition, kPatience);
}

void WindowTest::click(const char* button)
{
    auto& target = find<QAbstractButton>(button);
    ASSERT_TRUE(waitFor([&] { return target.isVisible(); })) << button;
    ASSERT_TRUE(target.isEnabled()) << button;
    QTest::mouseClick(&target, Qt::LeftButton);
}

void WindowTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    // Window managers would activate the window once a dialog is closed; this platform does not.
    if (!QApplication::activeWindow()) {
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
    }
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : m_window.get(), key, modifiers);
}

void WindowTest::typePrompt(const QString& text)
{
    auto& edit = find<QPlainTextEdit>("promptEdit");
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, text);
}

void WindowTest::chooseInCombo(const char* combo, const QString& word)
{
    auto& box = find<QComboBox>(combo);
    const int index = box.findData(word);
    ASSERT_GE(index, 0) << word.toStdString();
    // As with the keyboard: from the top of the list downwards.
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        QTest::keyClick(&box, Qt::Key_Down);
    ASSERT_EQ(box.currentData().toString().toStdString(), word.toStdString());
}

void WindowTest::chooseTab(const char* tabs, const QString& title)
{
    auto& views = find<QTabWidget>(tabs);
    for (int i = 0; i < views.count(); ++i) {
        if (views.tabText(i) == title) {
            QTest::mouseClick(views.tabBar(), Qt::LeftButton, {},
                              views.tabBar()->tabRect(i).center());
            EXPECT_EQ(views.currentIndex(), i);
            return;
        }
    }
    ADD_FAILURE() << title.toStdString();
}

void WindowTest::showMore()
{
    find<QWidget>("moreBox")
        .findChild<QAbstractButton*>(QStringLiteral("boxTitle"), Qt::FindDirectChildrenOnly)
        ->setChecked(true);
}

bool WindowTest::waitForModel()
{
    return waitFor([this] { return find<QComboBox>("modelCombo").count() > 0; });
}

QString WindowTest::labelText(const char* label)
{
    return find<QLabel>(label).text();
}

QString WindowTest::messageOf(const char* bar)
{
    auto& frame = find<QWidget>(bar);
    return frame.isHidden() ? QString()
                            : frame.findChild<QLabel*>(QStringLiteral("messageText"))->text();
}

QStringList WindowTest::shownCells(QAbstractItemView& view, int column)
{
    QStringList cells;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        cells << view.model()->index(row, column).data().toString();
    return cells;
}

int WindowTest::historyColumn(const char* id)
{
    const std::vector<ui::RunColumn> columns = ui::runColumns();
    return static_cast<int>(std::ranges::find(columns, QLatin1String(id), &ui::RunColumn::id)
                            - columns.begin());
}

bool WindowTest::idle()
{
    return find<QPushButton>("startStopButton").text() == QLatin1String("Start");
}

void WindowTest::runToTheEnd(const QString& prompt, int maxTokens)
{
    window().showPage(ui::Page::Live);
    ASSERT_TRUE(waitForModel());
    typePrompt(prompt);
    find<QSpinBox>("maxTokens").setValue(maxTokens);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
}

int WindowTest::page()
{
    return find<QStackedWidget>("pages").currentIndex();
}

QTableView& WindowTest::table()
{
    return find<QTableView>("historyTable");
}

bool WindowTest::waitForRuns(int count)
{
    return waitFor([&] { return rows() == count; });
}

} // namespace ep::test
