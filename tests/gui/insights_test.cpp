// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of the listed runs: totals, jobs and stored cards in Insights.
#include "gui/window_test.h"
#include "pages/cards_tab.h"
#include "support/sample_run.h"

#include "ep/core/format.h"
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
    void openInsights(int tab)
    {
        openWindow();
        find<QAction>("actionInsights").trigger();
        chooseTab("insightsViews", QStringList{u"Runs"_s, u"Totals"_s, u"Jobs"_s, u"Cards"_s}[tab]);
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
    openInsights(1);
    auto& table = find<QTableWidget>("totalsTable");
    ASSERT_TRUE(waitFor([&] { return table.rowCount() == 1; })) << "all of one day";
    EXPECT_EQ(table.horizontalHeaderItem(0)->text(), u"Day"_s);
    find<QComboBox>("totalsBy").setCurrentIndex(2);
    ASSERT_TRUE(waitFor([&] { return table.rowCount() == 2; }));
    EXPECT_EQ(table.horizontalHeaderItem(0)->text(), u"Model"_s);
    const auto totals = energy::totalsOf(storedRuns(), energy::TotalsBy::Model,
                                         [](std::int64_t) { return std::string(); });
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

// A value that is unknown for one run does not count as one in which the others differ.
TEST_F(InsightsTest, ChartsAreOverWhatVariesAndAsTallAsTheyNeed)
{
    {
        const auto store = store::Store::open(database());
        ASSERT_TRUE(store);
        for (int i = 0; i < 4; ++i) {
            ep::Run run = request("answer", i);
            run.info.model.name = "one";
            run.info.output_tokens = 10 + i;
            if (i == 3)
                run.info.model.parameters = run.info.model.active_parameters = 0;
            ASSERT_TRUE((*store)->saveRun(run));
        }
    }
    openInsights(0);
    window().resize(1800, 1100);
    ASSERT_TRUE(waitFor([this] { return find<ui::SceneView>("insightsGroups").isVisible(); }));
    EXPECT_EQ(find<QComboBox>("insightsFeature").currentText(), u"Output tokens"_s);
    EXPECT_FALSE(find<ui::SceneView>("insightsQuality").isVisible()) << "nothing was measured";
    EXPECT_THAT(labelText("insightsQualityText").toStdString(),
                HasSubstr("no run in the list has a perplexity"));
    EXPECT_TRUE(find<QPushButton>("insightsMeasureQuality").isVisible());
    const auto& bars = find<ui::SceneView>("insightsGroups");
    const auto& points = find<ui::SceneView>("insightsPareto");
    ASSERT_TRUE(waitFor([&] { return bars.height() < 250; })) << bars.height();
    EXPECT_GT(points.height(), 2 * bars.height());
    EXPECT_GT(points.width(), 2 * window().width() / 5) << "two charts share the row";
    // Where the texts below them have different numbers of lines, too.
    const auto& costs = find<ui::SceneView>("insightsCosts");
    const auto topOf = [this](const QWidget& chart) {
        return chart.mapTo(&window(), QPoint(0, 0)).y();
    };
    window().resize(1270, 760);
    ASSERT_TRUE(waitFor([&] { return bars.width() < 420; })) << bars.width();
    EXPECT_TRUE(waitFor([&] { return topOf(bars) == topOf(costs); }))
        << topOf(bars) << " and " << topOf(costs);
}

// Three points in a large window.
TEST_F(InsightsTest, BarsStandBesideFewPointsIfThereIsRoom)
{
    storeRequests();
    openInsights(0);
    window().resize(2500, 1360);
    const auto& points = find<ui::SceneView>("insightsPareto");
    const auto& bars = find<ui::SceneView>("insightsGroups");
    ASSERT_TRUE(waitFor([&] { return points.isVisible() && bars.isVisible(); }));
    const auto placeOf = [this](const QWidget& chart) {
        return QRect(chart.mapTo(&window(), QPoint(0, 0)), chart.size());
    };
    EXPECT_TRUE(waitFor([&] { return placeOf(bars).left() > placeOf(points).right(); }));
    EXPECT_TRUE(waitFor([&] { return points.height() <= points.width() * 3 / 4; }))
        << points.width() << " x " << points.height();
    EXPECT_GE(points.height(), points.width() / 2);
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
    openInsights(0);
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
    openInsights(2);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItemCount() == 2; }));
    // Newest first: the other user's job, then the agent's with three requests.
    EXPECT_EQ(jobs().topLevelItem(0)->childCount(), 1);
    ASSERT_EQ(jobs().topLevelItem(1)->childCount(), 3);
    jobs().clearSelection();
    jobs().topLevelItem(1)->setSelected(true);
    EXPECT_EQ(find<ui::SceneView>("jobRequests").scene().table.rows.size(), 3U);
    EXPECT_THAT(labelText("jobFacts").toStdString(), HasSubstr("Context that was read again"));
    EXPECT_FALSE(find<QPushButton>("jobMerge").isEnabled());
    EXPECT_FALSE(find<QPushButton>("jobSplit").isEnabled());

    click("jobRename");
    answerName(u"door"_s);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItem(1)->text(0).startsWith(u"door: "_s); }));

    jobs().clearSelection();
    jobs().topLevelItem(1)->child(2)->setSelected(true);
    click("jobSplit");
    answerName(u"rest, later"_s);
    ASSERT_TRUE(waitFor([&] { return jobs().topLevelItemCount() == 3; }));
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
    ASSERT_EQ(merged.size(), 1U);
    EXPECT_EQ(merged.front().id, "all");
    EXPECT_EQ(merged.front().runs.size(), 4U);
    for (const RunSummary& run : storedRuns())
        EXPECT_EQ(run.info.tags, std::vector<std::string>{"job:all"}) << "one job each";
}

TEST_F(InsightsTest, CardsThatAreNotValidSayWhy)
{
    openInsights(3);
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
