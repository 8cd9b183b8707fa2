// SPDX-License-Identifier: GPL-3.0-or-later
#include "dequantization.h"

#include "block_layouts.h"
#include "codebooks.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ep::model {
namespace {

// The functions below read fields of blocks [rows, blocks, bytes of a block] as tensors, without
// shifts, which LibTorch lacks on some devices.

// The masked bits as numbers: bytes & mask, times a power of two.
at::Tensor bits(const at::Tensor& bytes, int mask, double factor = 1.0)
{
    return bytes.bitwise_and(mask).to(at::kFloat) * factor;
}

at::Tensor low(const at::Tensor& bytes)
{
    return bits(bytes, 15);
}

at::Tensor high(const at::Tensor& bytes)
{
    return bits(bytes, 240, 1.0 / 16.0);
}

// The `width`-bit numbers in each byte, lowest first: [.., n] becomes [.., n x 8 / width].
at::Tensor fields(const at::Tensor& bytes, int width)
{
    std::vector<at::Tensor> parts;
    for (int bit = 0; bit < 8; bit += width)
        parts.push_back(bits(bytes, ((1 << width) - 1) << bit, 1.0 / (1 << bit)));
    return at::stack(parts, -1).flatten(-2, -1);
}

// The integer made of bits [.., bits], lowest first: [..].
at::Tensor numberOf(const at::Tensor& parts)
{
    at::Tensor number = parts.select(-1, 0);
    for (std::int64_t bit = 1; bit < parts.size(-1); ++bit)
        number = number + parts.select(-1, bit) * static_cast<double>(std::int64_t{1} << bit);
    return number;
}

// Members of blocks, as floats or as bytes.
at::Tensor bytesAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return blocks.narrow(-1, static_cast<std::int64_t>(place), count);
}

at::Tensor halvesIn(const at::Tensor& bytes)
{
    return bytes.contiguous().view(at::kHalf).to(at::kFloat);
}

at::Tensor halfAt(const at::Tensor& blocks, std::size_t place) // [.., 1]
{
    return halvesIn(bytesAt(blocks, place, 2));
}

at::Tensor signedAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return bytesAt(blocks, place, count).contiguous().view(at::kChar).to(at::kFloat);
}

// Multiplies numbers [rows, blocks, ..], in order within each block, by scales [rows, blocks,
// groups] of equal groups of a block: [rows, blocks, groups, values of a group].
at::Tensor scaled(const at::Tensor& q, const at::Tensor& scales)
{
    return q.flatten(2).unflatten(-1, {scales.size(-1), -1}) * scales.unsqueeze(-1);
}

// Looks up the row or number of a table for each index.
at::Tensor lookedUp(const at::Tensor& table, const at::Tensor& index)
{
    std::vector<std::int64_t> shape = index.sizes().vec();
    for (std::int64_t i = 1; i < table.dim(); ++i)
        shape.push_back(table.size(i));
    return table.to(index.device()).index_select(0, index.to(at::kLong).flatten()).view(shape);
}

constexpr std::int64_t kGroupsOfBlock = kLargeBlock / kGroup;

template <int kPoints, int kWidth>
at::Tensor table(const Grid<kPoints, kWidth>& grid)
{
    const std::int8_t* const first = &grid.values[0][0];
    return at::tensor(std::vector<float>(first, first + kPoints * kWidth)).view({kPoints, kWidth});
}

// Converts bits to factors: 1 means minus.
at::Tensor factorsOf(const at::Tensor& signs)
{
    return 1.0 - 2.0 * signs;
}

// Reads seven signs [.., 7] and adds the eighth, which makes the number of minus signs even.
at::Tensor eightSigns(const at::Tensor& seven)
{
    const at::Tensor eighth = seven.sum(-1, true).to(at::kInt).bitwise_and(1).to(at::kFloat);
    return factorsOf(at::cat({seven, eighth}, -1));
}

// Reads words of 32 bits [.., 4 bytes]: four times seven signs, and four other bits.
at::Tensor signsOfWord(const at::Tensor& bytes)
{
    return eightSigns(fields(bytes, 1).narrow(-1, 0, 28).unflatten(-1, {4, 7})); // [.., 4, 8]
}

