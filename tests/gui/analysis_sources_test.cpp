// SPDX-License-Identifier: GPL-3.0-or-later
// What Analysis shows: a run, its typical token, the mean of repeats, or a run from the database.
#include "gui/analysis_fixture.h"
#include "pages/analysis_page.h"
#include "support/dash.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/charts/waterfall_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

namespace {

using namespace ep;
using ep::test::kDash;

class AnalysisSourcesTest : public test::AnalysisChartsTest { };

TEST_F(AnalysisSourcesTest, ShowTheTypicalTokenInsteadOfTheSums)
{
    openWithRun();
    auto& shown = find<QComboBox>("shownAggregate");
    auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    auto& map = find<ui::TreemapView>("treemap");
    ASSERT_TRUE(waitFor([&] { return shown.isVisible() && heatmap.data() != nullptr; }));
    showView(QStringLiteral("Where It Goes")); // a chart is only laid out once it is visible
    ASSERT_TRUE(
        waitFor([&] { return map.accessibleDescription().startsWith(QStringLiteral("Run: ")); }));
    const QString joules = labelText("runFigures");
    const QString sums = map.accessibleDescription();
    shown.setFocus();
    QTest::keyClick(&shown, Qt::Key_Down);
    ASSERT_EQ(shown.currentText(), QStringLiteral("Typical token"));
    ASSERT_TRUE(waitFor([&] { return heatmap.data()->reduction == viz::CellReduction::Median; }));
    // Most of the decoded tokens. A busy machine slows down some of them, but never most: they are
    // slower than the median.
    const auto typical = typicalTokens(find<ui::AnalysisPage>("analysisPage").run()->trace.tokens);
    EXPECT_GE(typical.size(), 5U);
    EXPECT_LE(typical.size(), 9U);
    EXPECT_EQ(heatmap.data()->tokens, static_cast<int>(typical.size()));
    EXPECT_FALSE(find<QAction>("heatmapSum").isEnabled());
    EXPECT_EQ(labelText("selectionFiguresTitle"), QStringLiteral("Typical token"));
    EXPECT_NE(labelText("runFigures"), joules);
    EXPECT_NE(map.accessibleDescription(), sums);
    showView(QStringLiteral("Figures"));
    EXPECT_EQ(labelText("figure_joules_per_token"), labelText("figure_joules_per_typical_token"));

    // A selected time is shown as it is.
    auto& slider = find<QSlider>("tokenSlider");
    slider.setFocus();
    QTest::keyClick(&slider, Qt::Key_End);
    EXPECT_FALSE(shown.isEnabled());
    ASSERT_TRUE(waitFor([&] { return heatmap.data()->tokens == 1; }));
    EXPECT_NE(heatmap.data()->reduction, viz::CellReduction::Median);
    click("selectionClear");
    EXPECT_TRUE(shown.isEnabled());
    EXPECT_EQ(heatmap.data()->reduction, viz::CellReduction::Median);
    shown.setFocus();
    QTest::keyClick(&shown, Qt::Key_Up);
    EXPECT_EQ(labelText("runFigures"), joules);
    EXPECT_EQ(map.accessibleDescription(), sums);
}

TEST_F(AnalysisSourcesTest, ShowTheMeanOfRepeatsAsOne)
{
    openWithRun();
    const QString one = labelText("runFigures");
    // Each view shows the mean, or says that it cannot.
    const auto covered = [this] {
        int count = 0;
        for (const QLabel* note : window().findChildren<QLabel*>(QStringLiteral("coverNote")))
            count += note->isHidden() ? 0 : 1;
        return count;
    };
    EXPECT_EQ(find<QComboBox>("shownAggregate").findText(QStringLiteral("Mean of 2 repeats")), -1);
    runToTheEnd(QStringLiteral("the quick"), 10);
    press(Qt::Key_2, Qt::ControlModifier);
    auto& shown = find<QComboBox>("shownAggregate");
    ASSERT_TRUE(waitFor([&] { return shown.findText(QStringLiteral("Mean of 2 repeats")) >= 0; }));
    shown.setFocus();
    QTest::keyClick(&shown, Qt::Key_End);
    ASSERT_TRUE(waitFor(
        [&] { return labelText("selectionFiguresTitle") == QStringLiteral("Mean of 2 repeats"); }));
    auto& heatmap = find<ui::HeatmapView>("runHeatmap");
    EXPECT_EQ(heatmap.data()->tokens, 10);
    EXPECT_FALSE(labelText("runFigures").startsWith(kDash));
    EXPECT_EQ(covered(), 6);
    EXPECT_TRUE(labelText("answerSentence").contains(QStringLiteral(" went into ")))
        << labelText("answerSentence").toStdString();
    QTest::keyClick(&shown, Qt::Key_Home);
    EXPECT_TRUE(waitFor([&] { return covered() == 0; }));
    QTest::keyClick(&shown, Qt::Key_End);
    ASSERT_TRUE(waitFor(
        [&] { return labelText("selectionFiguresTitle") == QStringLiteral("Mean of 2 repeats"); }));
    // The page shows the same after the run was reopened from the database.
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(2));
    const QString mean = labelText("runFigures");
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                      table().visualRect(table().model()->index(1, 2)).center());
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return shown.isVisible() && shown.currentIndex() == 0; }));
    ASSERT_TRUE(waitFor([&] { return shown.findText(QStringLiteral("Mean of 2 repeats")) >= 0; }));
    shown.setFocus();
    QTest::keyClick(&shown, Qt::Key_End);
    ASSERT_TRUE(waitFor([&] { return labelText("runFigures") == mean; }));
    // A typical token is also read from the database.
    QTest::keyClick(&shown, Qt::Key_Up);
    ASSERT_EQ(shown.currentText(), QStringLiteral("Typical token"));
    ASSERT_TRUE(waitFor([&] { return heatmap.data()->reduction == viz::CellReduction::Median; }));
}

