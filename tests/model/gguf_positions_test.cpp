// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/gguf_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;
using Kind = RopeScaling::Kind;
using Writer = test::GgufWriter;

Result<ModelConfig> read(const std::string& architecture,
                         const std::function<void(Writer&)>& addKeys)
{
    const test::TempFolder folder;
    Writer writer = test::smallGguf(architecture); // heads of 8 dimensions, a context of 128
    writer.real(architecture + ".rope.freq_base", 5000.0F);
    addKeys(writer);
    writer.write(folder / "m.gguf");
    return readModelConfig(folder / "m.gguf");
}

struct ConverterCase {
    const char* name;
    std::function<void(Writer&)> keys;
    RopeScaling expected;
};

const double kUsualFactor = 0.1 * std::log(4.0) + 1.0;

RopeScaling yarnWith(const std::function<void(RopeScaling&)>& change)
{
    RopeScaling scaling{.kind = Kind::Yarn,
                        .factor = 4.0,
                        .original_max_position_embeddings = 32,
                        .attention_factor = kUsualFactor};
    change(scaling);
    return scaling;
}

const RopeScaling kYarn = yarnWith([](RopeScaling&) {});
const RopeScaling kLinear{
    .kind = Kind::Linear, .factor = 4.0, .original_max_position_embeddings = 128};

void asYarn(Writer& w)
{
    w.text("llama.rope.scaling.type", "yarn");
    w.real("llama.rope.scaling.factor", 4.0F);
    w.number("llama.rope.scaling.original_context_length", 32);
}

// The keys that llama.cpp's converter writes, and the transformers settings that they represent.
const std::vector<ConverterCase> kConverterCases = {
    {"nothing", [](Writer&) {}, {}},
    {"none",
     [](Writer& w) {
         w.text("llama.rope.scaling.type", "none"), w.real("llama.rope.scaling.factor", 4.0F);
     },
     {}},
    {"linear",
     [](Writer& w) {
         w.text("llama.rope.scaling.type", "linear"), w.real("llama.rope.scaling.factor", 4.0F);
     },
     kLinear},
    {"a factor without a type", [](Writer& w) { w.real("llama.rope.scaling.factor", 4.0F); },
     kLinear},
    {"files of 2023", [](Writer& w) { w.real("llama.rope.scale_linear", 4.0F); }, kLinear},
    {"yarn", asYarn, kYarn},
    {"its context",
     [](Writer& w) {
         w.text("llama.rope.scaling.type", "yarn"), w.real("llama.rope.scaling.factor", 4.0F);
     },
     yarnWith([](auto& s) { s.original_max_position_embeddings = 128; })},
    {"beta_fast", [](Writer& w) { asYarn(w), w.real("llama.rope.scaling.yarn_beta_fast", 8.0F); },
     yarnWith([](auto& s) { s.beta_fast = 8.0; })},
    {"beta_slow", [](Writer& w) { asYarn(w), w.real("llama.rope.scaling.yarn_beta_slow", 2.0F); },
     yarnWith([](auto& s) { s.beta_slow = 2.0; })},
    {"attention factor",
     [](Writer& w) { asYarn(w), w.real("llama.rope.scaling.yarn_attn_factor", 0.5F); },
     yarnWith([](auto& s) { s.attention_factor = 0.5; })},
    {"factor of the attention factor",
     [](Writer& w) { asYarn(w), w.real("llama.rope.scaling.attn_factor", 0.5F); },
     yarnWith([](auto& s) { s.attention_factor = 0.5 * kUsualFactor; })},
    {"mscale_all_dim",
     [](Writer& w) { asYarn(w), w.real("llama.rope.scaling.yarn_log_multiplier", 0.5F); },
     yarnWith(
         [](auto& s) { s.attention_factor = kUsualFactor / (0.1 * 0.5 * std::log(4.0) + 1.0); })},
    {"extrapolation",
     [](Writer& w) {
         asYarn(w), w.real("llama.rope.scaling.yarn_ext_factor", 1.0F),
             w.flag("llama.rope.scaling.finetuned", true);
     },
     kYarn},
    {"sections",
     [](Writer& w) {
         w.numbers("llama.rope.dimension_sections", {1, 1, 2, 0});
     },
     {}},
    {"unset", [](Writer& w) { w.real("llama.rope.scaling.yarn_ext_factor", -1.0F); }, {}},
    {"Llama 3 and linear",
     [](Writer& w) {
         w.real("llama.rope.scaling.factor", 4.0F);
         w.tensor("rope_freqs.weight", {4}, {1.0F, 1.0F, 2.0F, 8.0F});
     },
     {.kind = Kind::Longrope,
      .factor = 1.0,
      .original_max_position_embeddings = 128,
      .short_factor = {4.0, 4.0, 8.0, 32.0},
      .long_factor = {4.0, 4.0, 8.0, 32.0}}},
};

