// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/quantile.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ep {

TEST(Quantile, LiesBetweenNeighbours)
{
    constexpr std::array kFour{1.0, 2.0, 3.0, 4.0};
    EXPECT_EQ(quantileOf(kFour, 0.0), 1.0);
    EXPECT_EQ(quantileOf(kFour, 0.25), 1.75);
    EXPECT_EQ(quantileOf(kFour, 0.5), 2.5);
    EXPECT_EQ(quantileOf(kFour, 1.0), 4.0);
    EXPECT_EQ(quantileOf(std::array{1.0}, 0.9), 1.0);
    EXPECT_TRUE(std::isnan(quantileOf({}, 0.5)));
}

TEST(Quantile, AMedianNeedsNoOrder)
{
    EXPECT_EQ(medianOf(std::array{9.0, 1.0, 4.0}), 4.0);
    EXPECT_EQ(medianOf(std::array{9.0, 1.0, 4.0, 2.0}), 3.0);
    EXPECT_TRUE(std::isnan(medianOf({})));
    EXPECT_EQ(medianDuration({9, 1, 4}), 4);
    EXPECT_EQ(medianDuration({9, 1, 4, 2}), 4) << "one of them, the longer of two";
    EXPECT_EQ(medianDuration({}), 0);
}

TEST(Quantile, ARobustDeviationIsThatOfTheMiddle)
{
    // Half of a normal distribution lies within 0.6745 standard deviations.
    EXPECT_NEAR(robustSd(std::array{0.1, 0.67448975, 50.0}), 1.0, 1e-7);
    EXPECT_TRUE(std::isnan(robustSd({})));
}

} // namespace ep