at::Tensor lastFour(const at::Tensor& bytes)
{
    return high(bytes.select(-1, 3));
}

at::Tensor ofIQ2_XXS(const at::Tensor& b)
{
    const at::Tensor q =
        bytesAt(b, offsetof(BlockIQ2_XXS, q), kLargeBlock / 4).unflatten(-1, {kGroupsOfBlock, 8});
    const at::Tensor word = q.narrow(-1, 4, 4);
    const at::Tensor points = lookedUp(table(kGridIq2Xxs), q.narrow(-1, 0, 4));
    return scaled(points * signsOfWord(word),
                  halfAt(b, offsetof(BlockIQ2_XXS, d)) * (lastFour(word) + 0.5) * 0.25);
}

at::Tensor ofIQ2_XS(const at::Tensor& b)
{
    const at::Tensor q =
        bytesAt(b, offsetof(BlockIQ2_XS, q), kLargeBlock / 4).unflatten(-1, {kLargeBlock / 8, 2});
    const at::Tensor upper = q.narrow(-1, 1, 1);
    const at::Tensor points = lookedUp(
        table(kGridIq2Xs), q.select(-1, 0).to(at::kFloat) + bits(upper, 1, 256.0).squeeze(-1));
    const at::Tensor signs = eightSigns(fields(upper, 1).narrow(-1, 1, 7));
    const at::Tensor scales = fields(bytesAt(b, offsetof(BlockIQ2_XS, scales), kGroupsOfBlock), 4);
    return scaled(points * signs, halfAt(b, offsetof(BlockIQ2_XS, d)) * (scales + 0.5) * 0.25);
}

// Eight signs for each byte.
at::Tensor signsAt(const at::Tensor& b, std::size_t place)
{
    return factorsOf(fields(bytesAt(b, place, kLargeBlock / 8), 1));
}

at::Tensor ofIQ2_S(const at::Tensor& b)
{
    const at::Tensor q = bytesAt(b, offsetof(BlockIQ2_S, q), kLargeBlock / 8).to(at::kFloat)
        + fields(bytesAt(b, offsetof(BlockIQ2_S, high), kGroupsOfBlock), 2) * 256.0;
    const at::Tensor scales = fields(bytesAt(b, offsetof(BlockIQ2_S, scales), kGroupsOfBlock), 4);
    return scaled(lookedUp(table(kGridIq2S), q).flatten(2)
                      * signsAt(b, offsetof(BlockIQ2_S, signs)),
                  halfAt(b, offsetof(BlockIQ2_S, d)) * (scales + 0.5) * 0.25);
}

at::Tensor ofIQ3_XXS(const at::Tensor& b)
{
    const at::Tensor points =
        lookedUp(table(kGridIq3Xxs), bytesAt(b, offsetof(BlockIQ3_XXS, q), kLargeBlock / 4));
    const at::Tensor words = bytesAt(b, offsetof(BlockIQ3_XXS, signs), kLargeBlock / 8)
                                 .unflatten(-1, {kGroupsOfBlock, 4});
    return scaled(points.flatten(2) * signsOfWord(words).flatten(2),
                  halfAt(b, offsetof(BlockIQ3_XXS, d)) * (lastFour(words) + 0.5) * 0.5);
}

at::Tensor ofIQ3_S(const at::Tensor& b)
{
    const at::Tensor q = bytesAt(b, offsetof(BlockIQ3_S, q), kLargeBlock / 4).to(at::kFloat)
        + fields(bytesAt(b, offsetof(BlockIQ3_S, high), kGroupsOfBlock), 1) * 256.0;
    const at::Tensor scales =
        fields(bytesAt(b, offsetof(BlockIQ3_S, scales), kGroupsOfBlock / 2), 4);
    return scaled(lookedUp(table(kGridIq3S), q).flatten(2)
                      * signsAt(b, offsetof(BlockIQ3_S, signs)),
                  halfAt(b, offsetof(BlockIQ3_S, d)) * (scales * 2.0 + 1.0));
}