TEST(GgufPositionsTest, ReadsEveryKeyOfTheConverter)
{
    for (const ConverterCase& c : kConverterCases) {
        const auto config = read("llama", c.keys);
        ASSERT_TRUE(config) << c.name << ": " << config.error().message;
        EXPECT_EQ(config->rope.theta, 5000.0) << c.name;
        RopeScaling scaling = config->rope.scaling;
        EXPECT_NEAR(scaling.attention_factor, c.expected.attention_factor, 1e-9) << c.name;
        scaling.attention_factor = c.expected.attention_factor;
        EXPECT_EQ(scaling, c.expected) << c.name;
    }
}

TEST(GgufPositionsTest, LayersWithAWindowMayHaveAnotherBase)
{
    const auto config = read("gemma3", [](Writer& w) {
        w.real("gemma3.rope.freq_base_swa", 300.0F);
        w.number("gemma3.attention.sliding_window", 16);
        w.text("gemma3.rope.scaling.type", "linear");
        w.real("gemma3.rope.scaling.factor", 8.0F);
    });
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->rope.scaling.kind, Kind::Linear);
    ASSERT_TRUE(config->local_rope);
    EXPECT_EQ(config->local_rope->theta, 300.0);
    EXPECT_EQ(config->local_rope->scaling.kind, Kind::None);
}

TEST(GgufPositionsTest, NamesTheKeysThatItDoesNotKnow)
{
    const struct {
        std::function<void(Writer&)> keys;
        const char* key;
    } kCases[] = {
        {[](Writer& w) { w.real("llama.rope.scaling.alpha", 50.0F); }, "llama.rope.scaling.alpha"},
        {[](Writer& w) { w.real("llama.rope.spiral", 1.0F); }, "llama.rope.spiral"},
        {[](Writer& w) { w.real("llama.rope.scaling.yarn_ext_factor", 0.5F); },
         "llama.rope.scaling.yarn_ext_factor"},
        {[](Writer& w) { w.number("llama.rope.dimension_count_swa", 4); },
         "llama.rope.dimension_count_swa"},
        {[](Writer& w) { w.real("llama.rope.scaling.attn_factor", 1.5F); },
         "llama.rope.scaling.attn_factor"},
        {[](Writer& w) { w.real("llama.attention.temperature_scale", 0.1F); },
         "llama.attention.temperature_scale"},
        {[](Writer& w) {
             w.text("llama.rope.scaling.type", "yarn");
             w.tensor("rope_freqs.weight", {4}, {1.0F, 1.0F, 2.0F, 8.0F});
         },
         "llama.rope.scaling.type"},
    };
    for (const auto& c : kCases) {
        const auto config = read("llama", c.keys);
        ASSERT_FALSE(config) << c.key;
        EXPECT_EQ(config.error().code, ErrorCode::Unsupported) << c.key;
        EXPECT_THAT(
            config.error().message,
            HasSubstr(std::string(c.key) + "\"] is a setting of positions that this program"));
    }
}

} // namespace
} // namespace ep::model
