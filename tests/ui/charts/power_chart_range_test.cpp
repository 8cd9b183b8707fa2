// SPDX-License-Identifier: GPL-3.0-or-later
// The range that the chart of the power shows, and the one that is selected in it.
#include "power_chart_fixture.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QToolButton>
#include <QWheelEvent>

namespace ep::ui {
namespace {

class PowerChartRangeTest : public PowerChartTest { };

TEST_F(PowerChartRangeTest, TheSpanFollowsButtonsAndKeys)
{
    PowerChart chart;
    show(chart, {700, 220});
    feed(chart, 1'000); // 100 s
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
    EXPECT_TRUE(all->isChecked());
    EXPECT_FALSE(lastMinute->isChecked());
}

TEST_F(PowerChartRangeTest, TheWheelStopsFollowingAndAKeyBringsItBack)
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

TEST_F(PowerChartRangeTest, ADraggedRangeHasFiguresOfItsOwn)
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

TEST_F(PowerChartRangeTest, KeysSelectARangeAndEscapeClearsIt)
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

TEST_F(PowerChartRangeTest, ShiftAndDragZoomsAndAPinchZoomsAtTheFingers)
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

} // namespace
} // namespace ep::ui
