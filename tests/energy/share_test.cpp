// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/share.h"

#include <gtest/gtest.h>

#include <random>

namespace ep::energy {
namespace {

using test::counterSample;
using test::kMs;

// Windows of 100 ms whose energies vary.
std::vector<PowerSample> samplesFor(int windows, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::vector<PowerSample> samples;
    for (int i = 0; i < windows; ++i)
        samples.push_back(
            counterSample(100 * i, 100 * (i + 1), 500.0 + static_cast<double>(random() % 4000)));
    return samples;
}

TEST(ShareEnergy, FollowsTokensInFlightTimesTheirSoloEnergy)
{
    // 10 W throughout. The first request decodes 100 tokens in 1 s; from 500 ms on, the second one
    // computes a prompt of 300 tokens in 250 ms, each of which costs a fifth of an output token.
    std::vector<PowerSample> samples;
    for (int i = 0; i < 10; ++i)
        samples.push_back(counterSample(100 * i, 100 * (i + 1), 1000.0));
    const std::vector<SharedPhase> phases{
        {0, {0, 1000 * kMs}, 100.0, 50.0},
        {1, {500 * kMs, 750 * kMs}, 300.0, 10.0},
    };
    const auto shared = shareEnergy(samples, {0, 1000 * kMs}, phases);
    ASSERT_TRUE(shared);
    // In these 250 ms: 25 tokens x 50 = 1,250 and 300 x 10 = 3,000 of 2,500 mJ.
    EXPECT_NEAR(shared->phases_mj[1], 2500.0 * 3000.0 / 4250.0, 1e-9);
    EXPECT_NEAR(shared->phases_mj[0], 7500.0 + 2500.0 * 1250.0 / 4250.0, 1e-9);
    EXPECT_NEAR(shared->rest_mj, 0.0, 1e-9);
}

TEST(ShareEnergy, SixteenOverlappingStreamsCloseToTheGroup)
{
    std::mt19937 random(11);
    const auto between = [&](int least, int most) {
        return least + static_cast<int>(random() % static_cast<unsigned>(most - least));
    };
    for (int round = 0; round < 20; ++round) {
        const auto samples = samplesFor(300, static_cast<unsigned>(round));
        std::vector<SharedPhase> phases;
        for (std::size_t request = 0; request < 16; ++request) {
            const Nanoseconds begin = between(0, 20'000'000) * 1000LL;
            const Nanoseconds first = begin + between(1, 3'000'000) * 1000LL;
            const Nanoseconds end = first + between(1, 6'000'000) * 1000LL;
            phases.push_back(
                {request, {begin, first}, static_cast<double>(between(1, 2000)), 3.25});
            phases.push_back({request, {first, end}, static_cast<double>(between(1, 500)), 47.5});
        }
        const auto shared = shareEnergy(samples, {0, 30'000 * kMs}, phases);
        ASSERT_TRUE(shared);
        double sum = shared->rest_mj;
        for (const double part : shared->phases_mj) {
            EXPECT_GT(part, 0.0);
            sum += part;
        }
        EXPECT_NEAR(sum / shared->total_mj, 1.0, 1e-9);
    }
}

TEST(ShareEnergy, LeavesWhatNobodyUsed)
{
    const auto samples = samplesFor(10);
    const auto alone = shareEnergy(samples, {0, 1000 * kMs}, {});
    ASSERT_TRUE(alone);
    EXPECT_DOUBLE_EQ(alone->rest_mj, alone->total_mj);
    // A phase without tokens gets nothing.
    const std::vector<SharedPhase> empty{{0, {0, 500 * kMs}, 0.0, 50.0}};
    EXPECT_DOUBLE_EQ(shareEnergy(samples, {0, 1000 * kMs}, empty)->phases_mj[0], 0.0);
    // Time without samples is missing, not free.
    EXPECT_FALSE(shareEnergy(samples, {0, 1200 * kMs}, {}));
}

} // namespace
} // namespace ep::energy
