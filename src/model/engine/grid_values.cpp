// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_values.h"

#include "block_layouts.h"
#include "codebooks.h"
#include "tensor_bits.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ep::model {
namespace {

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

} // namespace

at::Tensor (*gridValuesOf(DType dtype))(const at::Tensor& blocks)
{
    switch (dtype) {
    case DType::IQ1_S:
        return ofIQ1_S;
    case DType::IQ1_M:
        return ofIQ1_M;
    case DType::IQ2_XXS:
        return ofIQ2_XXS;
    case DType::IQ2_XS:
        return ofIQ2_XS;
    case DType::IQ2_S:
        return ofIQ2_S;
    case DType::IQ3_XXS:
        return ofIQ3_XXS;
    case DType::IQ3_S:
        return ofIQ3_S;
    case DType::TQ1_0:
        return ofTQ1_0;
    case DType::TQ2_0:
        return ofTQ2_0;
    case DType::Q2_0:
        return ofQ2_0;
    case DType::Q1_0:
        return ofQ1_0;
    default:
        return nullptr;
    }
}

} // namespace ep::model
