// SPDX-License-Identifier: GPL-3.0-or-later
// Another program uses the same database while the window is open.
#include "gui/history_fixture.h"
#include "support/sample_run.h"

#include "ep/store/store.h"
#include "ep/ui/models/run_list_model.h"

#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>

#include <memory>
#include <string>

namespace {

using namespace ep;
using ep::test::HistoryTest;

int promptColumn()
{
    static const int column = ui::RunListModel().columnOf(u"prompt");
    return column;
}

class SharedHistoryTest : public HistoryTest {
protected:
    store::Store& other()
    {
        if (!m_other)
            m_other = *store::Store::open(database());
        return *m_other;
    }

    void add(const std::string& id, std::int64_t createdMs, const std::string& prompt)
    {
        ep::Run run = test::makeSampleRun({.id = id, .created_at_ms = createdMs});
        run.info.title = prompt;
        ASSERT_TRUE(other().saveRun(run));
    }

    bool waitForTitles(const QStringList& titles)
    {
        return waitFor([&] { return shownCells(table(), promptColumn()) == titles; });
    }

private:
    std::unique_ptr<store::Store> m_other;
};

TEST_F(SharedHistoryTest, ShowsWhatOthersAddEditAndDelete)
{
    openWindow();
    press(Qt::Key_3, Qt::ControlModifier);
    add("aaaa", 1000, "one");
    ASSERT_TRUE(waitForTitles({QStringLiteral("one")}));
    add("bbbb", 2000, "two");
    ASSERT_TRUE(waitForTitles({QStringLiteral("two"), QStringLiteral("one")}));
    ASSERT_TRUE(other().edit("aaaa", {.title = "edited"}));
    ASSERT_TRUE(waitForTitles({QStringLiteral("two"), QStringLiteral("edited")}));
    ASSERT_TRUE(other().remove("bbbb"));
    ASSERT_TRUE(waitForTitles({QStringLiteral("edited")}));
}

TEST_F(SharedHistoryTest, InsightsFollow)
{
    openWindow();
    add("aaaa", 1000, "one");
    add("bbbb", 2000, "two");
    press(Qt::Key_5, Qt::ControlModifier);
    const auto says = [this](const char* count) {
        return waitFor(
            [&] { return labelText("insightsCount").contains(QLatin1StringView(count)); });
    };
    EXPECT_TRUE(says("2 runs"));
    ASSERT_TRUE(other().remove("bbbb"));
    EXPECT_TRUE(says("1 run "));
}

TEST_F(SharedHistoryTest, OpensWhatOthersHaveJustAdded)
{
    openWindow();
    add("cccc", 1000, "fresh");
    window().openRun(QStringLiteral("cc"));
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    ASSERT_TRUE(waitForRuns(1));
    ASSERT_TRUE(other().remove("cccc"));
    EXPECT_TRUE(waitFor([this] { return find<QPushButton>("emptyHistoryButton").isVisible(); }))
        << "what others delete is no longer shown";
}

TEST_F(SharedHistoryTest, KeepsSelectionScrollAndFilter)
{
    openWindow();
    press(Qt::Key_3, Qt::ControlModifier);
    constexpr int kRuns = 60;
    for (int i = 0; i < kRuns; ++i)
        add("id" + std::to_string(100 + i), 1000 + i, "run " + std::to_string(i));
    ASSERT_TRUE(waitForRuns(kRuns));
    ASSERT_TRUE(waitFor([&] { return table().verticalScrollBar()->maximum() >= 20; }));
    table().verticalScrollBar()->setValue(20);
    clickRow(25);
    const QString selected = table().model()->index(25, promptColumn()).data().toString();
    const int scrolled = table().verticalScrollBar()->value();
    ASSERT_GT(scrolled, 0);
    add("at-the-end", 1, "oldest");
    ASSERT_TRUE(other().remove("id110"));
    ASSERT_TRUE(other().edit("id112", {.title = "edited"}));
    ASSERT_TRUE(waitFor([&] {
        const QStringList titles = shownCells(table(), promptColumn());
        return titles.contains(QStringLiteral("oldest"))
            && titles.contains(QStringLiteral("edited"))
            && !titles.contains(QStringLiteral("run 10"));
    }));
    const QModelIndexList rows = table().selectionModel()->selectedRows(promptColumn());
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows.first().data().toString(), selected);
    EXPECT_EQ(table().verticalScrollBar()->value(), scrolled);

    find<QLineEdit>("historySearch").setText(QStringLiteral("oldest"));
    ASSERT_TRUE(waitForTitles({QStringLiteral("oldest")}));
    add("late", 5000, "later");
    add("late2", 6000, "oldest too");
    EXPECT_TRUE(waitForTitles({QStringLiteral("oldest too"), QStringLiteral("oldest")}))
        << "the filter stays";
}

} // namespace
