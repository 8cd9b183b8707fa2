// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/analysis_fixture.h"
#include "pages/analysis_page.h"
#include "support/dash.h"

#include "ep/core/disturbed_tokens.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/phase_views.h"
#include "ep/ui/charts/sankey_view.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/charts/waterfall_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

namespace {

using namespace ep;

using ep::test::AnalysisChartsTest;
using ep::test::kDash;

TEST_F(AnalysisChartsTest, TreemapAndFlowShareTheirMetric)
{
    openWithRun();
    showView(QStringLiteral("Where It Goes"));
    auto& map = find<ui::TreemapView>("treemap");
    auto& flow = find<ui::SankeyView>("sankey");
    ASSERT_TRUE(waitFor([&] { return map.isVisible() && flow.itemCount() > 0; }));
    auto& metric = find<QComboBox>("breakdownMetric");
    metric.setFocus();
    QTest::keyClick(&metric, Qt::Key_Home);
    EXPECT_EQ(metric.currentText(), QStringLiteral("Time"));
    EXPECT_EQ(find<QComboBox>("tokensMetric").currentText(), QStringLiteral("Time"));
    EXPECT_TRUE(map.accessibleDescription().contains(QStringLiteral("s, most of it in ")))
        << map.accessibleDescription().toStdString(); // in ns to s; no joules

    map.setFocus();
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Return);
    EXPECT_NE(map.root(), 0U);
    QTest::keyClick(&map, Qt::Key_Backspace);
    EXPECT_EQ(map.root(), 0U);
}

TEST_F(AnalysisChartsTest, ThePlayerDrivesAllViews)
{
    openWithRun();
    showView(QStringLiteral("Tokens"));
    auto& waterfall = find<ui::WaterfallView>("waterfall");
    ASSERT_TRUE(waitFor([&] { return waterfall.isVisible(); }));
    click("tokenNext");
    const QString words = labelText("tokenWords");
    EXPECT_TRUE(words.startsWith(QStringLiteral("Token "))) << words.toStdString();
    const int first = waterfall.currentItem();
    EXPECT_GE(first, 0);
    click("tokenNext");
    EXPECT_EQ(waterfall.currentItem(), first + 1);
    click("tokenBack");
    EXPECT_EQ(waterfall.currentItem(), first);

    auto& slider = find<QSlider>("tokenSlider");
    slider.setFocus();
    QTest::keyClick(&slider, Qt::Key_End);
    EXPECT_EQ(waterfall.currentItem(), slider.maximum());
    auto& speed = find<QComboBox>("tokenSpeed");
    speed.setFocus();
    QTest::keyClick(&speed, Qt::Key_End); // to the fastest speed
    click("tokenPlay"); // plays from the first token to the end again
    EXPECT_TRUE(find<QToolButton>("tokenPlay").isChecked());
    ASSERT_TRUE(waitFor([&] { return !find<QToolButton>("tokenPlay").isChecked(); }));
    EXPECT_EQ(slider.value(), slider.maximum());

    QTest::mouseClick(&waterfall, Qt::LeftButton, {}, centreOf(waterfall, 2));
    EXPECT_EQ(slider.value(), 2);
}

TEST_F(AnalysisChartsTest, AThresholdListsTheTokensAboveIt)
{
    openWithRun();
    showView(QStringLiteral("Tokens"));
    auto& views = find<QTabWidget>("tokenViews");
    QTest::mouseClick(views.tabBar(), Qt::LeftButton, {}, views.tabBar()->tabRect(1).center());
    auto& histogram = find<ui::HistogramView>("tokenHistogram");
    ASSERT_TRUE(waitFor([&] { return histogram.isVisible() && histogram.itemCount() > 0; }));
    QTest::mouseClick(&histogram, Qt::LeftButton, {}, centreOf(histogram, 0));
    auto& list = find<QTableWidget>("tokenList");
    const int all = list.rowCount();
    EXPECT_GT(all, 0);
    auto& side = find<QComboBox>("tokenSide");
    side.setFocus();
    QTest::keyClick(&side, Qt::Key_Down);
    EXPECT_LE(list.rowCount(),
              1); // nothing, or a rounding error of the lowest
    QTest::keyClick(&side, Qt::Key_Up);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      list.visualItemRect(list.item(0, 0)).center());
    EXPECT_EQ(labelText("tokenWords").section(QLatin1Char(' '), 1, 1), list.item(0, 0)->text());
}

