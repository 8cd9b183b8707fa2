// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "widget_fixture.h"

#include "ep/core/metrics.h"
#include "ep/ui/charts/power_chart.h"
#include "ep/ui/charts/power_timeline.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace ep::ui {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

class PowerChartTest : public test::WidgetTest {
protected:
    static PowerSample sample(double beginSeconds, double endSeconds, double cpu,
                              std::optional<double> gpu = {})
    {
        PowerSample result;
        result.window = {std::llround(beginSeconds * 1e9), std::llround(endSeconds * 1e9)};
        result.power_mw[Rail::Cpu] = Milliwatts{cpu};
        if (gpu)
            result.power_mw[Rail::Gpu] = Milliwatts{*gpu};
        return result;
    }

    static void feed(PowerChart& chart, int count)
    {
        for (int i = 0; i < count; ++i)
            chart.addSample(sample(i * 0.1, (i + 1) * 0.1, 1000.0 + i % 7, 3000.0));
        chart.refresh();
    }

    // The strip, which receives mouse and keys.
    static QWidget& strip(PowerChart& chart) { return *chart.focusProxy(); }
};

TEST_F(PowerChartTest, ShowsNothingButTheReasonWithoutSamples)
{
    PowerChart chart;
    chart.setEmptyText(QStringLiteral("No power source: powermetrics needs root."));
    show(chart, {700, 220});
    EXPECT_EQ(chart.statistics().samples, 0U);
    EXPECT_EQ(chart.statistics().mean, std::nullopt);
    EXPECT_EQ(chart.accessibleDescription(),
              QStringLiteral("No power source: powermetrics needs root."));
    for (const Channel channel : kChannels)
        EXPECT_EQ(chart.pointCount(channel), 0);
    const Theme theme = Theme::fromPalette(chart.palette());
    EXPECT_FALSE(contains(chart.grab().toImage(), theme.channel(Channel::Total)));
}

TEST_F(PowerChartTest, StatisticsAreOfTheTotalThatIsShown)
{
    PowerChart chart;
    show(chart, {700, 220});
    chart.addSample(sample(0, 1, 1000, 2000));
    chart.addSample(sample(1, 4, 2000, 5000));
    chart.refresh();
    const auto statistics = chart.statistics();
    EXPECT_EQ(statistics.samples, 2U);
    EXPECT_DOUBLE_EQ(statistics.mean->value, (3000.0 + 3 * 7000.0) / 4.0); // weighted by time
    EXPECT_DOUBLE_EQ(statistics.peak->value, 7000.0);
    EXPECT_FALSE(statistics.modelled);
}

// The header of a run and its chart name the same peak, that of the windows which overlap the run.
TEST_F(PowerChartTest, WhatCameBeforeAndAfterTheRunIsNotInItsStatistics)
{
    auto run = std::make_shared<ep::Run>();
    run->trace.time = {kSecond, 3 * kSecond};
    run->trace.samples = {sample(0, 1, 9000), sample(1, 2, 2000), sample(2, 3, 4000),
                          sample(3, 4, 8000)};
    PowerChart chart;
    show(chart, {700, 220});
    chart.setRun(run);
    EXPECT_EQ(chart.statistics().mean, Milliwatts{3000.0});
    EXPECT_EQ(chart.statistics().peak, peakOf(run->trace)->power);
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("peak 4.00 W")));

    SelectionController controller;
    PowerTimeline timeline;
    timeline.setController(&controller);
    controller.setRun(run);
    timeline.setHistory(powerHistoryOf(run->trace.samples));
    show(timeline, {700, 220});
    EXPECT_TRUE(timeline.accessibleDescription().contains(QStringLiteral("peak 4.00 W")))
        << timeline.accessibleDescription().toStdString();
}

