// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QScrollBar>

namespace ep::ui {
namespace {

class TokenStreamViewTest : public test::WidgetTest {
protected:
    static TokenSpan token(int index, const std::string& text, std::optional<double> mj = {})
    {
        TokenSpan span;
        span.index = index;
        span.id = 100 + index;
        span.text = text;
        span.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        span.time = {0, (index + 1) * 1'000'000};
        span.probability = 0.25F;
        if (mj) {
            span.energy.total_mj = Millijoules{*mj};
            span.energy.provenance = Provenance::Attributed;
        }
        return span;
    }
};

TEST_F(TokenStreamViewTest, AClickActivatesTheToken)
{
    TokenStreamView view;
    show(view, {400, 200});
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 40}));
    ASSERT_EQ(view.count(), 40);
    QSignalSpy activated(&view, &TokenStreamView::tokenActivated);
    for (const int index : {0, 3, 17}) {
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.chipRect(index).center());
        EXPECT_EQ(view.current(), index);
    }
    ASSERT_EQ(activated.count(), 3);
    EXPECT_EQ(activated[2][0].toInt(), 17);
}

// Two answers side by side: the same colour means the same energy in both.
TEST_F(TokenStreamViewTest, TwoViewsShareOneScale)
{
    QWidget parent;
    auto* cheap = new TokenStreamView(&parent);
    auto* dear = new TokenStreamView(&parent);
    cheap->setGeometry(0, 0, 200, 200);
    dear->setGeometry(200, 0, 200, 200);
    show(parent, {400, 200});
    for (int i = 0; i < 4; ++i) {
        cheap->append(token(i, "word", i < 2 ? 1.0 : 2.0));
        dear->append(token(i, "word", i < 2 ? 1.0 : 20.0));
    }
    const auto colourOf = [](TokenStreamView& view, int index) {
        const QImage image = view.viewport()->grab().toImage();
        const QPoint inside = view.chipRect(index).topLeft() + QPoint(1, 1);
        return image.pixelColor((QPointF(inside) * image.devicePixelRatio()).toPoint());
    };
    EXPECT_EQ(colourOf(*cheap, 3), colourOf(*dear, 3)) << "the most of each";
    cheap->shareScale(*dear);
    EXPECT_NE(colourOf(*cheap, 3), colourOf(*dear, 3));
    EXPECT_EQ(colourOf(*cheap, 1), colourOf(*dear, 1));
}

TEST_F(TokenStreamViewTest, ChipsWrapAndFollowTheEndUntilTheUserScrolls)
{
    TokenStreamView view;
    show(view, {300, 160});
    for (int i = 0; i < 200; ++i)
        view.append(token(i, " word"));
    QScrollBar* bar = view.verticalScrollBar();
    EXPECT_GT(bar->maximum(), 0);
    EXPECT_EQ(bar->value(), bar->maximum());
    EXPECT_LE(view.chipRect(150).right(), view.viewport()->width());

    bar->triggerAction(QAbstractSlider::SliderPageStepSub); // as with the wheel or a click
    const int chosen = bar->value();
    view.append(token(200, " more"));
    EXPECT_EQ(bar->value(), chosen);
    bar->triggerAction(QAbstractSlider::SliderToMaximum);
    for (int i = 201; i < 260; ++i)
        view.append(token(i, " word"));
    EXPECT_EQ(bar->value(), bar->maximum());
}

TEST_F(TokenStreamViewTest, KeysMoveAndScroll)
{
    TokenStreamView view;
    show(view, {300, 160});
    view.setRun(test::makeChartRun({.layers = 1, .tokens = 120}));
    EXPECT_EQ(view.current(), -1);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.current(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.current(), 1);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_GT(view.current(), 2);
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_LE(view.current(), 2);
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(view.current(), 119);
    EXPECT_TRUE(view.viewport()->rect().contains(view.chipRect(119)));
    QSignalSpy activated(&view, &TokenStreamView::tokenActivated);
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_EQ(activated.count(), 1);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(view.current(), 0);
    EXPECT_EQ(view.verticalScrollBar()->value(), 0);
    view.setCurrent(500); // ignored
    EXPECT_EQ(view.current(), 0);
}

