// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs in Analysis, links from a run to other pages, and the user guide.
#include "gui/window_test.h"
#include "pages/analysis_page.h"
#include "pages/live_page.h"
#include "repository/run_document.h"

#include "ep/session/explain.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QTime>
#include <QToolButton>
#include <QTreeWidget>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::MatchesRegex;

class RunsAtHandTest : public test::WindowTest {
protected:
    // Makes runs with these prompts; the last one is open in Analysis.
    void make(const QStringList& prompts)
    {
        openWindow();
        window().resize(1400, 860);
        ASSERT_TRUE(waitForModel());
        for (const QString& prompt : prompts) {
            window().showPage(ui::Page::Live);
            runToTheEnd(prompt, 6);
        }
        window().showPage(ui::Page::Analysis);
        // A list with only one run is not shown.
        ASSERT_TRUE(
            waitFor([&] { return prompts.size() == 1 || items().size() == prompts.size(); }));
    }
    QTreeWidget& list() { return find<QTreeWidget>("runSidebarList"); }
    QList<QTreeWidgetItem*> items() // rows of the runs, from top to bottom
    {
        QList<QTreeWidgetItem*> runs;
        for (int group = 0; group < list().topLevelItemCount(); ++group) {
            for (int run = 0; run < list().topLevelItem(group)->childCount(); ++run)
                runs << list().topLevelItem(group)->child(run);
        }
        return runs;
    }
    void clickRun(int index, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(list().viewport(), Qt::LeftButton, modifiers,
                          list().visualItemRect(items().at(index)).center());
    }
    std::string openPrompt()
    {
        const auto& run = find<ui::AnalysisPage>("analysisPage").run();
        return run ? run->info.prompt : std::string();
    }
    bool opened(const char* prompt)
    {
        return waitFor([&] { return openPrompt() == prompt; });
    }
    QAction* inMenu(const char* button, const QString& text)
    {
        QMenu* menu = find<QToolButton>(button).menu();
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text().contains(text))
                return action;
        }
        return nullptr;
    }
};

TEST_F(RunsAtHandTest, AClickOrAKeyOpensAnotherRun)
{
    make({u"first"_s, u"second"_s, u"third"_s});
    ASSERT_TRUE(find<QWidget>("runSidebar").isVisible());
    EXPECT_EQ(openPrompt(), "third"); // the newest run comes first
    clickRun(2);
    ASSERT_TRUE(opened("first"));
    EXPECT_TRUE(items().at(2)->isSelected());
    press(Qt::Key_K);
    ASSERT_TRUE(opened("second"));
    EXPECT_TRUE(items().at(1)->isSelected());
    EXPECT_FALSE(items().at(2)->isSelected());
    press(Qt::Key_J);
    ASSERT_TRUE(opened("first"));
    EXPECT_FALSE(find<QAction>("actionNextRun").isEnabled()); // it is the last run
    EXPECT_TRUE(find<QAction>("actionPreviousRun").isEnabled());
    window().showPage(ui::Page::History);
    EXPECT_FALSE(find<QAction>("actionPreviousRun").isEnabled());
}

TEST_F(RunsAtHandTest, TheSearchAndFoldedGroupsHoldWhenRunsArrive)
{
    make({u"first"_s, u"second"_s});
    list().topLevelItem(0)->setExpanded(false);
    auto& search = find<QLineEdit>("runSidebarSearch");
    QTest::keyClicks(&search, u"fir"_s);
    EXPECT_EQ(items().size(), 1);
    EXPECT_FALSE(list().topLevelItem(0)->isExpanded());
    QTest::keyClicks(&search, u"xyz"_s);
    EXPECT_EQ(items().size(), 0);
    EXPECT_FALSE(list().isVisible()); // and a label says why
    search.clear();
    EXPECT_EQ(items().size(), 2);
}

// Prompts are often the same: rows show what distinguishes two runs.
TEST_F(RunsAtHandTest, RowsSayInWhatTheyDiffer)
{
    make({u"same"_s, u"same"_s});
    for (const QTreeWidgetItem* item : items()) {
        const QStringList lines = item->text(0).split(u'\n');
        ASSERT_EQ(lines.size(), 2);
        EXPECT_EQ(lines[0], u"same"_s); // in view however narrow the list is
        EXPECT_EQ(lines[1], QTime::fromString(lines[1], u"HH:mm"_s).toString(u"HH:mm"_s));
        EXPECT_GT(list().visualItemRect(item).height(),
                  list().visualItemRect(item->parent()).height());
    }
    window().showPage(ui::Page::Live);
    find<QSpinBox>("batchSize").setValue(2);
    runToTheEnd(u"same"_s, 6);
    window().showPage(ui::Page::Analysis);
    ASSERT_TRUE(waitFor([this] { return items().size() == 3; }));
    EXPECT_THAT(items().at(0)->text(0).toStdString(), MatchesRegex("same\n.* · batch 2"));
    EXPECT_THAT(items().at(1)->text(0).toStdString(), MatchesRegex("same\n.* · batch 1"));
    EXPECT_FALSE(items().at(0)->text(0).contains(u"f32"_s)) << "all have this format";
}

