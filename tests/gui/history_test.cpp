// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/history_fixture.h"
#include "support/dash.h"
#include "theme/design.h"
#include "widgets/sparkline.h"

#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/run_list_model.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>

#include <filesystem>

namespace {

using namespace ep;
using testing::HasSubstr;

using ep::test::HistoryTest;
using ep::test::kDash;

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
    const auto cell = [this](const char* id) {
        return shownCells(table(), historyColumn(id)).first().toStdString();
    };
    EXPECT_EQ(cell("model"), "tiny");
    EXPECT_EQ(cell("dtype"), "f32");
    EXPECT_EQ(cell("prompt"), "the quick");
    EXPECT_EQ(cell("status"), "Complete");
    EXPECT_EQ(cell("input_tokens"), "10"); // one per byte, and the one at the beginning
    EXPECT_EQ(cell("output_tokens"), "6");
    for (const char* figure :
         {"duration", "energy", "joules_per_token", "joules_per_total_token", "tokens_per_second"})
        EXPECT_NE(cell(figure), kDash.toStdString()) << figure;
    EXPECT_EQ(cell("power_source"), "scripted");
}

TEST_F(HistoryTest, DoubleClickOpensTheRunInAnalysis)
{
    openWithRuns({"first one", "second one"});
    ASSERT_EQ(shownCells(table(), historyColumn("prompt")),
              QStringList({QStringLiteral("second one"), QStringLiteral("first one")}));
    const QModelIndex older = table().model()->index(1, historyColumn("prompt"));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(older).center());
    QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(older).center());
    EXPECT_EQ(page(), 1);
    ASSERT_TRUE(
        waitFor([this] { return labelText("runPrompt").contains(QLatin1String("first one")); }));
    EXPECT_THAT(labelText("runFacts").toStdString(), HasSubstr("Status: complete"));
    EXPECT_FALSE(labelText("runFigures").startsWith(kDash));
    EXPECT_EQ(find<ui::TokenStreamView>("runTokenStream").count(), 6);
    EXPECT_FALSE(find<ui::PipelineView>("pipeline").geometryForTests().rows.empty());
    const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    ASSERT_NE(heatmap.data(), nullptr);
    EXPECT_EQ(heatmap.data()->tokens, 6);
    EXPECT_EQ(find<QTableView>("componentTable").model()->rowCount(), 12); // 2 x 4 + 4 sums
}

TEST_F(HistoryTest, ToolsStayWhereTheyAreWhileTheCountGrows)
{
    openWithRuns({"first one", "second one"});
    window().resize(1280, 800);
    clickRow(1); // the tools are those of a selection
    const auto& compare = find<QToolButton>("historyCompare");
    const auto place = [&] { return compare.mapTo(&window(), QPoint(0, 0)).x(); };
    QTest::qWait(50); // until the layout has settled
    const int before = place();
    EXPECT_TRUE(find<QToolButton>("historyExportCsv").isVisible()) << "all tools fit";
    find<QLineEdit>("historySearch").setText(QStringLiteral("first"));
    ASSERT_TRUE(waitFor([this] { return labelText("historyCount") == u"1 of 2 runs"; }));
    QTest::qWait(50);
    EXPECT_EQ(place(), before);
}

TEST_F(HistoryTest, HeatmapAndTableShareTheChosenCell)
{
    openWithRuns({"first"});
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    auto& components = find<QTableView>("componentTable");
    EXPECT_FALSE(components.isVisible());
    find<QAction>("showComponentTable").trigger();
    ASSERT_TRUE(components.isVisible());
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
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    find<QComboBox>("runMetric").setCurrentIndex(1);
    EXPECT_EQ(heatmap.data()->metric, viz::HeatmapMetric::EnergyMj);
    find<QAction>("heatmapSum").trigger();
    EXPECT_EQ(heatmap.data()->reduction, viz::CellReduction::Sum);
    const auto& pipeline = find<ui::PipelineView>("pipeline");
    EXPECT_EQ(pipeline.shownMetric(), viz::CostMetric::Energy);
    find<QComboBox>("runMetric").setCurrentIndex(0);
    EXPECT_EQ(pipeline.shownMetric(), viz::CostMetric::Time);
    find<QComboBox>("runMetric").setCurrentIndex(1);
    EXPECT_EQ(pipeline.shownMetric(), viz::CostMetric::Energy);
}

