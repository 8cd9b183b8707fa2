// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace ep {

TEST(Result, HoldsAValue)
{
    Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
    ASSERT_TRUE(result);
    EXPECT_EQ(**result, 7);
    const std::unique_ptr<int> moved = std::move(result).value();
    EXPECT_EQ(*moved, 7);
}

TEST(Result, HoldsAnError)
{
    const Result<int> result = Error{ErrorCode::NotFound, "no such folder"};
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
    EXPECT_EQ(result.error().message, "no such folder");
}

TEST(Result, VoidIsSuccessByDefault)
{
    const Status good;
    EXPECT_TRUE(good);
    const Status bad = Error{ErrorCode::Io, "disk full"};
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().message, "disk full");
}

} // namespace ep
