// SPDX-License-Identifier: GPL-3.0-or-later
// A new user's first steps: welcome page, demo run, files from outside, the About
// dialogs.
#include "gui/window_test.h"
#include "support/folders.h"
#include "support/tiny_model.h"

#include "ep/session/environment.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"
#include "ep/ui/charts/painted_view.h"
#include "ep/ui/charts/token_stream_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include <filesystem>
#include <fstream>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::Not;

const std::filesystem::path kDemoRun = ep::test::sourcePath("resources/demo/demo.eprun");

class FirstStartTest : public test::WindowTest {
protected:
    ui::WindowServices services() override
    {
        ui::WindowServices all = WindowTest::services();
        all.demoRun = demoRun;
        all.collectDiagnostics = [] { return std::string("all that there is to say"); };
        return all;
    }
    QWidget& welcome() { return find<QWidget>("welcomePage"); }
    bool runIsOpen()
    {
        auto& tokens = find<ui::TokenStreamView>("runTokenStream");
        return tokens.isVisible() && tokens.count() > 0;
    }
    void drop(const QString& path, bool taken = true)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({200, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &enter);
        ASSERT_EQ(enter.isAccepted(), taken);
        if (!taken)
            return;
        QDropEvent dropped({200.0, 100.0}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &dropped);
    }
    QString copyOfDemo(const char* name)
    {
        const std::filesystem::path copy = std::filesystem::path(folder().toStdString()) / name;
        std::filesystem::copy_file(kDemoRun, copy);
        return QString::fromStdString(copy.string());
    }

    std::filesystem::path demoRun = kDemoRun;
};

TEST(DemoRun, SaysThatItsPowerIsSimulated)
{
    std::ifstream file(kDemoRun);
    const auto run = store::runFromJson(file);
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->info.power.source, "simulated");
    EXPECT_EQ(run->metrics.energy.provenance, Provenance::Modelled);
    EXPECT_EQ(run->info.status, RunStatus::Complete);
    EXPECT_FALSE(run->trace.components.empty());
    EXPECT_THAT(run->info.title, HasSubstr("simulated"));
    EXPECT_THAT(run->info.power.detail, HasSubstr("no sensor"));
    EXPECT_GE(run->metrics.duration_ns, 20'000'000'000); // enough to show something in every chart
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Dram})
        EXPECT_GT(run->metrics.energy.rails_mj[rail].value_or(Millijoules{0.0}).value, 0.0);
    EXPECT_THAT(run->info.model.path, Not(HasSubstr("/")));
    EXPECT_LT(std::filesystem::file_size(kDemoRun), 4'000'000U);
}

TEST_F(FirstStartTest, TheDemoRunOpensInAnalysis)
{
    openWindow();
    window().showWelcome();
    EXPECT_TRUE(welcome().isVisible() && !find<QLabel>("statusEnergy").isVisible());
    click("welcomeDemoRun");
    ASSERT_TRUE(waitFor([this] { return runIsOpen(); }));
    EXPECT_FALSE(welcome().isVisible());
    EXPECT_EQ(page(), 1);
    EXPECT_EQ(labelText("runProvenance"), u"energy simulated"_s);
    // The example of the welcome page is this run's answer.
    for (const auto& [shown, expected] :
         {std::pair{"welcomeExample0", "answerBar0"}, std::pair{"welcomeExample1", "answerBar1"},
          std::pair{"welcomeExample2", "answerBar2"}}) {
        const auto& bar = find<QAbstractButton>(expected);
        ASSERT_TRUE(waitFor([&bar] { return !bar.accessibleName().isEmpty(); }));
        EXPECT_EQ(find<QAbstractButton>(shown).accessibleName(), bar.accessibleName());
    }

    // The second time the run already exists and is not stored again.
    find<QAction>("actionWelcome").trigger();
    EXPECT_TRUE(welcome().isVisible());
    auto& example = find<QAbstractButton>("welcomeExample0"); // an example answer of the demo run
    EXPECT_EQ(example.text(), u"MLP"_s);
    EXPECT_TRUE(example.isVisible());
    example.click();
    ASSERT_TRUE(waitFor([this] { return !welcome().isVisible() && runIsOpen(); }));
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_FALSE(find<QMenu>("recentMenu").isEnabled()); // it is not a file of the user's
}

