// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <string>

namespace ep::model {
namespace {

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
    std::ifstream file(EP_TEST_DATA_DIR "/rope/goldens.json");
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
