// SPDX-License-Identifier: GPL-3.0-or-later
// The Study dialog, and the switch for the local API.
#include "dialogs/study_dialog.h"
#include "gui/window_test.h"
#include "pages/analysis_page.h"
#include "repository/run_document.h"

#include "ep/core/machine_record.h"
#include "ep/session/explain.h"
#include "ep/session/study.h"
#include "ep/store/store.h"
#include "ep/ui/to_qstring.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTest>
#include <QTextBrowser>
#include <QUrl>

namespace ep::test {

namespace {

using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::SizeIs;

class StudyDialogTest : public WindowTest {
protected:
    void openStudy()
    {
        openWindow();
        openStudyHere();
    }
    void openStudyHere()
    {
        find<QAction>("actionNewStudy").trigger();
        find<QPlainTextEdit>("studyPrompts").setPlainText(u"Once\n\nUpon a time"_s);
        find<QLineEdit>("studyOutputTokens").setText(u"3"_s);
        find<QSpinBox>("studyRepeats").setValue(2);
    }
    ui::StudyDialog& dialog() { return find<ui::StudyDialog>("studyDialog"); }
};

TEST_F(StudyDialogTest, SaysHowManyRunsItMeansAndWhatIsMissing)
{
    openStudy();
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("2 configurations, 4 runs"));
    auto& dtypes = find<QListWidget>("studyDtypes");
    dtypes.item(1)->setCheckState(Qt::Checked);
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("4 configurations, 8 runs"));
    find<QLineEdit>("studyBatchSizes").setText(u"1, two"_s);
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("batch sizes"));
    EXPECT_FALSE(find<QPushButton>("studyRun").isEnabled());
    EXPECT_FALSE(find<QPushButton>("studySave").isEnabled());
}

TEST_F(StudyDialogTest, BuildsTheFileOfTheCommandLine)
{
    openStudy();
    const auto built = dialog().spec();
    ASSERT_TRUE(built) << built.error().message;
    const auto read = session::parseStudy(session::studyToJson(*built), ".");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, *built);
    EXPECT_THAT(read->models, testing::ElementsAre("tiny"));
}

TEST_F(StudyDialogTest, ShowsAStudyMadeElsewhere)
{
    openStudy();
    session::StudySpec wanted;
    wanted.name = "advice";
    wanted.models = {"/models/another"};
    wanted.prompts = {{"as in the run", "one\n\nprompt of two paragraphs"}};
    wanted.values("profiling_depth") = {"none", "deep"};
    wanted.values("device") = {"cpu", "vulkan"};
    wanted.values("dtype") = {"f32", "bf16"};
    wanted.values("batch_size") = {"1", "8"};
    wanted.values("max_new_tokens") = {"32"};
    wanted.seed = 999'999'999'999'999;
    wanted.run.repeats = 5;
    wanted.run.sampling.temperature = 0.5;
    wanted.run.load.threads = 2;
    wanted.run.tags = {"advice"};
    dialog().setSpec(wanted);
    const auto shown = dialog().spec();
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_EQ(*shown, wanted);
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("16 configurations, 80 runs"));
    find<QPlainTextEdit>("studyPrompts").setPlainText(u"another"_s);
    ASSERT_TRUE(dialog().spec());
    EXPECT_EQ(dialog().spec()->prompts.front().text, "another");
}

