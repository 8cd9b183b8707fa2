// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/ui/charts/flame_view.h"
#include "ep/ui/charts/power_timeline.h"

#include <QWheelEvent>

#include <cmath>

namespace ep::ui {
namespace {

class PowerTimelineTest : public test::WidgetTest {
protected:
    PowerTimelineTest()
    {
        m_controller.setRun(m_run);
        m_controller.zoomToFit();
        m_chart.setController(&m_controller);
        m_chart.setHistory(powerHistoryOf(m_run->trace.samples));
        show(m_chart, {800, 300});
    }

    QRectF plot() const { return m_chart.plotForTests(); }
    QPoint at(double share) const // as a share of the plot's width
    {
        return QPointF(plot().left() + plot().width() * share, plot().center().y()).toPoint();
    }
    Nanoseconds timeAt(double share) const
    {
        const TimeRange visible = m_controller.visible();
        return visible.begin_ns + std::llround(share * static_cast<double>(visible.duration_ns()));
    }
    void drag(double from, double to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(&m_chart, Qt::LeftButton, modifiers, at(from));
        for (int i = 1; i <= 4; ++i)
            move(from + (to - from) * i / 4.0);
        QTest::mouseRelease(&m_chart, Qt::LeftButton, modifiers, at(to));
    }
    // QTest::mouseMove() would report no pressed button.
    void move(double share, Qt::MouseButton button = Qt::LeftButton)
    {
        const QPointF position = at(share);
        QMouseEvent event(QEvent::MouseMove, position, m_chart.mapToGlobal(position), Qt::NoButton,
                          button, Qt::NoModifier);
        QApplication::sendEvent(&m_chart, &event);
    }
    void wheel(double share, int steps, Qt::KeyboardModifiers modifiers)
    {
        const QPointF position = at(share);
        QWheelEvent event(position, m_chart.mapToGlobal(position), {}, {0, 120 * steps},
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_chart, &event);
    }
    // The time that a pixel of the chart covers.
    double pixel() const
    {
        return static_cast<double>(m_controller.visible().duration_ns()) / plot().width();
    }

