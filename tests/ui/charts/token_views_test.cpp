// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_fixture.h"

#include "ep/ui/charts/token_views.h"
#include "ep/ui/charts/waterfall_view.h"

#include <QScrollBar>
#include <QWheelEvent>

namespace ep::ui {
namespace {

class TokenViewsTest : public test::CostChartTest {
protected:
    static void turnWheel(QWidget& view, QPoint at, int by, Qt::KeyboardModifiers keys = {})
    {
        QWheelEvent event(at, view.mapToGlobal(at), {}, {0, by}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }
};

TEST_F(TokenViewsTest, WaterfallZoomsAndScrollsByWheelKeysAndBar)
{
    WaterfallView view;
    view.setCosts(costsOf({.tokens = 200, .layers = 1}));
    show(view, {900, 320});
    EXPECT_EQ(view.window(), (viz::TokenWindow{0, 200}));
    const QPoint middle(450, 160);
    turnWheel(view, middle, 120);
    EXPECT_EQ(view.window().size(), 160U);
    auto* bar = view.findChild<QScrollBar*>();
    ASSERT_TRUE(bar->isVisible());
    turnWheel(view, middle, -120, Qt::ShiftModifier);
    const viz::TokenWindow scrolled = view.window();
    EXPECT_EQ(scrolled.size(), 160U);
    EXPECT_EQ(bar->value(), static_cast<int>(scrolled.first));
    bar->setValue(3);
    EXPECT_EQ(view.window().first, 3U);
    QTest::keyClick(&view, Qt::Key_W);
    EXPECT_LT(view.window().size(), 160U);
    QTest::keyClick(&view, Qt::Key_D);
    EXPECT_GT(view.window().first, 3U);
    QTest::keyClick(&view, Qt::Key_A);
    QTest::keyClick(&view, Qt::Key_S);
    QTest::keyClick(&view, Qt::Key_0);
    EXPECT_EQ(view.window(), (viz::TokenWindow{0, 200}));
    EXPECT_FALSE(bar->isVisible());
}

TEST_F(TokenViewsTest, TheSearchDimsTokensThatDoNotMatch)
{
    const RunPtr run = runOf({.tokens = 20});
    SelectionController controller;
    controller.setRun(run);
    WaterfallView waterfall;
    TrendView trend;
    TokenGridView grid;
    for (ItemView* view : std::initializer_list<ItemView*>{&waterfall, &trend, &grid})
        view->setController(&controller);
    waterfall.setCosts(costsOf({.tokens = 20}));
    trend.setCosts(costsOf({.tokens = 20}));
    grid.setGrid(gridOf({.tokens = 20}));
    for (QWidget* view : std::initializer_list<QWidget*>{&waterfall, &trend, &grid})
        show(*view, {900, 320});
    const auto dimmed = [](const ItemView& view) {
        std::size_t count = 0;
        for (std::size_t item = 0; item < view.itemCount(); ++item)
            count += view.isDimmed(item) ? 1 : 0;
        return count;
    };
    const std::string& word = run->trace.tokens[7].text;
    ASSERT_FALSE(word.empty());
    controller.setSearchText(QString::fromStdString(word));
    EXPECT_FALSE(waterfall.isDimmed(7));
    for (const ItemView* view : std::initializer_list<const ItemView*>{&waterfall, &trend, &grid})
        EXPECT_LT(dimmed(*view), view->itemCount());
    controller.setSearchText(QStringLiteral("no such text"));
    for (ItemView* view : std::initializer_list<ItemView*>{&waterfall, &trend, &grid}) {
        EXPECT_EQ(dimmed(*view), view->itemCount());
        EXPECT_FALSE(view->grab().isNull());
    }
    controller.setSearchText(QStringLiteral("layer 1"));
    EXPECT_EQ(dimmed(grid), grid.itemCount() / 3 * 2); // the cells of two out of three layers
}

TEST_F(TokenViewsTest, WaterfallChoosesTokensAndFollows)
{
    SelectionController controller;
    controller.setRun(runOf({.tokens = 20}));
    WaterfallView view;
    view.setController(&controller);
    view.setCosts(costsOf({.tokens = 20}));
    show(view, {900, 320});
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 7));
    EXPECT_EQ(controller.token(), 7);
    controller.selectToken(12);
    EXPECT_EQ(view.currentItem(), 12);
    const QString tip = toolTipAt(view, centreOf(view, 7));
    for (const char* part :
         {"Token 7 (“t7”, position 17): 40.0 mJ (measured)", "Attention: 12.0 mJ", "Sum so far: "})
        EXPECT_TRUE(tip.contains(QString::fromUtf8(part))) << tip.toStdString();
}

TEST_F(TokenViewsTest, WaterfallSaysWhatIsMissing)
{
    WaterfallView view;
    view.setEmptyText(QStringLiteral("No token."));
    show(view, {900, 320});
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("No token."));
    view.setCosts(costsOf({.energy = false}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("missing")));
    EXPECT_TRUE(view.describeItem(1).contains(QStringLiteral("— (missing)")))
        << view.describeItem(1).toStdString();
    EXPECT_FALSE(view.table().rows[1][3].raw.isValid());
    QImage image = view.grab().toImage();
    EXPECT_FALSE(contains(image, view.theme().part(RunPart::Mlp)));
}