// Grid points with one more or less added to each: eight times the values.
at::Tensor besidePoints(const at::Tensor& points, const at::Tensor& less)
{
    return lookedUp(table(kGridIq1), points) + factorsOf(less).unsqueeze(-1);
}

at::Tensor ofIQ1_S(const at::Tensor& b)
{
    const at::Tensor upper = fields(bytesAt(b, offsetof(BlockIQ1_S, high), 2 * kGroupsOfBlock)
                                        .unflatten(-1, {kGroupsOfBlock, 2}),
                                    1);
    const at::Tensor q =
        bytesAt(b, offsetof(BlockIQ1_S, q), kLargeBlock / 8).unflatten(-1, {kGroupsOfBlock, 4});
    const at::Tensor points =
        q.to(at::kFloat) + numberOf(upper.narrow(-1, 0, 12).unflatten(-1, {4, 3})) * 256.0;
    const at::Tensor scales = numberOf(upper.narrow(-1, 12, 3)) * 2.0 + 1.0;
    return scaled(besidePoints(points, upper.narrow(-1, 15, 1).expand_as(points)),
                  halfAt(b, offsetof(BlockIQ1_S, d)) * scales * 0.125);
}

at::Tensor ofIQ1_M(const at::Tensor& b)
{
    const at::Tensor upper =
        fields(bytesAt(b, offsetof(BlockIQ1_M, high), kLargeBlock / 16), 1).unflatten(-1, {-1, 4});
    const at::Tensor points = bytesAt(b, offsetof(BlockIQ1_M, q), kLargeBlock / 8).to(at::kFloat)
        + numberOf(upper.narrow(-1, 0, 3)) * 256.0;
    const at::Tensor words =
        bytesAt(b, offsetof(BlockIQ1_M, scales), kGroupsOfBlock).unflatten(-1, {4, 2});
    const at::Tensor fourths = high(words.select(-1, 1)).unflatten(-1, {2, 2}); // d in fourths
    const at::Tensor d =
        halvesIn((fourths.select(-1, 0) + fourths.select(-1, 1) * 16.0).to(at::kByte)); // [.., 1]
    const at::Tensor scales =
        numberOf(fields(words, 1).narrow(-1, 0, 12).unflatten(-1, {4, 3})).flatten(2) * 2.0 + 1.0;
    return scaled(besidePoints(points, upper.select(-1, 3)), d * scales * 0.125);
}

at::Tensor ofTQ2_0(const at::Tensor& b)
{
    const at::Tensor q =
        bytesAt(b, offsetof(BlockTQ2_0, q), kLargeBlock / 4).unflatten(-1, {2, kGroup});
    std::vector<at::Tensor> groups;
    for (int g = 0; g < 4; ++g)
        groups.push_back(bits(q, 3 << 2 * g, 1.0 / (1 << 2 * g)));
    return (at::stack(groups, -2).flatten(2) - 1.0) * halfAt(b, offsetof(BlockTQ2_0, d));
}

// Base-3 digits of fractions of 256, `count` per byte: [.., bytes] becomes [.., count x bytes].
at::Tensor digits(const at::Tensor& bytes, int count)
{
    std::vector<at::Tensor> places;
    for (int place = 0, power = 1; place < count; ++place, power *= 3) {
        const at::Tensor rest = (bytes.to(at::kInt) * power).bitwise_and(255).to(at::kFloat);
        places.push_back((rest * (3.0 / 256.0)).floor());
    }
    return at::stack(places, -2).flatten(-2, -1);
}

at::Tensor ofTQ1_0(const at::Tensor& b)
{
    const std::size_t q = offsetof(BlockTQ1_0, q);
    const at::Tensor all = at::cat({digits(bytesAt(b, q, 32), 5), digits(bytesAt(b, q + 32, 16), 5),
                                    digits(bytesAt(b, offsetof(BlockTQ1_0, last), 4), 4)},
                                   -1);
    return (all - 1.0) * halfAt(b, offsetof(BlockTQ1_0, d));
}

at::Tensor ofQ2_0(const at::Tensor& b)
{
    return (fields(bytesAt(b, offsetof(BlockQ2_0, q), 16), 2) - 1.0)
        * halfAt(b, offsetof(BlockQ2_0, d));
}

