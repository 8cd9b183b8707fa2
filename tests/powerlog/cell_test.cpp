// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell.h"

#include <gtest/gtest.h>

namespace ep::powerlog {
namespace {

TEST(Cells, UnitsOfHeaders)
{
    struct Case {
        const char* header;
        const char* name;
        const char* unit;
    };
    const Case cases[] = {
        {" power.draw [W]", "power.draw", "W"},
        {"power.draw", "power.draw", ""},
        {"Actual Consumption/W", "actual consumption", "W"},
        {"cpu_power_mw", "cpu_power", "mw"},
        {"SYSTEM_POWER (Watts)", "system_power", "Watts"},
        {"Cumulative Processor Energy_0(Joules)", "cumulative processor energy_0", "Joules"},
        {"\"CPU Package Power [W]\"", "cpu package power", "W"},
        {"Time_Seconds", "time", "Seconds"},
        {"Watts", "watts", "Watts"},
        {"GPU0", "gpu0", ""},
        {"energy_Ws", "energy", "Ws"},
        {"voltage_V", "voltage", "V"},
        {"GPU use (%)", "gpu use", "%"},
        {"Core #0 Power Limit Exceeded [Yes/No]", "core #0 power limit exceeded [yes/no]", ""},
    };
    for (const Case& one : cases) {
        const Header header = readHeader(one.header);
        EXPECT_EQ(header.name, one.name) << one.header;
        EXPECT_EQ(header.unit, one.unit) << one.header;
    }
}

TEST(Cells, TimesOfEverySpelling)
{
    struct Case {
        const char* cell;
        double seconds;
        Clock clock;
    };
    const double day = 1795592141.0; // 2026-11-25 07:35:41 UTC
    const Case cases[] = {
        {"2026/11/25 07:35:41.123", day + 0.123, Clock::Local},
        {"2026-11-25T07:35:41.123Z", day + 0.123, Clock::Epoch},
        {"2026-11-25T08:35:41.123+01:00", day + 0.123, Clock::Epoch},
        {"2026-11-25T00:35:41-0700", day, Clock::Epoch},
        {"25.11.2026 07:35:41", day, Clock::Local},
        {"25/11/2026 07:35", day - 41.0, Clock::Local},
        {"11/25/2026 07:35:41 AM", day, Clock::Local},
        {"25-11-2026 07:35:41.5", day + 0.5, Clock::Local},
        {"20261125 07:35:41", day, Clock::Local},
        {"Wed Nov 25 08:35:41 2026 +0100", day, Clock::Epoch},
        {"Wed Nov 25 07:35:41 2026", day, Clock::Local},
        {"1795592141", day, Clock::Epoch},
        {"1795592141.25", day + 0.25, Clock::Epoch},
        {"1795592141250", day + 0.25, Clock::Epoch},
        {"1795592141250000", day + 0.25, Clock::Epoch},
        {"1795592141250000000", day + 0.25, Clock::Epoch},
        {"526689.5", 526689.5, Clock::Own},
        {"0.029", 0.029, Clock::Own},
        {"22:37:39:930", 81459.93, Clock::Own},
    };
    for (const Case& one : cases) {
        const auto instant = readInstant(one.cell, DateOrder::Unknown);
        ASSERT_TRUE(instant) << one.cell;
        EXPECT_NEAR(static_cast<double>(instant->ns) * 1e-9, one.seconds, 1e-6) << one.cell;
        EXPECT_EQ(instant->clock, one.clock) << one.cell;
    }
    EXPECT_TRUE(readInstant("03/04/2026 10:00:00", DateOrder::Unknown)->ambiguous);
    EXPECT_EQ(readInstant("03/04/2026 10:00:00", DateOrder::MonthFirst)->ns,
              readInstant("2026-03-04 10:00:00", DateOrder::Unknown)->ns);
    for (const char* no : {"apple", "", "2026-13-01", "25:61", "not 12:00", "2026/11/25 07:35:4x",
                           "9999999999", "9999999999999", "9999999999999999"})
        EXPECT_FALSE(readInstant(no, DateOrder::Unknown)) << no;
}

} // namespace
} // namespace ep::powerlog
