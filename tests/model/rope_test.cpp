// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ep::model {
namespace {

ModelConfig config(int headDim, double theta)
{
    ModelConfig config;
    config.head_dim = headDim;
    config.rope_theta = theta;
    config.max_position_embeddings = 512;
    return config;
}

TEST(RopeTest, frequenciesFallGeometrically)
{
    const auto frequencies = inverseFrequencies(config(8, 10000.0));
    ASSERT_EQ(frequencies.size(), 4U);
    EXPECT_FLOAT_EQ(frequencies[0], 1.0F);
    EXPECT_FLOAT_EQ(frequencies[1], 0.1F);
    EXPECT_FLOAT_EQ(frequencies[2], 0.01F);
    EXPECT_FLOAT_EQ(frequencies[3], 0.001F);
}

TEST(RopeTest, onlyAShareOfTheHeadTurns)
{
    ModelConfig partial = config(20, 10000.0);
    partial.partial_rotary_factor = 0.4; // 8 of 20
    const auto frequencies = inverseFrequencies(partial);
    ASSERT_EQ(frequencies.size(), 4U);
    EXPECT_FLOAT_EQ(frequencies[1], 0.1F);
}

TEST(RopeTest, linearScalingDividesEveryFrequency)
{
    ModelConfig scaled = config(8, 10000.0);
    scaled.rope_scaling = {.kind = RopeScaling::Kind::Linear, .factor = 4.0};
    EXPECT_FLOAT_EQ(inverseFrequencies(scaled)[1], 0.025F);
}

// Frequencies 1, 0.1, 0.01, 0.001 have waves of 6.28, 62.8, 628, 6283 positions. With an original
// context of 100, high factor 4 and low factor 1: waves below 25 stay, those above 100 are divided,
// and 62.8 is blended with (100 / 62.83 - 1) / 3 = 0.1972.
TEST(RopeTest, llama3ScalingKeepsShortWavesAndStretchesLongOnes)
{
    ModelConfig scaled = config(8, 10000.0);
    scaled.rope_scaling = {.kind = RopeScaling::Kind::Llama3,
                           .factor = 8.0,
                           .low_freq_factor = 1.0,
                           .high_freq_factor = 4.0,
                           .original_max_position_embeddings = 100};
    const auto frequencies = inverseFrequencies(scaled);
    EXPECT_FLOAT_EQ(frequencies[0], 1.0F);
    EXPECT_NEAR(frequencies[1], (1 - 0.197183) * 0.1 / 8 + 0.197183 * 0.1, 1e-6);
    EXPECT_FLOAT_EQ(frequencies[2], 0.01F / 8);
    EXPECT_FLOAT_EQ(frequencies[3], 0.001F / 8);
}

TEST(RopeTest, anglesArePositionTimesFrequency)
{
    const std::vector<float> frequencies{1.0F, 0.25F};
    std::vector<float> cosines(4);
    std::vector<float> sines(4);
    rotaryAngles(frequencies, 7, 2, cosines.data(), sines.data());
    const std::vector<double> angles{7.0, 1.75, 8.0, 2.0};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(cosines[i], std::cos(angles[i]), 1e-6);
        EXPECT_NEAR(sines[i], std::sin(angles[i]), 1e-6);
    }
}

} // namespace
} // namespace ep::model