at::Tensor ofQ1_0(const at::Tensor& b)
{
    return (fields(bytesAt(b, offsetof(BlockQ1_0, q), 16), 1) * 2.0 - 1.0)
        * halfAt(b, offsetof(BlockQ1_0, d));
}

at::Tensor halves(const at::Tensor& bytes)
{
    return at::cat({low(bytes), high(bytes)}, -1);
}

at::Tensor table(const std::int8_t (&numbers)[16])
{
    return at::tensor(std::vector<float>(numbers, numbers + 16));
}

at::Tensor ofQ8_0(const at::Tensor& b)
{
    return signedAt(b, offsetof(BlockQ8_0, q), kGroup) * halfAt(b, offsetof(BlockQ8_0, d));
}

at::Tensor ofQ4_0(const at::Tensor& b)
{
    const at::Tensor q = bytesAt(b, offsetof(BlockQ4_0, q), kGroup / 2);
    return (halves(q) - 8.0) * halfAt(b, offsetof(BlockQ4_0, d));
}

at::Tensor ofQ4_1(const at::Tensor& b)
{
    return halves(bytesAt(b, offsetof(BlockQ4_1, q), kGroup / 2))
        * halfAt(b, offsetof(BlockQ4_1, d))
        + halfAt(b, offsetof(BlockQ4_1, m));
}

at::Tensor fiveBits(const at::Tensor& b, std::size_t q, std::size_t upper)
{
    return halves(bytesAt(b, q, kGroup / 2)) + fields(bytesAt(b, upper, kGroup / 8), 1) * 16.0;
}

at::Tensor ofQ5_0(const at::Tensor& b)
{
    return (fiveBits(b, offsetof(BlockQ5_0, q), offsetof(BlockQ5_0, high)) - 16.0)
        * halfAt(b, offsetof(BlockQ5_0, d));
}

at::Tensor ofQ5_1(const at::Tensor& b)
{
    return fiveBits(b, offsetof(BlockQ5_1, q), offsetof(BlockQ5_1, high))
        * halfAt(b, offsetof(BlockQ5_1, d))
        + halfAt(b, offsetof(BlockQ5_1, m));
}

// 32 bytes contain four groups of two bits each: [.., 64] becomes [.., 2, 4, 32].
at::Tensor twoBits(const at::Tensor& bytes)
{
    const at::Tensor q = bytes.unflatten(-1, {2, kGroup});
    std::vector<at::Tensor> groups;
    for (int g = 0; g < 4; ++g)
        groups.push_back(bits(q, 3 << 2 * g, 1.0 / (1 << 2 * g)));
    return at::stack(groups, -2);
}

// Bit g of byte i belongs to value i of group g: [.., 32] becomes [.., 8, 32].
at::Tensor bitOfGroups(const at::Tensor& bytes)
{
    std::vector<at::Tensor> groups;
    for (int g = 0; g < kLargeBlock / kGroup; ++g)
        groups.push_back(bits(bytes, 1 << g, 1.0 / (1 << g)));
    return at::stack(groups, -2);
}

at::Tensor ofQ2_K(const at::Tensor& b)
{
    const at::Tensor q = twoBits(bytesAt(b, offsetof(BlockQ2_K, q), kLargeBlock / 4));
    const at::Tensor both = bytesAt(b, offsetof(BlockQ2_K, scales), kLargeBlock / 16);
    return scaled(q, low(both) * halfAt(b, offsetof(BlockQ2_K, d)))
        - (high(both) * halfAt(b, offsetof(BlockQ2_K, m))).unsqueeze(-1);
}

at::Tensor ofQ3_K(const at::Tensor& b)
{
    const at::Tensor two = twoBits(bytesAt(b, offsetof(BlockQ3_K, q), kLargeBlock / 4)).flatten(2);
    const at::Tensor third = bitOfGroups(bytesAt(b, offsetof(BlockQ3_K, high), kGroup)).flatten(2);
    const at::Tensor lower = bytesAt(b, offsetof(BlockQ3_K, scales), 8);
    const at::Tensor upper = bytesAt(b, offsetof(BlockQ3_K, scales) + 8, 4);
    std::vector<at::Tensor> fours;
    for (int i = 0; i < 4; ++i)
        fours.push_back(bits(upper, 3 << 2 * i, 16.0 / (1 << 2 * i)));
    const at::Tensor scales = halves(lower) + at::cat(fours, -1) - 32.0;
    return scaled(two + third * 4.0 - 4.0, scales * halfAt(b, offsetof(BlockQ3_K, d)));
}

