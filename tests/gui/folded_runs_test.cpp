// SPDX-License-Identifier: GPL-3.0-or-later
// History with folded repeats: selected runs are always visible.
#include "gui/window_test.h"

#include <QAction>
#include <QComboBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include <array>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

constexpr int kSettingsColumn = 2;
constexpr int kRunsColumn = 4;
constexpr int kEnergyColumn = 5;

class FoldedRunsTest : public test::WindowTest {
protected:
    QTableWidget& folded() { return find<QTableWidget>("historyRepeats"); }

    void makeRun(const QString& prompt, int tokens)
    {
        window().showPage(ui::Page::Live);
        runToTheEnd(prompt, tokens);
        window().showPage(ui::Page::History);
        ++m_made;
        // A row appears when its run starts, and has its figures once the run has been stored.
        ASSERT_TRUE(waitFor([this] {
            const QAbstractItemModel& runs = *table().model();
            int column = 0;
            while (column < runs.columnCount()
                   && runs.headerData(column, Qt::Horizontal).toString() != u"Status"_s)
                ++column;
            int complete = 0;
            for (int row = 0; row < runs.rowCount(); ++row)
                complete += runs.index(row, column).data().toString() == u"Complete"_s ? 1 : 0;
            return complete == m_made;
        }));
    }

    int rowWithRuns(const QString& count)
    {
        for (int row = 0; row < folded().rowCount(); ++row) {
            if (folded().item(row, kRunsColumn)->text() == count)
                return row;
        }
        return -1;
    }

private:
    int m_made = 0;
};

TEST_F(FoldedRunsTest, ASelectedRowIsStillMarkedWhenRunsArrive)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"same"_s, 6);
    makeRun(u"other"_s, 6);
    find<QAction>("historyFold").trigger();
    ASSERT_GE(rowWithRuns(u"2"_s), 0);
    folded().selectRow(rowWithRuns(u"2"_s));
    makeRun(u"same"_s, 6);
    const int row = rowWithRuns(u"3"_s);
    ASSERT_GE(row, 0);
    const QModelIndexList marked = folded().selectionModel()->selectedRows();
    ASSERT_EQ(marked.size(), 1);
    EXPECT_EQ(marked.front().row(), row);
    click("historyDelete");
    // The button deletes all runs of the marked row.
    ASSERT_TRUE(waitFor([this] { return messageOf("historyMessage") == u"Deleted 3 runs."_s; }));
}

// Each figure of several runs stands below its own title.
TEST_F(FoldedRunsTest, TheFiguresOfAGroupHaveTheirOwnTitles)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"same"_s, 6);
    table().selectAll();
    const QString dash = u"—"_s;
    EXPECT_TRUE(labelText("selected_energy").endsWith(u"J"_s));
    EXPECT_TRUE(labelText("selected_duration").endsWith(u"s"_s))
        << labelText("selected_duration").toStdString();
    const auto& details = find<QTextBrowser>("historyDetails");
    EXPECT_TRUE(details.toPlainText().startsWith(u"Mean of 2 runs"_s));
    const std::array shown{labelText("selected_energy"), labelText("selected_joules_per_token"),
                           labelText("selected_joules_per_total_token"),
                           labelText("selected_tokens_per_second")};
    find<QAction>("historyFold").trigger();
    ASSERT_EQ(folded().rowCount(), 1) << folded().item(0, kSettingsColumn)->text().toStdString()
                                      << "; " << details.toPlainText().toStdString();
    for (std::size_t i = 0; i < shown.size(); ++i) {
        EXPECT_NE(shown[i], dash);
        EXPECT_EQ(shown[i], folded().item(0, kEnergyColumn + static_cast<int>(i))->text());
    }
    find<QAction>("historyFold").trigger();
    // Runs that are not repeats: sums, and quotients of sums.
    makeRun(u"other"_s, 6);
    table().selectAll();
    EXPECT_TRUE(details.toPlainText().startsWith(u"3 runs together"_s));
    EXPECT_NE(labelText("selected_joules_per_total_token"), dash);
    EXPECT_NE(labelText("selected_tokens_per_second"), dash);
}

TEST_F(FoldedRunsTest, FoldingDropsTheSelectionOfSingleRuns)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"same"_s, 6);
    table().selectRow(0);
    ASSERT_TRUE(find<QToolButton>("historyDelete").isEnabled());
    find<QAction>("historyFold").trigger();
    EXPECT_FALSE(folded().selectionModel()->hasSelection());
    EXPECT_FALSE(find<QToolButton>("historyDelete").isEnabled());
}

