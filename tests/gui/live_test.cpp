// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"
#include "support/dash.h"
#include "support/tiny_model.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using ep::test::kDash;

class LiveTest : public test::WindowTest {
protected:
    ui::TokenStreamView& tokens() { return find<ui::TokenStreamView>("liveTokenStream"); }
    QPushButton& button() { return find<QPushButton>("startStopButton"); }
    std::string message() { return messageOf("liveMessage").toStdString(); }
};

TEST_F(LiveTest, SaysWhatIsMissingBeforeARunCanStart)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_FALSE(button().isEnabled());
    EXPECT_EQ(labelText("startHint").toStdString(), "Type a prompt.");
    typePrompt(QStringLiteral("hi"));
    EXPECT_TRUE(button().isEnabled());
    EXPECT_TRUE(find<QLabel>("startHint").isHidden());
}

TEST_F(LiveTest, ShowsFactsOfTheBundledModelAndCountsThePromptsTokens)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(find<QComboBox>("modelCombo").currentText().toStdString(), "tiny (bundled)");
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("Llama"));
    typePrompt(QStringLiteral("four"));
    // One token a byte, and the one that begins the sequence.
    EXPECT_TRUE(waitFor([this] {
        return labelText("promptTokenCount") == QLatin1String("5 tokens");
    })) << labelText("promptTokenCount").toStdString();
}

TEST_F(LiveTest, AChatTemplateIsOfferedOnlyForModelsThatHaveOne)
{
    const auto models = std::filesystem::path(folder().toStdString()) / "models";
    test::writeTinyModel(models / "wordy");
    QFile chat(QString::fromStdString((models / "wordy" / "chat_template.jinja").string()));
    ASSERT_TRUE(chat.open(QIODevice::WriteOnly));
    chat.write("<{{ messages[0].content }}>");
    chat.close();
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("four"));
    const auto shows = [this](const char* tokens) {
        return waitFor([&] { return labelText("promptTokenCount") == QLatin1String(tokens); });
    };
    ASSERT_TRUE(shows("5 tokens"));
    auto& box = find<QCheckBox>("chatTemplate");
    EXPECT_FALSE(box.isEnabled());
    EXPECT_FALSE(box.isChecked());
    EXPECT_THAT(box.toolTip().toStdString(), HasSubstr("no chat template"));

    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_EQ(combo.count(), 2);
    combo.setCurrentIndex(combo.currentIndex() == 0 ? 1 : 0);
    ASSERT_TRUE(shows("6 tokens")); // two brackets, no token that begins the sequence
    EXPECT_TRUE(box.isEnabled());
    EXPECT_TRUE(box.isChecked());
    QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
    EXPECT_FALSE(box.isChecked());
    EXPECT_TRUE(shows("5 tokens"));
}

TEST_F(LiveTest, ShowsWhyAModelCannotBeLoaded)
{
    addUnsupportedModel();
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& combo = find<QComboBox>("modelCombo");
    ASSERT_EQ(combo.count(), 2);
    EXPECT_EQ(combo.currentText().toStdString(), "tiny (bundled)"); // the one that works
    combo.setCurrentIndex(combo.currentIndex() == 0 ? 1 : 0);
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("Mamba"));
    typePrompt(QStringLiteral("hi"));
    EXPECT_FALSE(button().isEnabled());
    EXPECT_EQ(labelText("startHint").toStdString(), "This model cannot be loaded.");
}

TEST_F(LiveTest, AModelFolderCanBeDroppedOnThePage)
{
    const std::filesystem::path dropped =
        std::filesystem::path(folder().toStdString()) / "elsewhere" / "dropped";
    test::writeTinyModel(dropped);
    openWindow();
    ASSERT_TRUE(waitForModel());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(dropped.string()))});
    auto& page = find<QWidget>("livePage");
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&page, &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop({10.0, 10.0}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&page, &drop);
    auto& combo = find<QComboBox>("modelCombo");
    EXPECT_TRUE(waitFor([&] { return combo.currentText() == QLatin1String("dropped"); }));
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("Llama"));
}

