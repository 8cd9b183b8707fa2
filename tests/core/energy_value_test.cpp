// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/energy_value.h"

#include <gtest/gtest.h>

namespace ep {

TEST(TotalOf, IsNothingWithoutRails)
{
    EXPECT_FALSE(totalOf(PerRail<Millijoules>{}).has_value());
}

TEST(TotalOf, AddsComponentRailsButNotSystem)
{
    PerRail<Millijoules> rails;
    rails[Rail::Cpu] = Millijoules{3.0};
    rails[Rail::Gpu] = Millijoules{4.0};
    rails[Rail::System] = Millijoules{20.0};
    EXPECT_EQ(totalOf(rails), Millijoules{7.0});
}

TEST(TotalOf, FallsBackToSystemAlone)
{
    PerRail<Millijoules> rails;
    rails[Rail::System] = Millijoules{20.0};
    EXPECT_EQ(totalOf(rails), Millijoules{20.0});
}

TEST(TotalOf, KeepsAMeasuredZero)
{
    PerRail<Millijoules> rails;
    rails[Rail::Ane] = Millijoules{0.0};
    EXPECT_EQ(totalOf(rails), Millijoules{0.0});
}

TEST(Units, PowerTimesTimeIsEnergy)
{
    EXPECT_DOUBLE_EQ(energyOf(Milliwatts{500.0}, 2'000'000'000).value, 1000.0);
    EXPECT_DOUBLE_EQ(meanPower(Millijoules{1000.0}, 2'000'000'000).value, 500.0);
}

} // namespace ep
