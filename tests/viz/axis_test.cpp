// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/viz/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::viz {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::vector<Tick>& ticks)
{
    std::vector<std::string> result;
    for (const Tick& tick : ticks)
        result.push_back(tick.label);
    return result;
}

TEST(TimeAxis, RoundTripsToThePixel)
{
    for (const TimeRange range :
         {TimeRange{0, 1}, TimeRange{-5, 1'000}, TimeRange{7, 3'600'000'000'000},
          TimeRange{1'000'000'000'000, 1'000'000'001'000}}) {
        for (const double width : {1.0, 333.0, 3200.0}) {
            const TimeAxis axis(range, 17.0, width);
            EXPECT_DOUBLE_EQ(axis.toX(range.begin_ns), 17.0);
            EXPECT_NEAR(axis.toX(range.end_ns), 17.0 + width, 1e-9 * width);
            for (const double fraction : {0.0, 0.25, 0.5, 1.0}) {
                const Nanoseconds time = range.begin_ns
                    + std::llround(fraction * static_cast<double>(range.duration_ns()));
                EXPECT_EQ(axis.toTime(axis.toX(time)), time);
            }
        }
    }
}

TEST(TimeAxis, StaysDefinedWithoutRangeOrWidth)
{
    const TimeAxis axis({5, 5}, 3.0, 0.0);
    EXPECT_DOUBLE_EQ(axis.toX(5), 3.0);
    EXPECT_EQ(axis.toTime(3.0), 5);
    EXPECT_TRUE(std::isfinite(axis.toX(1'000'000)));
}

TEST(NiceStep, IsTheSmallestOfOneTwoFiveThatFits)
{
    struct Case {
        double span;
        int count;
        double step;
    };
    for (const Case& c : {Case{10, 10, 1},
                          {10, 9, 2},
                          {10, 4, 5},
                          {10, 1, 10},
                          {0.3, 4, 0.1},
                          {1e9, 3, 5e8},
                          {0, 5, 0},
                          {-1, 5, 0},
                          {1, 0, 0},
                          {7e-9, 4, 2e-9}})
        EXPECT_NEAR(niceStep(c.span, c.count), c.step, 1e-9 * c.step) << c.span << '/' << c.count;
}

TEST(NiceCeiling, NeverLiesBelowTheValue)
{
    struct Case {
        double value;
        double ceiling;
    };
    for (const Case& c : {Case{0, 1},
                          {-3, 1},
                          {1, 1},
                          {1.2, 1.5},
                          {17, 20},
                          {8.1, 10},
                          {999, 1000},
                          {1000, 1000},
                          {0.025, 0.03}})
        EXPECT_NEAR(niceCeiling(c.value), c.ceiling, 1e-9) << c.value;
    EXPECT_EQ(niceCeiling(std::nan("")), 1.0);
}

TEST(TimeTicks, StandOnRoundTimesFromTheOrigin)
{
    // The run began at 1.3 s of the clock; 1.25 s of it are visible.
    const TimeAxis axis({1'300'000'000, 2'550'000'000}, 0.0, 500.0);
    const auto ticks = timeTicks(axis, 1'300'000'000, 90.0);
    EXPECT_THAT(labels(ticks), ElementsAre("0.0 s", "0.5 s", "1.0 s"));
    EXPECT_DOUBLE_EQ(ticks[1].position, 200.0);
}

TEST(TimeTicks, ReachBeforeTheOriginWithoutMinusZero)
{
    const TimeAxis axis({0, 3'000'000'000}, 0.0, 300.0);
    EXPECT_THAT(labels(timeTicks(axis, 1'000'000'000, 90.0)),
                ElementsAre("-1 s", "0 s", "1 s", "2 s"));
}

TEST(TimeTicks, ChooseOneUnit)
{
    EXPECT_THAT(labels(timeTicks(TimeAxis({0, 2'500}, 0.0, 300.0), 0, 100.0)),
                ElementsAre("0 µs", "1 µs", "2 µs"));
    EXPECT_THAT(labels(timeTicks(TimeAxis({0, 4'000'000}, 0.0, 300.0), 0, 100.0)),
                ElementsAre("0 ms", "2 ms", "4 ms"));
    EXPECT_THAT(labels(timeTicks(TimeAxis({0, 4'000'000'000'000}, 0.0, 300.0), 0, 100.0)),
                ElementsAre("0 s", "2000 s", "4000 s"));
}

TEST(TimeTicks, KeepTheirDistanceAtEveryZoom)
{
    for (Nanoseconds span = 1; span < 4'000'000'000'000; span = span * 7 + 1) {
        const TimeAxis axis({123, 123 + span}, 40.0, 640.0);
        const auto ticks = timeTicks(axis, 0, 80.0);
        ASSERT_LE(ticks.size(), 9U) << span;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            EXPECT_GE(ticks[i].position, 40.0 - 1e-6);
            EXPECT_LE(ticks[i].position, 680.0 + 1e-6);
            if (i > 0) {
                EXPECT_GE(ticks[i].position - ticks[i - 1].position, 80.0 - 1e-6) << span;
                EXPECT_NE(ticks[i].label, ticks[i - 1].label) << span;
            }
        }
    }
}

TEST(DisplayUnit, TakesAPrefixWhereTheUnitHasThem)
{
    struct Case {
        const char* unit;
        double largest;
        const char* suffix;
        const char* shown; // label of `largest`
    };
    for (const Case& c : {Case{"ms", 0.66, "µs", "660 µs"},
                          {"ms", 12.0, "ms", "12.0 ms"},
                          {"ms", 4500.0, "s", "4.50 s"},
                          {"mJ", 0.0004, "nJ", "400 nJ"},
                          {"mJ", 1.5e6, "kJ", "1.50 kJ"},
                          {"mW", 850.0, "mW", "850 mW"},
                          {"mW", 999.9, "W", "1.00 W"},
                          {"mW", 0.0, "mW", "0 mW"},
                          {"", 0.25, "", "0.250"},
                          {"%", 50.0, "%", "50.0 %"}}) {
        const DisplayUnit unit = displayUnit(c.unit, c.largest);
        EXPECT_EQ(unit.suffix, c.suffix);
        EXPECT_EQ(formatIn(unit, c.largest), c.shown);
    }
    EXPECT_EQ(formatIn(displayUnit("mW", 12'000), 12'000, false), "12.0");
    EXPECT_EQ(formatIn(displayUnit("ms", 1.8), 0.000751, false), "<0.01");
    EXPECT_EQ(formatIn(displayUnit("ms", 1.8), 0.000751, true), "0.000751 ms");
    EXPECT_EQ(formatIn(displayUnit("ms", 1.8), 0.0, false), "0");
    EXPECT_EQ(formatIn(displayUnit("", 0.004), 0.004, false), "0.00400");
    setNumberStyle({.energy = EnergyUnit::WattHours});
    EXPECT_EQ(formatIn(displayUnit("mJ", 7200.0), 3600.0, true), "1.00 mWh");
    EXPECT_EQ(displayUnit("mW", 12.0).suffix, "mW");
    setNumberStyle({});
}

TEST(ValueTicks, RunFromZeroUpwards)
{
    const auto ticks = valueTicks(20'000, 200.0, 0.0, 40.0, displayUnit("mW", 20'000));
    EXPECT_THAT(labels(ticks), ElementsAre("0 W", "5 W", "10 W", "15 W", "20 W"));
    EXPECT_DOUBLE_EQ(ticks.front().position, 200.0);
    EXPECT_DOUBLE_EQ(ticks.back().position, 0.0);
    EXPECT_DOUBLE_EQ(ticks[1].value, 5'000.0);
}

TEST(ValueTicks, AreTwoAtLeastWhereTheyHaveRoom)
{
    for (const double maximum : {1.0, 3.0, 4.2, 4.9, 7.0, 9.9}) {
        for (const double length : {40.0, 60.0, 79.0, 90.0})
            EXPECT_GE(valueTicks(maximum, length, 0.0, 40.0, {}).size(), 2U)
                << maximum << " on " << length;
    }
    EXPECT_EQ(valueTicks(4.2, 20.0, 0.0, 40.0, {}).size(), 1U);
}

TEST(TimeTicks, AreTwoAtLeast)
{
    constexpr Nanoseconds kMs = 1'000'000;
    for (const Nanoseconds begin : {0 * kMs, 1 * kMs, 4100 * kMs, 9990 * kMs}) {
        for (const Nanoseconds length : {3 * kMs, 42 * kMs, 490 * kMs, 4200 * kMs, 9900 * kMs}) {
            const TimeAxis axis({begin, begin + length}, 0.0, 150.0);
            EXPECT_GE(timeTicks(axis, 0, 80.0).size(), 2U) << begin << " + " << length;
        }
    }
}

TEST(ValueTicks, AreNoneWithoutRoomOrRange)
{
    EXPECT_TRUE(valueTicks(0.0, 200.0, 0.0, 40.0, {}).empty());
    EXPECT_TRUE(valueTicks(10.0, 5.0, 5.0, 40.0, {}).empty());
}

TEST(SpreadLabels, LeavesFreeLabelsAlone)
{
    EXPECT_THAT(spreadLabels(std::array{20.0, 60.0}, 16.0, 0.0, 100.0), ElementsAre(20.0, 60.0));
}

TEST(SpreadLabels, PushesCrowdedOnesApartInTheirOrder)
{
    const std::array wanted{98.0, 97.0, 99.0, 10.0};
    const auto centres = spreadLabels(wanted, 16.0, 0.0, 100.0);
    EXPECT_THAT(centres, ElementsAre(76.0, 60.0, 92.0, 10.0));
    EXPECT_TRUE(spreadLabels({}, 16.0, 0.0, 100.0).empty());
}

TEST(LiveCeiling, RisesAtOnceAndFallsLate)
{
    LiveCeiling ceiling;
    EXPECT_DOUBLE_EQ(ceiling.update(900, 0), 1000);
    EXPECT_DOUBLE_EQ(ceiling.update(4'100, 1), 5'000);
    EXPECT_DOUBLE_EQ(ceiling.update(900, 2), 5'000); // decreases, but may increase again
    EXPECT_DOUBLE_EQ(ceiling.update(900, LiveCeiling::kHold), 5'000);
    EXPECT_DOUBLE_EQ(ceiling.update(3'000, LiveCeiling::kHold + 1), 5'000); // increased again
    EXPECT_DOUBLE_EQ(ceiling.update(900, LiveCeiling::kHold + 3), 5'000);
    EXPECT_DOUBLE_EQ(ceiling.update(900, 2 * LiveCeiling::kHold + 3), 1'000);
    ceiling.clear();
    EXPECT_DOUBLE_EQ(ceiling.update(0, 0), 1.0);
}

} // namespace
} // namespace ep::viz
