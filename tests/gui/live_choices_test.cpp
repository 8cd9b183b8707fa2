// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/live_page_test.h"
#include "support/dash.h"
#include "support/tiny_model.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using ep::test::kDash;
using test::LiveTest;
using testing::HasSubstr;

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
    // One token per byte, and the one at the beginning of the sequence.
    EXPECT_TRUE(waitFor([this] {
        return labelText("promptTokenCount") == QLatin1String("5 tokens");
    })) << labelText("promptTokenCount").toStdString();
}

TEST_F(LiveTest, SaysHowMuchOfTheContextTheRunNeeds)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("eight by"));
    find<QSpinBox>("maxTokens").setValue(64);
    EXPECT_TRUE(waitFor([this] {
        return labelText("runPrediction")
            .contains(QLatin1String("Context: up to about 73 of 256 tokens, cache "));
    })) << labelText("runPrediction").toStdString();
    find<QSpinBox>("maxTokens").setValue(3000);
    EXPECT_TRUE(waitFor([this] {
        return labelText("runPrediction")
            .contains(QLatin1String("The context of 256 tokens ends the answer after about 247."));
    })) << labelText("runPrediction").toStdString();
    typePrompt(QString(300, u'x'));
    ASSERT_TRUE(waitFor([this] { return !button().isEnabled(); }));
    EXPECT_THAT(labelText("startHint").toStdString(),
                HasSubstr("The prompt has 301 tokens, but the context of tiny holds 256"));
    EXPECT_TRUE(waitFor([this] { return !labelText("runPrediction").contains(u"context"); }));
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
    ASSERT_EQ(combo.count(), 2 + 5) << "models, and what else can be measured";
    combo.setCurrentIndex(combo.currentIndex() == 0 ? 1 : 0);
    ASSERT_TRUE(shows("6 tokens")); // two brackets only: no token at the beginning of the sequence
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
    ASSERT_EQ(combo.count(), 2 + 5) << "models, and what else can be measured";
    EXPECT_EQ(combo.currentText().toStdString(), "tiny (bundled)"); // the one that loads
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

TEST_F(LiveTest, ModelledPowerShowsItsWattsAndRefusesNonsense)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    showMore();
    EXPECT_FALSE(find<QWidget>("fullWatts").isVisible());
    chooseInCombo("powerCombo", QStringLiteral("modelled"));
    EXPECT_TRUE(find<QWidget>("fullWatts").isVisible());
    EXPECT_THAT(labelText("powerState").toStdString(), HasSubstr("Not a measurement"));
    find<QDoubleSpinBox>("fullWatts").setValue(1.0);
    EXPECT_FALSE(button().isEnabled());
    EXPECT_THAT(labelText("startHint").toStdString(), HasSubstr("idle watts <= full watts"));
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

TEST_F(LiveTest, AShorterContextEndsTheRunAndIsRemembered)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    showMore();
    QTest::mouseClick(
        find<QWidget>("samplingBox").findChild<QToolButton*>(QStringLiteral("boxTitle")),
        Qt::LeftButton);
    auto& context = find<QSpinBox>("contextLength");
    ASSERT_TRUE(context.isVisible());
    EXPECT_EQ(context.text().toStdString(), "256 of 256 tokens");
    context.setFocus();
    context.selectAll();
    QTest::keyClicks(&context, QStringLiteral("12"));
    QTest::keyClick(&context, Qt::Key_Tab);
    EXPECT_EQ(context.text().toStdString(), "12 of 256 tokens");
    typePrompt(QStringLiteral("eight by"));
    find<QSpinBox>("maxTokens").setValue(64);
    EXPECT_TRUE(waitFor([this] {
        return labelText("runPrediction")
            .contains(QLatin1String("The context of 12 tokens ends the answer after about "));
    })) << labelText("runPrediction").toStdString();
    runToTheEnd(QStringLiteral("eight by"), 64);
    const RunPtr run = find<ui::PipelineView>("pipeline").controller()->run();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->info.model.context_length, 12);
    EXPECT_EQ(run->info.output_tokens, 4); // the last of 13 needs no position
    EXPECT_THAT(run->info.status_message, HasSubstr("12 tokens, is full"));
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(find<QSpinBox>("contextLength").text().toStdString(), "12 of 256 tokens");
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
    showMore();
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

TEST_F(LiveTest, TheChoicesFoldAwayDuringARunAndComeBack)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("go on"));
    find<QSpinBox>("maxTokens").setValue(3000);
    const auto& prompt = find<QPlainTextEdit>("promptEdit");
    runToTheEnd(QStringLiteral("first"), 2);
    find<QSpinBox>("maxTokens").setValue(3000);
    const int before = find<ui::HeatmapView>("liveHeatmap").width();
    click("startStopButton");
    EXPECT_FALSE(prompt.isVisible());
    ASSERT_TRUE(waitFor([this] { return tokens().count() >= 2; }));
    EXPECT_GT(find<ui::HeatmapView>("liveHeatmap").width(), before);
    click("startStopButton"); // stays when the form is folded
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    EXPECT_TRUE(prompt.isVisible());
    click("liveChoices");
    EXPECT_FALSE(prompt.isVisible());
    runToTheEnd(QStringLiteral("again"), 4);
    EXPECT_FALSE(prompt.isVisible()); // folded by the user
}

TEST_F(LiveTest, WithoutASensorModelledIsOneClickAway)
{
    reports = {{.kind = "powermetrics",
                .title = "Apple's powermetrics",
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

    chooseInCombo("powerCombo", QStringLiteral("auto")); // is offered again
    ASSERT_FALSE(messageOf("liveOffer").isEmpty());
    QTest::mouseClick(offer("messageDismiss"), Qt::LeftButton);
    typePrompt(QStringLiteral("something else"));
    EXPECT_EQ(messageOf("liveOffer").toStdString(), ""); // dismissing it is final
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
