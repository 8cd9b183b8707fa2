// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/record_dialog.h"
#include "pages/live_page.h"
#include "pages/run_header.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"
#include "support/wait_until.h"

#include "ep/store/store.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

template <typename Widget>
Widget& in(QWidget& parent, const QString& name)
{
    auto* found = parent.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name.toStdString();
    return *found;
}

TEST(RecordDialog, TakesACommandApartAndRemembersIt)
{
    ui::Settings settings;
    settings.commands = {u"ls -l"_s, u"sh -c 'exit 3'"_s};
    ui::RecordDialog dialog(settings, {}, nullptr);
    auto& command = in<QComboBox>(dialog, u"recordCommand"_s);
    auto& start = in<QPushButton>(dialog, u"recordStart"_s);
    EXPECT_EQ(command.currentText(), u"ls -l"_s);
    EXPECT_TRUE(start.isEnabled());
    EXPECT_FALSE(in<QCheckBox>(dialog, u"recordSpans"_s).isEnabled()) << "there is no Python file";
    command.setEditText(u"sh -c 'exit 3'"_s);
    EXPECT_EQ(dialog.target().arguments, (std::vector<std::string>{"sh", "-c", "exit 3"}));
    EXPECT_TRUE(dialog.target().own_group);
    EXPECT_FALSE(dialog.target().automatic);
    dialog.remember(settings);
    EXPECT_EQ(settings.commands, (QStringList{u"sh -c 'exit 3'"_s, u"ls -l"_s}));
}

TEST(RecordDialog, SaysWhyACommandCannotRun)
{
    ui::RecordDialog dialog({}, {}, nullptr);
    auto& command = in<QComboBox>(dialog, u"recordCommand"_s);
    auto& start = in<QPushButton>(dialog, u"recordStart"_s);
    auto& problem = in<QLabel>(dialog, u"recordProblem"_s);
    EXPECT_FALSE(start.isEnabled());
    EXPECT_TRUE(problem.text().isEmpty());
    command.setEditText(u"no-such-program-here --x"_s);
    EXPECT_TRUE(problem.text().contains(u"no-such-program-here"_s));
    EXPECT_FALSE(start.isEnabled());
    command.setEditText(u"sh 'open"_s);
    EXPECT_FALSE(problem.text().isEmpty());
    command.setEditText(u"sh"_s);
    EXPECT_TRUE(start.isEnabled());
}

TEST(RecordDialog, LetsPythonSendItsSpans)
{
    const test::TempFolder folder;
    std::ofstream(folder.path() / "energy_profiler_spans.py") << "";
    ui::RecordDialog dialog({}, folder.path(), nullptr);
    in<QComboBox>(dialog, u"recordCommand"_s).setEditText(u"sh x"_s);
    EXPECT_TRUE(dialog.target().automatic);
    EXPECT_EQ(dialog.target().python, folder.path());
    EXPECT_EQ(dialog.target().depth, Depth::Module);
    EXPECT_EQ(in<QComboBox>(dialog, u"recordDepth"_s).currentText(),
              u"Module: layers and components"_s);
    in<QCheckBox>(dialog, u"recordSpans"_s).setChecked(false);
    EXPECT_TRUE(dialog.target().python.empty());
}

