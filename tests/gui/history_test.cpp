// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"
#include "support/dash.h"
#include "support/sample_run.h"
#include "theme/design.h"
#include "widgets/sparkline.h"

#include "ep/store/store.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/run_list_model.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>

#include <filesystem>

namespace {

using namespace ep;
using testing::HasSubstr;

using ep::test::kDash;

class HistoryTest : public test::WindowTest {
protected:
    QTableView& table() { return find<QTableView>("historyTable"); }
    int rows() { return table().model()->rowCount(); }
    int page() { return find<QStackedWidget>("pages").currentIndex(); }

    // Opens a window with so many finished runs and shows History.
    void openWithRuns(std::initializer_list<const char*> prompts)
    {
        openWindow();
        for (const char* prompt : prompts)
            runToTheEnd(QString::fromUtf8(prompt), 6);
        press(Qt::Key_3, Qt::ControlModifier);
        ASSERT_EQ(page(), 2);
        const int expected = static_cast<int>(prompts.size());
        ASSERT_TRUE(waitFor([&] { return rows() == expected; }));
    }

    void clickRow(int row, int column = 2)
    {
        const QModelIndex index = table().model()->index(row, column);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                          table().visualRect(index).center());
    }

    QMessageBox* question()
    {
        QMessageBox* box = nullptr;
        EXPECT_TRUE(waitFor([&] {
            box = seek<QMessageBox>("deleteQuestion");
            return box && box->isVisible();
        }));
        return box;
    }
};

TEST_F(HistoryTest, AnEmptyHistoryLeadsToLive)
{
    openWindow();
    press(Qt::Key_3, Qt::ControlModifier);
    EXPECT_FALSE(table().isVisible());
    click("historyLiveButton");
    EXPECT_EQ(page(), 0);
}

TEST_F(HistoryTest, AFinishedRunIsListedWithItsFigures)
{
    openWithRuns({"the quick"});
    const auto cell = [this](int column) { return shownCells(table(), column).first(); };
    EXPECT_EQ(cell(1).toStdString(), "tiny");
    EXPECT_EQ(cell(2).toStdString(), "the quick");
    EXPECT_EQ(cell(3).toStdString(), "Complete");
    EXPECT_EQ(cell(4).toStdString(), "10"); // one token per byte, and the one at the beginning
    EXPECT_EQ(cell(5).toStdString(), "6");
    for (const int figure : {6, 7, 8, 9, 10})
        EXPECT_NE(cell(figure), kDash) << figure;
    EXPECT_EQ(cell(12).toStdString(), "scripted");
}

TEST_F(HistoryTest, DoubleClickOpensTheRunInAnalysis)
{
    openWithRuns({"first one", "second one"});
    ASSERT_EQ(shownCells(table(), 2),
              QStringList({QStringLiteral("second one"), QStringLiteral("first one")}));
    const QModelIndex older = table().model()->index(1, 2);
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(older).center());
    QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(older).center());
    EXPECT_EQ(page(), 1);
    ASSERT_TRUE(
        waitFor([this] { return labelText("runPrompt").contains(QLatin1String("first one")); }));
    EXPECT_THAT(labelText("runFacts").toStdString(), HasSubstr("Complete"));
    EXPECT_NE(labelText("runEnergy"), kDash);
    EXPECT_EQ(find<ui::TokenStreamView>("runTokenStream").count(), 6);
    EXPECT_FALSE(find<ui::PipelineView>("pipeline").geometryForTests().rows.empty());
    const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    ASSERT_NE(heatmap.data(), nullptr);
    EXPECT_EQ(heatmap.data()->tokens, 6);
    EXPECT_EQ(find<QTableView>("componentTable").model()->rowCount(), 12); // 2 x 4 + 4 sums
}

TEST_F(HistoryTest, HeatmapAndTableShareTheChosenCell)
{
    openWithRuns({"first"});
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QTableView>("componentTable").isVisible(); }));
    auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    auto& components = find<QTableView>("componentTable");
    components.setFocus();
    components.setCurrentIndex(components.model()->index(9, 0)); // the row after 4 sums
    ASSERT_TRUE(heatmap.current().has_value());
    EXPECT_EQ(heatmap.current()->layer, 1);
    EXPECT_EQ(heatmap.current()->component, Component::QProj);
    heatmap.setFocus();
    QTest::keyClick(&heatmap, Qt::Key_Right);
    EXPECT_EQ(components.currentIndex().row(), 10);
}

