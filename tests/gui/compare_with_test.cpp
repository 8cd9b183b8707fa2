// SPDX-License-Identifier: GPL-3.0-or-later
// "Compare with…" of Live: pairs that the window measures until the answer is known.
#include "attach/known_server.h"
#include "dialogs/compare_dialog.h"
#include "gui/window_test.h"
#include "pages/comparison_view.h"
#include "pages/server_finder.h"
#include "support/tiny_model.h"

#include "ep/energy/comparison.h"
#include "ep/session/kept_cards.h"
#include "ep/store/store.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/to_qstring.h"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CompareWithTest : public WindowTest {
protected:
    CompareWithTest() { engineScript.layer_time = std::chrono::microseconds(2000); }

    void openLive()
    {
        ui::SettingsStore store(settingsFile());
        ui::Settings settings = store.settings();
        settings.run.interval_ms = 20;
        store.save(settings);
        openWindow();
        ASSERT_TRUE(waitForModel());
        typePrompt(u"Once"_s);
        find<QSpinBox>("maxTokens").setValue(6);
    }
    void openDialog(const QString& differs = {})
    {
        click("compareWith");
        if (!differs.isEmpty())
            find<QComboBox>("compareDiffers").setCurrentText(differs);
    }
    // A batch of two takes the engine as long as a single sequence, so tokens cost half as much.
    void startWithABatch(int pairs = 12)
    {
        openLive();
        openDialog(u"Another setting"_s);
        find<QComboBox>("compareOther").setCurrentText(u"batch=2"_s);
        find<QSpinBox>("comparePairs").setValue(pairs);
        click("compareStart");
    }
    ui::CompareDialog& dialog() { return find<ui::CompareDialog>("compareDialog"); }
    ui::ComparisonView& view() { return find<ui::ComparisonView>("comparisonView"); }
    std::string problem() { return labelText("compareProblem").toStdString(); }
    bool waitForEnd()
    {
        return waitFor([this] { return !view().running(); });
    }
    std::vector<RunSummary> storedRuns() const
    {
        const auto store = store::Store::openToRead(database());
        return *(*store)->list();
    }
};

TEST(UsualOtherFormat, IsEightBitsForFewAndFourForMany)
{
    for (const char* few : {"q4_0", "q4_1", "q5_0", "q4_k_m", "iq4_nl", "mxfp4"})
        EXPECT_EQ(ui::usualOtherFormat(few), u"q8_0"_s) << few;
    for (const char* many : {"f32", "bf16", "f16", "q8_0", "int8", "unknown"})
        EXPECT_EQ(ui::usualOtherFormat(many), u"q4_0"_s) << many;
}

TEST_F(CompareWithTest, AnotherFormatIsPresetAndWhatIsEqualIsSaid)
{
    openLive();
    openDialog();
    EXPECT_EQ(find<QComboBox>("compareOther").currentData(), u"q4_0"_s);
    EXPECT_THAT(labelText("compareOwn").toStdString(), HasSubstr("as stored"));
    EXPECT_THAT(labelText("compareEqual").toStdString(),
                testing::AllOf(HasSubstr("without a chat template"), HasSubstr("6 tokens")));
    const auto spec = dialog().spec();
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->a.run.load.dtype, "auto");
    EXPECT_EQ(spec->b.run.load.dtype, "q4_0");
    EXPECT_EQ(spec->a.run.load.folder, spec->b.run.load.folder);
    EXPECT_EQ(spec->a.run.prompt, "Once");
    EXPECT_EQ(spec->b.run.max_new_tokens, 6);
}