TEST_F(AnalysisChartsTest, PhasesFilterAndRails)
{
    openWithRun();
    showView(QStringLiteral("Timeline"));
    find<QComboBox>("timelineBelow").setCurrentIndex(1);
    auto& power = find<ui::PhasePowerView>("phasePower");
    ASSERT_TRUE(waitFor([&] { return power.isVisible(); }));
    const std::size_t before = power.itemCount();
    EXPECT_GT(before, 0U);
    for (const char* phase : {"phaseShown_idle", "phaseShown_pre_inference", "phaseShown_prefill",
                              "phaseShown_decode", "phaseShown_post_inference"})
        find<QAction>(phase).trigger();
    EXPECT_EQ(power.itemCount(), 0U);
    find<QAction>("phaseShown_decode").trigger();
    EXPECT_FALSE(power.filter().phases[static_cast<std::size_t>(Phase::Prefill)]);
    EXPECT_TRUE(power.filter().phases[static_cast<std::size_t>(Phase::Decode)]);
    EXPECT_GT(find<ui::RailBarsView>("railBars").itemCount(), 0U);
}

TEST_F(AnalysisChartsTest, AllCardsHaveTheSameColours)
{
    openWindow();
    const QPalette expected = find<QFrame>("efficiencyCard").palette();
    for (const char* card : {"serverCard", "commandCard", "ledgerCard", "costCard", "kvCacheCard",
                             "expertsCard", "qualityCard"})
        EXPECT_EQ(find<QFrame>(card).palette().window(), expected.window()) << card;
}

TEST_F(AnalysisChartsTest, CardsAreBelowEachOtherWhereTwoDoNotFit)
{
    openWithRun();
    showView(QStringLiteral("Figures"));
    const auto& left = find<QFrame>("efficiencyCard");
    const auto& right = find<QFrame>("costCard");
    const auto xOf = [](const QFrame& card) { return card.mapToGlobal(QPoint()).x(); };
    window().resize(1500, 900);
    ASSERT_TRUE(waitFor([&] { return xOf(right) > xOf(left); }));
    window().resize(window().minimumSizeHint().expandedTo({800, 500}));
    EXPECT_TRUE(waitFor([&] { return xOf(right) == xOf(left); }));
}

TEST_F(AnalysisChartsTest, CardsHaveFiguresAndAnEditableTariff)
{
    openWithRun();
    showView(QStringLiteral("Figures"));
    EXPECT_NE(labelText("figure_energy"), kDash);
    EXPECT_NE(labelText("figure_usd"), kDash);
    EXPECT_FALSE(find<QLabel>("efficiencyCardNote").text().isEmpty());
    const QString before = labelText("figure_co2");
    auto& region = find<QComboBox>("tariffRegion");
    region.setFocus();
    QTest::keyClick(&region, Qt::Key_Home);
    QTest::keyClick(&region, Qt::Key_Down);
    EXPECT_NE(labelText("figure_co2"), before);
    auto& price = find<QDoubleSpinBox>("tariffPrice");
    const QString usd = labelText("figure_usdMillion");
    price.setFocus();
    price.selectAll();
    QTest::keyClicks(&price, QStringLiteral("1"));
    QTest::keyClick(&price, Qt::Key_Return);
    EXPECT_NE(labelText("figure_usdMillion"), usd);
    EXPECT_FALSE(find<QFrame>("expertsCard").isVisible()); // a dense model
}