TEST_F(PowerChartTest, AMissingRailHasNoLine)
{
    PowerChart chart;
    show(chart, {700, 220});
    for (int i = 0; i < 20; ++i)
        chart.addSample(sample(i, i + 1, 1000));
    chart.refresh();
    EXPECT_GT(chart.pointCount(Channel::Cpu), 0);
    EXPECT_GT(chart.pointCount(Channel::Total), 0);
    EXPECT_EQ(chart.pointCount(Channel::Gpu), 0);
    EXPECT_EQ(chart.pointCount(Channel::Dram), 0);
}

TEST_F(PowerChartTest, PointsStayBelowTheLimit)
{
    PowerChart chart;
    show(chart, {1200, 240});
    feed(chart, 20'000);
    for (const auto span : {PowerChart::Span::All, PowerChart::Span::LastMinute}) {
        chart.setSpan(span);
        EXPECT_GT(chart.pointCount(Channel::Total), 100);
        EXPECT_LE(chart.pointCount(Channel::Total), PowerChart::kMaxPoints);
        EXPECT_LE(chart.pointCount(Channel::Gpu), PowerChart::kMaxPoints);
    }
}

TEST_F(PowerChartTest, FeedingReachesTheScreenByItself)
{
    PowerChart chart;
    show(chart, {700, 220});
    chart.addSample(sample(0, 0.1, 1000));
    EXPECT_EQ(chart.pointCount(Channel::Total), 0); // not with every sample
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart.pointCount(Channel::Total) > 0; }, 5000));
}

