// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "support/system_tree.h"

#include "ep/power/battery_source.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace ep::power {
namespace {

using ep::test::record;
using ep::test::SystemTree;
using ::testing::HasSubstr;

TEST(Battery, IsReadFromEitherKindOfGauge)
{
    const SystemTree supplies;
    EXPECT_FALSE(readBattery(supplies.folder()).has_value());
    supplies.add("AC", {{"type", "Mains"}, {"online", "0"}});
    supplies.add("mouse", {{"type", "Battery"}, {"scope", "Device"}, {"status", "Discharging"}});
    EXPECT_FALSE(readBattery(supplies.folder()).has_value());
    supplies.add("BAT0",
                 {{"type", "Battery"},
                  {"status", "Discharging"},
                  {"power_now", "12500000"},
                  {"energy_full", "50000000"}});
    supplies.add("BAT1",
                 {{"type", "Battery"},
                  {"status", "Discharging"},
                  {"current_now", "-500000"},
                  {"voltage_now", "10000000"},
                  {"charge_full", "2000000"},
                  {"voltage_min_design", "10000000"}});
    const auto state = readBattery(supplies.folder());
    ASSERT_TRUE(state.has_value());
    EXPECT_TRUE(state->discharging);
    EXPECT_NEAR(state->power_mw->value, 12'500.0 + 5'000.0, 1e-6);
    EXPECT_NEAR(state->full_mj->value, (50'000.0 + 20'000.0) * 3600.0, 1e-3);

    BatterySource source(supplies.folder());
    const auto recording = record(source, 2, 1);
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_NEAR(recording.samples[0].power_mw[Rail::System]->value, 17'500.0, 1e-6);
    EXPECT_NEAR(recording.samples[0].total_mw->value, 17'500.0, 1e-6);
}

TEST(Battery, OneThatReportsAnErrorLeavesTheOther)
{
    const SystemTree supplies;
    supplies.add("BAT0",
                 {{"type", "Battery"}, {"status", "Discharging"}, {"power_now", "12500000"}});
    supplies.add("BAT1", {{"type", "Battery"}, {"status", "Discharging"}, {"power_now", "-1"}});
    supplies.add("BAT2",
                 {{"type", "Battery"}, {"status", "Discharging"}, {"power_now", "4294967295"}});
    BatterySource source(supplies.folder());
    const auto recording = record(source, 2, 1);
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_NEAR(recording.samples[0].power_mw[Rail::System]->value, 12'500.0, 1e-6);
    ASSERT_EQ(source.faults().size(), 2U);
    EXPECT_EQ(source.faults()[0], "The battery BAT1 cannot be read; its readings are missing.");
    std::filesystem::remove_all(supplies.folder() / "BAT0");
    EXPECT_THAT(checkBattery(supplies.folder()).error().message,
                HasSubstr("does not report power"));
}

struct AskedBattery : BatterySource {
    using BatterySource::BatterySource;
    using BatterySource::leastIntervalMs;
};

TEST(Battery, APollThatStartsAProgramIsRare)
{
    const SystemTree supplies;
    EXPECT_EQ(AskedBattery(supplies.folder()).leastIntervalMs(), 1);
    EXPECT_GE(AskedBattery("/nonexistent/power_supply").leastIntervalMs(), 5000);
}

TEST(Battery, SaysWhyItCannot)
{
    const SystemTree supplies;
    EXPECT_THAT(checkBattery(supplies.folder()).error().message, HasSubstr("no battery"));
    supplies.add("BAT0", {{"type", "Battery"}, {"status", "Charging"}, {"power_now", "1"}});
    EXPECT_THAT(checkBattery(supplies.folder()).error().message, HasSubstr("unplug"));
    supplies.add("BAT0", {{"type", "Battery"}, {"status", "Discharging"}});
    std::filesystem::remove(supplies.folder() / "BAT0" / "power_now");
    EXPECT_THAT(checkBattery(supplies.folder()).error().message,
                HasSubstr("does not report power"));
    BatterySource source(supplies.folder());
    EXPECT_THAT(record(source, 2, 1).problem, HasSubstr("does not report power"));
}

} // namespace
} // namespace ep::power