TEST_F(HistoryTest, MetricSelectorsDriveTheCharts)
{
    openWithRuns({"first"});
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QTableView>("componentTable").isVisible(); }));
    const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    find<QComboBox>("runMetric").setCurrentIndex(1);
    EXPECT_EQ(heatmap.data()->metric, viz::HeatmapMetric::EnergyMj);
    find<QComboBox>("runReduction").setCurrentIndex(1);
    EXPECT_EQ(heatmap.data()->reduction, viz::CellReduction::Sum);
    const auto& pipeline = find<ui::PipelineView>("pipeline");
    EXPECT_EQ(pipeline.shownMetric(), viz::NodeMetric::Energy);
    find<QComboBox>("pipelineMetric").setCurrentIndex(1);
    EXPECT_EQ(pipeline.shownMetric(), viz::NodeMetric::Time);
    find<QComboBox>("pipelineMetric").setCurrentIndex(0);
    EXPECT_EQ(pipeline.shownMetric(), viz::NodeMetric::Energy);
}

TEST_F(HistoryTest, WithoutPowerAnalysisShowsNoJoules)
{
    powerScript.kind = "none";
    openWithRuns({"first"});
    EXPECT_EQ(shownCells(table(), 7).first(), kDash);
    EXPECT_EQ(shownCells(table(), 8).first(), kDash);
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QTableView>("componentTable").isVisible(); }));
    EXPECT_EQ(labelText("runEnergy"), kDash);
    EXPECT_EQ(labelText("runPeakPower"), kDash);
    EXPECT_NE(labelText("runDuration"), kDash);
    EXPECT_THAT(labelText("runProvenance").toStdString(), HasSubstr("missing"));
}

TEST_F(HistoryTest, SearchFiltersAsOneTypes)
{
    openWithRuns({"alpha beta", "gamma"});
    press(Qt::Key_F, Qt::ControlModifier);
    auto& search = find<QLineEdit>("historySearch");
    ASSERT_TRUE(search.hasFocus());
    QTest::keyClicks(&search, QStringLiteral("BETA alp"));
    EXPECT_EQ(shownCells(table(), 2), QStringList(QStringLiteral("alpha beta")));
    EXPECT_EQ(labelText("historyCount").toStdString(), "1 of 2 runs");
    QTest::keyClicks(&search, QStringLiteral("x"));
    EXPECT_EQ(rows(), 0);
    search.clear();
    EXPECT_EQ(rows(), 2);
}

TEST_F(HistoryTest, DeleteAsksFirst)
{
    openWithRuns({"keep", "drop"});
    clickRow(0);
    table().setFocus();
    press(Qt::Key_Delete);
    QMessageBox* box = question();
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->text().toStdString(), "Delete this run?");
    QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !seek<QMessageBox>("deleteQuestion"); }));
    EXPECT_EQ(rows(), 2);

    table().selectAll();
    click("historyDelete");
    box = question();
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->text().toStdString(), "Delete 2 runs?");
    EXPECT_THAT(box->informativeText().toStdString(), HasSubstr("deleted with a run"));
    QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !seek<QMessageBox>("deleteQuestion"); }));

    clickRow(0);
    click("historyDelete");
    box = question();
    ASSERT_NE(box, nullptr);
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("deleteConfirm")),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
    EXPECT_EQ(shownCells(table(), 2), QStringList(QStringLiteral("keep")));
}

TEST_F(HistoryTest, ADeletedRunCanBeBroughtBack)
{
    openWithRuns({"keep", "drop"});
    clickRow(0);
    click("historyDelete");
    QMessageBox* box = question();
    ASSERT_NE(box, nullptr);
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("deleteConfirm")),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
    EXPECT_EQ(messageOf("historyMessage").toStdString(), "Deleted a run.");
    auto* undo =
        find<QWidget>("historyMessage").findChild<QToolButton*>(QStringLiteral("messageAction"));
    ASSERT_TRUE(undo && undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return rows() == 2; }));
    EXPECT_EQ(messageOf("historyMessage"), QString());
}

TEST_F(HistoryTest, TitleTagsAndNotesAreEdited)
{
    openWithRuns({"first"});
    clickRow(0);
    click("historyEdit");
    QDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QDialog>("runEditDialog");
        return dialog && dialog->isVisible();
    }));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("editTitle")),
                     QStringLiteral("My run"));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("editTags")),
                     QStringLiteral("a, b,a"));
    dialog->accept();
    ASSERT_TRUE(waitFor(
        [this] { return shownCells(table(), 2) == QStringList(QStringLiteral("My run")); }));
    EXPECT_EQ(shownCells(table(), 13).first().toStdString(), "a, b");
}

