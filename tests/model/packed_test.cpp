// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed_fixture.h"

namespace ep::model {
namespace {

using testing::HasSubstr;

std::vector<Part> gptq(const PackedMatrix& m, int bits, bool oneLess)
{
    std::vector<std::uint32_t> packed(
        static_cast<std::size_t>(m.rows * m.columns * bits / 32)); // words run along the columns
    const std::int64_t inWord = 32 / bits;
    for (std::int64_t i = 0; i < m.columns; ++i) {
        for (std::int64_t row = 0; row < m.rows; ++row) {
            packed[static_cast<std::size_t>(i / inWord * m.rows + row)] |=
                static_cast<std::uint32_t>(m.number(row, i)) << i % inWord * bits;
        }
    }
    auto zeros = words(m.groups(), m.rows, bits,
                       [&](std::int64_t g, std::int64_t row) { return m.zeros[m.at(row, g)]; });
    for (std::uint32_t& word : zeros)
        word -= !oneLess ? 0U : bits == 4 ? 0x11111111U : 0x01010101U;
    std::vector<float> scales;
    for (std::int64_t g = 0; g < m.groups(); ++g) {
        for (std::int64_t row = 0; row < m.rows; ++row)
            scales.push_back(m.scales[m.at(row, g)]);
    }
    return {{"x.qweight", "I32", {m.columns / inWord, m.rows}, bytesOf(packed)},
            {"x.qzeros", "I32", {m.groups(), m.rows / inWord}, bytesOf(zeros)},
            test::makeTensor("x.scales", {m.groups(), m.rows}, scales, "F16")};
}

TEST_F(PackedTest, Gptq)
{
    for (const int bits : {4, 8}) {
        for (const bool oneLess : {true, false}) {
            for (const std::int64_t group : {32, 64, 128, 256}) {
                const PackedMatrix m = randomMatrix(16, 256, group, bits);
                const auto opened = open(gptq(m, bits, oneLess),
                                         {.method = PackedMethod::Gptq,
                                          .bits = bits,
                                          .group = group == 256 ? -1 : static_cast<int>(group),
                                          .zeros_are_one_less = oneLess});
                ASSERT_TRUE(opened) << opened.error().message;
                expectValues(*opened, m, bits == 4 ? "MLX4" : "MLX8");
            }
        }
    }
}

TEST_F(PackedTest, GptqWithColumnsInAnyOrder)
{
    PackedMatrix m = randomMatrix(16, 128, 32, 4);
    const PackedSettings settings{.method = PackedMethod::Gptq, .bits = 4, .group = 32};
    for (std::size_t i = 0; i < m.groupOf.size(); ++i)
        m.groupOf[i] = static_cast<int>(i * 7 % 4);
    auto tensors = gptq(m, 4, true);
    tensors.push_back({"x.g_idx", "I32", {128}, bytesOf(m.groupOf)});
    const auto opened = open(tensors, settings);
    ASSERT_TRUE(opened) << opened.error().message;
    expectValues(*opened, m, "F32");
    m.groupOf[9] = 4;
    tensors.back().bytes = bytesOf(m.groupOf);
    const auto beyond = open(tensors, settings);
    ASSERT_FALSE(beyond);
    EXPECT_THAT(beyond.error().message, HasSubstr("The packed tensor x.g_idx (I32) in "));
    EXPECT_THAT(beyond.error().message, HasSubstr("names the group 4 of 4 for the column 9"));
}

TEST_F(PackedTest, Awq)
{
    constexpr std::array<int, 8> kOrder{0, 2, 4, 6, 1, 3, 5, 7};
    for (const std::int64_t group : {32, 128, 16}) {
        const PackedMatrix m = randomMatrix(24, 256, group, 4);
        const auto inOrder = [&](std::int64_t place) {
            return place / 8 * 8 + kOrder[static_cast<std::size_t>(place % 8)];
        };
        const auto numbers = words(m.columns, m.rows, 4, [&](std::int64_t i, std::int64_t place) {
            return m.number(inOrder(place), i);
        });
        const auto zeros = words(m.groups(), m.rows, 4, [&](std::int64_t g, std::int64_t place) {
            return m.zeros[m.at(inOrder(place), g)];
        });
        std::vector<float> scales;
        for (std::int64_t g = 0; g < m.groups(); ++g) {
            for (std::int64_t row = 0; row < m.rows; ++row)
                scales.push_back(m.scales[m.at(row, g)]);
        }
        const auto opened =
            open({{"x.qweight", "I32", {m.columns, m.rows / 8}, bytesOf(numbers)},
                  {"x.qzeros", "I32", {m.groups(), m.rows / 8}, bytesOf(zeros)},
                  test::makeTensor("x.scales", {m.groups(), m.rows}, scales, "F16")},
                 {.method = PackedMethod::Awq, .bits = 4, .group = static_cast<int>(group)});
        ASSERT_TRUE(opened) << opened.error().message;
        expectValues(*opened, m, group == 16 ? "F32" : "MLX4"); // MLX has no groups of 16
    }
}

// Numbers are stored with an offset that makes them positive; zeros are signed.
std::vector<Part> compressed(const PackedMatrix& m, int bits, bool symmetric)
{
    const auto numbers = words(m.rows, m.columns, bits,
                               [&](std::int64_t row, std::int64_t i) { return m.number(row, i); });
    std::vector<Part> tensors{
        {"x.weight_packed", "I32", {m.rows, m.columns * bits / 32}, bytesOf(numbers)},
        {"x.weight_shape", "I64", {2}, bytesOf(std::vector<std::int64_t>{m.rows, m.columns})},
        test::makeTensor("x.weight_scale", {m.rows, m.groups()}, m.scales, "BF16")};
    if (!symmetric) {
        const auto zeros = words(m.groups(), m.rows, bits, [&](std::int64_t g, std::int64_t row) {
            return m.zeros[m.at(row, g)];
        });
        // Packed along the rows: [rows / per word, groups].
        std::vector<std::uint32_t> turned(zeros.size());
        const std::int64_t lines = m.rows * bits / 32;
        for (std::int64_t g = 0; g < m.groups(); ++g) {
            for (std::int64_t line = 0; line < lines; ++line) {
                turned[static_cast<std::size_t>(line * m.groups() + g)] =
                    zeros[static_cast<std::size_t>(g * lines + line)];
            }
        }
        tensors.push_back({"x.weight_zero_point", "I32", {lines, m.groups()}, bytesOf(turned)});
    }
    return tensors;
}

TEST_F(PackedTest, CompressedTensorsOfWholeNumbers)
{
    for (const int bits : {4, 8}) {
        for (const bool symmetric : {true, false}) {
            for (const std::int64_t group : {32, 128, 256}) {
                PackedMatrix m = randomMatrix(16, 256, group, bits);
                if (symmetric)
                    m.zeros.assign(m.zeros.size(), 1 << (bits - 1));
                const auto opened = open(compressed(m, bits, symmetric),
                                         {.method = PackedMethod::CompressedTensors});
                ASSERT_TRUE(opened) << opened.error().message;
                expectValues(*opened, m, bits == 4 ? "MLX4" : "MLX8");
            }
        }
    }
    PackedMatrix m = randomMatrix(16, 128, 32, 4);
    m.zeros.assign(m.zeros.size(), 8);
    for (std::size_t i = 0; i < m.groupOf.size(); ++i)
        m.groupOf[i] = static_cast<int>(i * 5 % 4);
    auto tensors = compressed(m, 4, true);
    tensors.push_back({"x.weight_g_idx", "I32", {128}, bytesOf(m.groupOf)});
    const auto opened = open(tensors, {.method = PackedMethod::CompressedTensors});
    ASSERT_TRUE(opened) << opened.error().message;
    expectValues(*opened, m, "F32");
}

TEST_F(PackedTest, CompressedTensorsOfBytes)
{
    PackedMatrix m = randomMatrix(8, 128, 128, 8);
    m.zeros.assign(m.zeros.size(), 128);
    std::vector<std::int8_t> numbers;
    for (const int number : m.numbers)
        numbers.push_back(static_cast<std::int8_t>(number - 128));
    const auto opened = open({{"x.weight", "I8", {8, 128}, bytesOf(numbers)},
                              test::makeTensor("x.weight_scale", {8, 1}, m.scales, "BF16"),
                              test::makeTensor("x.input_scale", {1}, {1.0F}, "F32")},
                             {.method = PackedMethod::CompressedTensors});
    ASSERT_TRUE(opened) << opened.error().message;
    expectValues(*opened, m, "MLX8");
}

// One sentence each: the tensor, its type and what is wrong.
TEST_F(PackedTest, WhatDoesNotFitIsNamed)
{
    const PackedMatrix m = randomMatrix(16, 128, 32, 4);
    const PackedSettings gptqSettings{.method = PackedMethod::Gptq, .bits = 4, .group = 32};
    auto withoutScales = gptq(m, 4, true);
    withoutScales.pop_back();
    auto wrongZeros = gptq(m, 4, true);
    wrongZeros[1].shape = {2, 4};
    const auto packed = compressed(m, 4, true);
    auto wrongShape = packed;
    wrongShape[1].bytes = bytesOf(std::vector<std::int64_t>{16, 100});
    auto noShape = packed;
    noShape.erase(noShape.begin() + 1);
    auto wrongGroups = packed;
    wrongGroups[2] = test::makeTensor("x.weight_scale", {16, 3}, std::vector<float>(48, 1.0F));
    const std::vector<Part> wrongScale{
        {"x.weight", "F8_E4M3", {200, 64}, std::vector<std::byte>(200 * 64)},
        test::makeTensor("x.weight_scale_inv", {3, 1}, {1.0F, 1.0F, 1.0F})};
    auto empty = gptq(m, 4, true);
    empty[0] = {"x.qweight", "I32", {0, 16}, {}};
    const std::vector<Part> emptyBytes{
        {"x.weight", "I8", {8, 0}, {}},
        test::makeTensor("x.weight_scale", {8, 1}, std::vector<float>(8, 1.0F))};
    const struct {
        std::vector<Part> tensors;
        PackedSettings settings;
        const char* problem;
    } kCases[] = {
        {withoutScales, gptqSettings, "lacks its tensor x.scales"},
        {empty, gptqSettings, "x.qweight (I32) in"},
        {emptyBytes,
         {.method = PackedMethod::CompressedTensors},
         "has the shape 8 x 0, not rows x columns"},
        {wrongZeros, gptqSettings, "x.qzeros (I32) in"},
        {wrongShape,
         {.method = PackedMethod::CompressedTensors},
         "has the shape 16 x 16, which does not hold 16 x 100 numbers"},
        {noShape, {.method = PackedMethod::CompressedTensors}, "lacks its tensor x.weight_shape"},
        {wrongGroups,
         {.method = PackedMethod::CompressedTensors},
         "has the shape 16 x 3, which does not divide rows of 128 into groups"},
        {wrongScale,
         {.method = PackedMethod::Fp8},
         "which is no scale for each block, row or the "
         "whole of 200 x 64"},
    };
    for (const auto& c : kCases) {
        const auto opened = open(c.tensors, c.settings);
        ASSERT_FALSE(opened) << c.problem;
        EXPECT_THAT(opened.error().message, HasSubstr(c.problem));
    }
}

// A field with a wrong value would be read outside of its bytes, or as other numbers.
TEST_F(PackedTest, EveryFieldIsChecked)
{
    const auto ones = [](const char* ending, const char* type, std::vector<std::int64_t> shape,
                         std::size_t bytes) {
        return Part{std::string("x") + ending, type, std::move(shape),
                    std::vector<std::byte>(bytes, std::byte{1})};
    };
    const PackedMatrix m = randomMatrix(16, 128, 32, 4);
    const PackedSettings fp8{.method = PackedMethod::Fp8};
    const PackedSettings words{.method = PackedMethod::CompressedTensors};
    const PackedSettings ofGptq{.method = PackedMethod::Gptq, .bits = 4, .group = 32};
    const auto with = [](std::vector<Part> tensors, Part field) {
        std::erase_if(tensors, [&](const Part& part) { return part.name == field.name; });
        tensors.push_back(std::move(field));
        return tensors;
    };
    const auto inOrder = [](std::int32_t first, std::int32_t others) {
        std::vector<std::int32_t> groups(128, others);
        groups.front() = first;
        return Part{"x.weight_g_idx", "I32", {128}, bytesOf(groups)};
    };
    const Part numbers = ones(".weight", "F8_E4M3", {1, 64}, 64);
    const struct {
        std::vector<Part> tensors;
        PackedSettings settings;
        const char* problem; // empty: accepted
    } kCases[] = {
        {{numbers, ones(".weight_scale", "F32", {}, 4)}, fp8, ""},
        {{numbers, ones(".weight_scale", "I32", {}, 4)}, fp8, "a type that is none of F32 F16"},
        {{numbers, ones(".weight_scale", "F32", {1, 1, 2}, 8)},
         fp8,
         "has the shape 1 x 1 x 2, not a single number or 1 or 1 x 1 or rowBlocks x columnBlocks"},
        {with(compressed(m, 4, true), inOrder(0, -5)), words, "names the group -5 of 4"},
        {with(compressed(m, 4, true), inOrder(0, 4)), words, "names the group 4 of 4"},
        {with(compressed(m, 4, true), inOrder(-1, -1)), words, ""},
        {with(compressed(m, 4, true), ones(".weight_g_idx", "U8", {128}, 128)), words, "a type"},
        {with(compressed(m, 4, false), ones(".weight_zero_point", "F8_E4M3", {16, 4}, 64)), words,
         "a type that is none of I32 I8 I64"},
        {with(compressed(m, 4, false), ones(".weight_zero_point", "I32", {1, 4}, 16)), words,
         "has the shape 1 x 4, not 2 x 4"},
        {with(compressed(m, 4, true),
              {"x.weight_shape",
               "I64",
               {2},
               bytesOf(std::vector<std::int64_t>{16, std::int64_t{1} << 62})}),
         words, "not one from 1 to 2147483648"},
        {with(compressed(m, 4, true), ones(".weight", "F16", {16, 128}, 4096)), words,
         "is there twice"},
        {{ones(".qweight", "I32", {16, 12}, 768), ones(".qzeros", "I32", {4, 1}, 16),
          ones(".scales", "F16", {4, 12}, 96)},
         ofGptq,
         "has 12 columns, which do not fill words of 8 zeros"},
        {with(gptq(m, 4, true), ones(".weight", "F8_E4M3", {16, 128}, 2048)), ofGptq,
         "is there twice"},
        {{ones("_blocks", "U8", {2, 3, 1, 16}, 96), ones("_scales", "U8", {3, 1}, 3)},
         {.method = PackedMethod::Mxfp4},
         "has the shape 3 x 1, not 2 x 3 x 1"},
    };
    for (const auto& c : kCases) {
        const auto opened = open(c.tensors, c.settings);
        ASSERT_EQ(bool(opened), *c.problem == '\0') << c.problem;
        if (!opened) {
            EXPECT_THAT(opened.error().message, HasSubstr(c.problem));
        }
    }
}

} // namespace
} // namespace ep::model
