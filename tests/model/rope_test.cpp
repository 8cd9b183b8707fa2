// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"
#include "support/folders.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using Kind = RopeScaling::Kind;

// Heads of 8 dimensions: pairs with frequencies 1, 0.1, 0.01 and 0.001 for a base of 10000.
ModelConfig heads(int dimensions = 8, const char* type = "llama")
{
    ModelConfig config;
    config.model_type = type;
    config.head_dim = dimensions;
    config.max_position_embeddings = 512;
    return config;
}

void expectFrequencies(const Rope& rope, std::int64_t length, const std::vector<double>& expected)
{
    const std::span<const float> frequencies = rope.frequencies(length);
    ASSERT_EQ(frequencies.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(frequencies[i] / expected[i], 1.0, 1e-6) << i << " at " << length;
}

TEST(RopeTest, FrequenciesFallGeometrically)
{
    expectFrequencies(Rope(heads(), {}), 1, {1.0, 0.1, 0.01, 0.001});
    expectFrequencies(Rope(heads(), {.theta = 16.0, .scaling = {}}), 1, {1.0, 0.5, 0.25, 0.125});
}

TEST(RopeTest, OnlyAShareOfTheHeadTurns)
{
    ModelConfig partial = heads(20);
    partial.partial_rotary_factor = 0.4; // rotates 8 of 20 dimensions
    expectFrequencies(Rope(partial, {}), 1, {1.0, 0.1, 0.01, 0.001});
}

TEST(RopeTest, LinearScalingDividesEveryFrequency)
{
    const RopeSettings settings{.scaling = {.kind = Kind::Linear, .factor = 4.0}};
    expectFrequencies(Rope(heads(), settings), 1, {0.25, 0.025, 0.0025, 0.00025});
}

// Waves of 6.28, 62.8, 628, 6283 positions. With an original context of 100, high factor 4 and low
// factor 1, waves below 25 are kept, those above 100 are divided, and 62.8 is blended with (100 /
// 62.83 - 1) / 3 = 0.1972.
TEST(RopeTest, Llama3ScalingKeepsShortWavesAndStretchesLongOnes)
{
    const RopeSettings settings{.scaling = {.kind = Kind::Llama3,
                                            .factor = 8.0,
                                            .original_max_position_embeddings = 100,
                                            .low_freq_factor = 1.0,
                                            .high_freq_factor = 4.0}};
    const double smooth = (100.0 * 0.1 / (2 * std::numbers::pi) - 1) / 3;
    expectFrequencies(Rope(heads(), settings), 1,
                      {1.0, (1 - smooth) * 0.1 / 8 + smooth * 0.1, 0.01 / 8, 0.001 / 8});
}

// At a length of 150 the base becomes 10000 (2 x 150 / 100 - 1)^(8 / 6).
TEST(RopeTest, DynamicScalingGrowsTheBaseWithTheLength)
{
    const RopeSettings settings{
        .scaling = {.kind = Kind::Dynamic, .factor = 2.0, .original_max_position_embeddings = 100}};
    const Rope rope(heads(), settings);
    const double base = 10000.0 * std::pow(2.0, 8.0 / 6.0);
    expectFrequencies(rope, 100, {1.0, 0.1, 0.01, 0.001});
    expectFrequencies(rope, 150,
                      {1.0, std::pow(base, -0.25), std::pow(base, -0.5), std::pow(base, -0.75)});
    expectFrequencies(rope, 99, {1.0, 0.1, 0.01, 0.001});
    EXPECT_FALSE(rope.startsAnew(100, 101));
}

// The pair with r turns in a context of 1000 is 8 ln(1000 / (2 pi r)) / (2 ln 10000): 0.6954 for r
// = 32 (below: kept), 2.2014 for r = 1 (above: divided). Rounded outwards, this is 0 and 3.
TEST(RopeTest, YarnKeepsFastPairsAndStretchesSlowOnes)
{
    RopeSettings settings{
        .scaling = {.kind = Kind::Yarn, .factor = 4.0, .original_max_position_embeddings = 1000}};
    expectFrequencies(Rope(heads(), settings), 1,
                      {1.0, 0.1 * (0.25 / 3 + 2.0 / 3), 0.01 * (0.5 / 3 + 1.0 / 3), 0.001 / 4});
    settings.scaling.truncate = false;
    const double low = 8 * std::log(1000 / (64 * std::numbers::pi)) / (2 * std::log(10000.0));
    const double high = 8 * std::log(1000 / (2 * std::numbers::pi)) / (2 * std::log(10000.0));
    const double one = (1 - low) / (high - low);
    const double two = (2 - low) / (high - low);
    expectFrequencies(Rope(heads(), settings), 1,
                      {1.0, 0.1 * (one / 4 + 1 - one), 0.01 * (two / 4 + 1 - two), 0.001 / 4});
}

TEST(RopeTest, LongropeChangesItsFactorsPastTheOriginalContext)
{
    const RopeSettings settings{.scaling = {.kind = Kind::Longrope,
                                            .original_max_position_embeddings = 64,
                                            .attention_factor = 1.5,
                                            .short_factor = {1.0, 1.0, 2.0, 4.0},
                                            .long_factor = {1.0, 2.0, 8.0, 16.0}}};
    const Rope rope(heads(8, "phi3"), settings);
    expectFrequencies(rope, 64, {1.0, 0.1, 0.005, 0.00025});
    expectFrequencies(rope, 65, {1.0, 0.05, 0.00125, 0.0000625});
    EXPECT_TRUE(rope.startsAnew(64, 65));
    EXPECT_TRUE(rope.startsAnew(3, 70));
    EXPECT_FALSE(rope.startsAnew(65, 66));
    EXPECT_FALSE(rope.startsAnew(63, 64));
    EXPECT_FALSE(Rope(heads(), settings).startsAnew(64, 65)); // only Phi 3 discards its cache
}

// 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)): every step is rounded to f32, including
// the exponent, which changes the sixth digit of a frequency.
TEST(RopeTest, FrequenciesAreRoundedAtEveryStepAsTensorsAre)
{
    struct Case {
        int dimensions;
        double theta;
        RopeScaling scaling;
        float (*scaled)(float wave);
    };
    const std::vector<Case> cases{
        {96, 10000.0, {}, [](float wave) { return 1.0F / wave; }},
        {20, 500000.0, {}, [](float wave) { return 1.0F / wave; }},
        {80,
         1e6,
         {.kind = Kind::Linear, .factor = 3.0},
         [](float wave) { return 1.0F / wave / 3.0F; }},
        {128,
         1e4,
         {.kind = Kind::Longrope,
          .short_factor = std::vector<double>(64, 1.3),
          .long_factor = std::vector<double>(64, 1.3)},
         [](float wave) { return 1.0F / (1.3F * wave); }},
    };
    for (const Case& c : cases) {
        const Rope rope(heads(c.dimensions), {.theta = c.theta, .scaling = c.scaling});
        const std::span<const float> frequencies = rope.frequencies(1);
        ASSERT_EQ(frequencies.size(), static_cast<std::size_t>(c.dimensions / 2));
        for (int i = 0; i < c.dimensions; i += 2) {
            const float exponent = static_cast<float>(i) / static_cast<float>(c.dimensions);
            const float wave = std::pow(static_cast<float>(c.theta), exponent);
            EXPECT_EQ(frequencies[static_cast<std::size_t>(i / 2)], c.scaled(wave))
                << c.dimensions << " " << i;
        }
    }
}

TEST(RopeTest, AnglesArePositionTimesFrequencyAndScaled)
{
    const RopeSettings settings{.theta = 16.0,
                                .scaling = {.kind = Kind::Yarn,
                                            .factor = 1.0,
                                            .original_max_position_embeddings = 64,
                                            .attention_factor = 1.5}};
    const Rope rope(heads(4), settings);
    ASSERT_EQ(rope.pairs(), 2);
    std::vector<float> cosines(4);
    std::vector<float> sines(4);
    rope.angles(7, 2, cosines.data(), sines.data());
    const std::vector<double> angles{7.0, 1.75, 8.0, 2.0};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(cosines[i], 1.5 * std::cos(angles[i]), 1e-6);
        EXPECT_NEAR(sines[i], 1.5 * std::sin(angles[i]), 1e-6);
    }
}