TEST_F(AnalysisChartsTest, TheHeatmapShowsFiguresOfOperationsWhereTheyWereRecorded)
{
    engineScript.operations = {Operation::Softmax};
    const struct {
        const char* depth;
        std::optional<double> entropy;
        std::optional<double> killed;
    } cases[] = {{"module", {}, {}}, {"deep", 1.0, 0.25}};
    for (const auto& [depth, entropy, killed] : cases) {
        openWindow();
        ASSERT_TRUE(waitForModel());
        chooseInCombo("depthCombo", QString::fromLatin1(depth));
        runToTheEnd(QStringLiteral("the quick"), 4);
        for (const bool stored : {false, true}) {
            SCOPED_TRACE(std::string(depth) + (stored ? " stored" : ""));
            if (stored) {
                openWindow(); // the run is only in the database
                press(Qt::Key_3, Qt::ControlModifier);
                ASSERT_TRUE(waitFor([&] { return table().model()->rowCount() > 0; }));
                table().setFocus();
                table().selectRow(0);
                QTest::keyClick(&table(), Qt::Key_Return);
            }
            press(Qt::Key_2, Qt::ControlModifier);
            const auto& heatmap = find<ui::HeatmapView>("runHeatmap");
            ASSERT_TRUE(waitFor([&] { return heatmap.data() != nullptr; }));
            auto& metric = find<QComboBox>("runMetric");
            const auto shown = [&](viz::HeatmapMetric which) {
                metric.setCurrentIndex(metric.findData(static_cast<int>(which)));
                return heatmap.data()->largest();
            };
            ASSERT_TRUE(waitFor([&, expected = killed] {
                return shown(viz::HeatmapMetric::KillRatio) == expected;
            }));
            EXPECT_EQ(shown(viz::HeatmapMetric::AttentionEntropy), entropy);
            EXPECT_EQ(shown(viz::HeatmapMetric::VarianceRatio), std::nullopt);
            EXPECT_EQ(heatmap.data()->absence,
                      killed ? viz::Absence::NotRecorded : viz::Absence::Depth);
            EXPECT_EQ(shown(viz::HeatmapMetric::NetEnergyMj), std::nullopt);
            EXPECT_EQ(heatmap.data()->absence, viz::Absence::NoBaseline);
            press(Qt::Key_1, Qt::ControlModifier);
        }
    }
}

TEST_F(AnalysisChartsTest, CardsAndDetailsShowTheSameInterval)
{
    openWithRun();
    const auto& table = find<QTableWidget>("selectionFigures");
    QTableWidgetItem* value = nullptr;
    for (int row = 0; row < table.rowCount(); ++row) {
        if (table.item(row, 0)->text() == QStringLiteral("Uncertainty"))
            value = table.item(row, 1);
    }
    ASSERT_NE(value, nullptr);
    EXPECT_TRUE(value->text().startsWith(QString::fromUtf8("\u00b1 ")));
    EXPECT_TRUE(labelText("figure_energy").endsWith(QLatin1Char(' ') + value->text()))
        << labelText("figure_energy").toStdString() << " and " << value->text().toStdString();
    EXPECT_TRUE(value->text().endsWith(QStringLiteral("(95 %)"))) << value->text().toStdString();
    for (const QString& tip : {value->toolTip(), find<QLabel>("figure_energy").toolTip()})
        EXPECT_TRUE(tip.contains(QStringLiteral("95 % interval"))) << tip.toStdString();
}

TEST_F(AnalysisChartsTest, NotesAndTagsAreEditedInPlace)
{
    openWithRun();
    auto& edit = find<QAction>("actionEditRun");
    ASSERT_TRUE(waitFor([&] { return edit.isEnabled(); })); // once the run is in the list
    EXPECT_FALSE(find<QLabel>("runNotes").isVisible()); // no notes yet
    const auto save = [this](QWidget* dialog) {
        const auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
        return waitFor([this] { return !seek<QDialog>("runEditDialog"); });
    };
    find<QWidget>("treemap").setFocus();
    press(Qt::Key_M);
    auto* dialog = seek<QDialog>("runEditDialog");
    ASSERT_NE(dialog, nullptr);
    auto* notes = dialog->findChild<QPlainTextEdit*>();
    EXPECT_EQ(dialog->focusWidget(), notes); // M opens the notes, ready for typing
    QTest::keyClicks(notes, QStringLiteral("my warm machine"));
    ASSERT_TRUE(save(dialog));
    EXPECT_TRUE(
        waitFor([this] { return labelText("runNotes") == QStringLiteral("my warm machine"); }));

    edit.trigger();
    dialog = seek<QDialog>("runEditDialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->findChild<QPlainTextEdit*>()->toPlainText(),
              QStringLiteral("my warm machine"));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("editTags")),
                     QStringLiteral("warm, m4"));
    ASSERT_TRUE(save(dialog));
    EXPECT_TRUE(waitFor([this] {
        return labelText("runNotes") == QStringLiteral("Tags: warm, m4 · my warm machine");
    })) << labelText("runNotes").toStdString();
    window().showPage(ui::Page::Live);
    EXPECT_FALSE(find<QAction>("actionEditRun").isEnabled()); // elsewhere M is only a letter
}

} // namespace
