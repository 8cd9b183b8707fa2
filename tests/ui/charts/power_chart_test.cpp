// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"
#include "power_chart_fixture.h"
#include "support/wait_until.h"

#include "ep/core/metrics.h"
#include "ep/ui/charts/power_timeline.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace ep::ui {
namespace {

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

// The header of a run and its chart name the same peak: the peak of the windows that overlap the
// run.
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
    EXPECT_TRUE(test::waitUntil([&] { return chart.pointCount(Channel::Total) > 0; }));
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
    EXPECT_TRUE(test::waitUntil([&] { return chart.grab().toImage() != before; }));
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