TEST_F(HistoryTest, StorageShowsSizesAndCleansUp)
{
    openWithRuns({"one", "two"});
    click("historyStorage");
    QDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QDialog>("storageDialog");
        return dialog && dialog->isVisible();
    }));
    auto* sizes = dialog->findChild<QTableWidget*>(QStringLiteral("storageSizes"));
    ASSERT_TRUE(waitFor([&] { return sizes->rowCount() == 2; }));
    EXPECT_TRUE(sizes->item(0, 1)->text().endsWith(QLatin1String("B")));
    auto* cleanUp = dialog->findChild<QPushButton*>(QStringLiteral("storageCleanUp"));
    EXPECT_FALSE(cleanUp->isEnabled());
    dialog->findChild<QCheckBox*>(QStringLiteral("storageKeepLast"))->setChecked(true);
    dialog->findChild<QSpinBox*>(QStringLiteral("storageKeepCount"))->setValue(1);
    ASSERT_TRUE(cleanUp->isEnabled());
    QTest::mouseClick(cleanUp, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return rows() == 1 && sizes->rowCount() == 1; }));
    EXPECT_EQ(shownCells(table(), 2), QStringList(QStringLiteral("two")));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("storageVacuum")),
                      Qt::LeftButton);
    dialog->close();
}

TEST_F(HistoryTest, DeletingTheOpenRunEmptiesAnalysis)
{
    openWithRuns({"only"});
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QTableView>("componentTable").isVisible(); }));
    press(Qt::Key_3, Qt::ControlModifier);
    click("historyDelete");
    QMessageBox* box = question();
    ASSERT_NE(box, nullptr);
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("deleteConfirm")),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return rows() == 0; }));
    window().showPage(ui::Page::Analysis);
    ASSERT_TRUE(find<QPushButton>("emptyHistoryButton").isVisible());
    click("emptyHistoryButton");
    EXPECT_EQ(page(), 2);
}

TEST_F(HistoryTest, ExportsTheSelectedRunAsJson)
{
    openWithRuns({"first"});
    clickRow(0);
    press(Qt::Key_S, Qt::ControlModifier);
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QFileDialog>("exportDialog");
        return dialog && dialog->isVisible();
    }));
    EXPECT_THAT(dialog->selectedFiles().first().toStdString(), HasSubstr("tiny-"));
    const QString path = folder() + QStringLiteral("/out.json");
    dialog->selectFile(path);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return QFile::exists(path); }));
    EXPECT_TRUE(waitFor(
        [this] { return messageOf("historyMessage").startsWith(QLatin1String("Exported to")); }));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_THAT(file.readAll().toStdString(), HasSubstr("\"prompt\""));
}

TEST_F(HistoryTest, RunsAreThereAfterTheNextStart)
{
    openWithRuns({"first"});
    openWindow();
    ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
}

// Helpers for tests in which another program uses the same database while the window is open.
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
    ASSERT_TRUE(waitFor([this] { return find<QTableView>("componentTable").isVisible(); }));
    ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
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
    ASSERT_TRUE(waitFor([&] { return rows() == kRuns; }));
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

TEST_F(HistoryTest, AFileThatIsNoDatabaseIsExplained)
{
    QFile file(QString::fromStdString(database().string()));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is not a database, whatever its name says");
    file.close();
    openWindow();
    // Live reports this before a run is lost.
    ASSERT_TRUE(waitFor([this] { return !messageOf("liveMessage").isEmpty(); }));
    EXPECT_THAT(messageOf("liveMessage").toStdString(), HasSubstr("runs.db"));
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return !messageOf("historyMessage").isEmpty(); }));
    EXPECT_THAT(messageOf("historyMessage").toStdString(), HasSubstr("runs.db"));
}

TEST_F(HistoryTest, KeyFiguresStandFirstAndTheSparklineMarksTheRun)
{
    openWithRuns({"first", "second", "third"});
    clickRow(1);
    EXPECT_NE(labelText("selected_energy"), kDash);
    EXPECT_EQ(labelText("selected_energy"), shownCells(table(), 7)[1]);
    const auto& spark = find<ui::Sparkline>("historySparkline");
    ASSERT_TRUE(spark.isVisible());
    EXPECT_EQ(spark.values().size(), 3U);
    EXPECT_EQ(spark.marked(), 1); // oldest first
}

