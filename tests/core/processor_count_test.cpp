// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/processor_count.h"

#include <gtest/gtest.h>

namespace ep {
namespace {

TEST(ProcessorCountTest, PrefersPerformanceCores)
{
    EXPECT_EQ(fastProcessors(6, 12), 6); // a chip with six fast and six slow cores
    EXPECT_EQ(fastProcessors(std::nullopt, 8), 8);
    EXPECT_EQ(fastProcessors(0, 8), 8);
    EXPECT_EQ(fastProcessors(std::nullopt, 0), 1); // the system does not report it
    EXPECT_GE(fastProcessors(), 1);
}

} // namespace
} // namespace ep
