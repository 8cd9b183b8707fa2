// SPDX-License-Identifier: GPL-3.0-or-later
// Which Is Cheaper Here?: pairs that the window measures.
#include "dialogs/pays_dialog.h"
#include "gui/window_test.h"

#include "ep/session/kept_cards.h"
#include "ep/store/store.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/to_qstring.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTimer>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::StartsWith;

class PaysDialogTest : public WindowTest {
protected:
    PaysDialogTest() { engineScript.layer_time = std::chrono::microseconds(2000); }

    // A batch of two takes the engine as long as a single sequence, so tokens cost half as much.
    void openPays()
    {
        openWindow();
        typePrompt(u"Live could run"_s);
        ASSERT_TRUE(waitForModel());
        find<QAction>("actionPays").trigger();
        find<QPlainTextEdit>("paysPrompt").setPlainText(u"Once"_s);
        chooseInCombo("paysADtype", u"auto"_s);
        chooseInCombo("paysBDtype", u"auto"_s);
        find<QSpinBox>("paysTokens").setValue(6);
        find<QSpinBox>("paysBBatch").setValue(2);
        find<QSpinBox>("paysPairs").setValue(12);
        dialog().setIntervalMs(20);
    }
    ui::PaysDialog& dialog() { return find<ui::PaysDialog>("paysDialog"); }
    bool waitForEnd()
    {
        return waitFor([this] { return !dialog().running(); });
    }
    std::vector<RunSummary> storedRuns() const
    {
        const auto store = store::Store::openToRead(database());
        return *(*store)->list();
    }
};

TEST_F(PaysDialogTest, SaysWhatIsMissing)
{
    openPays();
    EXPECT_TRUE(find<QPushButton>("paysStart").isEnabled());
    find<QSpinBox>("paysBBatch").setValue(1);
    EXPECT_FALSE(find<QPushButton>("paysStart").isEnabled()) << "A and B are the same";
    EXPECT_THAT(labelText("paysProblem").toStdString(), HasSubstr("are the same"));
    find<QLineEdit>("paysBMore").setText(u"batch=0"_s);
    EXPECT_THAT(labelText("paysProblem").toStdString(), StartsWith("B: The setting"));
    find<QLineEdit>("paysBMore").clear();
    find<QComboBox>("paysBKind").setCurrentIndex(1);
    EXPECT_THAT(labelText("paysProblem").toStdString(), HasSubstr("address of the server"));
    find<QLineEdit>("paysBAddress").setText(u"http://127.0.0.1:9"_s);
    EXPECT_FALSE(find<QLabel>("paysProblem").isVisible());
    const auto spec = dialog().spec();
    ASSERT_TRUE(spec) << spec.error().message;
    ASSERT_TRUE(spec->b.server);
    EXPECT_EQ(spec->b.server->address, "http://127.0.0.1:9");
    find<QPlainTextEdit>("paysPrompt").clear();
    EXPECT_FALSE(find<QPushButton>("paysStart").isEnabled());
}

// Or the first question of a new user would end with "no energy" after one pair.
TEST_F(PaysDialogTest, WithoutASensorTheJoulesAreModelled)
{
    reports = {{.kind = "rapl",
                .title = "Energy counters of the processor",
                .available = false,
                .explanation = "none here",
                .remedy = "Use another machine.",
                .rails = {}}};
    openWindow();
    ASSERT_TRUE(waitForModel());
    ASSERT_TRUE(waitFor([this] { return !messageOf("liveOffer").isEmpty(); }));
    find<QAction>("actionPays").trigger();
    EXPECT_EQ(find<QComboBox>("paysPower").currentData(), u"modelled"_s);
}