TEST_F(LiveTest, StreamsTokensAndHeatmapUntilStopped)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("go on"));
    find<QSpinBox>("maxTokens").setValue(3000);
    click("startStopButton");
    EXPECT_EQ(button().text().toStdString(), "Stop");
    ASSERT_TRUE(waitFor([this] { return tokens().count() >= 5; }));
    const auto& heatmap = find<ui::HeatmapView>("liveHeatmap");
    ASSERT_NE(heatmap.data(), nullptr);
    EXPECT_EQ(heatmap.data()->layers, 2);
    EXPECT_EQ(heatmap.data()->components.size(), 4U);
    EXPECT_TRUE(waitFor([this] {
        return labelText("currentOperation").contains(QLatin1String("Decode"));
    })) << labelText("currentOperation").toStdString();
    EXPECT_TRUE(
        waitFor([this] { return find<ui::PowerChart>("livePower").statistics().samples > 0; }));
    EXPECT_THAT(labelText("liveTokens").toStdString(), HasSubstr("of 3000"));
    EXPECT_NE(labelText("liveRate"), kDash);
    EXPECT_NE(labelText("liveRemaining"), kDash);

    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_LT(tokens().count(), 3000);
    EXPECT_THAT(labelText("currentOperation").toStdString(), HasSubstr("Run cancelled"));
    EXPECT_THAT(labelText("currentOperation").toStdString(), HasSubstr("recording overhead"));
    EXPECT_EQ(window().statusBar()->currentMessage().toStdString(), "Run cancelled.");
    auto& history = find<QTableView>("historyTable");
    ASSERT_TRUE(waitFor([&] { return history.model()->rowCount() == 1; }));
    EXPECT_EQ(shownCells(history, 3).first().toStdString(), "Cancelled");
}

TEST_F(LiveTest, TheEndOfARunIsNotReadDuringTheNext)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("go on"));
    find<QSpinBox>("maxTokens").setValue(3000);
    const QStatusBar& bar = *window().statusBar();
    for (const char* before : {"", "Run cancelled."}) {
        EXPECT_EQ(bar.currentMessage().toStdString(), before);
        click("startStopButton");
        EXPECT_EQ(bar.currentMessage().toStdString(), "");
        ASSERT_TRUE(waitFor([this] { return tokens().count() >= 3; }));
        EXPECT_EQ(bar.currentMessage().toStdString(), "");
        click("startStopButton");
        ASSERT_TRUE(waitFor([this] { return idle(); }));
    }
    EXPECT_EQ(bar.currentMessage().toStdString(), "Run cancelled.");
}

TEST_F(LiveTest, ShowsFinalFiguresInCardsAndStatusBar)
{
    openWindow();
    runToTheEnd(QStringLiteral("the quick"), 12);
    EXPECT_EQ(labelText("liveTokens").toStdString(), "12");
    EXPECT_EQ(tokens().count(), 12);
    EXPECT_NE(labelText("liveEnergyPerToken"), kDash);
    EXPECT_NE(labelText("liveFirstToken"), kDash);
    EXPECT_EQ(labelText("statusSource").toStdString(), "Power: scripted");
    EXPECT_THAT(labelText("statusSampling").toStdString(), HasSubstr("of 10.0 Hz"));
    EXPECT_THAT(labelText("statusRate").toStdString(), HasSubstr("tokens/s"));
    EXPECT_THAT(labelText("statusEnergy").toStdString(), HasSubstr("J / token"));
    EXPECT_TRUE(find<QLabel>("statusEnergy").isVisible());
    window().showPage(ui::Page::History); // other runs are seen there
    EXPECT_FALSE(find<QLabel>("statusEnergy").isVisible());
    window().showPage(ui::Page::Live);
    EXPECT_EQ(message(), "");
}

TEST_F(LiveTest, TimingOnlyHidesJoulesAndSaysHowToGetThem)
{
    powerScript.kind = "none";
    reports = {{.kind = "powermetrics",
                .available = false,
                .explanation = "not on this system",
                .remedy = "Run it on a Mac.",
                .rails = {}}};
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 8);
    EXPECT_THAT(message(), HasSubstr("Timing only"));
    EXPECT_THAT(message(), HasSubstr("Run it on a Mac."));
    EXPECT_EQ(labelText("liveEnergyPerToken"), kDash);
    EXPECT_NE(labelText("liveRate"), kDash);
    EXPECT_EQ(labelText("statusSource").toStdString(), "Power: none (timing only)");
    EXPECT_THAT(labelText("powerState").toStdString(), HasSubstr("timing only"));
}