TEST_F(PowerChartTest, TheSpanFollowsButtonsAndKeys)
{
    PowerChart chart;
    show(chart, {700, 220});
    feed(chart, 1'000); // 100 s
    QSignalSpy changed(&chart, &PowerChart::spanChanged);
    EXPECT_EQ(chart.span(), PowerChart::Span::LastMinute);
    auto* lastMinute = chart.findChild<QToolButton*>(QStringLiteral("powerLastMinute"));
    auto* all = chart.findChild<QToolButton*>(QStringLiteral("powerAll"));
    ASSERT_TRUE(lastMinute && all);
    QTest::mouseClick(all, Qt::LeftButton);
    EXPECT_EQ(chart.span(), PowerChart::Span::All);
    QTest::keyClick(&strip(chart), Qt::Key_M);
    EXPECT_EQ(chart.span(), PowerChart::Span::LastMinute);
    QTest::keyClick(&strip(chart), Qt::Key_A);
    EXPECT_EQ(chart.span(), PowerChart::Span::All);
    EXPECT_EQ(changed.count(), 3);
    EXPECT_TRUE(all->isChecked());
    EXPECT_FALSE(lastMinute->isChecked());
}

TEST_F(PowerChartTest, TheWheelStopsFollowingAndAKeyBringsItBack)
{
    PowerChart chart;
    show(chart, {700, 220});
    feed(chart, 1'000); // 100 s
    const auto wheel = [&](int steps, Qt::KeyboardModifiers modifiers) {
        QWidget* target = qobject_cast<QAbstractScrollArea*>(&strip(chart))->viewport();
        const QPointF at(target->width() / 2.0, target->height() / 2.0);
        QWheelEvent event(at, target->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &event);
    };
    auto* follow = chart.findChild<QToolButton*>(QStringLiteral("powerFollow"));
    ASSERT_TRUE(follow);
    EXPECT_TRUE(chart.isFollowing());
    EXPECT_TRUE(follow->isHidden());
    const TimeRange newest = chart.visible();

    wheel(1, Qt::NoModifier); // scrolls back in time
    EXPECT_FALSE(chart.isFollowing());
    EXPECT_FALSE(follow->isHidden());
    const TimeRange looked = chart.visible();
    EXPECT_LT(looked.begin_ns, newest.begin_ns);
    EXPECT_EQ(looked.duration_ns(), newest.duration_ns());
    chart.addSample(sample(100.0, 100.1, 900.0));
    chart.refresh();
    EXPECT_EQ(chart.visible(), looked); // new samples do not move it away

    wheel(2, Qt::ControlModifier);
    EXPECT_LT(chart.visible().duration_ns(), looked.duration_ns());
    QTest::keyClick(&strip(chart), Qt::Key_F);
    EXPECT_TRUE(chart.isFollowing());
    EXPECT_GT(chart.visible().end_ns, newest.end_ns);
    wheel(1, Qt::NoModifier);
    QTest::mouseClick(follow, Qt::LeftButton);
    EXPECT_TRUE(chart.isFollowing());
    wheel(1, Qt::NoModifier);
    QTest::keyClick(&strip(chart), Qt::Key_M); // choosing a time span follows as well
    EXPECT_TRUE(chart.isFollowing());
    chart.setFollowing(false);
    chart.clear(); // as for the next run
    EXPECT_TRUE(chart.isFollowing());
}

TEST_F(PowerChartTest, IdlePowerTokensAndPeakAreMarked)
{
    PowerChart chart;
    show(chart, {700, 220});
    feed(chart, 100);
    chart.refresh();
    const QImage plain = chart.grab().toImage();
    chart.setBaseline(Milliwatts{200.0});
    chart.refresh();
    const QImage withIdle = chart.grab().toImage();
    EXPECT_NE(withIdle, plain);
    for (int i = 1; i < 8; ++i)
        chart.addToken(i * 1'000'000'000LL);
    chart.refresh();
    EXPECT_NE(chart.grab().toImage(), withIdle);
}

TEST_F(PowerChartTest, AFinishedRunIsShownWhole)
{
    const RunPtr run = test::makeChartRun({.layers = 1, .tokens = 10, .modelled = true});
    PowerChart chart;
    show(chart, {800, 240});
    chart.setRun(run);
    EXPECT_EQ(chart.span(), PowerChart::Span::All);
    EXPECT_EQ(chart.statistics().samples, run->trace.samples.size());
    EXPECT_TRUE(chart.statistics().modelled);
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("modelled")));
    const Theme theme = Theme::fromPalette(chart.palette());
    const QImage image = chart.grab().toImage();
    EXPECT_TRUE(contains(image, theme.channel(Channel::Total)));
    EXPECT_TRUE(contains(image, theme.phase(Phase::Decode)));
    chart.setRun(nullptr);
    EXPECT_EQ(chart.statistics().samples, 0U);
    EXPECT_FALSE(contains(chart.grab().toImage(), theme.channel(Channel::Total)));
}

TEST_F(PowerChartTest, PhaseBandsGrowWithTheSamples)
{
    PowerChart chart;
    show(chart, {800, 240});
    const Theme theme = Theme::fromPalette(chart.palette());
    const auto bandPixels = [&] {
        const QImage image = chart.grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == theme.phase(Phase::Decode) ? 1 : 0;
        return count;
    };
    chart.setZero(0);
    chart.addSample(sample(0, 1, 1000));
    chart.beginPhase(Phase::Decode, kSecond / 2);
    chart.refresh();
    const int first = bandPixels();
    EXPECT_GT(first, 0);
    chart.addSample(sample(1, 3, 1000));
    chart.refresh();
    const int second = bandPixels();
    EXPECT_GT(second, first);
    chart.beginPhase(Phase::Idle, 3 * kSecond);
    chart.addSample(sample(3, 6, 1000));
    chart.refresh();
    EXPECT_EQ(bandPixels(), second); // idle time has no band
}

TEST_F(PowerChartTest, TheCursorFollowsMouseAndKeys)
{
    PowerChart chart;
    show(chart, {800, 240});
    feed(chart, 50);
    const QImage before = chart.grab().toImage();
    auto* area = qobject_cast<QAbstractScrollArea*>(&strip(chart));
    ASSERT_NE(area, nullptr);
    QWidget* viewport = area->viewport();
    QTest::mouseMove(viewport, {150, 120});
    EXPECT_TRUE(QTest::qWaitFor([&] { return chart.grab().toImage() != before; }, 5000));
    QTest::keyClick(&strip(chart), Qt::Key_Escape);
    EXPECT_EQ(chart.grab().toImage(), before);
    QTest::keyClick(&strip(chart), Qt::Key_Left); // places it on the newest sample
    const QImage newest = chart.grab().toImage();
    EXPECT_NE(newest, before);
    QTest::keyClick(&strip(chart), Qt::Key_Left);
    EXPECT_NE(chart.grab().toImage(), newest);
    QTest::keyClick(&strip(chart), Qt::Key_Right);
    EXPECT_EQ(chart.grab().toImage(), newest);
}

TEST_F(PowerChartTest, ADraggedRangeHasFiguresOfItsOwn)
{
    PowerChart chart;
    show(chart, {800, 240});
    for (int i = 0; i < 100; ++i)
        chart.addSample(sample(i, i + 1, i < 50 ? 1000.0 : 3000.0));
    chart.setSpan(PowerChart::Span::All);
    chart.refresh();
    EXPECT_EQ(chart.statistics().mean, Milliwatts{2000.0});
    auto* area = qobject_cast<QAbstractScrollArea*>(&strip(chart));
    QWidget* viewport = area->viewport();
    const QPoint middle(viewport->width() / 2, 120);
    const QPoint end(viewport->width() * 3 / 5, 120);
    const auto moveTo = [&](const QPoint& at) {
        QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(viewport, &move);
    };
    const TimeRange before = chart.visible();
    QTest::mousePress(viewport, Qt::LeftButton, {}, end);
    moveTo(end - QPoint(3, 0)); // still a click
    EXPECT_EQ(chart.brush(), std::nullopt);
    moveTo(middle + QPoint(40, 0));
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, middle + QPoint(40, 0));
    ASSERT_TRUE(chart.brush());
    EXPECT_GT(chart.brush()->begin_ns, 50 * kSecond);
    EXPECT_EQ(chart.statistics().mean, Milliwatts{3000.0});
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("selected")));
    EXPECT_EQ(chart.visible(), before); // while brushing, dragging does not move the view
    chart.addSample(sample(100, 101, 500));
    chart.refresh();
    EXPECT_EQ(chart.statistics().mean, Milliwatts{3000.0}); // unchanged while samples arrive

    QTest::mouseDClick(viewport, Qt::LeftButton, {}, middle);
    EXPECT_EQ(chart.brush(), std::nullopt);
    EXPECT_LT(chart.statistics().mean->value, 2000.0);
}

