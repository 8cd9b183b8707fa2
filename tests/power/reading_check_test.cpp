// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/reading_check.h"

#include <gmock/gmock.h>

#include <limits>

namespace ep::power {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto said(const char* text)
{
    return ::testing::Property(&Message::english, text);
}

TEST(ReadingCheck, KnowsTheNumbersThatMeanError)
{
    for (const double code :
         {-1.0, -0.001, 4294967295.0, 4294967295e3, 4294967295e6, 2147483647.0, 2147483648.0,
          18446744073709551615.0, 9223372036854775807.0, std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN()})
        EXPECT_TRUE(isErrorCode(code)) << code;
    for (const double reading : {0.0, 1.0, 4294967294.0, 65535.0, 35e6})
        EXPECT_FALSE(isErrorCode(reading)) << reading;
}

TEST(ReadingCheck, TakesWhatADeviceCanDraw)
{
    const Milliwatts rated{300e3};
    EXPECT_EQ(mostOfDevice(Rail::Gpu, rated), Milliwatts{360e3});
    // A limit that nobody has set, or an error code in its place.
    EXPECT_EQ(mostOfDevice(Rail::Gpu, Milliwatts{4294967295.0}),
              mostOfDevice(Rail::Gpu, std::nullopt));
    EXPECT_EQ(mostOfDevice(Rail::Gpu, Milliwatts{0.0}), mostOfDevice(Rail::Gpu, std::nullopt));

    ReadingCheck readings;
    EXPECT_EQ(readings.power("A", 360e6, 1e3, mostOfDevice(Rail::Gpu, rated)), Milliwatts{360e3});
    EXPECT_THAT(readings.faults(), IsEmpty());
    EXPECT_EQ(readings.power("A", 361e6, 1e3, mostOfDevice(Rail::Gpu, rated)), std::nullopt);
    EXPECT_EQ(readings.power("A", -1.0, 1e3, mostOfDevice(Rail::Gpu, rated)), std::nullopt);
    EXPECT_EQ(readings.power("B", std::nullopt, 1e3, rated), std::nullopt);
    // Reported once per sensor.
    EXPECT_THAT(readings.faults(),
                ElementsAre(said("A gave a reading that cannot be true (361 W); such readings are "
                                 "missing."),
                            said("B cannot be read; its readings are missing.")));
}

TEST(ReadingCheck, ACounterMayComeInBatches)
{
    constexpr Nanoseconds kMs = 1'000'000;
    ReadingCheck readings;
    EXPECT_TRUE(readings.energy("A", Millijoules{30e3}, 2 * kMs, Milliwatts{120e3}));
    EXPECT_FALSE(readings.energy("A", Millijoules{31e3}, 2 * kMs, Milliwatts{120e3}));
    EXPECT_FALSE(readings.energy("A", Millijoules{-1.0}, 2 * kMs, Milliwatts{120e3}));
    EXPECT_EQ(readings.faults().size(), 1U);
}

TEST(ReadingCheck, RemovesOnlyTheRailThatCannotBeTrue)
{
    PowerSample sample;
    sample.window = {0, 100'000'000};
    sample.power_mw[Rail::Cpu] = Milliwatts{8e11};
    sample.energy_mj[Rail::Cpu] = Millijoules{865.0};
    sample.power_mw[Rail::Gpu] = Milliwatts{2e3};
    sample.total_mw = Milliwatts{8e11};
    ReadingCheck readings;
    EXPECT_TRUE(readings.clean(sample, false));
    EXPECT_FALSE(sample.power_mw[Rail::Cpu]);
    EXPECT_FALSE(sample.energy_mj[Rail::Cpu]);
    EXPECT_EQ(sample.power_mw[Rail::Gpu], Milliwatts{2e3});
    EXPECT_FALSE(sample.total_mw);
    ASSERT_EQ(readings.faults().size(), 1U);
    EXPECT_THAT(readings.faults()[0], HasSubstr("The rail cpu gave a reading"));

    // The power of the whole machine is not part of a sum of parts.
    sample.power_mw[Rail::System] = Milliwatts{4e12};
    sample.total_mw = Milliwatts{2e3};
    EXPECT_TRUE(readings.clean(sample, false));
    EXPECT_FALSE(sample.power_mw[Rail::System]);
    EXPECT_EQ(sample.total_mw, Milliwatts{2e3});

    PowerSample nothing;
    nothing.window = {0, 1};
    nothing.power_mw[Rail::Cpu] = Milliwatts{8e11};
    EXPECT_FALSE(readings.clean(nothing, false));
}

} // namespace
} // namespace ep::power