// Groups of 32 values with scales and minima.
at::Tensor withMinima(const at::Tensor& b, const at::Tensor& q)
{
    const at::Tensor first = bytesAt(b, offsetof(BlockQ4_K, scales), 4);
    const at::Tensor second = bytesAt(b, offsetof(BlockQ4_K, scales) + 4, 4);
    const at::Tensor third = bytesAt(b, offsetof(BlockQ4_K, scales) + 8, 4);
    const at::Tensor scales =
        at::cat({bits(first, 63), low(third) + bits(first, 192, 0.25)}, -1); // [.., 8]
    const at::Tensor minima =
        at::cat({bits(second, 63), high(third) + bits(second, 192, 0.25)}, -1);
    return scaled(q, scales * halfAt(b, offsetof(BlockQ4_K, d)))
        - (minima * halfAt(b, offsetof(BlockQ4_K, m))).unsqueeze(-1);
}

// Each 32 bytes contain two groups: [.., 4, 32] becomes [.., 8, 32].
at::Tensor pairs(const at::Tensor& b, std::size_t place)
{
    const at::Tensor q = bytesAt(b, place, kLargeBlock / 2).unflatten(-1, {4, kGroup});
    return at::stack({low(q), high(q)}, -2).flatten(-3, -2);
}

at::Tensor ofQ4_K(const at::Tensor& b)
{
    return withMinima(b, pairs(b, offsetof(BlockQ4_K, q)));
}

at::Tensor ofQ5_K(const at::Tensor& b)
{
    const at::Tensor fifth = bitOfGroups(bytesAt(b, offsetof(BlockQ5_K, high), kGroup));
    return withMinima(b, pairs(b, offsetof(BlockQ5_K, q)) + fifth * 16.0);
}

at::Tensor ofQ6_K(const at::Tensor& b)
{
    // Each half of a block has twice 32 bytes [.., 2, 2, 32], and 32 more with the upper bits.
    const at::Tensor q =
        bytesAt(b, offsetof(BlockQ6_K, low), kLargeBlock / 2).unflatten(-1, {2, 2, kGroup});
    const at::Tensor upper = twoBits(bytesAt(b, offsetof(BlockQ6_K, high), kLargeBlock / 4));
    const at::Tensor values =
        at::cat({low(q), high(q)}, -2) + upper * 16.0 - 32.0; // [.., 2, 4, 32]
    return scaled(values,
                  signedAt(b, offsetof(BlockQ6_K, scales), kLargeBlock / 16)
                      * halfAt(b, offsetof(BlockQ6_K, d)));
}

at::Tensor ofIQ4_NL(const at::Tensor& b)
{
    const at::Tensor q = halves(bytesAt(b, offsetof(BlockIQ4_NL, q), kGroup / 2));
    return lookedUp(table(kNonLinear), q) * halfAt(b, offsetof(BlockIQ4_NL, d));
}

at::Tensor ofIQ4_XS(const at::Tensor& b)
{
    const at::Tensor q = halves(
        bytesAt(b, offsetof(BlockIQ4_XS, q), kLargeBlock / 2).unflatten(-1, {8, kGroup / 2}));
    const at::Tensor scales = fields(bytesAt(b, offsetof(BlockIQ4_XS, low), 4), 4)
        + fields(bytesAt(b, offsetof(BlockIQ4_XS, high), 2), 2) * 16.0 - 32.0;
    return scaled(lookedUp(table(kNonLinear), q), scales * halfAt(b, offsetof(BlockIQ4_XS, d)));
}

// All numbers that a byte can represent, times a factor.
at::Tensor numbersOfE8M0(double factor)
{
    std::vector<double> numbers;
    for (int e = 0; e < 256; ++e)
        numbers.push_back(std::ldexp(factor, e - 127));
    return at::tensor(numbers, at::kDouble).to(at::kFloat);
}