TEST_F(LiveTest, ALoadingErrorIsShownInTheWindow)
{
    engineScript.load_error =
        Error{ErrorCode::InvalidInput, "The weights are broken: download them again."};
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 8);
    EXPECT_EQ(message(), "The weights are broken: download them again.");
    EXPECT_TRUE(button().isEnabled());
    QTest::mouseClick(find<QWidget>("liveMessage").findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_EQ(message(), "");
}

TEST_F(LiveTest, AModelThatSeemsTooLargeCanBeRunAnyway)
{
    availableMemory = 1;
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 8);
    EXPECT_THAT(message(), HasSubstr("of memory"));
    EXPECT_EQ(tokens().count(), 0);
    QToolButton* const anyway =
        find<QWidget>("liveMessage").findChild<QToolButton*>(QStringLiteral("messageAction"));
    EXPECT_EQ(anyway->text().toStdString(), "Run Anyway");
    QTest::mouseClick(anyway, Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_EQ(tokens().count(), 8);
}

TEST_F(LiveTest, AFailureInTheMiddleKeepsWhatThereIs)
{
    engineScript.step_error = Error{ErrorCode::Internal, "The decoder broke: report it."};
    engineScript.failing_step = 4;
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 8);
    EXPECT_THAT(message(), HasSubstr("The decoder broke"));
    EXPECT_EQ(tokens().count(), 4);
    auto& history = find<QTableView>("historyTable");
    ASSERT_TRUE(waitFor([&] { return history.model()->rowCount() == 1; }));
    EXPECT_EQ(shownCells(history, 3).first().toStdString(), "Failed");
}

TEST_F(LiveTest, ASourceThatDiesIsANoticeAndTheRunGoesOn)
{
    powerScript.samples_before_failure = 3;
    powerScript.problem = "The sensor went away: plug it in again.";
    engineScript.layer_time = 2ms;
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 20);
    EXPECT_THAT(message(),
                StartsWith("The energy of this run is not known: the power samples do not cover "
                           "all of it. The sensor went away: plug it in again. The samples cover "
                           "only "));
    EXPECT_EQ(tokens().count(), 20);
}

// A capture with a single document ends early in the run that replays it.
TEST_F(LiveTest, NoJoulesAreShownThatTheRunWillNotHave)
{
    powerScript.samples_before_failure = 1;
    powerScript.problem = "The capture is over.";
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    find<QSpinBox>("maxTokens").setValue(40);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return tokens().count() > 20; }));
    EXPECT_EQ(labelText("liveEnergyPerToken"), kDash);
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_EQ(labelText("liveEnergyPerToken"), kDash);
    EXPECT_THAT(message(), HasSubstr("The capture is over. The samples cover only "));
}

TEST_F(LiveTest, ARunTooShortForItsSensorSaysSo)
{
    powerScript.window = 100ms;
    engineScript.layer_time = 0us;
    openWindow();
    runToTheEnd(QStringLiteral("hello"), 4);
    EXPECT_THAT(message(), HasSubstr("the run is too short for this sensor"));
    EXPECT_THAT(message(), Not(HasSubstr("do not cover")));
    EXPECT_EQ(labelText("liveEnergyPerToken"), kDash);
}

TEST_F(LiveTest, StopsWhileTheModelLoads)
{
    engineScript.load_steps = 10'000;
    engineScript.load_step_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return find<QProgressBar>("loadProgress").value() > 0; }));
    EXPECT_TRUE(find<QProgressBar>("loadProgress").isVisible());
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_THAT(message(), HasSubstr("Stopped before the first token"));
}

TEST_F(LiveTest, RecordsNoHeatmapAtDepthNone)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    chooseInCombo("depthCombo", QStringLiteral("none"));
    runToTheEnd(QStringLiteral("hello"), 5);
    EXPECT_EQ(tokens().count(), 5);
    EXPECT_EQ(find<ui::HeatmapView>("liveHeatmap").data(), nullptr);
}

