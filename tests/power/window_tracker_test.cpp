// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/milliseconds.h"

#include "ep/power/window_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

namespace ep::power {
namespace {

using ep::test::kMs;

TEST(WindowTracker, EndsTheFirstWindowAtItsArrival)
{
    WindowTracker tracker;
    EXPECT_EQ(tracker.place(100 * kMs, 1000 * kMs), (TimeRange{900 * kMs, 1000 * kMs}));
}

TEST(WindowTracker, KeepsWindowsContiguousAgainstLateArrivals)
{
    WindowTracker tracker;
    tracker.place(100 * kMs, 1000 * kMs);
    EXPECT_EQ(tracker.place(110 * kMs, 1150 * kMs), (TimeRange{1000 * kMs, 1110 * kMs}));
    EXPECT_EQ(tracker.place(100 * kMs, 1210 * kMs), (TimeRange{1110 * kMs, 1210 * kMs}));
}

TEST(WindowTracker, PlacesNoWindowAfterItsArrival)
{
    WindowTracker tracker;
    tracker.place(100 * kMs, 1030 * kMs); // arrived 30 ms late
    EXPECT_EQ(tracker.place(100 * kMs, 1100 * kMs), (TimeRange{1030 * kMs, 1100 * kMs}));
    EXPECT_EQ(tracker.place(100 * kMs, 1200 * kMs), (TimeRange{1100 * kMs, 1200 * kMs}));
}

TEST(WindowTracker, GivesEveryReadingOfABurstAWindow)
{
    WindowTracker tracker;
    Nanoseconds end = 0;
    for (int i = 0; i < 10; ++i) { // the reader was asleep for a second
        const auto window = tracker.place(100 * kMs, 2000 * kMs);
        ASSERT_TRUE(window) << i;
        ASSERT_FALSE(window->empty()) << i;
        if (i > 0) {
            ASSERT_EQ(window->begin_ns, end) << i;
        }
        end = window->end_ns;
    }
    // The series returns to the arrival times.
    for (int i = 1; i <= 10; ++i)
        end = tracker.place(100 * kMs, (2000 + 100 * i) * kMs)->end_ns;
    EXPECT_EQ(end, 3000 * kMs);
}

TEST(WindowTracker, ShowsLostTimeAsAGap)
{
    WindowTracker tracker;
    Nanoseconds arrival = 1000 * kMs;
    tracker.place(100 * kMs, arrival);
    arrival += 5000 * kMs; // the machine slept
    std::optional<TimeRange> last;
    bool gap = false;
    for (std::size_t i = 0; i < 2 * WindowTracker::kHistory; ++i) {
        arrival += 100 * kMs;
        const auto window = tracker.place(100 * kMs, arrival);
        ASSERT_TRUE(window);
        gap = gap || (last && window->begin_ns > last->end_ns);
        last = window;
    }
    EXPECT_TRUE(gap);
    EXPECT_EQ(last->end_ns, arrival);
    EXPECT_EQ(last->duration_ns(), 100 * kMs);
}

// The reading for the window that ended at 1300 arrived, but was broken.
TEST(WindowTracker, LeavesAGapForAReadingThatIsKnownToBeLost)
{
    for (const Nanoseconds late : {0, 6}) {
        WindowTracker tracker;
        tracker.place(100 * kMs, 1000 * kMs);
        tracker.place(100 * kMs, (1100 + late) * kMs);
        tracker.place(100 * kMs, (1200 + late) * kMs);
        tracker.lost();
        EXPECT_EQ(tracker.place(100 * kMs, (1400 + late) * kMs),
                  (TimeRange{1300 * kMs, 1400 * kMs}));
        EXPECT_EQ(tracker.place(100 * kMs, (1500 + late) * kMs),
                  (TimeRange{1400 * kMs, 1500 * kMs}));
    }
    // A window that spans lost time is not shortened.
    WindowTracker tracker;
    tracker.place(100 * kMs, 1000 * kMs);
    tracker.lost();
    EXPECT_EQ(tracker.place(200 * kMs, 1200 * kMs), (TimeRange{1000 * kMs, 1200 * kMs}));
}

TEST(WindowTracker, RefusesASummarySinceBoot)
{
    WindowTracker tracker(50'000 * kMs);
    EXPECT_EQ(tracker.place(50'000 * kMs, 50'100 * kMs), std::nullopt);
    EXPECT_TRUE(tracker.place(100 * kMs, 50'200 * kMs));
}

TEST(WindowTracker, RefusesASummaryOfTheRun)
{
    WindowTracker tracker;
    for (int i = 1; i <= 100; ++i)
        ASSERT_TRUE(tracker.place(100 * kMs, (1000 + 100 * i) * kMs));
    EXPECT_EQ(tracker.place(10'000 * kMs, 11'001 * kMs), std::nullopt);
    EXPECT_TRUE(tracker.place(100 * kMs, 11'100 * kMs));
}

TEST(WindowTracker, AcceptsOneLongWindowAfterAStall)
{
    WindowTracker tracker;
    tracker.place(100 * kMs, 1000 * kMs);
    EXPECT_EQ(tracker.place(5000 * kMs, 6000 * kMs), (TimeRange{1000 * kMs, 6000 * kMs}));
}

// Simulated truth: windows of 100..130 ms, arrivals up to 40 ms late, a reader clock that runs 200
// ppm fast. The remaining error is far below one window.
TEST(WindowTracker, FollowsDriftAndRemovesJitter)
{
    std::mt19937 random(7);
    const auto below = [&random](int limit) {
        return static_cast<int>(random() % static_cast<unsigned>(limit));
    };
    WindowTracker tracker;
    double truth = 0.0;
    Nanoseconds worst = 0;
    std::optional<TimeRange> last;
    for (int i = 0; i < 5000; ++i) {
        const Nanoseconds elapsed = (100 + below(30)) * kMs;
        truth += static_cast<double>(elapsed) * 1.0002;
        const auto trueEnd = static_cast<Nanoseconds>(truth);
        const auto window = tracker.place(elapsed, trueEnd + (1 + below(40)) * kMs);
        ASSERT_TRUE(window);
        if (last) {
            ASSERT_EQ(window->begin_ns, last->end_ns) << i;
        }
        last = window;
        if (i > 50)
            worst = std::max(worst, std::abs(window->end_ns - trueEnd));
    }
    EXPECT_LT(worst, 25 * kMs);
}

// Arrivals that are 6 ms late on average (exponential), and a sensor clock off by 50 ppm, as in a
// run of ten minutes. The remaining error is what the table in docs/accuracy.md claims.
TEST(WindowTracker, LeavesHalfAMillisecond)
{
    std::mt19937 random(11);
    const auto uniform = [&random] {
        return (static_cast<double>(random() >> 5) + 0.5) / 134217728.0;
    };
    WindowTracker tracker;
    double truth = 0.0;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < 5500; ++i) {
        const double length = 106.0 + 4.0 * uniform(); // in ms
        truth += length * 1e6;
        const double delay = -6.0 * std::log(uniform());
        const auto elapsed = static_cast<Nanoseconds>(length * 1e6 * (1.0 + 50e-6));
        const auto window = tracker.place(elapsed, static_cast<Nanoseconds>(truth + delay * 1e6));
        ASSERT_TRUE(window);
        if (i < 200)
            continue;
        sum += std::abs(static_cast<double>(window->end_ns) - truth) * 1e-6;
        ++count;
    }
    EXPECT_LT(sum / count, 0.5);
}

} // namespace
} // namespace ep::power