TEST_F(StudyDialogTest, RunsAndGoesOn)
{
    openStudy();
    click("studyRun");
    EXPECT_TRUE(dialog().running());
    EXPECT_FALSE(find<QPushButton>("startStopButton").isEnabled()) << "one run at a time";
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    auto& report = find<QPlainTextEdit>("studyReport");
    EXPECT_TRUE(report.isVisible());
    EXPECT_THAT(report.toPlainText().toStdString(), HasSubstr("4 of 4 runs"));
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("studyOpenReport").isVisible(); }));
    const QString page = folder() + u"/study-study.html"_s;
    EXPECT_THAT(report.toPlainText().toStdString(), HasSubstr(page.toStdString()));
    EXPECT_TRUE(QFile::exists(page));
    QTextBrowser browser;
    QDesktopServices::setUrlHandler(u"file"_s, &browser, "setSource");
    click("studyOpenReport");
    QDesktopServices::unsetUrlHandler(u"file"_s);
    EXPECT_EQ(browser.source(), QUrl::fromLocalFile(page));
    click("studyRun"); // all runs already exist
    EXPECT_FALSE(find<QPushButton>("studyOpenReport").isVisible());
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    const auto store = store::Store::open(database());
    ASSERT_TRUE(store);
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs);
    EXPECT_THAT(*runs, SizeIs(4));
    click("studyClose");
    EXPECT_TRUE(waitFor([this] { return seek<ui::StudyDialog>("studyDialog") == nullptr; }));
}

TEST_F(StudyDialogTest, BeginsWithWhatLiveWouldRun)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(u"a prompt of Live"_s);
    find<QSpinBox>("maxTokens").setValue(7);
    find<QAction>("actionNewStudy").trigger();
    EXPECT_EQ(find<QPlainTextEdit>("studyPrompts").toPlainText(), u"a prompt of Live"_s);
    EXPECT_EQ(find<QLineEdit>("studyOutputTokens").text(), u"7"_s);
    ASSERT_TRUE(dialog().spec());
    EXPECT_THAT(dialog().spec()->models, testing::ElementsAre("tiny"));
    auto& devices = find<QListWidget>("studyDevices");
    for (int i = 0; i < devices.count(); ++i) {
#ifdef Q_OS_MACOS
        EXPECT_NE(devices.item(i)->text(), u"cuda"_s);
#else
        EXPECT_NE(devices.item(i)->text(), u"mps"_s);
#endif
    }
}