    RunPtr m_run = test::makeChartRun({.layers = 2, .tokens = 12});
    SelectionController m_controller;
    PowerTimeline m_chart;
};

TEST_F(PowerTimelineTest, ADragBrushesAndTheEndsMove)
{
    const TimeRange expected{timeAt(0.4), timeAt(0.7)};
    drag(0.4, 0.7);
    const auto brush = m_controller.selection().time;
    ASSERT_TRUE(brush);
    EXPECT_NEAR(static_cast<double>(brush->begin_ns), static_cast<double>(expected.begin_ns),
                pixel());
    EXPECT_NEAR(static_cast<double>(brush->end_ns), static_cast<double>(expected.end_ns), pixel());
    EXPECT_TRUE(m_controller.selection().tokens);
    EXPECT_EQ(m_controller.visible(), m_controller.full()); // brushing must not zoom

    drag(0.7, 0.6); // drags its end
    EXPECT_EQ(m_controller.selection().time->begin_ns, brush->begin_ns);
    EXPECT_NEAR(static_cast<double>(m_controller.selection().time->end_ns),
                static_cast<double>(timeAt(0.6)), pixel());
    m_controller.undo(); // a drag is one undo step
    EXPECT_EQ(m_controller.selection().time, brush);
    m_controller.undo();
    EXPECT_EQ(m_controller.selection().time, std::nullopt);

    drag(0.4, 0.7);
    QTest::mouseDClick(&m_chart, Qt::LeftButton, {}, at(0.5));
    EXPECT_EQ(m_controller.selection().time, std::nullopt);
}

TEST_F(PowerTimelineTest, ShiftDragZoomsAndADoubleClickShowsAll)
{
    const TimeRange expected{timeAt(0.25), timeAt(0.5)};
    drag(0.25, 0.5, Qt::ShiftModifier);
    EXPECT_EQ(m_controller.selection().time, std::nullopt);
    EXPECT_NEAR(static_cast<double>(m_controller.visible().begin_ns),
                static_cast<double>(expected.begin_ns), 4.0 * pixel());
    EXPECT_NEAR(static_cast<double>(m_controller.visible().end_ns),
                static_cast<double>(expected.end_ns), 4.0 * pixel());
    QTest::mouseDClick(&m_chart, Qt::LeftButton, {}, at(0.5));
    EXPECT_EQ(m_controller.visible(), m_controller.full());
}

TEST_F(PowerTimelineTest, TheWheelZoomsAtThePointerAndPans)
{
    const Nanoseconds under = timeAt(0.25);
    for (int i = 0; i < 5; ++i)
        wheel(0.25, 1, Qt::ControlModifier);
    EXPECT_LT(m_controller.visible().duration_ns(), m_controller.full().duration_ns() / 2);
    EXPECT_NEAR(static_cast<double>(timeAt(0.25)), static_cast<double>(under), 3.0 * pixel());
    const TimeRange before = m_controller.visible();
    wheel(0.25, -1, Qt::NoModifier);
    EXPECT_GT(m_controller.visible().begin_ns, before.begin_ns);
    EXPECT_EQ(m_controller.visible().duration_ns(), before.duration_ns());
    wheel(0.25, -100, Qt::ControlModifier);
    EXPECT_EQ(m_controller.visible(), m_controller.full());
}

TEST_F(PowerTimelineTest, KeysMoveAroundAndEscapeClears)
{
    m_controller.selectPhase(Phase::Decode);
    QTest::keyClick(&m_chart, Qt::Key_F);
    EXPECT_EQ(m_controller.visible(), *m_controller.selection().time);
    QTest::keyClick(&m_chart, Qt::Key_W);
    const TimeRange close = m_controller.visible();
    EXPECT_LT(close.duration_ns(), m_controller.selection().time->duration_ns());
    QTest::keyClick(&m_chart, Qt::Key_D);
    EXPECT_GT(m_controller.visible().begin_ns, close.begin_ns);
    QTest::keyClick(&m_chart, Qt::Key_A);
    EXPECT_EQ(m_controller.visible(), close);
    QTest::keyClick(&m_chart, Qt::Key_S);
    EXPECT_GT(m_controller.visible().duration_ns(), close.duration_ns());
    QTest::keyClick(&m_chart, Qt::Key_0);
    EXPECT_EQ(m_controller.visible(), m_controller.full());
    QTest::keyClick(&m_chart, Qt::Key_Escape);
    EXPECT_TRUE(m_controller.selection().empty());
}

TEST_F(PowerTimelineTest, ArrowsWalkOverTheSamples)
{
    const auto middle = [this](std::size_t i) {
        const TimeRange window = m_run->trace.samples[i].window;
        return window.begin_ns + window.duration_ns() / 2;
    };
    QTest::keyClick(&m_chart, Qt::Key_Right);
    EXPECT_EQ(m_controller.cursor(), middle(0));
    QTest::keyClick(&m_chart, Qt::Key_Right);
    EXPECT_EQ(m_controller.cursor(), middle(1));
    EXPECT_TRUE(m_chart.accessibleDescription().contains(QStringLiteral("CPU")));
    QTest::keyClick(&m_chart, Qt::Key_Left);
    QTest::keyClick(&m_chart, Qt::Key_Left);
    EXPECT_EQ(m_controller.cursor(), middle(0)); // cannot go further
    const QSignalSpy pinned(&m_controller, &SelectionController::pinned);
    QTest::keyClick(&m_chart, Qt::Key_Return);
    EXPECT_EQ(pinned.count(), 1);
}

// The live chart and the timeline step to the same samples, even across a gap.
TEST(PowerHistory, NamesTheSampleBesideATime)
{
    PowerHistory history;
    EXPECT_EQ(history.sampleBeside(5, 1), std::nullopt);
    EXPECT_EQ(history.sampleBeside(5, -1), std::nullopt);
    for (const TimeRange window : {TimeRange{0, 10}, TimeRange{10, 20}, TimeRange{40, 50}}) {
        PowerSample sample;
        sample.window = window;
        sample.total_mw = Milliwatts{1.0};
        history.add(sample);
    }
    const struct {
        Nanoseconds time;
        std::optional<Nanoseconds> before;
        std::optional<Nanoseconds> after;
    } cases[] = {{-1, std::nullopt, 5}, {5, std::nullopt, 15},  {15, 5, 45},
                 {30, 15, 45},          {45, 15, std::nullopt}, {60, 45, std::nullopt}};
    for (const auto& [time, before, after] : cases) {
        EXPECT_EQ(history.sampleBeside(time, -1), before) << time;
        EXPECT_EQ(history.sampleBeside(time, 1), after) << time;
    }
}

TEST_F(PowerTimelineTest, ThePointerMovesTheCrosshairOfAllAndAClickPins)
{
    QSignalSpy pinned(&m_controller, &SelectionController::pinned);
    move(0.5, Qt::NoButton);
    ASSERT_TRUE(m_controller.cursor());
    EXPECT_NEAR(static_cast<double>(*m_controller.cursor()), static_cast<double>(timeAt(0.5)),
                pixel());
    QTest::mouseClick(&m_chart, Qt::LeftButton, {}, at(0.5));
    ASSERT_EQ(pinned.count(), 1);
    const auto details = pinned[0][0].value<ChartDetails>();
    EXPECT_TRUE(details.title.startsWith(QStringLiteral("Power at")));
    EXPECT_EQ(details.rows.back().value, provenanceLabel(Provenance::Measured));
    EXPECT_EQ(m_controller.selection().time, std::nullopt);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&m_chart, &leave);
    EXPECT_EQ(m_controller.cursor(), std::nullopt);
}

TEST_F(PowerTimelineTest, TheTableHoldsWhatIsInView)
{
    EXPECT_EQ(m_chart.table().rows.size(), m_run->trace.samples.size());
    m_controller.show({timeAt(0.3), timeAt(0.6)});
    const ChartTable table = m_chart.table();
    EXPECT_LT(table.rows.size(), m_run->trace.samples.size() / 2);
    EXPECT_GT(table.rows.size(), 0U);
    EXPECT_EQ(table.headings.size(), 7);
    EXPECT_EQ(table.rows.front().size(), 7U);
}

TEST_F(PowerTimelineTest, ItsAxisLiesAboveThatOfTheSpans)
{
    FlameView flame;
    flame.setController(&m_controller);
    show(flame, {800, 300});
    ASSERT_NE(flame.plotForTests().left(), plot().left());
    flame.alignWith(&m_chart);
    for (const char* step : {"at first", "with longer labels"}) {
        EXPECT_EQ(flame.plotForTests().left(), plot().left()) << step;
        EXPECT_EQ(flame.plotForTests().right(), plot().right()) << step;
        QFont large = m_chart.font();
        large.setPointSize(24);
        m_chart.setFont(large);
    }
}

TEST_F(PowerTimelineTest, PaintsItsLinesInBothThemesAtAnyRatio)
{
    for (const bool dark : {false, true}) {
        m_chart.setPalette(test::paletteOf(dark));
        const QImage image = m_chart.grab().toImage();
        EXPECT_TRUE(contains(image, m_chart.theme().surface));
        for (const Channel channel : {Channel::Cpu, Channel::Gpu, Channel::Total})
            EXPECT_TRUE(contains(image, m_chart.theme().channel(channel)))
                << title(channel).toStdString();
    }
}

// The line between two samples is drawn too, and a frame costs no more for what is outside.
TEST_F(PowerTimelineTest, DeepInsideOfASampleItsLinesStillCrossTheView)
{
    const TimeRange whole = m_controller.visible();
    const Nanoseconds middle = whole.begin_ns + whole.duration_ns() / 2;
    for (const Nanoseconds length : {Nanoseconds{1'000'000}, Nanoseconds{1'000}}) {
        m_controller.show({middle, middle + length});
        const QImage image = m_chart.grab().toImage();
        EXPECT_TRUE(contains(image, m_chart.theme().channel(Channel::Total))) << length;
    }
}

TEST_F(PowerTimelineTest, WithoutSamplesItSaysWhyAndTakesNoGesture)
{
    m_chart.setHistory(nullptr);
    m_chart.setEmptyText(QStringLiteral("No sensor."));
    EXPECT_EQ(m_chart.accessibleDescription(), QStringLiteral("No sensor."));
    drag(0.2, 0.6);
    wheel(0.5, 3, Qt::ControlModifier);
    QTest::keyClick(&m_chart, Qt::Key_Right);
    EXPECT_TRUE(m_controller.selection().empty());
    EXPECT_EQ(m_controller.visible(), m_controller.full());
    EXPECT_TRUE(m_chart.table().empty());
}

} // namespace
} // namespace ep::ui