TEST_F(TokenStreamViewTest, TheToolTipNamesIdTimeEnergyAndProbability)
{
    TokenStreamView view;
    show(view, {400, 160});
    view.append(token(0, "Hi", 7.5));
    view.append(token(1, "\n"));
    const QString known = toolTipAt(*view.viewport(), view.chipRect(0).center());
    EXPECT_EQ(known.toStdString(),
              "Token 0 “Hi”, id 100\nTime: 1.00 ms (prefill of the whole prompt)\n"
              "Energy: 7.50 mJ (attributed)\nProbability: 25.0 %");
    EXPECT_EQ(view.describe(1).toStdString(),
              "Token 1 “↵”, id 101\nTime: 2.00 ms\nEnergy: — (missing)\nProbability: 25.0 %");
}

TEST_F(TokenStreamViewTest, AClickPinsTheDetailsOfTheToken)
{
    SelectionController controller;
    ChartDetails details;
    QObject::connect(&controller, &SelectionController::pinned,
                     [&](const ChartDetails& pinned) { details = pinned; });
    const auto valueOf = [&](const QString& name) {
        for (const ChartDetails::Row& row : details.rows) {
            if (row.name == name)
                return row.value;
        }
        return QStringLiteral("no row");
    };
    TokenStreamView view;
    view.setController(&controller);
    show(view, {400, 200});
    view.append(token(0, "Once"));
    TokenSpan checked = token(1, " upon", 3.0);
    checked.drafted = 4;
    view.append(checked);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.chipRect(0).center());
    EXPECT_EQ(valueOf(QStringLiteral("Phase")), QStringLiteral("Prefill"));
    EXPECT_EQ(valueOf(QStringLiteral("Energy")), QStringLiteral("—"));
    EXPECT_EQ(valueOf(QStringLiteral("Drafted for this step")), QStringLiteral("no row"));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.chipRect(1).center());
    EXPECT_EQ(valueOf(QStringLiteral("Phase")), QStringLiteral("Decode"));
    EXPECT_EQ(valueOf(QStringLiteral("Drafted for this step")), QStringLiteral("4"));
}

TEST_F(TokenStreamViewTest, MarksTokensOfThinking)
{
    auto run = std::make_shared<ep::Run>();
    for (int i = 0; i < 3; ++i)
        run->trace.tokens.push_back(token(i, " word"));
    const TimeRange thought = run->trace.tokens[1].time;
    run->info.annotations = {{thought.begin_ns, thought.end_ns, "Thinking"}};
    TokenStreamView view;
    view.setPalette(test::paletteOf(false));
    show(view, {400, 160});
    view.setRun(run);
    EXPECT_TRUE(view.describe(1).contains(QStringLiteral("\nThinking"))) << "tool tip";
    EXPECT_FALSE(view.describe(2).contains(QStringLiteral("Thinking")));
    const QImage image = view.viewport()->grab().toImage();
    const auto above = [&](int index) {
        const QPoint at = view.chipRect(index).topLeft() + QPoint(2, -1);
        return image.pixelColor((QPointF(at) * image.devicePixelRatio()).toPoint());
    };
    EXPECT_EQ(above(1), Theme::light().mutedText);
    EXPECT_EQ(above(2), Theme::light().surface);
    // Sections are also shown while the text is generated, as far as they are known.
    view.clear();
    view.append(token(0, "a"), "Thinking");
    view.append(token(1, "b"), "Thinking");
    view.append(token(2, "c"), "Answer");
    EXPECT_FALSE(view.describe(0).contains(QStringLiteral("Thinking"))) << "of the prefill";
    EXPECT_TRUE(view.describe(1).contains(QStringLiteral("\nThinking")));
    EXPECT_TRUE(view.describe(2).contains(QStringLiteral("\nAnswer")));
}