TEST_F(RunsAtHandTest, SeveralSelectedRunsAreCompared)
{
    make({u"first"_s, u"second"_s});
    EXPECT_FALSE(find<QPushButton>("runSidebarCompare").isVisible());
    clickRun(1, Qt::ControlModifier);
    EXPECT_EQ(openPrompt(), "second"); // selected, not opened
    click("runSidebarCompare");
    EXPECT_EQ(page(), 3);
    EXPECT_TRUE(waitFor(
        [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
}

TEST_F(RunsAtHandTest, ARunLeadsToComparisonReportExportAndTheSameRunAgain)
{
    make({u"first"_s, u"second"_s});
    EXPECT_EQ(inMenu("analysisCompare", u"second"_s), nullptr); // not with the run itself
    QAction* other = inMenu("analysisCompare", u"first"_s);
    ASSERT_NE(other, nullptr);
    other->trigger();
    EXPECT_EQ(page(), 3);
    window().showPage(ui::Page::Analysis);
    for (const auto& [id, dialog] : {std::pair{"analysisReport", "reportDialog"},
                                     std::pair{"analysisExportJson", "exportDialog"},
                                     std::pair{"analysisExportCsv", "exportDialog"},
                                     std::pair{"actionSaveReport", "reportDialog"}}) {
        find<QAction>(id).trigger();
        auto* asked = seek<QFileDialog>(dialog);
        ASSERT_NE(asked, nullptr) << id;
        delete asked;
    }
    window().showPage(ui::Page::Live);
    typePrompt(u"something else"_s);
    window().showPage(ui::Page::Analysis);
    click("analysisAgain");
    EXPECT_EQ(page(), 0);
    EXPECT_EQ(find<QPlainTextEdit>("promptEdit").toPlainText(), u"second"_s);
}

// The run may have any settings, whether it was made in the window or not.
TEST_F(RunsAtHandTest, TheSameRunAgainHasItsSettings)
{
    openWindow();
    RunInfo run;
    run.prompt = "first";
    run.device = "cpu";
    run.max_new_tokens = 8;
    run.profiling.settings = {{"temperature", 20.0},
                              {"top_p", 0.125},
                              {"batch_size", std::int64_t{1000}},
                              {"warmup_tokens", std::int64_t{3}},
                              {"kv_cache", std::string("q8_0")}};
    find<ui::LivePage>("livePage").repeatRun(run);
    EXPECT_EQ(find<QDoubleSpinBox>("temperature").value(), 20.0);
    EXPECT_EQ(find<QDoubleSpinBox>("temperature").text().size(), 5); // 20.00
    EXPECT_EQ(find<QDoubleSpinBox>("topP").value(), 0.125);
    EXPECT_EQ(find<QDoubleSpinBox>("topP").text().size(), 5); // 0.125
    EXPECT_EQ(find<QSpinBox>("batchSize").value(), 1000);
    EXPECT_EQ(find<QSpinBox>("warmupTokens").value(), 3);
    EXPECT_THAT(messageOf("liveMessage").toStdString(),
                testing::EndsWith("Not as in the run: kv_cache growing (was q8_0)."));
}

TEST_F(RunsAtHandTest, TheListGivesWayAndComesBack)
{
    make({u"first"_s, u"second"_s});
    auto& sidebar = find<QWidget>("runSidebar");
    click("analysisRuns");
    EXPECT_FALSE(sidebar.isVisible());
    click("analysisRuns");
    EXPECT_TRUE(sidebar.isVisible());
}

TEST_F(RunsAtHandTest, AMissingBaselineIsAddedByAButton)
{
    make({u"first"_s, u"second"_s});
    auto& analysis = find<ui::AnalysisPage>("analysisPage");
    session::Explanation explanation;
    explanation.diagnosis.findings = {
        {.cause = energy::Cause::Gaps,
         .judgement = energy::Judgement::CannotTell,
         .missing = "Record again with --depth module and --baseline-seconds 10."}};
    analysis.document().setExplanation(std::make_shared<const session::Explanation>(explanation));
    chooseTab("analysisViews", u"Why"_s);
    click("answerAddBaseline");
    EXPECT_EQ(page(), 0);
    EXPECT_EQ(find<QDoubleSpinBox>("baselineSeconds").value(), 10.0);
    EXPECT_TRUE(find<QDoubleSpinBox>("baselineSeconds").isVisible());
}

TEST_F(RunsAtHandTest, TheAnswerIsDividedByWhatIsChosen)
{
    make({u"first"_s});
    ASSERT_TRUE(waitFor([this] { return find<QComboBox>("answerBy").isVisible(); }));
    auto& by = find<QComboBox>("answerBy");
    auto& bar = find<QAbstractButton>("answerBar0");
    struct {
        int row;
        const char* title;
        const char* selection;
    } const cases[] = {{1, "", "Selected: "}, {2, "Layer ", "layer "}, {3, "Token ", "token "}};
    const QString part = bar.text();
    for (const auto& [row, title, selection] : cases) {
        by.setCurrentIndex(row);
        EXPECT_NE(bar.text(), part);
        EXPECT_THAT(bar.text().toStdString(), testing::StartsWith(title));
        chooseTab("analysisViews", u"Overview"_s);
        QTest::mouseClick(&bar, Qt::LeftButton);
        EXPECT_THAT(labelText("selectionText").toStdString(), HasSubstr(selection));
    }
}

TEST_F(RunsAtHandTest, TheAnswerIsShortenedRatherThanCut)
{
    make({u"first"_s});
    auto& sentence = find<QLabel>("answerSentence");
    ASSERT_TRUE(waitFor([&] { return !sentence.text().isEmpty(); }));
    const QString whole = sentence.text();
    auto& panel = find<QWidget>("answerPanel");
    QFont large = sentence.font(); // until the sentence does not fit any more
    while (QFontMetrics(large).horizontalAdvance(whole) <= panel.width())
        large.setPointSizeF(large.pointSizeF() + 1.0);
    sentence.setFont(large);
    window().resize(window().width() - 2, window().height());
    QApplication::processEvents();
    EXPECT_NE(sentence.text(), whole);
    EXPECT_LE(sentence.fontMetrics().horizontalAdvance(sentence.text()), panel.width());
    EXPECT_THAT(sentence.toolTip().toStdString(), HasSubstr(whole.toStdString()));
}

TEST_F(RunsAtHandTest, TheDetailsOfHistoryGiveWayToItsColumns)
{
    make({u"first"_s, u"second"_s});
    window().showPage(ui::Page::History);
    auto& details = find<QWidget>("historyDetails");
    EXPECT_FALSE(details.isVisible()) << "nothing is selected";
    find<QTableView>("historyTable").selectRow(0);
    EXPECT_TRUE(details.isVisible());
    window().resize(900, 600);
    EXPECT_TRUE(waitFor([&] { return !details.isVisible(); }));
    window().resize(1400, 860);
    EXPECT_TRUE(waitFor([&] { return details.isVisible(); }));
    find<QAction>("historyDetailsAction").trigger(); // what the user folded stays folded
    window().resize(900, 600);
    window().resize(1400, 860);
    QApplication::processEvents();
    EXPECT_FALSE(details.isVisible());
}

TEST_F(RunsAtHandTest, TheGuideOpensAndFollowsItsLinks)
{
    openWindow();
    find<QAction>("actionGuide").trigger();
    auto& text = find<QTextBrowser>("guideText");
    ASSERT_TRUE(text.isVisible());
    EXPECT_THAT(text.toPlainText().toStdString(), HasSubstr("Live: make a run"));
    Q_EMIT text.anchorClicked(QUrl(u"#when-something-does-not-work"_s));
    EXPECT_GT(text.verticalScrollBar()->value(), 1000);
    Q_EMIT text.anchorClicked(QUrl(u"pays.md"_s));
    EXPECT_THAT(text.source().toString().toStdString(), HasSubstr("pays.md"));
    EXPECT_FALSE(text.toPlainText().isEmpty());
    click("guideBack");
    EXPECT_THAT(text.source().toString().toStdString(), HasSubstr("user-guide.md"));
    // Once more: the same dialog, at another page.
    find<QAction>("actionGlossary").trigger();
    EXPECT_THAT(text.toPlainText().toStdString(), HasSubstr("One word for one thing"));
    EXPECT_EQ(window().findChildren<QTextBrowser*>(u"guideText"_s).size(), 1);
}

} // namespace