TEST_F(HistoryTest, SeveralRunsHaveTotalsAndAreExportedTogether)
{
    openWithRuns({"first", "second"});
    table().selectAll();
    EXPECT_THAT(find<QTextBrowser>("historyDetails").toPlainText().toStdString(),
                HasSubstr("2 runs together"));
    EXPECT_THAT(find<QTextBrowser>("historyDetails").toPlainText().toStdString(),
                HasSubstr("12 tokens"));
    EXPECT_FALSE(find<ui::Sparkline>("historySparkline").isVisible());
    const QString out = folder() + QStringLiteral("/out");
    for (const char* button : {"historyExportJson", "historyReport"}) {
        ASSERT_TRUE(find<QToolButton>(button).isEnabled()) << button;
        find<QToolButton>(button).click();
        auto* dialog = seek<QFileDialog>("folderDialog");
        ASSERT_NE(dialog, nullptr);
        std::filesystem::create_directories(out.toStdString());
        Q_EMIT dialog->fileSelected(out);
        dialog->close();
        ASSERT_TRUE(waitFor([this] { return !seek<QFileDialog>("folderDialog"); }));
    }
    const auto count = [&](const char* pattern) {
        return QDir(out).entryList({QString::fromUtf8(pattern)}).size();
    };
    EXPECT_TRUE(waitFor([&] { return count("*.json") == 2; })) << count("*.json");
    EXPECT_TRUE(waitFor([&] { return count("*.html") == 2; })) << count("*.html");
}

TEST_F(HistoryTest, CtrlZBringsBackWhatWasDeleted)
{
    openWithRuns({"first", "second"});
    clickRow(0);
    click("historyDelete");
    QMessageBox* box = question();
    ASSERT_NE(box, nullptr);
    QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("deleteConfirm")),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return rows() == 1; }));
    ASSERT_TRUE(waitFor([this] { return find<QAction>("actionUndoView").isEnabled(); }));
    table().setFocus();
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([this] { return rows() == 2; }));
    EXPECT_FALSE(find<QAction>("actionUndoView").isEnabled());
}

TEST_F(HistoryTest, RepeatsFoldIntoOneRowAndUnfoldAgain)
{
    openWithRuns({"same", "same", "same", "other"});
    click("historyFold");
    auto& folded = find<QTableWidget>("historyRepeats");
    ASSERT_TRUE(folded.isVisible());
    ASSERT_EQ(folded.rowCount(), 2);
    const int same = folded.item(0, 4)->text() == QStringLiteral("3") ? 0 : 1;
    EXPECT_EQ(folded.item(same, 4)->text().toStdString(), "3");
    EXPECT_TRUE(folded.item(same, 5)->text().contains(u'–')); // with an interval
    folded.selectRow(same);
    EXPECT_TRUE(find<QToolButton>("historyCompare").isEnabled()); // its runs are selected
    QTest::keyClick(&folded, Qt::Key_Return);
    EXPECT_TRUE(waitFor([this] { return table().isVisible(); }));
    EXPECT_EQ(table().selectionModel()->selectedRows().size(), 3);
}

TEST_F(HistoryTest, ThePromptTakesTheRoomThatIsLeft)
{
    openWithRuns({"first"});
    click("historyDetailsButton"); // folds the details away
    window().resize(2400, 700);
    const auto& header = *table().horizontalHeader();
    ASSERT_TRUE(waitFor([&] { return header.length() >= table().viewport()->width(); }));
    const int wide = header.sectionSize(2);
    window().resize(1300, 700);
    EXPECT_TRUE(waitFor([&] { return header.sectionSize(2) < wide; }));
}

TEST_F(HistoryTest, WhatDoesNotFitIsInTheToolBarsMenu)
{
    openWithRuns({"first"});
    window().resize(800, 500);
    auto* more = find<QToolBar>("historyTools")
                     .findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    ASSERT_NE(more, nullptr);
    ASSERT_TRUE(waitFor([&] { return more->isVisible(); }));
    EXPECT_EQ(
        more->icon().pixmap(24).toImage(),
        ep::ui::lineIcon(QLatin1StringView("more")).pixmap(24).toImage()); // in the theme's colour
    clickRow(0);
    ASSERT_NE(more->menu(), nullptr);
    Q_EMIT more->menu()->aboutToShow();
    const auto entries = more->menu()->actions();
    const auto csv = std::find_if(entries.begin(), entries.end(), [](const QAction* entry) {
        return entry->text().contains(QLatin1String("CSV"));
    });
    ASSERT_NE(csv, entries.end());
    EXPECT_TRUE((*csv)->isEnabled());
    (*csv)->trigger();
    EXPECT_TRUE(waitFor([this] {
        const auto dialogs = window().findChildren<QFileDialog*>();
        return std::any_of(dialogs.begin(), dialogs.end(),
                           [](const QFileDialog* dialog) { return dialog->isVisible(); });
    }));
    for (auto* dialog : window().findChildren<QFileDialog*>())
        dialog->close();
}

} // namespace
