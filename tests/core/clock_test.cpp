// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/clock.h"
#include "ep/core/uuid.h"

#include <gtest/gtest.h>

#include <set>

namespace ep {

TEST(Clock, NeverRunsBackwards)
{
    Nanoseconds previous = monotonicNow();
    for (int i = 0; i < 1000; ++i) {
        const Nanoseconds now = monotonicNow();
        ASSERT_GE(now, previous);
        previous = now;
    }
}

TEST(Clock, WritesIsoTimestamps)
{
    EXPECT_EQ(isoTimestamp(0), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(isoTimestamp(1'768'262'400'123), "2026-01-13T00:00:00.123Z");
    EXPECT_EQ(isoTimestamp(-1), "1969-12-31T23:59:59.999Z");
}

TEST(Uuid, IsVersion4AndUnique)
{
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) {
        const std::string uuid = makeUuid();
        ASSERT_EQ(uuid.size(), 36U);
        EXPECT_EQ(uuid[14], '4');
        EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
        EXPECT_TRUE(seen.insert(uuid).second);
    }
}

} // namespace ep