TEST_F(HistoryTest, WithoutPowerAnalysisShowsNoJoules)
{
    powerScript.kind = "none";
    openWithRuns({"first"});
    EXPECT_EQ(shownCells(table(), historyColumn("energy")).first(), kDash);
    EXPECT_EQ(shownCells(table(), historyColumn("joules_per_token")).first(), kDash);
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    EXPECT_THAT(labelText("runFigures").toStdString(), HasSubstr("— · "));
    EXPECT_THAT(labelText("runProvenance").toStdString(), HasSubstr("missing"));
}

TEST_F(HistoryTest, SearchFiltersAsOneTypes)
{
    openWithRuns({"alpha beta", "gamma"});
    press(Qt::Key_F, Qt::ControlModifier);
    auto& search = find<QLineEdit>("historySearch");
    ASSERT_TRUE(search.hasFocus());
    QTest::keyClicks(&search, QStringLiteral("BETA alp"));
    EXPECT_EQ(shownCells(table(), historyColumn("prompt")),
              QStringList(QStringLiteral("alpha beta")));
    EXPECT_EQ(labelText("historyCount").toStdString(), "1 of 2 runs");
    QTest::keyClicks(&search, QStringLiteral("x"));
    EXPECT_EQ(rows(), 0);
    search.clear();
    EXPECT_EQ(rows(), 2);
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
    ASSERT_TRUE(waitFor([this] {
        return shownCells(table(), historyColumn("prompt"))
            == QStringList(QStringLiteral("My run"));
    }));
    EXPECT_EQ(shownCells(table(), historyColumn("tags")).first().toStdString(), "a, b");
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
    ASSERT_TRUE(waitForRuns(1));
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
    EXPECT_EQ(labelText("selected_energy"), shownCells(table(), historyColumn("energy"))[1]);
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

TEST_F(HistoryTest, RepeatsFoldIntoOneRowAndUnfoldAgain)
{
    openWithRuns({"same", "same", "same", "other"});
    find<QAction>("historyFold").trigger();
    auto& folded = find<QTableWidget>("historyRepeats");
    ASSERT_TRUE(folded.isVisible());
    ASSERT_EQ(folded.rowCount(), 2);
    const int same = folded.item(0, 4)->text() == QStringLiteral("3") ? 0 : 1;
    EXPECT_EQ(folded.item(same, 4)->text().toStdString(), "3");
    EXPECT_TRUE(folded.item(same, 5)->text().contains(QLatin1String(" to "))); // with an interval
    folded.selectRow(same);
    EXPECT_TRUE(find<QToolButton>("historyCompare").isEnabled()); // its runs are selected
    QTest::keyClick(&folded, Qt::Key_Return);
    EXPECT_EQ(folded.rowCount(), 5) << "its runs are listed below it";
    find<QAction>("historyFold").trigger();
    EXPECT_TRUE(waitFor([this] { return table().isVisible(); }));
    EXPECT_EQ(table().selectionModel()->selectedRows().size(), 3);
}

TEST_F(HistoryTest, ThePromptTakesTheRoomThatIsLeft)
{
    openWithRuns({"first"});
    window().resize(2400, 700);
    const auto& header = *table().horizontalHeader();
    ASSERT_TRUE(waitFor([&] { return header.length() >= table().viewport()->width(); }));
    const int wide = header.sectionSize(historyColumn("prompt"));
    window().resize(1300, 700);
    EXPECT_TRUE(waitFor([&] { return header.sectionSize(historyColumn("prompt")) < wide; }));
}

TEST_F(HistoryTest, WhatDoesNotFitIsInTheToolBarsMenu)
{
    openWithRuns({"first"});
    window().resize(800, 500);
    clickRow(0);
    auto* more = find<QToolBar>("historyTools")
                     .findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    ASSERT_NE(more, nullptr);
    ASSERT_TRUE(waitFor([&] { return more->isVisible(); }));
    EXPECT_EQ(
        more->icon().pixmap(24).toImage(),
        ep::ui::lineIcon(QLatin1StringView("more")).pixmap(24).toImage()); // in the theme's colour
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