// The demo run's machine is simulated, and so is every number of every chart and table, on each
// page.
TEST_F(FirstStartTest, NothingCallsTheDemoRunModelled)
{
    openWindow();
    window().showWelcome();
    click("welcomeDemoRun");
    ASSERT_TRUE(waitFor([this] { return runIsOpen(); }));
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(1));
    table().selectRow(0);
    auto& views = find<QTabWidget>("analysisViews");
    for (int tab = 0; tab < views.count(); ++tab) {
        press(Qt::Key_2, Qt::ControlModifier);
        views.setCurrentIndex(tab);
        QApplication::processEvents();
    }
    press(Qt::Key_5, Qt::ControlModifier);
    QApplication::processEvents();
    int simulated = 0;
    const auto expectNone = [&](const QString& text, const QString& where) {
        EXPECT_FALSE(text.contains(u"modelled"_s))
            << where.toStdString() << ": " << text.toStdString();
        simulated += text.contains(u"simulated"_s) ? 1 : 0;
    };
    for (const auto* chart : window().findChildren<ui::PaintedView*>()) {
        expectNone(chart->accessibleDescription(), chart->objectName());
        expectNone(ui::toTsv(chart->table()), chart->objectName());
    }
    for (const auto* label : window().findChildren<QLabel*>()) {
        if (find<QWidget>("pages").isAncestorOf(label)
            && !find<QWidget>("livePage").isAncestorOf(label))
            expectNone(label->text() + label->toolTip(), label->objectName());
    }
    for (const auto* view : window().findChildren<QTableView*>()) {
        for (int row = 0; view->model() && row < view->model()->rowCount(); ++row) {
            for (int column = 0; column < view->model()->columnCount(); ++column) {
                const QModelIndex at = view->model()->index(row, column);
                expectNone(at.data().toString() + at.data(Qt::ToolTipRole).toString(),
                           view->objectName());
            }
        }
    }
    EXPECT_GT(simulated, 20);
}

TEST_F(FirstStartTest, TheDemoModelRunsAtOnce)
{
    openWindow();
    window().showWelcome();
    click("welcomeDemoModel");
    const auto& tokens = find<ui::TokenStreamView>("liveTokenStream");
    ASSERT_TRUE(waitFor([&] { return tokens.count() > 0 && idle(); }));
    EXPECT_FALSE(find<QPlainTextEdit>("promptEdit").toPlainText().isEmpty());
    // The run may end before the folders have been searched.
    EXPECT_TRUE(waitFor([this] {
        return find<QComboBox>("modelCombo").currentText().toStdString() == "tiny (bundled)";
    }));
}

// Each question ends in one sentence with a number and its interval, which says whether the goal
// was reached.
TEST_F(FirstStartTest, AQuestionIsAnsweredByRuns)
{
    struct {
        const char* button;
        const char* answer;
    } const questions[] = {{"welcomeDemoModel", "per output token"},
                           {"welcomeMillion", "A million output tokens"}};
    openWindow();
    for (const auto& [button, answer] : questions) {
        window().showWelcome();
        click(button);
        auto& sentence = find<QLabel>("repeatSentence");
        ASSERT_TRUE(waitFor([&] { return sentence.text().contains(u"The goal of"_s); }))
            << sentence.text().toStdString();
        EXPECT_THAT(sentence.text().toStdString(), HasSubstr(answer));
        EXPECT_THAT(sentence.text().toStdString(), HasSubstr("95 % by the scatter of"));
        ASSERT_TRUE(waitFor([this] { return idle(); }));
        if (button == questions[0].button) { // ends with the ranking of the parts
            ASSERT_TRUE(waitFor([this] { return page() == 1; }));
            EXPECT_TRUE(waitFor([this] {
                return find<QAbstractButton>("answerBar0").isVisible()
                    && !labelText("answerSentence").isEmpty();
            }));
        } else {
            EXPECT_TRUE(sentence.isVisible());
        }
    }
    click("liveAnalyse"); // continues on the page that has the details
    EXPECT_EQ(page(), 1);
}

TEST_F(FirstStartTest, AChangeIsComparedInSeveralWays)
{
    openWindow();
    window().showWelcome();
    auto ways = find<QCommandLinkButton>("welcomeChange").menu()->actions();
    ASSERT_EQ(ways.size(), 4);
    EXPECT_FALSE(ways[2]->isEnabled()); // no runs were recorded before a change
    ways.back()->trigger();
    EXPECT_EQ(page(), 2);
    window().showWelcome();
    ways.front()->trigger();
    // Waits until the models are found, even if that takes a while.
    ASSERT_TRUE(waitFor([this] { return seek<QDialog>("compareDialog") != nullptr; }));
    EXPECT_EQ(page(), 0);
    find<QDialog>("compareDialog").close();
}

