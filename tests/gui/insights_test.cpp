// SPDX-License-Identifier: GPL-3.0-or-later
// Conclusions in Insights; totals, jobs and cards in History.
#include "gui/window_test.h"
#include "pages/cards_tab.h"
#include "support/sample_run.h"

#include "ep/core/format.h"
#include "ep/energy/insights.h"
#include "ep/energy/totals.h"
#include "ep/json/conversation.h"
#include "ep/session/jobs.h"
#include "ep/session/kept_cards.h"
#include "ep/store/store.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/to_qstring.h"

#include <QAction>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

#include <fstream>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;

// An agent asks three times and another user once; all are stored before the window opens.
class InsightsTest : public WindowTest {
protected:
    void storeRequests()
    {
        const auto store = store::Store::open(database());
        ASSERT_TRUE(store);
        std::vector<ChatMessage> messages{message("system", "Help."),
                                          message("user", "Mend the door")};
        for (int turn = 0; turn < 3; ++turn) {
            ep::Run run = request("agent " + std::to_string(turn), turn);
            run.info.conversation.messages = messages;
            messages.push_back(message("assistant", run.info.response));
            messages.push_back(message("user", "And now?"));
            ASSERT_TRUE((*store)->saveRun(run));
        }
        ep::Run other = request("somebody", 3);
        other.info.conversation.messages = {message("user", "Another question")};
        ASSERT_TRUE((*store)->saveRun(other));
    }
    static ChatMessage message(const std::string& role, const std::string& text)
    {
        return *json::chatMessage({{"role", role}, {"content", text}});
    }
    static ep::Run request(const std::string& response, int index)
    {
        ep::Run run = makeSampleRun({.layers = 1});
        constexpr std::int64_t kMinute = 60'000;
        run.info.id = "0000000" + std::to_string(index) + "-0000-4000-8000-000000000000";
        run.info.created_at_ms = 1'764'000'000'000 + index * kMinute;
        run.info.response = response;
        run.info.model.name = index < 3 ? "big" : "small";
        run.info.batch.clear();
        run.info.tags.clear();
        return run;
    }
    void openHistory(const char* view)
    {
        openWindow();
        find<QAction>("actionHistory").trigger();
        find<QAction>(view).trigger();
    }
    std::vector<RunSummary> storedRuns() const
    {
        const auto store = store::Store::openToRead(database());
        return *(*store)->list();
    }
    QTreeWidget& jobs() { return find<QTreeWidget>("jobsTree"); }
    void answerName(const QString& name)
    {
        ASSERT_TRUE(waitFor([this] { return seek<QInputDialog>("jobNameDialog") != nullptr; }));
        auto& dialog = find<QInputDialog>("jobNameDialog");
        auto* line = dialog.findChild<QLineEdit*>();
        ASSERT_NE(line, nullptr);
        line->setText(name);
        QTest::keyClick(line, Qt::Key_Return);
    }
};

TEST_F(InsightsTest, TotalsAreThoseOfTheStoredRuns)
{
    storeRequests();
    openHistory("historyViewTotals");
    auto& table = find<QTableWidget>("totalsTable");
    ASSERT_TRUE(waitFor([&] { return table.rowCount() == 1; })) << "all of one day";
    EXPECT_EQ(table.horizontalHeaderItem(0)->text(), u"Day"_s);
    find<QComboBox>("totalsBy").setCurrentIndex(2);
    ASSERT_TRUE(waitFor([&] { return table.rowCount() == 2; }));
    EXPECT_EQ(table.horizontalHeaderItem(0)->text(), u"Model"_s);
    const auto totals = energy::totalsOf(storedRuns(), energy::TotalsBy::Model);
    ASSERT_EQ(totals.size(), 2U);
    for (int row = 0; row < 2; ++row) {
        const energy::RunTotal& total = totals[static_cast<std::size_t>(row)];
        EXPECT_EQ(table.item(row, 0)->text().toStdString(), total.key);
        EXPECT_EQ(table.item(row, 2)->text().toInt(), total.runs);
        EXPECT_EQ(table.item(row, 5)->text().toStdString(), formatEnergy(total.energy));
        EXPECT_THAT(labelText("totalsMillion").toStdString(),
                    HasSubstr(energy::millionTokensSentence(total, {})));
    }
    EXPECT_EQ(find<ui::SceneView>("totalsChart").scene().table.rows.size(), 2U);
}