// Bars keep their colours; only the legend shows the hatch pattern.
TEST_F(TokenViewsTest, HatchingForTheProvenanceIsInTheLegendOnly)
{
    const auto measured = costsOf({.tokens = 20});
    auto modelled = std::make_shared<viz::TokenCosts>(*measured);
    modelled->provenance = Provenance::Modelled;
    WaterfallView view;
    show(view, {1300, 320});
    const auto pictures = [&](const TokenCostsPtr& costs) {
        view.setCosts(costs);
        const QImage image = view.grab().toImage();
        const viz::Rect& r = view.geometryForTests().plot;
        const QRect plot = QRectF(r.x, r.y, r.width, r.height).toAlignedRect();
        return std::pair(image.copy(plot), image.copy(0, 0, 300, plot.top() - 10));
    };
    const auto [bars, legend] = pictures(measured);
    const auto [modelledBars, modelledLegend] = pictures(modelled);
    EXPECT_EQ(bars, modelledBars);
    EXPECT_NE(legend, modelledLegend);
}

TEST_F(TokenViewsTest, ADisturbedTokenHasAMarkUnlessMostAre)
{
    auto few = std::make_shared<viz::TokenCosts>(*costsOf({.tokens = 20}));
    few->tokens[7].disturbed = true;
    auto most = std::make_shared<viz::TokenCosts>(*few);
    for (viz::TokenCost& token : most->tokens)
        token.disturbed = true;
    WaterfallView view;
    show(view, {1300, 320});
    view.setCosts(few);
    EXPECT_TRUE(view.captionText().contains(QStringLiteral("◆ disturbed by other programs")))
        << view.captionText().toStdString();
    view.setCosts(most);
    EXPECT_TRUE(view.captionText().contains(QStringLiteral("20 of 20 disturbed")))
        << view.captionText().toStdString();
}

TEST_F(TokenViewsTest, TrendSaysThatThereIsNoClearSlope)
{
    auto costs = std::make_shared<viz::TokenCosts>(*costsOf({.tokens = 40}));
    for (std::size_t i = 0; i < costs->tokens.size(); ++i)
        costs->tokens[i].value = 20.0 + (i * 7 % 5 < 2 ? 1.0 : -1.0);
    TrendView view;
    view.setCosts(costs);
    show(view, {700, 300});
    EXPECT_TRUE(view.slopeText().startsWith(QStringLiteral("No clear slope: about ")))
        << view.slopeText().toStdString();
    for (std::size_t i = 0; i < costs->tokens.size(); ++i)
        costs->tokens[i].value = 20.0 + 0.5 * static_cast<double>(i) + (i % 2 == 0 ? 0.1 : -0.1);
    view.setCosts(costs);
    EXPECT_TRUE(view.slopeText().endsWith(QStringLiteral(" at position 0, + 500 µJ per position")))
        << view.slopeText().toStdString();
    EXPECT_FALSE(view.slopeText().contains(QStringLiteral("R²"))); // in the tool tips
}