// Phi-3.5 MoE has one factor of cosines and sines for each side of the original context.
TEST(RopeTest, LongropeMayHaveAnotherMagnitudeBeyondTheOriginalContext)
{
    const RopeSettings settings{.scaling = {.kind = Kind::Longrope,
                                            .original_max_position_embeddings = 4,
                                            .attention_factor = 1.25,
                                            .long_attention_factor = 1.5,
                                            .short_factor = {1.0, 1.0, 1.0, 1.0},
                                            .long_factor = {1.0, 1.0, 1.0, 1.0}}};
    const Rope rope(heads(), settings);
    std::vector<float> cosines(5 * 4);
    std::vector<float> sines(5 * 4);
    rope.angles(0, 4, cosines.data(), sines.data());
    EXPECT_EQ(cosines.front(), 1.25F);
    rope.angles(0, 5, cosines.data(), sines.data());
    EXPECT_EQ(cosines.front(), 1.5F);
}

using Json = nlohmann::json;

void expectFrequencies(const Rope& rope, std::int64_t length, const Json& expected, double factor,
                       const std::string& what)
{
    const std::span<const float> frequencies = rope.frequencies(length);
    ASSERT_EQ(frequencies.size(), expected.size()) << what;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double value = expected[i];
        ASSERT_NEAR(frequencies[i], value, 2e-6 * value) << what << ", pair " << i;
    }
    std::vector<float> cosines(frequencies.size());
    std::vector<float> sines(frequencies.size());
    rope.angles(0, 1, cosines.data(), sines.data());
    ASSERT_NEAR(cosines[0], factor, 1e-6) << what;
}

// The results of transformers 5 for the same config.json (tests/data/rope/make_goldens.py): every
// kind of scaling with both key names, optional keys, and files of several versions.
TEST(RopeGoldensTest, EveryConfigurationRotatesAsInTransformers)
{
    std::ifstream file(test::dataPath("rope/goldens.json"));
    const Json rows = Json::parse(file);
    EXPECT_GE(rows.size(), 200U);
    const test::TempFolder folder;
    for (const Json& row : rows) {
        const std::string text = row["config"].dump();
        test::writeText(folder / "config.json", text);
        const auto config = readModelConfig(folder.path());
        ASSERT_TRUE(config) << config.error().message << "\n" << text;
        const Rope full(*config, config->rope);
        const Rope sliding(*config, config->local_rope.value_or(config->rope));
        for (const Json& golden : row["lengths"]) {
            const auto length = golden["length"].get<std::int64_t>();
            expectFrequencies(full, length, golden["full"], golden["factor"], text);
            if (golden.contains("sliding"))
                expectFrequencies(sliding, length, golden["sliding"], golden["sliding_factor"],
                                  text);
        }
    }
}

} // namespace
} // namespace ep::model