TEST_F(FoldedRunsTest, SaysWhatDiffersBetweenTheRows)
{
    openWindow();
    makeRun(u"same"_s, 6);
    find<QAction>("historyFold").trigger();
    EXPECT_TRUE(folded().isColumnHidden(kSettingsColumn)); // one row differs in nothing
    makeRun(u"same"_s, 4);
    EXPECT_FALSE(folded().isColumnHidden(kSettingsColumn));
    QStringList settings;
    for (int row = 0; row < folded().rowCount(); ++row)
        settings << folded().item(row, kSettingsColumn)->text();
    settings.sort();
    EXPECT_EQ(settings, QStringList({u"up to 4 tokens"_s, u"up to 6 tokens"_s}));
}

TEST_F(FoldedRunsTest, AGroupUnfoldsInItsPlace)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"same"_s, 6);
    makeRun(u"other"_s, 6);
    find<QAction>("historyFold").trigger();
    ASSERT_EQ(folded().rowCount(), 2);
    const int row = rowWithRuns(u"2"_s);
    Q_EMIT folded().itemActivated(folded().item(row, 0));
    ASSERT_EQ(folded().rowCount(), 4);
    EXPECT_TRUE(folded().isVisible());
    EXPECT_TRUE(folded().item(row + 1, 0)->text().startsWith(u"    "_s));
    Q_EMIT folded().itemActivated(folded().item(row, 0));
    EXPECT_EQ(folded().rowCount(), 2);
    Q_EMIT folded().itemActivated(folded().item(1 - row, 0));
    EXPECT_TRUE(waitFor([this] { return find<QWidget>("analysisPage").isVisible(); }))
        << "a single run is opened";
}

TEST_F(FoldedRunsTest, GroupsByAProperty)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"same"_s, 4);
    makeRun(u"other"_s, 4);
    find<QAction>("historyFold").trigger();
    auto& by = find<QComboBox>("historyGroupBy");
    ASSERT_TRUE(by.isVisible());
    by.setCurrentIndex(by.findText(u"Prompt"_s));
    EXPECT_EQ(folded().horizontalHeaderItem(0)->text(), u"Prompt"_s);
    ASSERT_EQ(folded().rowCount(), 2);
    const int row = rowWithRuns(u"2"_s);
    ASSERT_GE(row, 0);
    EXPECT_EQ(folded().item(row, 0)->text(), u"same"_s);
    folded().selectRow(row);
    click("historyDelete"); // acts on all runs of the row
    ASSERT_TRUE(waitFor([this] { return messageOf("historyMessage") == u"Deleted 2 runs."_s; }));
    find<QAction>("actionUndoView").trigger();
    ASSERT_TRUE(waitFor([this] { return folded().rowCount() == 2; }));
    by.setCurrentIndex(0);
    EXPECT_EQ(folded().horizontalHeaderItem(0)->text(), u"Experiment"_s);
    EXPECT_EQ(folded().rowCount(), 3);
}

// The choice is stored per database, as filters are.
TEST_F(FoldedRunsTest, TheGroupingIsKeptForItsDatabase)
{
    openWindow();
    makeRun(u"same"_s, 6);
    makeRun(u"other"_s, 6);
    find<QAction>("historyFold").trigger();
    find<QComboBox>("historyGroupBy").setCurrentText(u"Prompt"_s);
    ASSERT_EQ(folded().rowCount(), 2);
    openWindow();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitFor([this] { return folded().isVisible() && folded().rowCount() == 2; }));
    EXPECT_EQ(find<QComboBox>("historyGroupBy").currentText(), u"Prompt"_s);
    EXPECT_EQ(folded().horizontalHeaderItem(0)->text(), u"Prompt"_s);
    find<QAction>("historyFold").trigger();
    openWindow();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitFor([this] { return table().isVisible(); })) << "unfolded is kept as well";
    find<QAction>("historyFold").trigger();
    window().close();

    ui::SettingsStore store(settingsFile());
    ui::Settings settings = store.settings();
    EXPECT_EQ(settings.historyGroupBy, u"repeats"_s);
    settings.historyFilterDatabase = folder() + u"/another.db"_s;
    store.save(settings);
    openWindow();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitForRuns(2));
    EXPECT_TRUE(table().isVisible());
    EXPECT_FALSE(folded().isVisible());
}

} // namespace
