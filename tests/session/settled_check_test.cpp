// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/settle.h"

#include <gtest/gtest.h>

namespace ep::session {
namespace {

TEST(SettledCheckTest, WaitsForEightSteadySteps)
{
    SettledCheck check(0.05);
    for (int i = 0; i < 7; ++i) {
        check.add(1000 + i);
        EXPECT_FALSE(check.reached());
    }
    check.add(1000);
    EXPECT_TRUE(check.reached());
    check.add(2000);
    EXPECT_FALSE(check.reached());
    for (int i = 0; i < 8; ++i)
        check.add(2000);
    EXPECT_TRUE(check.reached());
    SettledCheck never(0.0);
    for (int i = 0; i < 100; ++i)
        never.add(1000);
    EXPECT_FALSE(never.reached());
}

} // namespace
} // namespace ep::session
