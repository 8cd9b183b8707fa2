// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/quality.h"

#include <gtest/gtest.h>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

namespace {

// 1 s at 2 W in ten windows.
RunTrace oneSecond()
{
    RunTrace trace;
    trace.time = {0, 1000 * kMs};
    for (Nanoseconds at = 0; at < 1000; at += 100)
        trace.samples.push_back(counterSample(at, at + 100, 200.0));
    return trace;
}

} // namespace

TEST(AssessQuality, DescribesTheSamplesOfTheRun)
{
    RunTrace trace = oneSecond();
    trace.samples.erase(trace.samples.begin() + 3, trace.samples.begin() + 6); // 300..600 ms
    const PowerQuality quality = assessQuality(trace, 100);
    EXPECT_EQ(quality.asked_interval_ms, 100);
    EXPECT_EQ(quality.samples, 7);
    EXPECT_DOUBLE_EQ(quality.median_interval_ms, 100.0);
    EXPECT_DOUBLE_EQ(quality.largest_gap_ms, 300.0);
    EXPECT_DOUBLE_EQ(quality.coverage, 0.7);
}

TEST(AssessQuality, NoSamplesCoverNothing)
{
    RunTrace trace = oneSecond();
    trace.samples.clear();
    const PowerQuality quality = assessQuality(trace, 100);
    EXPECT_EQ(quality.samples, 0);
    EXPECT_DOUBLE_EQ(quality.coverage, 0.0);
    EXPECT_DOUBLE_EQ(quality.largest_gap_ms, 1000.0);
}

} // namespace ep::energy