TEST_F(PowerChartTest, KeysSelectARangeAndEscapeClearsIt)
{
    PowerChart chart;
    show(chart, {800, 240});
    feed(chart, 50);
    QTest::keyClick(&strip(chart), Qt::Key_Left); // places the cursor on the newest sample
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(&strip(chart), Qt::Key_Left, Qt::ShiftModifier);
    ASSERT_TRUE(chart.brush());
    EXPECT_EQ(chart.brush()->duration_ns(), 3 * kSecond / 10);
    QTest::keyClick(&strip(chart), Qt::Key_Right, Qt::ShiftModifier); // moves it back
    EXPECT_EQ(chart.brush()->duration_ns(), 2 * kSecond / 10);
    QTest::keyClick(&strip(chart), Qt::Key_Escape);
    EXPECT_EQ(chart.brush(), std::nullopt);
    chart.clear(); // as for the next run
    EXPECT_EQ(chart.brush(), std::nullopt);
}

TEST_F(PowerChartTest, ShiftAndDragZoomsAndAPinchZoomsAtTheFingers)
{
    PowerChart chart;
    show(chart, {800, 240});
    feed(chart, 500);
    auto* area = qobject_cast<QAbstractScrollArea*>(&strip(chart));
    QWidget* viewport = area->viewport();
    const TimeRange whole = chart.visible();
    const QPoint from(viewport->width() / 3, 120);
    const QPoint to(viewport->width() / 2, 120);
    QTest::mousePress(viewport, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseRelease(viewport, Qt::LeftButton, Qt::ShiftModifier, to);
    EXPECT_LT(chart.visible().duration_ns(), whole.duration_ns() / 2);
    EXPECT_EQ(chart.brush(), std::nullopt);
    EXPECT_FALSE(chart.isFollowing());

    chart.setFollowing(true);
    const QPointF fingers(from);
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2,
                              fingers, fingers, viewport->mapToGlobal(fingers), 0.5, QPointF());
    QApplication::sendEvent(viewport, &pinch);
    EXPECT_LT(chart.visible().duration_ns(), whole.duration_ns() * 6 / 10);

    const TimeRange zoomed = chart.visible(); // after that, two fingers move it by pixels
    QWheelEvent glide(fingers, viewport->mapToGlobal(fingers), {50, 0}, {100, 0}, Qt::NoButton,
                      Qt::NoModifier, Qt::ScrollMomentum, false);
    QApplication::sendEvent(viewport, &glide);
    EXPECT_LT(chart.visible().begin_ns, zoomed.begin_ns);
    EXPECT_EQ(chart.visible().duration_ns(), zoomed.duration_ns());
}