TEST_F(TokenViewsTest, TrendHasItsLineInWordsAndChoosesTokens)
{
    SelectionController controller;
    controller.setRun(runOf({.tokens = 40}));
    TrendView view;
    view.setController(&controller);
    view.setCosts(costsOf({.tokens = 40}));
    show(view, {700, 300});
    EXPECT_TRUE(view.lineText().startsWith(QStringLiteral("40.0 mJ at position 0, + ")))
        << view.lineText().toStdString();
    EXPECT_TRUE(view.lineText().contains(QStringLiteral("39 tokens")));
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 9));
    EXPECT_EQ(controller.token(), 10); // skips the prefill
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(controller.token(), 11);
    EXPECT_TRUE(toolTipAt(view, centreOf(view, 3)).contains(QStringLiteral("the line has")));
    view.setCosts(costsOf({.tokens = 2}));
    EXPECT_EQ(view.lineText(), QStringLiteral("Too few tokens for a regression line."));
}

TEST_F(TokenViewsTest, HistogramGivesAThreshold)
{
    HistogramView view;
    view.setCosts(costsOf({.tokens = 60, .noise_mj = 0.2}));
    show(view, {700, 300});
    QSignalSpy chosen(&view, &HistogramView::thresholdChosen);
    ASSERT_GE(view.itemCount(), 1U);
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("Median 40.0 mJ")))
        << view.accessibleDescription().toStdString();
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, 0));
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_NEAR(chosen[0][0].toDouble(), view.histogram().low, 1e-9);
    view.setThreshold(view.histogram().low);
    EXPECT_TRUE(contains(view.grab().toImage(), view.theme().channel(Channel::Ane)));
}

TEST_F(TokenViewsTest, GridChoosesTokenAndLayer)
{
    SelectionController controller;
    controller.setRun(runOf({.tokens = 12, .layers = 5}));
    TokenGridView view;
    view.setController(&controller);
    view.setGrid(gridOf({.tokens = 12, .layers = 5}));
    show(view, {700, 300});
    const auto item = 3 * 5 + 2;
    QTest::mouseClick(&view, Qt::LeftButton, {}, centreOf(view, item));
    EXPECT_EQ(controller.token(), 3);
    EXPECT_EQ(controller.selection().layer, 2);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(controller.token(), 4);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(controller.selection().layer, 3);
    EXPECT_EQ(view.describeItem(static_cast<std::size_t>(item)),
              QStringLiteral("Token 3, layer 2: 10.0 mJ (attributed)"));
}

TEST_F(TokenViewsTest, PicturesInBothThemes)
{
    WaterfallView waterfall;
    waterfall.setCosts(costsOf({.tokens = 30}));
    show(waterfall, {900, 320});
    expectPicture(waterfall, [](const Theme& theme) { return theme.part(RunPart::Attention); });
    TrendView trend;
    trend.setCosts(costsOf({.tokens = 30}));
    show(trend, {700, 300});
    expectPicture(trend, [](const Theme& theme) { return theme.text; });
    HistogramView histogram;
    histogram.setCosts(costsOf({.tokens = 30, .noise_mj = 0.1}));
    show(histogram, {700, 300});
    expectPicture(histogram, [](const Theme& theme) { return theme.channel(Channel::Cpu); });
    TokenGridView grid;
    grid.setGrid(gridOf({.tokens = 30, .noise_mj = 0.1}));
    show(grid, {700, 300});
    expectPicture(grid, [](const Theme& theme) { return theme.scale(0.5); });
    for (PaintedView* view :
         std::initializer_list<PaintedView*>{&waterfall, &trend, &histogram, &grid})
        for (const QSize size : {QSize(1, 1), QSize(50, 40), QSize(2560, 700)}) {
            view->resize(size);
            EXPECT_FALSE(view->grab().isNull());
        }
}

} // namespace
} // namespace ep::ui
