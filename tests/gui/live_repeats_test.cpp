// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live_page_test.h"
#include "pages/prompt_edit.h"

#include "ep/ui/charts/pipeline_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using test::LiveTest;
using testing::HasSubstr;

TEST_F(LiveTest, ARunIsRepeatedAsOftenAsAsked)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("repeatRuns").setValue(3);
    runToTheEnd(QStringLiteral("again"), 4);
    EXPECT_TRUE(waitForRuns(3));
    EXPECT_TRUE(button().isEnabled());
}

// Without energies, further runs could not make anything known.
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
    EXPECT_TRUE(waitForRuns(1));
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
    EXPECT_TRUE(waitForRuns(1));
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
    EXPECT_TRUE(waitForRuns(2));

    pause.setValue(600.0);
    typePrompt(QStringLiteral("again"));
    click("startStopButton");
    ASSERT_TRUE(
        waitFor([this] { return labelText("startHint").contains(QLatin1String("Cooling down")); }));
    // On a busy machine, the prompt may be counted this late.
    Q_EMIT window().findChild<ui::PromptEdit*>()->tokensCounted();
    EXPECT_EQ(labelText("startHint").toStdString(), "Run 1 of 2: Cooling down for 600 s");
    EXPECT_EQ(button().text().toStdString(), "Stop");
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(button().isEnabled());
    EXPECT_EQ(button().text().toStdString(), "Start");
    EXPECT_TRUE(waitForRuns(3));
    openWindow();
    EXPECT_EQ(find<QDoubleSpinBox>("coolDownSeconds").value(), 600.0);
}

} // namespace
