// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live_page_test.h"
#include "support/dash.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_chart.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using ep::test::kDash;
using test::LiveTest;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_LT(tokens().count(), 3000);
    EXPECT_THAT(labelText("currentOperation").toStdString(), HasSubstr("Run cancelled"));
    EXPECT_THAT(labelText("currentOperation").toStdString(), HasSubstr("recording overhead"));
    EXPECT_EQ(window().statusBar()->currentMessage().toStdString(), "Run cancelled.");
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_EQ(shownCells(table(), historyColumn("status")).first().toStdString(), "Cancelled");
}

// The scale stays constant after the prefill has faded, until the run ends.
TEST_F(LiveTest, TheColoursOfTheHeatmapKeepTheirScaleDuringARun)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("go on"));
    find<QSpinBox>("batchSize").setValue(3);
    find<QSpinBox>("maxTokens").setValue(3000);
    click("startStopButton");
    const auto& heatmap = find<ui::HeatmapView>("liveHeatmap");
    ASSERT_TRUE(waitFor([&] { return heatmap.scale().has_value(); }));
    EXPECT_GE(heatmap.data()->tokens, 12);
    const double scale = *heatmap.scale();
    const int tokens = heatmap.data()->tokens;
    EXPECT_GT(scale, heatmap.data()->rowMean(0).value_or(0.0));
    EXPECT_THAT(heatmap.describe(0, 0).toStdString(), HasSubstr("steps, older ones fade"))
        << "a token of a batch is a step of several sequences";
    ASSERT_TRUE(waitFor([&] { return heatmap.data()->tokens > tokens + 5; }));
    EXPECT_GE(heatmap.scale().value_or(0.0), scale);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_FALSE(heatmap.scale().has_value());
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
    EXPECT_THAT(labelText("liveRun").toStdString(), HasSubstr("tiny · "));
    EXPECT_THAT(labelText("liveRun").toStdString(), HasSubstr("“the quick”"));
    EXPECT_EQ(labelText("statusSource").toStdString(), "Power: scripted");
    EXPECT_THAT(labelText("statusSampling").toStdString(), HasSubstr("of 10.0 readings/s"));
    EXPECT_THAT(labelText("statusRate").toStdString(), HasSubstr("tokens/s"));
    EXPECT_THAT(labelText("statusEnergy").toStdString(), HasSubstr("J / token"));
    EXPECT_TRUE(find<QLabel>("statusEnergy").isVisible());
    window().showPage(ui::Page::History); // History shows other runs
    EXPECT_FALSE(find<QLabel>("statusEnergy").isVisible());
    window().showPage(ui::Page::Live);
    EXPECT_EQ(message(), "");
}

TEST_F(LiveTest, TimingOnlyHidesJoulesAndSaysHowToGetThem)
{
    powerScript.kind = "none";
    reports = {{.kind = "powermetrics",
                .title = "Apple's powermetrics",
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
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_EQ(shownCells(table(), historyColumn("status")).first().toStdString(), "Failed");
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

// When a run replays a capture with a single document, the capture ends before the run.
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

} // namespace