// Runs of one setting say nothing about other settings, and the page says which would.
TEST_F(InsightsTest, ShowsOnlyWhatTheRunsCarry)
{
    const auto store = store::Store::open(database());
    ASSERT_TRUE(store);
    const auto save = [&](int i, double joulesPerToken) {
        ep::Run run = request("answer", i);
        run.info.model.name = "one";
        run.info.output_tokens = 10 * (1 + i);
        run.metrics.joules_per_token = joulesPerToken;
        ASSERT_TRUE((*store)->saveRun(run));
    };
    for (int i = 0; i < 3; ++i)
        save(i, 1.0);
    openWindow();
    find<QAction>("actionInsights").trigger();
    ASSERT_TRUE(waitFor([this] { return labelText("insightsCount").contains(u"3 runs of 3"_s); }));
    const std::string over =
        "insightsOver" + std::to_string(static_cast<int>(energy::RunFeature::OutputTokens));
    EXPECT_EQ(seek<ui::SceneView>(over.c_str()), nullptr);
    EXPECT_EQ(seek<ui::SceneView>("insightsQuality"), nullptr) << "nothing was measured";
    EXPECT_THAT(labelText("insightsMore").toStdString(), HasSubstr("Output tokens"));
    EXPECT_TRUE(find<QAction>("actionMeasureQuality").isEnabled());
    for (int i = 3; i < 8; ++i)
        save(i, 1.0 + i);
    for (int i = 0; i < 3; ++i)
        save(i, 1.0 + i);
    ASSERT_TRUE(waitFor([&] { return seek<ui::SceneView>(over.c_str()) != nullptr; }));
    const auto& chart = find<ui::SceneView>(over.c_str());
    ASSERT_TRUE(waitFor([&] { return chart.isVisible(); }));
    EXPECT_THAT(labelText((over + "Text").c_str()).toStdString(), HasSubstr("to the power of"));
    EXPECT_EQ(labelText("insightsMore").indexOf(u"Output tokens"_s), -1);
    EXPECT_GT(chart.width(), window().width() / 2) << "what leads has the whole width";
}

// The demo run is often the first one; it must not hide the runs of this computer for ever.
TEST_F(InsightsTest, ShowsTheMostFrequentEnergiesUntilOthersAreChosen)
{
    const auto store = store::Store::open(database());
    ASSERT_TRUE(store);
    int saved = 0;
    const auto save = [&](const std::string& source) {
        ep::Run run = request("answer", saved++);
        run.info.power.source = source;
        ASSERT_TRUE((*store)->saveRun(run));
    };
    save("simulated");
    openWindow();
    find<QAction>("actionInsights").trigger();
    auto& origin = find<QComboBox>("insightsOrigin");
    ASSERT_TRUE(waitFor([&] { return origin.count() == 1; }));
    save("replay");
    save("replay");
    ASSERT_TRUE(waitFor([&] { return origin.count() == 2; }));
    EXPECT_TRUE(waitFor([&] { return origin.currentData() == u"replayed"_s; }));
    origin.setCurrentIndex(origin.findData(u"simulated"_s));
    save("replay");
    ASSERT_TRUE(waitFor([&] { return origin.itemText(0).contains(u"3 runs"_s); }));
    EXPECT_EQ(origin.currentData(), u"simulated"_s);
}

TEST_F(InsightsTest, JobsAreMergedSplitAndRenamed)
{
    storeRequests();
    openHistory("historyViewJobs");
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItemCount() == 1; }))
        << "the other user's single request is in the list of runs";
    ASSERT_EQ(jobs().topLevelItem(0)->childCount(), 3);
    jobs().clearSelection();
    jobs().topLevelItem(0)->setSelected(true);
    EXPECT_EQ(find<ui::SceneView>("jobRequests").scene().table.rows.size(), 3U);
    EXPECT_THAT(labelText("jobFacts").toStdString(), HasSubstr("Context that was read again"));
    EXPECT_FALSE(find<QPushButton>("jobMerge").isEnabled());
    EXPECT_FALSE(find<QPushButton>("jobSplit").isEnabled());

    click("jobRename");
    answerName(u"door"_s);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItem(0)->text(0).startsWith(u"door: "_s); }));

    jobs().clearSelection();
    jobs().topLevelItem(0)->child(2)->setSelected(true);
    click("jobSplit");
    answerName(u"rest, later"_s);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItemCount() == 2; }));
    std::map<std::string, std::size_t> sizes;
    for (const session::Job& job : session::jobsOf(storedRuns()))
        sizes[job.id] = job.runs.size();
    EXPECT_EQ(sizes["door"], 2U);
    EXPECT_EQ(sizes["rest later"], 1U);

    jobs().selectAll();
    click("jobMerge");
    answerName(u"all"_s);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItemCount() == 1; }));
    const auto merged = session::jobsOf(storedRuns());
    ASSERT_EQ(merged.size(), 2U);
    EXPECT_EQ(merged.back().id, "all");
    EXPECT_EQ(merged.back().runs.size(), 3U);
    for (const RunSummary& run : storedRuns()) {
        const bool ofTheAgent = run.info.model.name == "big";
        EXPECT_EQ(run.info.tags,
                  ofTheAgent ? std::vector<std::string>{"job:all"} : std::vector<std::string>());
    }
}

TEST_F(InsightsTest, CardsThatAreNotValidSayWhy)
{
    openHistory("historyViewCards");
    auto& tree = find<QTreeWidget>("cardsTree");
    EXPECT_EQ(tree.topLevelItemCount(), 0);
    const std::filesystem::path forged =
        std::filesystem::path(folder().toStdString()) / "forged.json";
    std::ofstream(forged) << "{}";
    find<ui::CardsTab>("cardsTab").add({ui::toQString(forged.string())});
    ASSERT_TRUE(waitFor([this] { return find<QLabel>("cardsProblems").isVisible(); }));
    EXPECT_THAT(labelText("cardsProblems").toStdString(), HasSubstr("forged.json is not valid"));
    EXPECT_TRUE(session::keptCards(database()).cards.empty());
    click("cardsMeasure");
    EXPECT_TRUE(waitFor([this] { return seek<QDialog>("compareDialog") != nullptr; }));
}

} // namespace
} // namespace ep::test