// Only the words of a command are known, so prompt and length are up to it.
TEST_F(PaysDialogTest, ComparesRecordedCommands)
{
    openPays();
    find<QComboBox>("paysAKind").setCurrentIndex(2);
    EXPECT_THAT(labelText("paysProblem").toStdString(), HasSubstr("Write the command."));
    find<QLineEdit>("paysACommand").setText(u"sh -c 'sleep 0.3'"_s);
    EXPECT_THAT(labelText("paysProblem").toStdString(), HasSubstr("another command only"));
    find<QComboBox>("paysBKind").setCurrentIndex(2);
    find<QLineEdit>("paysBCommand").setText(u"no-such-program-here"_s);
    EXPECT_THAT(labelText("paysProblem").toStdString(), StartsWith("B: "));
    find<QLineEdit>("paysBCommand").setText(u"sh -c 'sleep 0.1; echo not shown'"_s);
    EXPECT_FALSE(find<QLabel>("paysProblem").isVisible());
    EXPECT_FALSE(find<QPlainTextEdit>("paysPrompt").isEnabled());
    EXPECT_FALSE(find<QSpinBox>("paysTokens").isEnabled());
    const auto spec = dialog().spec();
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->a.command, (std::vector<std::string>{"sh", "-c", "sleep 0.3"}));
    EXPECT_TRUE(spec->prompt.text.empty());
    // The measurement ends as soon as the answer is known; a busy machine needs more pairs.
    find<QSpinBox>("paysPairs").setValue(12);
    click("paysStart");
    ASSERT_TRUE(waitForEnd());
    const std::vector<RunSummary> runs = storedRuns();
    EXPECT_GE(runs.size(), 6U);
    for (const RunSummary& run : runs)
        EXPECT_TRUE(run.info.profiling.command) << run.info.status_message;
    EXPECT_THAT(labelText("paysVerdict").toStdString(), testing::HasSubstr("less energy"));
    EXPECT_THAT(labelText("paysFigures").toStdString(), HasSubstr("Energy of the run, "));
    EXPECT_THAT(find<ui::SceneView>("paysChart").scene().summary, HasSubstr("of the runs of "));
    EXPECT_FALSE(find<QPushButton>("paysKeep").isVisible()) << "a card is for settings";
    EXPECT_TRUE(find<QPushButton>("paysShow").isVisible());
}

TEST_F(PaysDialogTest, MeasuresUntilItIsKnownAndKeepsTheCard)
{
    openPays();
    std::vector<std::size_t> points; // number of points in the chart over time
    auto& chart = find<ui::SceneView>("paysChart");
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        const std::size_t now = chart.scene().table.rows.size();
        if (points.empty() || points.back() != now)
            points.push_back(now);
    });
    watch.start(5);
    click("paysStart");
    EXPECT_TRUE(dialog().running());
    EXPECT_FALSE(find<QPushButton>("startStopButton").isEnabled()) << "one run at a time";
    EXPECT_FALSE(find<QWidget>("paysA").isEnabled());
    ASSERT_TRUE(waitForEnd());
    watch.stop();

    // The sentence equals that of the terminal for the stored runs.
    const std::vector<RunSummary> runs = storedRuns();
    const session::StoredPairs pairs = session::pairsOf(runs);
    const session::PaysDecision decision = session::decide(pairs.table);
    EXPECT_EQ(decision.test.verdict, energy::PairedVerdict::BCheaper);
    QString sentence = QString::fromStdString(session::verdictSentence(decision).english());
    sentence.replace(QLatin1String("B needs"), QLatin1String("batch 2 needs"));
    sentence.replace(QLatin1String("than A "), QLatin1String("than batch 1 "));
    EXPECT_EQ(labelText("paysVerdict").toStdString(), sentence.toStdString());
    EXPECT_THAT(labelText("paysVerdict").toStdString(), testing::HasSubstr("less energy"));
    EXPECT_THAT(labelText("paysFigures").toStdString(),
                HasSubstr("Energy per token, batch 2 against batch 1: "));
    EXPECT_THAT(labelText("paysFigures").toStdString(), HasSubstr("Time per token"));
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(2 * decision.test.pairs));
    EXPECT_GE(points.size(), 3U) << "a point is added with each pair";
    EXPECT_TRUE(find<QPushButton>("startStopButton").isEnabled());

    click("paysKeep");
    ASSERT_TRUE(waitFor([this] { return find<QLabel>("paysKept").isVisible(); }));
    const session::KeptCards kept = session::keptCards(database());
    ASSERT_EQ(kept.cards.size(), 1U) << labelText("paysKept").toStdString();
    EXPECT_TRUE(kept.problems.empty());
    const std::string name = kept.cards[0].file.filename().string();
    EXPECT_EQ(name.size(), std::string("card-0123456789ab.json").size()) << name;
    EXPECT_EQ(name.find(':'), std::string::npos) << "no file system has to take a colon";
    EXPECT_EQ(session::decide(session::pairTableOf(kept.cards[0].card)).test.verdict,
              decision.test.verdict);
    EXPECT_THAT(labelText("paysKept").toStdString(),
                HasSubstr(kept.cards[0].file.filename().string()));

    click("paysShow");
    auto& table = find<QTableView>("historyTable");
    EXPECT_TRUE(waitFor([&] { return table.model()->rowCount() == int(runs.size()); }));
    EXPECT_FALSE(find<ui::PaysDialog>("paysDialog").isVisible()) << "it covers the runs";
    find<QAction>("actionPays").trigger(); // the result is still there
    EXPECT_TRUE(find<QLabel>("paysKept").isVisible());
    click("paysClose");
    EXPECT_TRUE(waitFor([this] { return seek<ui::PaysDialog>("paysDialog") == nullptr; }));
}