TEST(LivePageRecording, RunsACommandAndShowsItsRun)
{
    const test::TempFolder folder;
    const session::Backend backend = test::scriptedBackend();
    ui::LivePage page(
        backend, {}, [] { return std::vector<power::SourceReport>(); }, folder.path() / "runs.db");
    ui::Settings settings;
    settings.commands = {u"sh -c 'sleep 0.2'"_s};
    page.readSettings(settings);
    RunPtr ended;
    QObject::connect(&page, &ui::LivePage::runFinished, &page,
                     [&](const RunPtr& run, bool) { ended = run; });
    auto* record = page.findChild<QAction*>(u"liveRecord"_s);
    record->trigger();
    auto* dialog = page.findChild<ui::RecordDialog*>();
    ASSERT_NE(dialog, nullptr);
    in<QPushButton>(*dialog, u"recordStart"_s).click();
    EXPECT_TRUE(page.canStop());
    EXPECT_FALSE(page.canStart());
    ASSERT_TRUE(test::waitUntil([&] { return ended && !page.running(); }));
    ASSERT_TRUE(ended->info.profiling.command);
    EXPECT_EQ(ended->info.status, RunStatus::Complete);
    EXPECT_TRUE(ended->metrics.energy.total_mj);
    ui::RunHeader header;
    header.showRun(*ended, {});
    EXPECT_EQ(in<QLabel>(header, u"runPrompt"_s).text(), u"sh -c 'sleep 0.2'"_s)
        << "there is no prompt to quote";
    // Stop ends a command that would never end.
    ended.reset();
    settings.commands = {u"sleep 1000"_s};
    page.readSettings(settings);
    record->trigger();
    for (auto* open : page.findChildren<ui::RecordDialog*>()) {
        if (open->isVisible())
            in<QPushButton>(*open, u"recordStart"_s).click();
    }
    ASSERT_TRUE(test::waitUntil([&] { return page.running(); }));
    QTest::qWait(500);
    page.stop();
    ASSERT_TRUE(test::waitUntil([&] { return ended != nullptr; }));
    EXPECT_EQ(ended->info.status, RunStatus::Cancelled);
    EXPECT_EQ(ended->info.profiling.command->signal, 2) << "as Ctrl-C does";
}

// Sends passes of one layer until it is terminated.
constexpr const char* kSender = R"(
import os, socket, sys, time
def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW if sys.platform == "darwin" else time.CLOCK_MONOTONIC)
recorder = socket.socket(socket.AF_UNIX)
recorder.connect(os.environ["EP_SPANS"].split(":", 1)[1])
def send(kind, begin, end, **more):
    fields = {"kind": kind, "start_ns": begin, "duration_ns": end - begin, **more}
    text = ", ".join('"%s": %s' % (key, '"%s"' % value if isinstance(value, str) else value)
                     for key, value in fields.items())
    recorder.sendall(("{" + text + "}\n").encode())
token = 0
while True:
    begin = now()
    time.sleep(0.05)
    end = now()
    send("component", begin + 20, end - 20, name="q_proj", layer=0)
    send("layer", begin + 10, end - 10, layer=0)
    send("token", begin, end, token=token, text="word%d " % token)
    token += 1
)";

TEST(LivePageRecording, ShowsTokensAndLayersOfACommandAsTheyCome)
{
    const test::TempFolder folder;
    const auto script = folder.path() / "sender.py";
    std::ofstream(script) << kSender;
    const session::Backend backend = test::scriptedBackend();
    ui::LivePage page(
        backend, {}, [] { return std::vector<power::SourceReport>(); }, folder.path() / "runs.db");
    ui::Settings settings;
    settings.commands = {u"python3 %1"_s.arg(QString::fromStdString(script.string()))};
    page.readSettings(settings);
    page.resize(1000, 800);
    page.show();
    RunPtr ended;
    QObject::connect(&page, &ui::LivePage::runFinished, &page,
                     [&](const RunPtr& run, bool) { ended = run; });
    page.findChild<QAction*>(u"liveRecord"_s)->trigger();
    in<QPushButton>(*page.findChild<ui::RecordDialog*>(), u"recordStart"_s).click();
    auto& stream = in<ui::TokenStreamView>(page, u"liveTokenStream"_s);
    ASSERT_TRUE(test::waitUntil([&] { return stream.count() >= 4; }));
    EXPECT_TRUE(page.running());
    EXPECT_FALSE(ended);
    EXPECT_TRUE(stream.describe(2).contains(u"word2"_s)) << stream.describe(2).toStdString();
    const auto& heatmap = in<ui::HeatmapView>(page, u"liveHeatmap"_s);
    EXPECT_FALSE(heatmap.table().rows.empty()) << "layers and components";
    EXPECT_GE(page.counters().tokens(), 4);
    page.stop();
    ASSERT_TRUE(test::waitUntil([&] { return ended != nullptr; }));
    EXPECT_GE(ended->trace.tokens.size(), 4U);
    EXPECT_FALSE(ended->trace.components.empty());
}

} // namespace