TEST_F(LiveTest, ModelledPowerShowsItsWattsAndRefusesNonsense)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    EXPECT_FALSE(find<QWidget>("fullWatts").isVisible());
    chooseInCombo("powerCombo", QStringLiteral("modelled"));
    EXPECT_TRUE(find<QWidget>("fullWatts").isVisible());
    EXPECT_THAT(labelText("powerState").toStdString(), HasSubstr("Not a measurement"));
    find<QDoubleSpinBox>("fullWatts").setValue(1.0);
    EXPECT_FALSE(button().isEnabled());
    EXPECT_THAT(labelText("startHint").toStdString(), HasSubstr("above idle"));
}

TEST_F(LiveTest, ARunIsRepeatedAsOftenAsAsked)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("repeatRuns").setValue(3);
    runToTheEnd(QStringLiteral("again"), 4);
    EXPECT_TRUE(
        waitFor([this] { return find<QTableView>("historyTable").model()->rowCount() == 3; }));
    EXPECT_TRUE(button().isEnabled());
}

// Without energies there is nothing that further runs could make known.
TEST_F(LiveTest, RepeatingUntilKnownEndsWhereNothingCanBe)
{
    powerScript.kind = "none";
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& until = find<QCheckBox>("untilKnown");
    find<QSpinBox>("repeatRuns").setValue(4);
    EXPECT_FALSE(until.isEnabled());
    find<QSpinBox>("repeatRuns").setValue(50);
    EXPECT_TRUE(until.isEnabled());
    until.setChecked(true);
    runToTheEnd(QStringLiteral("again"), 4);
    EXPECT_TRUE(
        waitFor([this] { return find<QTableView>("historyTable").model()->rowCount() == 1; }));
    EXPECT_TRUE(button().isEnabled());
}

TEST_F(LiveTest, StopEndsTheRepetitionsToo)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("repeatRuns").setValue(50);
    typePrompt(QStringLiteral("again"));
    find<QSpinBox>("maxTokens").setValue(1000);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return tokens().count() > 3; }));
    EXPECT_EQ(labelText("startHint").toStdString(), "Run 1 of 50");
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(
        waitFor([this] { return find<QTableView>("historyTable").model()->rowCount() == 1; }));
}

TEST_F(LiveTest, MeasurementFieldsReachTheRunAndAreRemembered)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("batchSize").setValue(3);
    find<QSpinBox>("warmupTokens").setValue(2);
    find<QDoubleSpinBox>("baselineSeconds").setValue(0.1);
    find<QLineEdit>("experimentEdit").setText(QStringLiteral("first"));
    runToTheEnd(QStringLiteral("hi"), 4);
    const RunPtr run = find<ui::PipelineView>("pipeline").controller()->run();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->info.batch.size(), 3U);
    EXPECT_EQ(run->info.experiment, "first");
    openWindow();
    EXPECT_EQ(find<QSpinBox>("batchSize").value(), 3);
    EXPECT_EQ(find<QSpinBox>("warmupTokens").value(), 2);
    EXPECT_EQ(find<QDoubleSpinBox>("baselineSeconds").value(), 0.1);
    EXPECT_EQ(find<QLineEdit>("experimentEdit").text(), QStringLiteral("first"));
}

TEST_F(LiveTest, ASystemMessageGoesThroughTheChatTemplate)
{
    const auto models = std::filesystem::path(folder().toStdString()) / "models";
    QFile chat(QString::fromStdString((models / "tiny" / "chat_template.jinja").string()));
    ASSERT_TRUE(chat.open(QIODevice::WriteOnly));
    chat.write("{% for m in messages %}<{{ m.content }}>{% endfor %}");
    chat.close();
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& system = find<QLineEdit>("systemMessage");
    ASSERT_TRUE(waitFor([&] { return system.isVisible(); }));
    typePrompt(QStringLiteral("four"));
    const auto shows = [this](const char* tokens) {
        return waitFor([&] { return labelText("promptTokenCount") == QLatin1String(tokens); });
    };
    EXPECT_TRUE(shows("6 tokens"));
    system.setFocus();
    QTest::keyClicks(&system, QStringLiteral("ab"));
    EXPECT_TRUE(shows("10 tokens"));
    runToTheEnd(QStringLiteral("four"), 2);
    EXPECT_EQ(find<ui::PipelineView>("pipeline").controller()->run()->info.input_tokens, 10);

    auto& box = find<QCheckBox>("chatTemplate");
    QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
    EXPECT_FALSE(system.isVisible()) << "it belongs to the template";
    runToTheEnd(QStringLiteral("four"), 2);
    EXPECT_EQ(find<ui::PipelineView>("pipeline").controller()->run()->info.input_tokens, 5);
    openWindow();
    EXPECT_EQ(find<QLineEdit>("systemMessage").text(), QStringLiteral("ab"));
}