TEST_F(StudyDialogTest, RunsBesideThePagesAndEndsInCompare)
{
    openStudy();
    click("studyRun");
    ASSERT_TRUE(dialog().running());
    click("studyClose"); // hides the dialog while the study continues
    EXPECT_FALSE(dialog().isVisible());
    EXPECT_TRUE(
        waitFor([this] { return window().statusBar()->currentMessage().contains(u"tudy"_s); }));
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    EXPECT_TRUE(dialog().isVisible());
    ASSERT_TRUE(waitForRuns(4));
    click("studyCompare");
    EXPECT_EQ(find<QStackedWidget>("pages").currentIndex(), 3);
    EXPECT_TRUE(waitFor(
        [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
    const auto closed = [this] { return seek<ui::StudyDialog>("studyDialog") == nullptr; };
    EXPECT_TRUE(waitFor(closed)) << "it covers the page";

    window().showPage(ui::Page::Live);
    openStudyHere();
    find<QSpinBox>("studyRepeats").setValue(1);
    click("studyRun");
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    click("studyShow");
    EXPECT_EQ(find<QStackedWidget>("pages").currentIndex(), 2);
    EXPECT_TRUE(waitFor(closed)) << "it covers the page";
}

TEST_F(StudyDialogTest, LiveShowsItsRunsAndNamesItsStep)
{
    openStudy();
    click("studyRun");
    ASSERT_TRUE(waitFor([this] { return labelText("startHint").contains(u"Run 2 of 4"_s); }));
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    EXPECT_THAT(labelText("liveRun").toStdString(), HasSubstr("“Upon a time”"));
    EXPECT_EQ(labelText("liveTokens"), u"3"_s);
    EXPECT_TRUE(find<QPushButton>("liveAnalyse").isVisible());
    EXPECT_FALSE(labelText("startHint").contains(u"tudy"_s));
}

TEST_F(StudyDialogTest, WaitsForTheRunInLive)
{
    openStudy();
    ASSERT_TRUE(waitForModel());
    typePrompt(u"Once"_s);
    click("startStopButton");
    EXPECT_FALSE(find<QPushButton>("studyRun").isEnabled());
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("A run is in progress"));
    ASSERT_TRUE(waitFor([this] { return !window().running(); }));
    EXPECT_TRUE(find<QPushButton>("studyRun").isEnabled());
    EXPECT_THAT(labelText("studySummary").toStdString(), HasSubstr("2 configurations, 4 runs"));
}

TEST_F(StudyDialogTest, AsksBeforeItMeasuresNoJoules)
{
    openStudy();
    auto& power = find<QComboBox>("studyPower");
    power.setCurrentIndex(power.findText(u"none"_s));
    click("studyRun");
    EXPECT_FALSE(dialog().running());
    ASSERT_NE(seek<QMessageBox>("studyWithoutEnergy"), nullptr);
    click("studyUseModelled");
    EXPECT_TRUE(dialog().running());
    EXPECT_EQ(power.currentText(), u"modelled"_s);
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
}

// From the Why tab: the study tests the remedy, and the prediction is recorded when it starts.
TEST_F(StudyDialogTest, ARemedyIsTried)
{
    openWindow();
    runToTheEnd(u"the quick"_s, 3);
    press(Qt::Key_2, Qt::ControlModifier);
    auto& page = find<ui::AnalysisPage>("analysisPage");
    ASSERT_TRUE(waitFor([this] { return !labelText("answerSentence").isEmpty(); }));
    session::Explanation explanation;
    explanation.diagnosis.answer = "An answer.";
    explanation.remedies.push_back({.lever = energy::Lever::Batch,
                                    .what = "Generate two at a time",
                                    .setting = "2",
                                    .trial = energy::Trial::Study,
                                    .share = energy::Estimate{0.3, 0.05}});
    page.document().setExplanation(std::make_shared<const session::Explanation>(explanation));
    chooseTab("analysisViews", u"Why"_s);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // of the first answer
    const auto buttons = find<QWidget>("whyTab").findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 1);
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    const auto spec = dialog().spec();
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->values("batch_size"), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(spec->run.repeats, 5);
    find<QSpinBox>("studyRepeats").setValue(1);
    find<QLineEdit>("studyName").setText(u"mine"_s);
    click("studyRun");
    ASSERT_TRUE(waitFor([this] { return !dialog().running(); }));
    EXPECT_THAT(find<QPlainTextEdit>("studyReport").toPlainText().toStdString(),
                HasSubstr("2 of 2 runs"));
    const auto store = store::Store::openToRead(database());
    ASSERT_TRUE(store);
    const auto advice = (*store)->advice(machineKey(page.run()->info.environment));
    ASSERT_TRUE(advice);
    ASSERT_THAT(*advice, SizeIs(1));
    EXPECT_EQ(advice->front().experiment, "mine");
    EXPECT_EQ(advice->front().setting, "2");
}

TEST_F(StudyDialogTest, PreferencesSwitchTheApi)
{
    openWindow();
    find<QAction>("actionPreferences").trigger();
    EXPECT_FALSE(find<QCheckBox>("apiEnabled").isChecked()) << "off by default";
    EXPECT_FALSE(find<QSpinBox>("apiPort").isEnabled());
    // Only trying reveals whether a port is free; one in use is reported as well.
    find<QCheckBox>("apiEnabled").setChecked(true);
    find<QSpinBox>("apiPort").setValue(18'473);
    find<QDialog>("preferencesDialog").accept();
    ASSERT_TRUE(waitFor([this] {
        const QString text = window().statusBar()->currentMessage();
        return text.contains(u"127.0.0.1"_s);
    }));
    find<QAction>("actionPreferences").trigger();
    EXPECT_TRUE(find<QCheckBox>("apiEnabled").isChecked());
    find<QCheckBox>("apiEnabled").setChecked(false);
    find<QDialog>("preferencesDialog").accept();
}

} // namespace

} // namespace ep::test