at::Tensor numbersOfE4M3(double factor)
{
    std::vector<float> numbers;
    for (int bits = 0; bits < 256; ++bits) {
        const int exponent = bits >> 3 & 15;
        const double fraction = bits & 7;
        const double magnitude =
            exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8.0 + fraction, exponent - 10);
        numbers.push_back(static_cast<float>((bits & 128 ? -magnitude : magnitude) * factor));
    }
    return at::tensor(numbers);
}

at::Tensor ofMXFP4(const at::Tensor& b)
{
    const at::Tensor q = halves(bytesAt(b, offsetof(BlockMXFP4, q), kGroup / 2));
    return lookedUp(table(kE2M1Doubled), q)
        * lookedUp(numbersOfE8M0(0.5), bytesAt(b, offsetof(BlockMXFP4, e), 1));
}

at::Tensor ofNVFP4(const at::Tensor& b)
{
    const at::Tensor q = halves(bytesAt(b, offsetof(BlockNVFP4, q), 32).unflatten(-1, {4, 8}));
    at::Tensor numbers = numbersOfE4M3(0.5).narrow(0, 0, 128).clone();
    numbers[127] = 0.0F;
    const at::Tensor scales = bytesAt(b, offsetof(BlockNVFP4, scales), 4).bitwise_and(127);
    return scaled(lookedUp(table(kE2M1Doubled), q), lookedUp(numbers, scales));
}

// --- Separate scales -----------------------------------------------------------------------------

at::Tensor scalesOf(const at::Tensor& stored, GroupScales::Type type)
{
    switch (type) {
    case GroupScales::Type::E8M0:
        return lookedUp(numbersOfE8M0(1.0), stored);
    case GroupScales::Type::E4M3:
        return lookedUp(numbersOfE4M3(1.0), stored);
    default:
        return stored.to(at::kFloat);
    }
}

// Reads numbers [rows, columns] from a stream of bytes.
at::Tensor numbersOf(DType dtype, const at::Tensor& bytes)
{
    switch (dtype) {
    case DType::Mlx1:
    case DType::Mlx2:
    case DType::Mlx4: {
        const auto bitsOfNumber = static_cast<int>(rowOf(dtype).bytes / 4);
        return fields(bytes, bitsOfNumber);
    }
    case DType::MlxMxfp4:
    case DType::MlxNvfp4:
        return lookedUp(table(kE2M1Doubled), fields(bytes, 4)) * 0.5;
    case DType::Fp8:
        return lookedUp(numbersOfE4M3(1.0), bytes);
    case DType::Mlx8:
        return bytes.to(at::kFloat);
    default:
        return numberOf(fields(bytes, 1).unflatten(-1, {-1, rowOf(dtype).bytes / 4}));
    }
}

// The last group of a row may be shorter than the others.
at::Tensor ofGroups(const Weight& weight)
{
    const at::Tensor q = numbersOf(weight.dtype, weight.tensor);
    if (!weight.scales.defined())
        return q;
    const auto spread = [&](const at::Tensor& numbers) {
        return scalesOf(numbers, weight.groups.type)
            .unsqueeze(-1)
            .expand({numbers.size(0), numbers.size(1), weight.groups.columns})
            .flatten(1)
            .narrow(1, 0, weight.columns);
    };
    const at::Tensor values = q * spread(weight.scales);
    return weight.biases.defined() ? values + spread(weight.biases) : values;
}