TEST_F(PowerChartTest, ANarrowChartGivesItsRoomToTheCurves)
{
    PowerChart narrow;
    show(narrow, {290, 200});
    feed(narrow, 50);
    PowerChart wide;
    show(wide, {440, 200});
    feed(wide, 50);
    const auto curve = [](PowerChart& chart) {
        return qobject_cast<QChartView*>(chart.focusProxy())->chart()->plotArea().width();
    };
    EXPECT_GT(curve(narrow), 150.0);
    EXPECT_GT(curve(wide), 240.0);
}

TEST_F(PowerChartTest, TheFiguresStayClearOfTheButtons)
{
    for (const int width : {300, 340, 380, 420, 500}) {
        PowerChart chart;
        show(chart, {width, 200});
        feed(chart, 50);
        for (const auto* button : chart.findChildren<QToolButton*>()) {
            if (!button->isVisible())
                continue;
            // The picture that the plot paints below the button.
            const QRect place(button->mapTo(&chart, QPoint()), button->size());
            const QImage under = strip(chart).grab(place).toImage();
            const QRgb surface = Theme::fromPalette(chart.palette()).surface.rgb();
            constexpr int kRing = 4; // the focus ring at the edge
            for (int x = 0; x < under.width() - kRing; ++x) {
                for (int y = kRing; y < under.height() - kRing; ++y)
                    ASSERT_EQ(under.pixel(x, y), surface) << width << ' ' << x << ' ' << y;
            }
        }
    }
}

TEST_F(PowerChartTest, AGapIsHatchedNotBridged)
{
    PowerChart chart;
    show(chart, {800, 240});
    chart.addSample(sample(0, 1, 1000));
    chart.addSample(sample(1, 2, 1000));
    chart.refresh();
    const int whole = chart.pointCount(Channel::Total);
    chart.addSample(sample(9, 10, 1000));
    chart.refresh();
    EXPECT_EQ(chart.pointCount(Channel::Total), whole + 2); // drawn as a separate line
}

TEST_F(PowerChartTest, FollowsThePalette)
{
    PowerChart chart;
    show(chart, {800, 240});
    feed(chart, 50);
    for (const bool dark : {true, false}) {
        chart.setPalette(test::paletteOf(dark));
        const Theme theme = dark ? Theme::darkTheme() : Theme::light();
        const QImage image = chart.grab().toImage();
        EXPECT_EQ(image.pixelColor(5, image.height() - 6), theme.surface);
        EXPECT_TRUE(contains(image, theme.channel(Channel::Gpu)));
    }
}

} // namespace
} // namespace ep::ui
