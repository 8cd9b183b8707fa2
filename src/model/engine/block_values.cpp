// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_values.h"

#include "block_layouts.h"
#include "codebooks.h"
#include "grid_values.h"
#include "tensor_bits.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ep::model {
namespace {

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

using Values = at::Tensor (*)(const at::Tensor& blocks);

Values functionOf(DType dtype)
{
    switch (dtype) {
    case DType::Q8_0:
        return ofQ8_0;
    case DType::Q4_0:
        return ofQ4_0;
    case DType::Q4_1:
        return ofQ4_1;
    case DType::Q5_0:
        return ofQ5_0;
    case DType::Q5_1:
        return ofQ5_1;
    case DType::Q2_K:
        return ofQ2_K;
    case DType::Q3_K:
        return ofQ3_K;
    case DType::Q4_K:
        return ofQ4_K;
    case DType::Q5_K:
        return ofQ5_K;
    case DType::Q6_K:
        return ofQ6_K;
    case DType::IQ4_NL:
        return ofIQ4_NL;
    case DType::IQ4_XS:
        return ofIQ4_XS;
    case DType::Mxfp4:
        return ofMXFP4;
    case DType::Nvfp4:
        return ofNVFP4;
    default:
        return gridValuesOf(dtype);
    }
}

} // namespace

at::Tensor valuesOf(const Weight& weight)
{
    if (scalesApart(weight.dtype))
        return ofGroups(weight);
    return functionOf(weight.dtype)(weight.tensor.unflatten(-1, {-1, rowOf(weight.dtype).bytes}));
}

} // namespace ep::model
