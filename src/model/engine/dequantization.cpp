// SPDX-License-Identifier: GPL-3.0-or-later
#include "dequantization.h"

#include "block_layouts.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

// The bits of a mask as numbers: bytes & mask, times a power of two. No shifts, which LibTorch
// lacks on some devices.
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

// The members of blocks [rows, blocks, bytes of a block], as floats or as bytes.
at::Tensor halfAt(const at::Tensor& blocks, std::size_t place) // [.., 1]
{
    return blocks.narrow(-1, static_cast<std::int64_t>(place), 2)
        .contiguous()
        .view(at::kHalf)
        .to(at::kFloat);
}

at::Tensor bytesAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return blocks.narrow(-1, static_cast<std::int64_t>(place), count);
}

at::Tensor signedAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return bytesAt(blocks, place, count).contiguous().view(at::kChar).to(at::kFloat);
}

at::Tensor ofQ8_0(const at::Tensor& b)
{
    return signedAt(b, offsetof(BlockQ8_0, q), kGroup) * halfAt(b, offsetof(BlockQ8_0, d));
}

at::Tensor ofQ4_0(const at::Tensor& b)
{
    const at::Tensor q = bytesAt(b, offsetof(BlockQ4_0, q), kGroup / 2);
    return (at::cat({low(q), high(q)}, -1) - 8.0) * halfAt(b, offsetof(BlockQ4_0, d));
}

// Groups of 32 values [.., 8, 32] with scales and minima.
at::Tensor withMinima(const at::Tensor& b, const at::Tensor& q)
{
    const at::Tensor first = bytesAt(b, offsetof(BlockQ4_K, scales), 4);
    const at::Tensor second = bytesAt(b, offsetof(BlockQ4_K, scales) + 4, 4);
    const at::Tensor third = bytesAt(b, offsetof(BlockQ4_K, scales) + 8, 4);
    const at::Tensor scales =
        at::cat({bits(first, 63), low(third) + bits(first, 192, 0.25)}, -1); // [.., 8]
    const at::Tensor minima =
        at::cat({bits(second, 63), high(third) + bits(second, 192, 0.25)}, -1);
    return q * (scales * halfAt(b, offsetof(BlockQ4_K, d))).unsqueeze(-1)
        - (minima * halfAt(b, offsetof(BlockQ4_K, m))).unsqueeze(-1);
}

// Two groups from each 32 bytes: [.., 4, 32] becomes [.., 8, 32].
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
    const at::Tensor fifths = bytesAt(b, offsetof(BlockQ5_K, high), kGroup);
    std::vector<at::Tensor> groups;
    for (int g = 0; g < kLargeBlock / kGroup; ++g)
        groups.push_back(bits(fifths, 1 << g, 16.0 / (1 << g)));
    return withMinima(b, pairs(b, offsetof(BlockQ5_K, q)) + at::stack(groups, -2));
}

at::Tensor ofQ6_K(const at::Tensor& b)
{
    // Of each half of the block two times 32 bytes [.., 2, 2, 32], and 32 with the upper bits.
    const at::Tensor q =
        bytesAt(b, offsetof(BlockQ6_K, low), kLargeBlock / 2).unflatten(-1, {2, 2, kGroup});
    const at::Tensor upper =
        bytesAt(b, offsetof(BlockQ6_K, high), kLargeBlock / 4).unflatten(-1, {2, kGroup});
    std::vector<at::Tensor> quarters;
    for (int quarter = 0; quarter < 4; ++quarter)
        quarters.push_back(bits(upper, 3 << 2 * quarter, 16.0 / (1 << 2 * quarter)));
    const at::Tensor values =
        at::cat({low(q), high(q)}, -2) + at::stack(quarters, -2) - 32.0; // [.., 2, 4, 32]
    const at::Tensor scales = signedAt(b, offsetof(BlockQ6_K, scales), kLargeBlock / 16)
        * halfAt(b, offsetof(BlockQ6_K, d));
    return values.flatten(-3, -1).unflatten(-1, {kLargeBlock / 16, 16}) * scales.unsqueeze(-1);
}

// Numbers [rows, columns] of a stream of bytes.
at::Tensor numbersOfMlx(DType dtype, const at::Tensor& bytes)
{
    switch (dtype) {
    case DType::Mlx4:
        return at::stack({low(bytes), high(bytes)}, -1).flatten(-2, -1);
    case DType::Mlx6: {
        const at::Tensor three = bytes.unflatten(-1, {-1, 3});
        const auto part = [&](int byte, int mask, double factor) {
            return bits(three.select(-1, byte), mask, factor);
        };
        return at::stack({part(0, 63, 1.0), part(0, 192, 1.0 / 64.0) + part(1, 15, 4.0),
                          part(1, 240, 1.0 / 16.0) + part(2, 3, 16.0), part(2, 252, 0.25)},
                         -1)
            .flatten(-2, -1);
    }
    default:
        return bytes.to(at::kFloat);
    }
}

at::Tensor ofMlx(const Weight& weight)
{
    const at::Tensor q = numbersOfMlx(weight.dtype, weight.tensor);
    return q.unflatten(-1, {weight.scales.size(1), -1}) * weight.scales.to(at::kFloat).unsqueeze(-1)
        + weight.biases.to(at::kFloat).unsqueeze(-1);
}

at::Tensor widened(const Weight& weight)
{
    if (weight.dtype == DType::Int8)
        return weight.tensor.to(at::kFloat) * weight.scales.unsqueeze(1);
    if (isMlx(weight.dtype))
        return ofMlx(weight);
    const at::Tensor blocks = weight.tensor.unflatten(-1, {-1, rowOf(weight.dtype).bytes});
    switch (weight.dtype) {
    case DType::Q8_0:
        return ofQ8_0(blocks);
    case DType::Q4_0:
        return ofQ4_0(blocks);
    case DType::Q4_K:
        return ofQ4_K(blocks);
    case DType::Q5_K:
        return ofQ5_K(blocks);
    default:
        return ofQ6_K(blocks);
    }
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
    return widened(weight).reshape({weight.rows, weight.columns}).to(type);
}

at::Tensor linearOfDequantized(const at::Tensor& x, const Linear& layer, std::int64_t atOnce)
{
    const Weight& weight = layer.weight;
    const std::int64_t step =
        std::max<std::int64_t>(1, atOnce / std::max<std::int64_t>(1, weight.columns));
    const at::Tensor& bias = layer.bias.tensor;
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < weight.rows; first += step) {
        const std::int64_t count = std::min(step, weight.rows - first);
        parts.push_back(at::linear(x, dequantized(rowsOf(weight, first, count), x.scalar_type()),
                                   bias.defined() ? bias.narrow(0, first, count) : bias));
    }
    return parts.size() == 1 ? parts.front() : at::cat(parts, 1);
}

} // namespace ep::model
