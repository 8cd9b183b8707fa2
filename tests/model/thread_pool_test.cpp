// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace ep::model {
namespace {

TEST(ThreadPoolTest, EveryChunkRunsOnce)
{
    for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (const std::int64_t chunks : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(chunks));
            pool.run(chunks, [&](std::int64_t chunk) { ++runs[static_cast<std::size_t>(chunk)]; });
            EXPECT_TRUE(
                std::all_of(runs.begin(), runs.end(), [](const auto& n) { return n == 1; }));
        }
    }
}

TEST(ThreadPoolTest, RangesCoverEverythingInMultiples)
{
    ThreadPool pool(3);
    for (const std::int64_t count : {0, 1, 4, 5, 100, 103}) {
        for (const std::int64_t grain : {1, 4, 7, 1000}) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
            pool.runRanges(count, grain, 4, [&](std::int64_t begin, std::int64_t end) {
                EXPECT_EQ(begin % 4, 0);
                EXPECT_TRUE((end - begin) % 4 == 0 || end == count);
                for (std::int64_t i = begin; i < end; ++i)
                    ++seen[static_cast<std::size_t>(i)];
            });
            EXPECT_TRUE(
                std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n == 1; }));
        }
    }
}

// Jobs follow so quickly that threads arrive late; each job reads what the previous one wrote.
TEST(ThreadPoolTest, JobsInQuickSuccessionDoNotMix)
{
    ThreadPool pool(4);
    std::vector<std::int64_t> values(64, 0);
    for (int round = 0; round < 3000; ++round) {
        pool.run(64, [&](std::int64_t chunk) {
            const auto i = static_cast<std::size_t>(chunk);
            const auto neighbour = static_cast<std::size_t>((chunk + 1) % 64);
            if (round % 2 == 0)
                values[i] += 1; // one value per chunk
            else
                EXPECT_EQ(values[neighbour], round / 2 + 1);
        });
    }
}

TEST(ThreadPoolTest, SleepingThreadsWakeUp)
{
    ThreadPool pool(2);
    std::atomic<int> runs{0};
    pool.run(2, [&](std::int64_t) { ++runs; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // long after spinning has ended
    pool.run(8, [&](std::int64_t) { ++runs; });
    EXPECT_EQ(runs, 10);
}

} // namespace
} // namespace ep::model