TEST_F(TokenStreamViewTest, ColoursMeanTimeUntilThereIsEnergy)
{
    TokenStreamView view;
    view.setPalette(test::paletteOf(false));
    show(view, {400, 160});
    const Theme theme = Theme::light();
    for (int i = 0; i < 4; ++i)
        view.append(token(i, " word"));
    EXPECT_FALSE(view.colouredByEnergy());
    const auto fill = [&](int index) {
        const QImage image = view.viewport()->grab().toImage();
        const QPoint inside = view.chipRect(index).topLeft() + QPoint(1, 1);
        return image.pixelColor((QPointF(inside) * image.devicePixelRatio()).toPoint());
    };
    EXPECT_EQ(fill(1), theme.scale(0.0)); // shortest decode token
    EXPECT_EQ(fill(3), theme.scale(1.0)); // longest decode token
    view.append(token(4, " word", 10.0));
    view.append(token(5, " word", 30.0));
    EXPECT_TRUE(view.colouredByEnergy());
    EXPECT_EQ(fill(4), theme.scale(0.0));
    EXPECT_EQ(fill(5), theme.scale(1.0));
    EXPECT_EQ(fill(3), theme.surface); // its energy is missing, which is not low
}

TEST_F(TokenStreamViewTest, ClearEmptyAndFontChange)
{
    TokenStreamView view;
    view.setEmptyText(QStringLiteral("Press Start."));
    show(view, {400, 160});
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Press Start."));
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {20, 20});
    view.append(token(0, "one"));
    view.append(token(1, ""));
    view.setCurrent(1);
    const int before = view.chipRect(0).width();
    QFont font = view.font();
    font.setPointSize(font.pointSize() * 2);
    view.setFont(font);
    EXPECT_GT(view.chipRect(0).width(), before);
    EXPECT_EQ(view.count(), 2);
    EXPECT_EQ(view.current(), 1);
    view.setRun(nullptr);
    EXPECT_EQ(view.count(), 0);
    EXPECT_EQ(view.current(), -1);
    EXPECT_EQ(view.accessibleDescription(), QStringLiteral("Press Start."));
    for (const bool dark : {true, false}) {
        view.setPalette(test::paletteOf(dark));
        EXPECT_EQ(view.grab().toImage().pixelColor(5, 5),
                  Theme::fromPalette(view.palette()).surface);
    }
}

TEST_F(TokenStreamViewTest, SharesTheChosenTokens)
{
    const RunPtr run = test::makeChartRun({.layers = 1, .tokens = 20});
    SelectionController controller;
    controller.setRun(run);
    TokenStreamView view;
    view.setController(&controller);
    view.setRun(run);
    show(view, {500, 300});
    const auto clickChip = [&](int index, Qt::KeyboardModifiers modifiers) {
        QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers,
                          view.chipRect(index).center());
    };
    clickChip(3, {});
    EXPECT_EQ(controller.token(), 3);
    clickChip(7, Qt::ShiftModifier);
    EXPECT_EQ(controller.selection().tokens, (viz::TokenRange{3, 8}));
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(controller.selection().tokens, (viz::TokenRange{3, 9}));
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(controller.token(), 7);
    controller.selectToken(12); // as selected in another chart
    EXPECT_EQ(view.current(), 12);
    controller.selectPhase(Phase::Prefill);
    EXPECT_EQ(view.current(), 0); // the only token of that phase
    controller.clear();
    EXPECT_EQ(view.current(), -1);

    const QImage before = view.viewport()->grab().toImage();
    controller.setSearchText(QStringLiteral("FOX"));
    EXPECT_NE(view.viewport()->grab().toImage(), before);
    EXPECT_EQ(view.table().rows.size(), 20U);
    EXPECT_EQ(view.table().rows[2][1].text, QStringLiteral(" fox"));
}

} // namespace
} // namespace ep::ui
