// SPDX-License-Identifier: GPL-3.0-or-later
// MLX folders whose config.json omits or misstates how tensors were quantized.
#include "mlx/mlx_entries.h"
#include "packed_fixture.h"

#include <cstdint>
#include <optional>

namespace ep::model {
namespace {

using testing::HasSubstr;

constexpr MlxLayer affine(int bits, int group)
{
    return {bits, group, MlxMode::Affine};
}

TEST(MlxShapesTest, TheShapesTellHowATensorWasQuantised)
{
    constexpr MlxLayer kMxfp4{4, 32, MlxMode::Mxfp4};
    constexpr MlxLayer kMxfp8{8, 32, MlxMode::Mxfp8};
    constexpr MlxLayer kNvfp4{4, 16, MlxMode::Nvfp4};
    const struct {
        const char* name;
        MlxPacked packed;
        std::optional<MlxLayer> stated;
        MlxLayer usual;
        std::optional<MlxLayer> expected;
    } kCases[] = {
        {"as stated", {16, 2, true, 128}, affine(4, 64), affine(8, 32), affine(4, 64)},
        {"as usual", {16, 2, true, 0}, {}, affine(4, 64), affine(4, 64)},
        {"usual would fit, but not the columns",
         {48, 6, true, 192},
         {},
         affine(4, 64),
         affine(8, 32)},
        {"stated would fit, but not the columns",
         {48, 6, true, 192},
         affine(4, 64),
         affine(4, 64),
         affine(8, 32)},
        {"6 bits", {24, 2, true, 128}, {}, affine(4, 64), affine(6, 64)},
        {"the stated bits are wrong",
         {24, 2, true, 128},
         affine(4, 64),
         affine(4, 64),
         affine(6, 64)},
        {"columns that no setting has", {16, 2, true, 100}, {}, affine(8, 32), affine(8, 32)},
        {"nothing is stated", {20, 2, true, 0}, {}, {}, affine(5, 64)},
        {"said not to be quantized", {16, 2, true, 128}, MlxLayer{}, affine(8, 64), affine(4, 64)},
        {"mxfp4", {16, 4, false, 0}, {}, affine(4, 64), kMxfp4},
        {"mxfp8", {32, 4, false, 0}, {}, affine(4, 64), kMxfp8},
        {"nvfp4", {6, 3, false, 0}, affine(4, 64), affine(4, 64), kNvfp4},
        {"nvfp4 in a folder of mxfp4", {16, 8, false, 128}, {}, kMxfp4, kNvfp4},
        {"scales of bytes that fit nothing", {16, 5, false, 0}, {}, kMxfp4, {}},
        {"no scales", {16, 0, true, 128}, {}, affine(4, 64), {}},
        {"6 bits in groups of 64, or 3 of 128", {12, 1, true, 0}, {}, affine(4, 64), affine(6, 64)},
        {"an empty tensor of scales", {16, INT64_MAX / 2, true, 0}, {}, affine(4, 64), {}},
        {"7 bits", {28, 2, true, 128}, {}, affine(4, 64), {}},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(settledLayer(c.packed, c.stated ? &*c.stated : nullptr, c.usual), c.expected)
            << c.name;
    }
}

class MlxFolderTest : public PackedTest {
protected:
    static ModelConfig config(int hidden)
    {
        ModelConfig config;
        config.architecture = "LlamaForCausalLM";
        config.hidden_size = hidden;
        config.mlx.usual = affine(4, 64);
        return config;
    }
    // Adds a matrix with a single bit pattern; only its shapes matter.
    static void add(std::vector<Part>& parts, const std::string& prefix, std::int64_t rows,
                    std::int64_t words, std::int64_t groups)
    {
        parts.push_back({prefix + ".weight",
                         "U32",
                         {rows, words},
                         std::vector<std::byte>(static_cast<std::size_t>(rows * words * 4))});
        for (const char* const ending : {".scales", ".biases"})
            parts.push_back(test::makeTensor(
                prefix + ending, {rows, groups},
                std::vector<float>(static_cast<std::size_t>(rows * groups), 1.0F)));
    }
};

TEST_F(MlxFolderTest, MatricesBesideItTellTheColumnsOfOne)
{
    std::vector<Part> parts;
    add(parts, "model.layers.0.mlp.up_proj", 192, 16, 2); // 4 bits, groups of 64
    add(parts, "model.layers.0.mlp.down_proj", 128, 48, 6); // 8 bits, groups of 32
    add(parts, "model.layers.0.self_attn.q_proj", 256, 16, 2);
    add(parts, "model.layers.0.self_attn.o_proj", 128, 64, 4); // 8 bits, groups of 64
    add(parts, "lm_head", 5, 24, 2); // 6 bits
    for (const bool said : {true, false}) { // the result is the same without config.json's settings
        ModelConfig of = config(128);
        if (!said)
            of.mlx = {};
        const auto opened = open(parts, of);
        ASSERT_TRUE(opened) << opened.error().message;
        const auto typeOf = [&](const char* name, std::int64_t columns) {
            const auto* const entry = opened->find(name);
            EXPECT_EQ(entry->tensor.shape.back(), columns) << name;
            return entry->tensor.dtype;
        };
        EXPECT_EQ(typeOf("model.layers.0.mlp.up_proj.weight", 128), "MLX4");
        EXPECT_EQ(typeOf("model.layers.0.mlp.down_proj.weight", 192), "MLX8");
        EXPECT_EQ(typeOf("model.layers.0.self_attn.o_proj.weight", 256), "MLX8");
        EXPECT_EQ(typeOf("lm_head.weight", 128), "MLX6");
    }
}

TEST_F(MlxFolderTest, WhatTextDoesNotNeedStaysAsItIs)
{
    std::vector<Part> parts;
    add(parts, "model.layers.0.mlp.up_proj", 64, 16, 2);
    parts.push_back({"vision_tower.x.weight", "U32", {3}, std::vector<std::byte>(12)});
    parts.push_back({"mtp.fc.weight", "U32", {2, 3}, std::vector<std::byte>(24)});
    const auto opened = open(parts, config(128));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->find("mtp.fc.weight")->tensor.dtype, "U32");
    parts.push_back(
        {"model.layers.0.mlp.gate_proj.weight", "U32", {3}, std::vector<std::byte>(12)});
    EXPECT_THAT(open(parts, config(128)).error().message,
                HasSubstr("gate_proj.weight (U32) in " + m_folder.path().string()
                          + " has the shape 3, not rows x words or experts x rows x words"));
}

TEST_F(MlxFolderTest, NamesBehindAWrapperAreThoseOfTheModel)
{
    const auto opened =
        open({test::makeTensor("language_model.model.norm.weight", {4}, {1, 2, 3, 4}),
              test::makeTensor("language_model.lm_head.weight", {1, 2}, {1, 2})},
             config(4));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_NE(opened->find("model.norm.weight"), nullptr);
    EXPECT_NE(opened->find("lm_head.weight"), nullptr);
}

constexpr std::array<float, 16> kE2M1Values{0.0F, 0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
                                            0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};

// Groups of 16: rows of 48 are not multiples of the kernels' step.
TEST_F(MlxFolderTest, RowsOfNvfp4NeedOnlyWholeGroups)
{
    for (const std::int64_t columns : {48, 64}) {
        for (const float global : {0.0F, 672.0F}) { // 0: no global scale
            constexpr std::int64_t kExperts = 2;
            constexpr std::int64_t kRows = 3;
            std::vector<std::uint8_t> numbers;
            for (std::int64_t i = 0; i < kExperts * kRows * columns / 2; ++i)
                numbers.push_back(static_cast<std::uint8_t>(i * 37 + 5));
            std::vector<std::uint8_t> scales;
            for (std::int64_t i = 0; i < kExperts * kRows * columns / 16; ++i)
                scales.push_back(static_cast<std::uint8_t>(0x38 + i % 3 * 8)); // 1, 2, 4
            const std::string prefix = "model.layers.0.mlp.switch_mlp.down_proj";
            std::vector<Part> parts{
                {prefix + ".weight", "U32", {kExperts, kRows, columns / 8}, bytesOf(numbers)},
                {prefix + ".scales", "U8", {kExperts, kRows, columns / 16}, bytesOf(scales)}};
            if (global != 0.0F)
                parts.push_back(
                    test::makeTensor(prefix + ".global_scale", {kExperts}, {global, 2 * global}));
            ModelConfig of = config(kRows);
            of.architecture = "Qwen3MoeForCausalLM";
            of.moe.experts = kExperts;
            of.mlx.usual = {4, 16, MlxMode::Nvfp4};
            const auto opened = open(parts, of);
            ASSERT_TRUE(opened) << opened.error().message;
            for (std::int64_t expert = 0; expert < kExperts; ++expert) {
                std::string type;
                const auto found = values(*opened,
                                          "model.layers.0.mlp.experts." + std::to_string(expert)
                                              + ".down_proj.weight",
                                          type);
                EXPECT_EQ(type, columns % 32 == 0 ? "MLX_NVFP4" : "F32");
                ASSERT_EQ(found.size(), static_cast<std::size_t>(kRows * columns));
                // 448 x 6 is the largest product, so 672 is a quarter.
                const float factor = global == 0.0F ? 1.0F : 0.25F * static_cast<float>(expert + 1);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    const std::size_t at = i + static_cast<std::size_t>(expert * kRows * columns);
                    const float number = kE2M1Values[numbers[at / 2] >> 4 * (at % 2) & 15U];
                    const float scale = std::ldexp(1.0F, static_cast<int>(at / 16 % 3));
                    ASSERT_EQ(found[i], number * scale * factor) << columns << ", " << i;
                }
            }
        }
    }
}

} // namespace
} // namespace ep::model
