// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed_fixture.h"

namespace ep::model {
namespace {

// E2M1 with E4M3 scales, and one scale for the whole matrix.
TEST_F(PackedTest, CompressedTensorsOfNvfp4)
{
    constexpr std::array<float, 16> kNumbers{0.0F, 0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
                                             0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};
    std::vector<std::uint8_t> numbers;
    for (int i = 0; i < 4 * 32; ++i)
        numbers.push_back(static_cast<std::uint8_t>(i * 37));
    std::vector<std::uint8_t> scales;
    for (int i = 0; i < 4 * 4; ++i)
        scales.push_back(static_cast<std::uint8_t>(0x38 + i % 3 * 8)); // 1, 2, 4
    const auto opened = open({{"x.weight_packed", "U8", {4, 32}, bytesOf(numbers)},
                              {"x.weight_scale", "F8_E4M3", {4, 4}, bytesOf(scales)},
                              test::makeTensor("x.weight_global_scale", {1}, {8.0F}, "F32")},
                             {.method = PackedMethod::CompressedTensors});
    ASSERT_TRUE(opened) << opened.error().message;
    std::string type;
    const auto found = values(*opened, "x.weight", type);
    EXPECT_EQ(type, "MLX_NVFP4");
    for (std::size_t i = 0; i < found.size(); ++i) {
        const float number = kNumbers[numbers[i / 2] >> 4 * (i % 2) & 15U];
        const float scale = std::ldexp(1.0F, static_cast<int>(i / 16 % 3));
        EXPECT_EQ(found[i], number * scale / 8.0F) << i;
    }
}

float valueOfFp8(unsigned bits)
{
    const int exponent = static_cast<int>(bits >> 3U & 15U);
    const auto fraction = static_cast<float>(bits & 7U);
    const float magnitude =
        exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(1.0F + fraction / 8.0F, exponent - 7);
    return bits & 0x80U ? -magnitude : magnitude;
}

// DeepSeek's definition: block (i / 128, j / 128), even if the last block is partial.
TEST_F(PackedTest, Fp8)
{
    constexpr std::int64_t kRows = 200;
    for (const std::int64_t columns : {192, 200}) { // 200 is not a multiple of 32
        std::vector<std::uint8_t> numbers;
        for (std::int64_t i = 0; i < kRows * columns; ++i) {
            const auto byte = static_cast<std::uint8_t>(i * 29);
            numbers.push_back((byte & 0x7FU) == 0x7FU ? 0 : byte);
        }
        const auto expect = [&](const Part& scales, const auto& scaleOf) {
            const auto opened =
                open({{"x.weight", "F8_E4M3", {kRows, columns}, bytesOf(numbers)}, scales},
                     {.method = PackedMethod::Fp8});
            ASSERT_TRUE(opened) << opened.error().message;
            std::string type;
            const auto found = values(*opened, "x.weight", type);
            EXPECT_EQ(type, columns == 192 ? "FP8" : "F32");
            for (std::int64_t i = 0; i < kRows * columns; ++i) {
                const auto at = static_cast<std::size_t>(i);
                ASSERT_EQ(found[at], valueOfFp8(numbers[at]) * scaleOf(i / columns, i % columns))
                    << i;
            }
        };
        const std::vector<float> four{0.5F, 0.25F, 2.0F, 0.75F};
        expect(test::makeTensor("x.weight_scale_inv", {2, 2}, four),
               [&](std::int64_t row, std::int64_t i) {
                   return four[static_cast<std::size_t>(row / 128 * 2 + i / 128)];
               });
        std::vector<float> ofRows;
        for (std::int64_t row = 0; row < kRows; ++row)
            ofRows.push_back(static_cast<float>(row + 1) / 64.0F);
        expect(
            test::makeTensor("x.weight_scale", {kRows, 1}, ofRows),
            [&](std::int64_t row, std::int64_t) { return ofRows[static_cast<std::size_t>(row)]; });
        expect(test::makeTensor("x.weight_scale", {}, {0.125F}),
               [](std::int64_t, std::int64_t) { return 0.125F; });
    }
}

TEST_F(PackedTest, Mxfp4OfGptOss)
{
    std::vector<std::uint8_t> numbers;
    for (int i = 0; i < 2 * 3 * 2 * 16; ++i)
        numbers.push_back(static_cast<std::uint8_t>(i * 37));
    std::vector<std::uint8_t> scales;
    for (int i = 0; i < 2 * 3 * 2; ++i)
        scales.push_back(static_cast<std::uint8_t>(120 + i));
    const auto opened = open({{"x.down_proj_blocks", "U8", {2, 3, 2, 16}, bytesOf(numbers)},
                              {"x.down_proj_scales", "U8", {2, 3, 2}, bytesOf(scales)}},
                             {.method = PackedMethod::Mxfp4});
    ASSERT_TRUE(opened) << opened.error().message;
    ASSERT_NE(opened->find("x.down_proj"), nullptr);
    EXPECT_EQ(opened->find("x.down_proj")->tensor.shape, (std::vector<std::int64_t>{2, 3, 64}));
    std::string type;
    const auto found = values(*opened, "x.down_proj", type);
    EXPECT_EQ(type, "MLX_MXFP4");
    constexpr std::array<float, 8> kNumbers{0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const unsigned code = numbers[i / 2] >> 4 * (i % 2) & 15U;
        const float number = (code & 8U ? -1.0F : 1.0F) * kNumbers[code & 7U];
        EXPECT_EQ(found[i], std::ldexp(number, scales[i / 32] - 127)) << i;
    }
    const auto expert = opened->find("x.down_proj")->slice(1);
    EXPECT_EQ(expert.tensor.shape, (std::vector<std::int64_t>{3, 64}));
    EXPECT_EQ(expert.groups->scales.tensor.bytes.size(), 6U);
}

TEST_F(PackedTest, BitsAndBytes)
{
    std::vector<float> table;
    for (int i = 0; i < 16; ++i)
        table.push_back(std::tanh(static_cast<float>(i - 7) / 4.0F));
    std::vector<std::uint8_t> numbers;
    for (int i = 0; i < 4 * 64 / 2; ++i)
        numbers.push_back(static_cast<std::uint8_t>(i * 53));
    const std::vector<float> largest{0.5F, 2.0F, 1.5F, 3.0F};
    const std::string state = R"({"quant_type":"nf4","blocksize":64,"shape":[4,64]})";
    const std::vector<char> text(state.begin(), state.end());
    std::vector<Part> tensors{{"x.weight", "U8", {128, 1}, bytesOf(numbers)},
                              test::makeTensor("x.weight.absmax", {4}, largest),
                              test::makeTensor("x.weight.quant_map", {16}, table),
                              {"x.weight.quant_state.bitsandbytes__nf4",
                               "U8",
                               {static_cast<std::int64_t>(text.size())},
                               bytesOf(text)}};
    const PackedSettings settings{.method = PackedMethod::BitsAndBytes};
    const auto opened = open(tensors, settings);
    ASSERT_TRUE(opened) << opened.error().message;
    std::string type;
    const auto found = values(*opened, "x.weight", type);
    EXPECT_EQ(type, "F32");
    for (std::size_t i = 0; i < found.size(); ++i) {
        const unsigned code = numbers[i / 2] >> (i % 2 == 0 ? 4U : 0U) & 15U; // high half first
        EXPECT_EQ(found[i], table[code] * largest[i / 64]) << i;
    }

    // Scales that are themselves quantized.
    std::vector<float> ofScales;
    for (int i = 0; i < 256; ++i)
        ofScales.push_back(static_cast<float>(i) / 128.0F - 1.0F);
    const std::vector<std::uint8_t> codes{10, 200, 77, 255};
    const std::string nested = R"({"quant_type":"nf4","blocksize":64,"shape":[4,64],)"
                               R"("nested_blocksize":256,"nested_offset":1.25})";
    const std::vector<char> nestedText(nested.begin(), nested.end());
    tensors[1] = {"x.weight.absmax", "U8", {4}, bytesOf(codes)};
    tensors[3] = {"x.weight.quant_state.bitsandbytes__nf4",
                  "U8",
                  {static_cast<std::int64_t>(nestedText.size())},
                  bytesOf(nestedText)};
    tensors.push_back(test::makeTensor("x.weight.nested_quant_map", {256}, ofScales));
    tensors.push_back(test::makeTensor("x.weight.nested_absmax", {1}, {0.5F}));
    const auto again = open(tensors, settings);
    ASSERT_TRUE(again) << again.error().message;
    const auto values2 = values(*again, "x.weight", type);
    for (std::size_t i = 0; i < values2.size(); ++i) {
        const unsigned code = numbers[i / 2] >> (i % 2 == 0 ? 4U : 0U) & 15U;
        EXPECT_FLOAT_EQ(values2[i], table[code] * (ofScales[codes[i / 64]] * 0.5F + 1.25F)) << i;
    }

    // Eight bits, with a factor per row divided by 127.
    std::vector<std::int8_t> bytes;
    for (int i = 0; i < 2 * 32; ++i)
        bytes.push_back(static_cast<std::int8_t>(i * 5 - 127));
    const auto eight = open({{"x.weight", "I8", {2, 32}, bytesOf(bytes)},
                             test::makeTensor("x.SCB", {2}, {12.7F, 1.27F})},
                            settings);
    ASSERT_TRUE(eight) << eight.error().message;
    const auto values3 = values(*eight, "x.weight", type);
    EXPECT_EQ(type, "INT8");
    for (std::size_t i = 0; i < values3.size(); ++i) {
        EXPECT_FLOAT_EQ(values3[i],
                        static_cast<float>(bytes[i]) * (i < 32 ? 12.7F : 1.27F) / 127.0F);
    }
}

} // namespace
} // namespace ep::model
