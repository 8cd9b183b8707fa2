// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/time_gesture.h"

#include <gtest/gtest.h>

namespace ep::viz {
namespace {

const TimeAxis kAxis({0, 1000}, 100.0, 1000.0); // one pixel per nanosecond, starting at pixel 100

TEST(TimeGesture, ALittleWanderingIsAClick)
{
    TimeGesture gesture;
    EXPECT_EQ(gesture.release(kAxis, 300.0), TimeGesture::Kind::None); // was not pressed
    gesture.press(kAxis, std::nullopt, 300.0, false);
    EXPECT_EQ(gesture.move(kAxis, 304.0), std::nullopt);
    EXPECT_EQ(gesture.release(kAxis, 305.0), TimeGesture::Kind::Click);
    EXPECT_FALSE(gesture.active());
}

TEST(TimeGesture, ADragInEitherDirectionIsABrush)
{
    TimeGesture gesture;
    gesture.press(kAxis, std::nullopt, 300.0, false);
    EXPECT_EQ(gesture.move(kAxis, 400.0), (TimeRange{200, 300}));
    EXPECT_EQ(gesture.move(kAxis, 303.0), (TimeRange{200, 203})); // cannot become a click again
    EXPECT_EQ(gesture.release(kAxis, 250.0), TimeGesture::Kind::Brush);
    EXPECT_EQ(gesture.range(), (TimeRange{150, 200}));

    gesture.press(kAxis, std::nullopt, 300.0, false);
    EXPECT_EQ(gesture.release(kAxis, 5000.0), TimeGesture::Kind::Brush); // outside of the chart
    EXPECT_EQ(gesture.range(), (TimeRange{200, 1000}));
    gesture.press(kAxis, std::nullopt, 300.0, false);
    gesture.release(kAxis, -5000.0);
    EXPECT_EQ(gesture.range(), (TimeRange{0, 200}));
}

TEST(TimeGesture, ShiftSpansWhatToZoomTo)
{
    TimeGesture gesture;
    gesture.press(kAxis, TimeRange{200, 400}, 300.0, true); // Shift ignores the grip
    gesture.move(kAxis, 600.0);
    EXPECT_EQ(gesture.kind(), TimeGesture::Kind::Zoom);
    EXPECT_EQ(gesture.release(kAxis, 600.0), TimeGesture::Kind::Zoom);
    EXPECT_EQ(gesture.range(), (TimeRange{200, 500}));
}

TEST(TimeGesture, EndsOfABrushMove)
{
    const TimeRange brush{200, 400}; // from pixel 300 to 500
    struct Case {
        double press;
        double release;
        TimeRange expected;
    };
    for (const Case& c : {Case{303.0, 350.0, {250, 400}}, Case{505.0, 700.0, {200, 600}},
                          Case{300.0, 900.0, {400, 800}}}) { // beyond the other end
        TimeGesture gesture;
        gesture.press(kAxis, brush, c.press, false);
        EXPECT_EQ(gesture.release(kAxis, c.release), TimeGesture::Kind::Brush);
        EXPECT_EQ(gesture.range(), c.expected) << c.press;
    }
    TimeGesture gesture;
    gesture.press(kAxis, brush, 301.0, false);
    EXPECT_EQ(gesture.release(kAxis, 301.0), TimeGesture::Kind::None); // touched, not moved
}

TEST(TimeGesture, FindsTheNearerEnd)
{
    const std::optional<TimeRange> narrow = TimeRange{200, 204};
    EXPECT_EQ(brushEndAt(kAxis, narrow, 299.0), BrushEnd::Begin);
    EXPECT_EQ(brushEndAt(kAxis, narrow, 305.0), BrushEnd::End);
    EXPECT_EQ(brushEndAt(kAxis, narrow, 320.0), std::nullopt);
    EXPECT_EQ(brushEndAt(kAxis, std::nullopt, 300.0), std::nullopt);
    EXPECT_EQ(brushEndAt(kAxis, TimeRange{200, 200}, 300.0), std::nullopt);
}

} // namespace
} // namespace ep::viz
