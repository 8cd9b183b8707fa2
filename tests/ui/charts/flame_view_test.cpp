// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/flame_view.h"

namespace ep::ui {
namespace {

using viz::FlameLevel;

class FlameViewTest : public test::WidgetTest {
protected:
    void open(const RunPtr& run)
    {
        m_controller.setRun(run);
        m_view.setController(&m_controller);
        show(m_view, {1000, 260});
    }
    // The middle of the first box on a level that is a single span.
    QPoint single(FlameLevel level) const
    {
        for (const viz::FlameBox& box : m_view.geometryForTests().boxes) {
            if (box.level == level && box.count == 1)
                return test::pixel(box.rect.centre());
        }
        ADD_FAILURE() << "no box of its own in " << viz::title(level);
        return {};
    }
    std::size_t rows() const { return m_view.geometryForTests().rows.size(); }

    SelectionController m_controller;
    FlameView m_view;
};

TEST_F(FlameViewTest, ClicksChooseAndDoubleClicksZoom)
{
    open(test::makeChartRun({.layers = 3, .tokens = 6}));
    EXPECT_EQ(rows(), 4U); // phases, tokens, sections, components
    QTest::mouseClick(&m_view, Qt::LeftButton, {}, single(FlameLevel::Phase));
    EXPECT_TRUE(m_controller.selection().phase);
    QTest::mouseDClick(&m_view, Qt::LeftButton, {}, single(FlameLevel::Token));
    const TimeRange token = m_controller.run()->trace.tokens[0].time;
    EXPECT_EQ(m_controller.visible(), token);

    QTest::mouseDClick(&m_view, Qt::LeftButton, {}, single(FlameLevel::Section));
    QSignalSpy pinned(&m_controller, &SelectionController::pinned);
    m_controller.show({m_controller.run()->trace.components[0].time.begin_ns,
                       m_controller.run()->trace.components[11].time.end_ns});
    QTest::mouseClick(&m_view, Qt::LeftButton, {}, single(FlameLevel::Component));
    EXPECT_EQ(m_controller.selection().layer, 0);
    EXPECT_TRUE(m_controller.selection().component);
    EXPECT_EQ(m_controller.token(), 0);
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned[0][0].value<ChartDetails>().rows.back().value,
              provenanceLabel(Provenance::Attributed));
}

TEST_F(FlameViewTest, ArrowsWalkTheTreeAndReturnZooms)
{
    open(test::makeChartRun({.layers = 2, .tokens = 4}));
    QTest::keyClick(&m_view, Qt::Key_Right); // this key shows the cursor
    EXPECT_EQ(m_controller.selection().phase, Phase::PreInference);
    QTest::keyClick(&m_view, Qt::Key_Right);
    EXPECT_EQ(m_controller.selection().phase, Phase::Prefill);
    QTest::keyClick(&m_view, Qt::Key_Down);
    EXPECT_EQ(m_controller.token(), 0);
    QTest::keyClick(&m_view, Qt::Key_Right);
    EXPECT_EQ(m_controller.token(), 1);
    QTest::keyClick(&m_view, Qt::Key_Return);
    EXPECT_EQ(m_controller.visible(), m_controller.run()->trace.tokens[1].time);
    QTest::keyClick(&m_view, Qt::Key_Down); // down to its first section
    QTest::keyClick(&m_view, Qt::Key_Right); // right to the layers
    QTest::keyClick(&m_view, Qt::Key_Down); // down to what is inside
    EXPECT_EQ(m_controller.selection().component, Component::InputLayernorm);
    EXPECT_TRUE(m_view.accessibleDescription().contains(QStringLiteral("input_layernorm")));
    QTest::keyClick(&m_view, Qt::Key_Up);
    QTest::keyClick(&m_view, Qt::Key_Up);
    QTest::keyClick(&m_view, Qt::Key_Up);
    EXPECT_EQ(m_controller.selection().phase, Phase::Decode);
    QTest::keyClick(&m_view, Qt::Key_Left);
    EXPECT_EQ(m_controller.selection().phase, Phase::Prefill);
}

TEST_F(FlameViewTest, AsksForTheStepsInViewOnly)
{
    const RunPtr whole = test::makeChartRun({.layers = 2, .tokens = 100});
    auto overview = std::make_shared<ep::Run>(*whole);
    overview->trace.components.clear();
    m_controller.setRun(overview);
    QSignalSpy wanted(&m_view, &FlameView::stepsWanted);
    m_view.setController(&m_controller);
    show(m_view, {1000, 260});
    EXPECT_EQ(wanted.count(), 0); // too many tokens are in view
    EXPECT_EQ(rows(), 3U);

    m_controller.selectTokens(viz::TokenRange{10, 14});
    m_controller.zoomToSelection();
    ASSERT_GE(wanted.count(), 1);
    const auto tokens = wanted.last()[0].value<QList<int>>();
    EXPECT_TRUE(tokens.contains(10) && tokens.contains(13));
    EXPECT_LE(tokens.size(), 6);
    for (const int token : tokens) {
        RunTrace step;
        for (const Span& span : whole->trace.components) {
            if (span.token == token)
                step.components.push_back(span);
        }
        m_view.addStep(token, step);
    }
    EXPECT_EQ(rows(), 4U);
    const auto before = wanted.count();
    m_controller.zoomAt(m_controller.visible().begin_ns + 1, 0.9);
    EXPECT_EQ(wanted.count(), before); // nothing more is missing
}

TEST_F(FlameViewTest, TheTableHoldsTheSpansInView)
{
    open(test::makeChartRun({.layers = 2, .tokens = 4}));
    EXPECT_EQ(m_view.table().rows.size(), m_view.data().size());
    m_controller.selectToken(2);
    m_controller.zoomToSelection();
    EXPECT_LT(m_view.table().rows.size(), m_view.data().size() / 2);
}

TEST_F(FlameViewTest, PaintsBothThemesAndSearches)
{
    open(test::makeChartRun({.layers = 2, .tokens = 4, .modelled = true}));
    for (const bool dark : {false, true}) {
        m_view.setPalette(test::paletteOf(dark));
        EXPECT_TRUE(contains(m_view.grab().toImage(), m_view.theme().phase(Phase::Decode)));
    }
    const QImage before = m_view.grab().toImage();
    m_controller.setSearchText(QStringLiteral("zebra"));
    EXPECT_NE(m_view.grab().toImage(), before);
}

TEST_F(FlameViewTest, ItsLegendSaysWhatTheColoursMean)
{
    open(test::makeChartRun({.layers = 2, .tokens = 4, .modelled = true}));
    EXPECT_TRUE(m_view.legendText().startsWith(QStringLiteral("0 – ")))
        << m_view.legendText().toStdString();
    EXPECT_TRUE(m_view.legendText().contains(QStringLiteral(" W: Mean power of a span")))
        << m_view.legendText().toStdString();
    EXPECT_TRUE(contains(m_view.grab().toImage(), m_view.theme().scale(0.5)));
    m_controller.setRun(test::makeChartRun({.layers = 2, .tokens = 4, .energy = false}));
    EXPECT_TRUE(m_view.legendText().startsWith(QStringLiteral("Grey: no energy is known")))
        << m_view.legendText().toStdString();
}

TEST_F(FlameViewTest, WithoutARunItSaysSo)
{
    open(nullptr);
    QTest::keyClick(&m_view, Qt::Key_Right);
    QTest::mouseClick(&m_view, Qt::LeftButton, {}, {500, 100});
    EXPECT_TRUE(m_controller.selection().empty());
    EXPECT_TRUE(m_view.table().empty());
    EXPECT_EQ(m_view.accessibleDescription(), QStringLiteral("No spans were recorded."));
}

} // namespace
} // namespace ep::ui
