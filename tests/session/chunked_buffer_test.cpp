// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/chunked_buffer.h"

#include <gtest/gtest.h>

namespace {

using Buffer = ep::session::ChunkedBuffer<int, 4>;

TEST(ChunkedBuffer, KeepsOrderOverManyChunks)
{
    Buffer buffer;
    for (int i = 0; i < 103; ++i)
        EXPECT_EQ(buffer.append(i * i), static_cast<std::size_t>(i));
    ASSERT_EQ(buffer.size(), 103U);
    for (std::size_t i = 0; i < buffer.size(); ++i)
        EXPECT_EQ(buffer[i], static_cast<int>(i * i));
}

TEST(ChunkedBuffer, NeverMovesAnElement)
{
    Buffer buffer;
    buffer.append(7);
    const int* first = &buffer[0];
    for (int i = 0; i < 1000; ++i)
        buffer.append(i);
    EXPECT_EQ(first, &buffer[0]);
    EXPECT_EQ(*first, 7);
}

TEST(ChunkedBuffer, ReservingLeavesItEmpty)
{
    Buffer buffer;
    buffer.reserve(9);
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_EQ(buffer.append(5), 0U);
    EXPECT_EQ(buffer[0], 5);
}

} // namespace