TEST_F(CompareWithTest, SaysWhatIsMissing)
{
    openLive();
    openDialog(u"Another setting"_s);
    auto& other = find<QComboBox>("compareOther");
    struct Case {
        const char* differs;
        const char* text;
        const char* problem;
    };
    for (const Case& each : {
             Case{"Another setting", "", "Write a setting."},
             Case{"Another setting", "batch=1", "Both settings are the same"},
             Case{"Another setting", "batch=0", "The setting"},
             Case{"Another setting", "threads=2", ""},
             Case{"A running server", "", "Write the address of the server."},
             Case{"A running server", "http://127.0.0.1:9", ""},
             Case{"Two commands", "", "Write the first command."},
             Case{"Another model", "", "No other model was found."},
         }) {
        find<QComboBox>("compareDiffers").setCurrentText(QString::fromUtf8(each.differs));
        if (other.isEditable())
            other.setCurrentText(QString::fromUtf8(each.text));
        EXPECT_THAT(problem(), StartsWith(each.problem)) << each.differs << ' ' << each.text;
        EXPECT_EQ(find<QPushButton>("compareStart").isEnabled(), *each.problem == '\0')
            << each.differs << ' ' << each.text;
    }
}

TEST_F(CompareWithTest, ComparesTwoCommands)
{
    openLive();
    openDialog(u"Two commands"_s);
    auto& first = find<QComboBox>("compareFirst");
    auto& other = find<QComboBox>("compareOther");
    EXPECT_TRUE(first.isVisible());
    first.setCurrentText(u"sh -c 'sleep 0.3'"_s);
    EXPECT_THAT(problem(), HasSubstr("Write the command."));
    other.setCurrentText(u"no-such-program-here"_s);
    EXPECT_FALSE(find<QPushButton>("compareStart").isEnabled());
    other.setCurrentText(u"sh -c 'sleep 0.1; echo not shown'"_s);
    EXPECT_THAT(labelText("compareEqual").toStdString(), HasSubstr("its own prompt"));
    // The measurement ends as soon as the answer is known; a busy machine needs more pairs.
    find<QSpinBox>("comparePairs").setValue(12);
    click("compareStart");
    ASSERT_TRUE(waitForEnd());
    const std::vector<RunSummary> runs = storedRuns();
    EXPECT_GE(runs.size(), 6U);
    for (const RunSummary& run : runs)
        EXPECT_TRUE(run.info.profiling.command) << run.info.status_message;
    EXPECT_THAT(labelText("compareAnswer").toStdString(), HasSubstr("less energy"));
    EXPECT_THAT(labelText("compareFigures").toStdString(), HasSubstr("Energy of the run, "));
    EXPECT_FALSE(find<QPushButton>("compareKeep").isVisible()) << "a card is for settings";
    EXPECT_TRUE(find<QPushButton>("compareOpen").isVisible());
}

// Ten runs have the same answer in Live, in the engine of the terminal and in Compare.
TEST_F(CompareWithTest, MeasuresUntilItIsKnownAndOpensInCompare)
{
    startWithABatch();
    EXPECT_TRUE(view().running());
    EXPECT_TRUE(view().isVisible());
    EXPECT_EQ(find<QPushButton>("startStopButton").text(), u"Stop"_s);
    ASSERT_TRUE(waitForEnd());

    const std::vector<RunSummary> runs = storedRuns();
    const session::StoredPairs pairs = session::pairsOf(runs);
    const session::PaysDecision decision = session::decide(pairs.table);
    // On a busy machine, all pairs may not be enough.
    EXPECT_TRUE(decision.test.verdict == energy::PairedVerdict::BCheaper
                || decision.test.verdict == energy::PairedVerdict::Unknown)
        << static_cast<int>(decision.test.verdict);
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(2 * decision.test.pairs));
    const std::string sentence =
        energy::verdictSentence(decision.test, "batch 1", "batch 2").english();
    EXPECT_THAT(labelText("compareAnswer").toStdString(), StartsWith(sentence));
    EXPECT_EQ(labelText("compareSide0Title"), u"batch 1"_s);
    EXPECT_EQ(labelText("compareSide1Title"), u"batch 2"_s);
    for (const char* side : {"compareSide0Text", "compareSide1Text"})
        EXPECT_GE(find<ui::TokenStreamView>(side).count(), 6);
    EXPECT_GE(find<ui::SceneView>("compareCourse").scene().table.rows.size(), 3U);
    EXPECT_THAT(labelText("compareFigures").toStdString(), HasSubstr("Time per token"));
    EXPECT_TRUE(find<QPushButton>("startStopButton").isEnabled());

    // In History, its runs are one row, which has the verdict as its title.
    auto& folded = find<QTableWidget>("historyRepeats");
    find<QAction>("historyFold").setChecked(true);
    ASSERT_TRUE(waitFor([&] {
        return folded.rowCount() == 1
            && folded.item(0, 4)->text() == QString::number(int(runs.size()))
            && folded.item(0, 0)->text().toStdString() == sentence;
    })) << folded.item(0, 0)->text().toStdString();
    folded.selectRow(0); // two settings have no mean
    EXPECT_THAT(find<QTextBrowser>("historyDetails").toPlainText().toStdString(),
                HasSubstr("runs together"));

    click("compareKeep");
    ASSERT_TRUE(waitFor([this] { return labelText("compareCommon").contains(u"card-"_s); }));
    const session::KeptCards kept = session::keptCards(database());
    ASSERT_EQ(kept.cards.size(), 1U);
    EXPECT_EQ(session::decide(session::pairTableOf(kept.cards[0].card)).test.verdict,
              decision.test.verdict);

    click("compareOpen");
    ASSERT_TRUE(waitFor([this] { return !labelText("compareVerdict").isEmpty(); }));
    EXPECT_EQ(labelText("compareVerdict").toStdString(), sentence);
}