TEST_F(AnalysisSourcesTest, RepeatsUntilKnownOpenAsOne)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QSpinBox>("repeatRuns").setValue(6);
    find<QCheckBox>("untilKnown").setChecked(true);
    runToTheEnd(QStringLiteral("the quick"), 10);
    press(Qt::Key_2, Qt::ControlModifier);
    auto& shown = find<QComboBox>("shownAggregate");
    ASSERT_TRUE(waitFor([&] {
        return shown.currentText().startsWith(QStringLiteral("Mean of "))
            && labelText("selectionFiguresTitle") == shown.currentText();
    }));
}

TEST_F(AnalysisSourcesTest, ARunFromHistoryIsAddedUpInTheBackground)
{
    openWithRun();
    openWindow(); // as in another process: the run is only in the database
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(1));
    table().setFocus();
    table().selectRow(0);
    QTest::keyClick(&table(), Qt::Key_Return);
    auto& grid = find<ui::TokenGridView>("tokenGrid");
    ASSERT_TRUE(waitFor([&] { return !grid.table().empty(); }));
    bool layer = false;
    const ui::ChartTable rows = find<ui::TreemapView>("treemap").table();
    for (const auto& row : rows.rows)
        layer = layer || row.front().text.contains(QStringLiteral("Layer 0"));
    EXPECT_TRUE(layer);
}

// The player, the cards, the details, the component table and the treemap show the same token,
// both in a new run and in a reopened one.
TEST_F(AnalysisSourcesTest, OneTokenHasOneEnergyEverywhere)
{
    openWithRun();
    for (const bool opened : {false, true}) {
        if (opened) {
            openWindow();
            press(Qt::Key_3, Qt::ControlModifier);
            ASSERT_TRUE(waitForRuns(1));
            table().setFocus();
            table().selectRow(0);
            QTest::keyClick(&table(), Qt::Key_Return);
            ASSERT_TRUE(waitFor([this] { return find<QSlider>("tokenSlider").maximum() == 9; }));
        }
        showView(QStringLiteral("Tokens"));
        click("tokenNext");
        click("tokenNext");
        const QString words = labelText("tokenWords"); // "Token 1 of 10 “a” 1 ms, 2 mJ (measured)"
        const QString energy =
            words.section(QStringLiteral(", "), -1).section(u'(', 0, 0).trimmed();
        ASSERT_TRUE(energy.endsWith(u'J')) << words.toStdString();
        auto& details = find<QTableWidget>("selectionFigures");
        const auto figure = [&](const QString& name) {
            for (int row = 0; row < details.rowCount(); ++row) {
                if (details.item(row, 0)->text() == name)
                    return details.item(row, 1)->text();
            }
            return QString();
        };
        ASSERT_TRUE(waitFor([&] { return figure(QStringLiteral("Energy")) == energy; }))
            << figure(QStringLiteral("Energy")).toStdString() << " is not " << energy.toStdString();
        EXPECT_TRUE(waitFor([&] {
            return labelText("runFigures").section(QStringLiteral(" · "), 0, 0) == energy;
        })) << labelText("runFigures").toStdString();
        const ui::ChartTable parts = find<ui::TreemapView>("treemap").table();
        ASSERT_FALSE(parts.rows.empty());
        EXPECT_TRUE(parts.rows.front().front().text.startsWith(QStringLiteral("token 1")))
            << parts.rows.front().front().text.toStdString();
    }
}

} // namespace