TEST_F(LiveTest, SeveralPromptsAreOneBatch)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& edit = find<QPlainTextEdit>("promptEdit");
    EXPECT_THAT(edit.placeholderText().toStdString(), HasSubstr("---"));
    typePrompt(QStringLiteral("---"));
    EXPECT_FALSE(button().isEnabled()) << "a line between nothing";
    edit.setPlainText(QStringLiteral("four\n---\n\n---\ntwo\nlines\n\\---"));
    find<QSpinBox>("maxTokens").setValue(3);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(waitFor([this] {
        return labelText("promptTokenCount") == QLatin1String("5 + 14 tokens");
    })) << labelText("promptTokenCount").toStdString();
    const RunPtr run = find<ui::PipelineView>("pipeline").controller()->run();
    ASSERT_TRUE(run);
    ASSERT_EQ(run->info.batch.size(), 2U) << "nothing between two lines is no prompt";
    EXPECT_EQ(run->info.batch[0].prompt, "four");
    EXPECT_EQ(run->info.batch[1].prompt, "two\nlines\n---");
    EXPECT_EQ(run->info.batch[1].input_tokens, 14);
    EXPECT_EQ(labelText("tokenWords").toStdString(), "All of 3 steps of 2 sequences");

    edit.setPlainText(QStringLiteral("a\n---\nb\n---\nc\n---\nd\n---\ne\n---\nf\n---\ng"));
    EXPECT_TRUE(waitFor([this] {
        return labelText("promptTokenCount") == QLatin1String("7 prompts, 14 tokens");
    })) << labelText("promptTokenCount").toStdString();
}

TEST_F(LiveTest, EachSequenceOfABatchCanBeChosen)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QPlainTextEdit>("promptEdit").setPlainText(QStringLiteral("four\n---\nsecond prompt"));
    find<QSpinBox>("maxTokens").setValue(3);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    click("liveAnalyse");
    auto& stream = find<ui::TokenStreamView>("runTokenStream");
    ASSERT_TRUE(waitFor([&] { return stream.isVisible(); }));
    auto& analysis = find<QWidget>("analysisPage");
    auto* choice = analysis.findChild<QComboBox*>(QStringLiteral("sequenceChoice"));
    auto* text = analysis.findChild<QPlainTextEdit*>(QStringLiteral("sequenceText"));
    ASSERT_TRUE(choice && text && choice->isVisible());
    ASSERT_EQ(choice->count(), 2);
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Down);
    EXPECT_TRUE(text->isVisible());
    EXPECT_THAT(text->toPlainText().toStdString(), HasSubstr("second prompt"));
    EXPECT_EQ(labelText("pinnedDetailsTitle").toStdString(), "Sequence 2 of 2");
    const auto& pinned = *find<QTableWidget>("pinnedDetails").model();
    EXPECT_EQ(
        pinned.index(0, 1).data().toString().toStdString(),
        std::to_string(
            find<ui::PipelineView>("pipeline").controller()->run()->info.batch[1].input_tokens));
    QTest::keyClick(choice, Qt::Key_Up);
    EXPECT_TRUE(stream.isVisible());
    EXPECT_EQ(labelText("pinnedDetailsTitle").toStdString(), "Sequence 1 of 2");
}