TEST_F(CompareWithTest, AnotherModelAnswersInTurnsAndARunEndsTheView)
{
    writeTinyModel(std::filesystem::path(folder().toStdString()) / "models" / "other");
    openLive();
    openDialog(u"Another model"_s);
    find<QSpinBox>("comparePairs").setValue(3);
    click("compareStart");
    ASSERT_TRUE(waitForEnd());
    const QString names = labelText("compareSide0Title") + labelText("compareSide1Title");
    EXPECT_TRUE(names.contains(u"other"_s) && names.contains(u"tiny"_s)) << names.toStdString();
    runToTheEnd(u"one answer"_s, 6);
    EXPECT_FALSE(view().isVisible());
}

// A server computes in the format it was started with.
TEST_F(CompareWithTest, AServerAnswersInTurns)
{
    const KnownServer& llama = knownServers()[2];
    const FakeLlmServer server(handlerOf(llama, generationOf(llama, 20ms)));
    openLive();
    openDialog(u"A running server"_s);
    find<QComboBox>("compareOther").setCurrentText(QString::fromStdString(server.origin()));
    find<QSpinBox>("comparePairs").setValue(3);
    click("compareStart");
    ASSERT_TRUE(waitForEnd());
    EXPECT_EQ(storedRuns().size(), 6U) << labelText("compareAnswer").toStdString();
}

TEST_F(CompareWithTest, StopsAtOnceAndContinues)
{
    openLive();
    openDialog(); // the engine does not care about formats: equal settings take long
    find<QSpinBox>("comparePairs").setValue(5);
    click("compareStart");
    ASSERT_TRUE(waitFor([this] { return storedRuns().size() >= 4; }));
    click("startStopButton");
    ASSERT_TRUE(waitForEnd());
    click("compareContinue");
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

TEST_F(CompareWithTest, ClosingTheWindowStopsIt)
{
    startWithABatch();
    ASSERT_TRUE(waitFor([this] { return !storedRuns().empty(); }));
    window().close();
    EXPECT_TRUE(window().isVisible()) << "a question first";
    click("closeConfirm");
    EXPECT_TRUE(waitFor([this] { return !window().isVisible(); }));
}

// Otherwise the first question of a new user would end with "no energy" after one pair.
TEST_F(CompareWithTest, WithoutASensorTheJoulesAreModelled)
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
    find<QAction>("actionCompareWith").trigger();
    EXPECT_THAT(labelText("compareEqual").toStdString(), HasSubstr("modelled"));
}

} // namespace
} // namespace ep::test