// The functions that convert blocks [rows, blocks, bytes of a block] to values.
struct BlockValues {
    DType dtype;
    at::Tensor (*values)(const at::Tensor& blocks);
};
constexpr std::array kBlockValues{
    BlockValues{DType::Q8_0, ofQ8_0},       BlockValues{DType::Q4_0, ofQ4_0},
    BlockValues{DType::Q4_1, ofQ4_1},       BlockValues{DType::Q5_0, ofQ5_0},
    BlockValues{DType::Q5_1, ofQ5_1},       BlockValues{DType::Q2_K, ofQ2_K},
    BlockValues{DType::Q3_K, ofQ3_K},       BlockValues{DType::Q4_K, ofQ4_K},
    BlockValues{DType::Q5_K, ofQ5_K},       BlockValues{DType::Q6_K, ofQ6_K},
    BlockValues{DType::IQ4_NL, ofIQ4_NL},   BlockValues{DType::IQ4_XS, ofIQ4_XS},
    BlockValues{DType::Mxfp4, ofMXFP4},     BlockValues{DType::Nvfp4, ofNVFP4},
    BlockValues{DType::IQ1_S, ofIQ1_S},     BlockValues{DType::IQ1_M, ofIQ1_M},
    BlockValues{DType::IQ2_XXS, ofIQ2_XXS}, BlockValues{DType::IQ2_XS, ofIQ2_XS},
    BlockValues{DType::IQ2_S, ofIQ2_S},     BlockValues{DType::IQ3_XXS, ofIQ3_XXS},
    BlockValues{DType::IQ3_S, ofIQ3_S},     BlockValues{DType::TQ1_0, ofTQ1_0},
    BlockValues{DType::TQ2_0, ofTQ2_0},     BlockValues{DType::Q2_0, ofQ2_0},
    BlockValues{DType::Q1_0, ofQ1_0}};

// Returns the values of a block-quantized weight as f32, with as many elements as the weight, but
// without the row factors. Uses LibTorch's plain functions, for accelerators without our kernels.
at::Tensor valuesOf(const Weight& weight)
{
    if (scalesApart(weight.dtype))
        return ofGroups(weight);
    const auto* const found = std::ranges::find(kBlockValues, weight.dtype, &BlockValues::dtype);
    return found->values(weight.tensor.unflatten(-1, {-1, rowOf(weight.dtype).bytes}));
}

at::Tensor dequantized(const Weight& weight)
{
    if (weight.dtype == DType::Int8)
        return weight.tensor.to(at::kFloat) * weight.scales.unsqueeze(1);
    const at::Tensor values = valuesOf(weight).reshape({weight.rows, weight.columns});
    return weight.row_scales.defined() ? values * weight.row_scales.unsqueeze(1) : values;
}

template <typename Choose>
Weight chosen(const Weight& weight, const Choose& choose)
{
    Weight rows;
    rows.tensor = choose(weight.tensor);
    rows.dtype = weight.dtype;
    rows.rows = rows.tensor.size(0);
    rows.columns = weight.columns;
    if (weight.scales.defined())
        rows.scales = choose(weight.scales);
    if (weight.biases.defined())
        rows.biases = choose(weight.biases);
    if (weight.row_scales.defined())
        rows.row_scales = choose(weight.row_scales);
    rows.groups = {.columns = weight.groups.columns, .type = weight.groups.type};
    return rows;
}

} // namespace

Weight rowsOf(const Weight& weight, std::int64_t first, std::int64_t count)
{
    return chosen(weight, [&](const at::Tensor& t) { return t.narrow(0, first, count); });
}

Weight rowsOf(const Weight& weight, const at::Tensor& indices)
{
    return chosen(weight, [&](const at::Tensor& t) { return t.index_select(0, indices); });
}

at::Tensor dequantized(const Weight& weight, at::ScalarType type)
{
    return dequantized(weight).to(type);
}

at::Tensor linearOfDequantized(const at::Tensor& x, const Linear& layer, std::int64_t atOnce,
                               const Dequantizer& dequantize)
{
    const Weight& weight = layer.weight;
    const std::int64_t step =
        std::max<std::int64_t>(1, atOnce / std::max<std::int64_t>(1, weight.columns));
    at::Tensor bias = layer.bias.tensor;
    if (bias.defined())
        bias = bias.to(x.scalar_type()); // accelerators refuse another type
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < weight.rows; first += step) {
        const std::int64_t count = std::min(step, weight.rows - first);
        const Weight rows = rowsOf(weight, first, count);
        parts.push_back(
            at::linear(x, dequantize ? dequantize(rows) : dequantized(rows, x.scalar_type()),
                       bias.defined() ? bias.narrow(0, first, count) : bias));
    }
    return parts.size() == 1 ? parts.front() : at::cat(parts, 1);
}

} // namespace ep::model