TEST_F(LiveTest, RestsBetweenRunsAndStopEndsTheRest)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    auto& pause = find<QDoubleSpinBox>("coolDownSeconds");
    EXPECT_FALSE(pause.isEnabled()) << "there is nothing between one run";
    find<QSpinBox>("repeatRuns").setValue(2);
    EXPECT_TRUE(pause.isEnabled());
    pause.setValue(0.2);
    runToTheEnd(QStringLiteral("again"), 2);
    auto& history = find<QTableView>("historyTable");
    EXPECT_TRUE(waitFor([&] { return history.model()->rowCount() == 2; }));

    pause.setValue(600.0);
    typePrompt(QStringLiteral("again"));
    click("startStopButton");
    ASSERT_TRUE(
        waitFor([this] { return labelText("startHint").contains(QLatin1String("Cooling down")); }));
    EXPECT_EQ(labelText("startHint").toStdString(), "Run 1 of 2: Cooling down for 600 s");
    EXPECT_EQ(button().text().toStdString(), "Stop");
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(button().isEnabled());
    EXPECT_EQ(button().text().toStdString(), "Start");
    EXPECT_TRUE(waitFor([&] { return history.model()->rowCount() == 3; }));
    openWindow();
    EXPECT_EQ(find<QDoubleSpinBox>("coolDownSeconds").value(), 600.0);
}

TEST_F(LiveTest, TheChoicesFoldAwayDuringARunAndComeBack)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("go on"));
    find<QSpinBox>("maxTokens").setValue(3000);
    const auto& prompt = find<QPlainTextEdit>("promptEdit");
    const int before = find<ui::HeatmapView>("liveHeatmap").width();
    click("startStopButton");
    EXPECT_FALSE(prompt.isVisible());
    ASSERT_TRUE(waitFor([this] { return tokens().count() >= 2; }));
    EXPECT_GT(find<ui::HeatmapView>("liveHeatmap").width(), before);
    click("startStopButton"); // it stays when the form is folded
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(prompt.isVisible());
    click("liveChoices");
    EXPECT_FALSE(prompt.isVisible());
    runToTheEnd(QStringLiteral("again"), 4);
    EXPECT_FALSE(prompt.isVisible()); // the user had folded it
}

TEST_F(LiveTest, OneButtonLeadsToAnalysisAfterTheEnd)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_FALSE(find<QPushButton>("liveAnalyse").isVisible());
    runToTheEnd(QStringLiteral("the quick"), 6);
    EXPECT_THAT(labelText("currentOperation").toStdString(), HasSubstr("Run complete"));
    click("liveAnalyse");
    EXPECT_EQ(find<QStackedWidget>("pages").currentIndex(), 1);
    EXPECT_TRUE(waitFor([this] { return find<ui::PipelineView>("pipeline").isVisible(); }));
    EXPECT_TRUE(labelText("runPrompt").contains(QLatin1String("the quick")));
}

TEST_F(LiveTest, WithoutASensorModelledIsOneClickAway)
{
    reports = {{.kind = "powermetrics",
                .available = false,
                .explanation = "not on this system",
                .remedy = "Run it on a Mac.",
                .rails = {}}};
    openWindow();
    ASSERT_TRUE(waitFor([this] { return !messageOf("liveOffer").isEmpty(); }));
    EXPECT_THAT(messageOf("liveOffer").toStdString(), HasSubstr("marked as modelled"));
    const auto offer = [this](const char* button) {
        return find<QWidget>("liveOffer").findChild<QToolButton*>(QString::fromUtf8(button));
    };
    QTest::mouseClick(offer("messageAction"), Qt::LeftButton);
    EXPECT_EQ(find<QComboBox>("powerCombo").currentData().toString().toStdString(), "modelled");
    EXPECT_EQ(messageOf("liveOffer").toStdString(), "");

    chooseInCombo("powerCombo", QStringLiteral("auto")); // offered again
    ASSERT_FALSE(messageOf("liveOffer").isEmpty());
    QTest::mouseClick(offer("messageDismiss"), Qt::LeftButton);
    typePrompt(QStringLiteral("something else"));
    EXPECT_EQ(messageOf("liveOffer").toStdString(), ""); // no is no
}

TEST_F(LiveTest, ANewUserPressesOneButton)
{
    QFile::remove(settingsFile());
    openWindow();
    ASSERT_TRUE(waitForModel());
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle() && tokens().count() > 0; }));
    EXPECT_NE(labelText("liveEnergyPerToken"), kDash);
}

TEST_F(LiveTest, WithASensorNothingIsOffered)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    EXPECT_EQ(messageOf("liveOffer").toStdString(), "");
}

} // namespace
