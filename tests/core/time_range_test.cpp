// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/time_range.h"

#include <gtest/gtest.h>

namespace ep {

TEST(TimeRange, IsHalfOpen)
{
    constexpr TimeRange range{10, 20};
    EXPECT_TRUE(range.contains(10));
    EXPECT_FALSE(range.contains(20));
    EXPECT_EQ(range.duration_ns(), 10);
}

TEST(TimeRange, ReversedRangeIsEmpty)
{
    constexpr TimeRange range{20, 10};
    EXPECT_TRUE(range.empty());
    EXPECT_EQ(range.duration_ns(), 0);
}

TEST(TimeRange, Intersects)
{
    EXPECT_EQ(intersection({0, 10}, {5, 15}), (TimeRange{5, 10}));
    EXPECT_TRUE(intersection({0, 10}, {10, 20}).empty());
    EXPECT_TRUE(intersection({0, 10}, {30, 40}).empty());
    EXPECT_EQ(intersection({0, 100}, {30, 40}), (TimeRange{30, 40}));
}

} // namespace ep