TEST_F(PaysDialogTest, StopsAtOnceAndContinues)
{
    openPays();
    find<QSpinBox>("paysBBatch").setValue(1);
    chooseInCombo("paysBDtype", u"bf16"_s); // the engine does not care: equal settings take long
    find<QDoubleSpinBox>("paysSmallest").setValue(0.1);
    find<QSpinBox>("paysPairs").setValue(5);
    click("paysStart");
    ASSERT_TRUE(waitFor([this] { return storedRuns().size() >= 4; }));
    QElapsedTimer time;
    time.start();
    click("paysStart"); // the button now says Stop
    ASSERT_TRUE(waitForEnd());
    EXPECT_LT(time.elapsed(), 5'000);
    EXPECT_THAT(labelText("paysProblem").toStdString(), HasSubstr("press Start to continue"));
    EXPECT_THAT(labelText("paysVerdict").toStdString(), StartsWith("Not known yet"));
    click("paysStart");
    ASSERT_TRUE(waitForEnd());
    std::set<std::string> experiments;
    int complete = 0;
    for (const RunSummary& run : storedRuns()) {
        experiments.insert(run.info.experiment);
        complete += run.info.status == RunStatus::Complete ? 1 : 0;
    }
    EXPECT_EQ(experiments.size(), 1U) << "the same measurement";
    EXPECT_LE(complete, 10);
}

// No part of the measurement runs on the window's thread.
TEST_F(PaysDialogTest, TheWindowDoesNotWait)
{
    openPays();
    QElapsedTimer since;
    qint64 longest = 0; // longest time between two iterations of the event loop, in ms
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, &beat,
                     [&] { longest = std::max(longest, since.restart()); });
    click("paysStart");
    since.start();
    beat.start(1);
    find<QAction>("actionHistory").trigger(); // pages stay usable meanwhile
    EXPECT_TRUE(find<QWidget>("historyPage").isVisible());
    ASSERT_TRUE(waitForEnd());
    EXPECT_LT(longest, 400);
}

TEST_F(PaysDialogTest, ClosingTheWindowStopsIt)
{
    openPays();
    click("paysStart");
    ASSERT_TRUE(waitFor([this] { return !storedRuns().empty(); }));
    window().close();
    EXPECT_TRUE(window().isVisible()) << "a question first";
    click("closeConfirm");
    EXPECT_TRUE(waitFor([this] { return !window().isVisible(); }));
}

} // namespace
} // namespace ep::test