TEST_F(FirstStartTest, WhatIsNotInstalledIsExplained)
{
    demoRun.clear();
    openWindow();
    window().showWelcome();
    const auto& button = find<QCommandLinkButton>("welcomeDemoRun");
    EXPECT_FALSE(button.isEnabled());
    EXPECT_THAT(button.description().toStdString(), HasSubstr("not installed"));
}

TEST_F(FirstStartTest, TheOtherWaysLeadSomewhere)
{
    openWindow();
    window().showWelcome();
    click("welcomeSensors");
    auto* doctor = seek<QDialog>("machineDialog");
    ASSERT_NE(doctor, nullptr);
    doctor->close();
    click("welcomeFolder");
    auto* dialog = seek<QFileDialog>("modelsFolderDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->close();
    click("welcomeClose");
    EXPECT_FALSE(welcome().isVisible());
    EXPECT_EQ(page(), 0);
}

TEST_F(FirstStartTest, ARunFileCanBeDroppedAndIsRemembered)
{
    const QString file = copyOfDemo("mine & yours.eprun");
    openWindow();
    press(Qt::Key_3, Qt::ControlModifier);
    drop(file);
    ASSERT_TRUE(waitFor([this] { return runIsOpen(); }));

    window().showPage(ui::Page::History);
    auto& recent = find<QMenu>("recentMenu");
    EXPECT_TRUE(recent.isEnabled());
    Q_EMIT recent.aboutToShow();
    EXPECT_EQ(find<QAction>("actionRecent1").text().toStdString(), "&1 mine && yours.eprun");
    find<QAction>("actionRecent1").trigger();
    ASSERT_TRUE(waitFor([this] { return page() == 1 && runIsOpen(); }));
    find<QAction>("actionClearRecent").trigger();
    EXPECT_FALSE(recent.isEnabled());
}

TEST_F(FirstStartTest, AFolderOfModelsCanBeDropped)
{
    const std::filesystem::path models =
        std::filesystem::path(folder().toStdString()) / "my models";
    test::writeTinyModel(models / "another");
    openWindow();
    ASSERT_TRUE(waitForModel());
    window().showPage(ui::Page::History);
    drop(QString::fromStdString(models.string()));
    EXPECT_EQ(page(), 0);
    auto& combo = find<QComboBox>("modelCombo");
    EXPECT_TRUE(waitFor([&] { return combo.currentText() == u"another"_s; })); // and chosen
    EXPECT_THAT(window().statusBar()->currentMessage().toStdString(), HasSubstr("another"));
}

TEST_F(FirstStartTest, AModelFolderDroppedOnAnotherPageIsChosen)
{
    const std::filesystem::path model = std::filesystem::path(folder().toStdString()) / "dropped";
    test::writeTinyModel(model);
    openWindow();
    ASSERT_TRUE(waitForModel());
    window().showPage(ui::Page::Analysis);
    drop(QString::fromStdString(model.string()));
    EXPECT_EQ(page(), 0);
    auto& combo = find<QComboBox>("modelCombo");
    EXPECT_TRUE(waitFor([&] { return combo.currentText() == u"dropped"_s; }));
}

TEST_F(FirstStartTest, WhatCannotBeOpenedIsToldOrNotTaken)
{
    const QString text = folder() + u"/notes.txt"_s;
    ASSERT_TRUE(std::ofstream(text.toStdString()) << "hello");
    const QString broken = folder() + u"/broken.eprun"_s;
    ASSERT_TRUE(std::ofstream(broken.toStdString()) << "{}");
    openWindow();
    drop(text, false);
    window().openPath(text);
    EXPECT_THAT(messageOf("historyMessage").toStdString(), HasSubstr("neither a run nor a model"));
    window().openPath(folder() + u"/nowhere.eprun"_s);
    EXPECT_THAT(messageOf("historyMessage").toStdString(), HasSubstr("no longer exists"));
    drop(broken);
    EXPECT_TRUE(
        waitFor([this] { return messageOf("historyMessage").contains(u"broken.eprun: "_s); }));
}

TEST_F(FirstStartTest, OpenAsksForAFile)
{
    const QString file = copyOfDemo("run.json");
    openWindow();
    press(Qt::Key_O, Qt::ControlModifier);
    auto* dialog = seek<QFileDialog>("runFileDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->selectFile(file);
    Q_EMIT dialog->fileSelected(file);
    dialog->close();
    EXPECT_TRUE(waitFor([this] { return runIsOpen(); }));
}

TEST_F(FirstStartTest, TheIconAndTheTranslationAreInTheProgram)
{
    openWindow();
    EXPECT_FALSE(QPixmap(u":/icons/energy-profiler-128.png"_s).isNull());
    ASSERT_TRUE(QFile::exists(u":/i18n"_s)) << "scripts/setup.sh installs lrelease";
    QTranslator german;
    ASSERT_TRUE(german.load(QLocale(u"de"_s), u"energy-profiler"_s, u"_"_s, u":/i18n"_s));
    EXPECT_EQ(german.translate("ep::ui::MainWindow", "History").toStdString(), "Verlauf");
    EXPECT_EQ(german.translate("ep::ui::MainWindow", "&File").toStdString(), "&Datei");
    QApplication::installTranslator(&german);
    openWindow();
    EXPECT_EQ(find<QToolButton>("navigationHistory").text().toStdString(), "Verlauf");
    EXPECT_EQ(find<QAction>("actionNewRun").text().toStdString(), "&Neuer Lauf");
    QApplication::removeTranslator(&german);
}

TEST_F(FirstStartTest, AboutNamesVersionsAndLicences)
{
    openWindow();
    find<QAction>("actionAbout").trigger();
    auto* about = seek<QDialog>("aboutDialog");
    ASSERT_NE(about, nullptr);
    EXPECT_THAT(about->findChild<QLabel*>(u"aboutVersion"_s)->text().toStdString(),
                HasSubstr("Energy Profiler "));
    EXPECT_THAT(about->findChild<QLabel*>(u"aboutText"_s)->text().toStdString(),
                HasSubstr("General Public License"));
    QTest::mouseClick(about->findChild<QPushButton*>(u"aboutCopy"_s), Qt::LeftButton);
    const std::string copied = QGuiApplication::clipboard()->text().toStdString();
    EXPECT_THAT(copied,
                HasSubstr("Energy Profiler " + session::applicationVersion() + "\ncommit "));
    EXPECT_THAT(copied, HasSubstr("LibTorch " + session::builtWithTorch()));
    EXPECT_THAT(copied, HasSubstr(qVersion()));
    const auto* parts = about->findChild<QTableWidget*>(u"aboutParts"_s);
    EXPECT_EQ(parts->item(0, 0)->text(), u"Qt "_s + QString::fromLatin1(qVersion()));
    for (int row = 0; row < parts->rowCount(); ++row)
        EXPECT_FALSE(parts->item(row, 2)->text().isEmpty());
    about->close();
}

TEST_F(FirstStartTest, DiagnosticsAreShownBeforeTheyCanBeSaved)
{
    openWindow();
    find<QAction>("actionMachine").trigger();
    auto* dialog = seek<QDialog>("machineDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QListWidget*>(u"machineParts"_s)->setCurrentRow(4);
    const auto* save = dialog->findChild<QPushButton*>(u"diagnosticsSave"_s);
    const auto* text = dialog->findChild<QPlainTextEdit*>(u"diagnosticsText"_s);
    EXPECT_TRUE(text->toPlainText().isEmpty() ? !save->isEnabled() : true);
    ASSERT_TRUE(waitFor([&] { return save->isEnabled(); }));
    EXPECT_EQ(text->toPlainText().toStdString(), "all that there is to say");
    QTest::mouseClick(dialog->findChild<QPushButton*>(u"diagnosticsSave"_s), Qt::LeftButton);
    auto* files = dialog->findChild<QFileDialog*>(u"diagnosticsFile"_s);
    ASSERT_NE(files, nullptr);
    const QString file = folder() + u"/report.txt"_s;
    Q_EMIT files->fileSelected(file);
    files->close();
    std::ifstream saved(file.toStdString());
    std::string line;
    std::getline(saved, line);
    EXPECT_EQ(line, "all that there is to say");
    dialog->close();
}

} // namespace
