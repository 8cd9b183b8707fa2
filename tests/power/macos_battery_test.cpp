// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/macos_battery.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace ep;

TEST(MacosBattery, TellsADischargingAppleSiliconLaptop)
{
    const auto state = power::batteryFromIoreg(R"(+-o AppleSmartBattery  <class AppleSmartBattery>
    {
      "ExternalConnected" = No
      "BatteryInstalled" = Yes
      "MaxCapacity" = 100
      "AppleRawMaxCapacity" = 6000
      "Voltage" = 12000
      "InstantAmperage" = 18446744073709550616
    }
)");
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->discharging);
    ASSERT_TRUE(state->full_mj);
    EXPECT_DOUBLE_EQ(state->full_mj->value, 72.0 * 3600.0 * 1000.0); // 72 Wh
    ASSERT_TRUE(state->power_mw);
    EXPECT_DOUBLE_EQ(state->power_mw->value, 12'000.0); // 1 A at 12 V
}

TEST(MacosBattery, TellsAnIntelLaptopOnMains)
{
    const auto state = power::batteryFromIoreg("  \"MaxCapacity\" = 5000\n  \"Amperage\" = -250\n"
                                               "  \"ExternalConnected\" = Yes\n"
                                               "  \"Voltage\" = 11000\n");
    ASSERT_TRUE(state);
    EXPECT_FALSE(state->discharging);
    EXPECT_FALSE(state->power_mw);
    ASSERT_TRUE(state->full_mj);
    EXPECT_DOUBLE_EQ(state->full_mj->value, 55.0 * 3600.0 * 1000.0);
}

TEST(MacosBattery, TellsWhereNothingIsKnown)
{
    EXPECT_FALSE(power::batteryFromIoreg(""));
    EXPECT_FALSE(power::batteryFromIoreg("\"BatteryInstalled\" = No\n\"ExternalConnected\" = Yes"));
    const auto bare = power::batteryFromIoreg("\"ExternalConnected\" = No\n\"MaxCapacity\" = 97\n"
                                              "\"Voltage\" = x\n\"Amperage\" = -");
    ASSERT_TRUE(bare);
    EXPECT_TRUE(bare->discharging);
    EXPECT_FALSE(bare->full_mj);
    EXPECT_FALSE(bare->power_mw);
}

TEST(MacosBattery, ReadsThePowerMode)
{
    const std::vector<std::pair<std::string_view, std::optional<PowerMode>>> cases = {
        {" sleep   1\n lowpowermode         1\n womp 0\n", PowerMode::Low},
        {" lowpowermode 0", PowerMode::Automatic},
        {" sleep 1\n powermode            0\n womp 0\n", PowerMode::Automatic},
        {" powermode            1\n", PowerMode::Low},
        {" powermode            2\n", PowerMode::High},
        {" powermode 7\n", std::nullopt},
        {" sleep 1\n", std::nullopt},
        {" lowpowermode", std::nullopt},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_EQ(power::powerModeFromPmset(text), expected) << text;
}

} // namespace
