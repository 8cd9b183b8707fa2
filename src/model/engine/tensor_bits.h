// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Reads fields of blocks [rows, blocks, bytes of a block] as tensors, for block_values.cpp. Uses
// no shifts, which LibTorch lacks on some devices.
namespace ep::model {

// The masked bits as numbers: bytes & mask, times a power of two.
inline at::Tensor bits(const at::Tensor& bytes, int mask, double factor = 1.0)
{
    return bytes.bitwise_and(mask).to(at::kFloat) * factor;
}

inline at::Tensor low(const at::Tensor& bytes)
{
    return bits(bytes, 15);
}

inline at::Tensor high(const at::Tensor& bytes)
{
    return bits(bytes, 240, 1.0 / 16.0);
}

// The `width`-bit numbers in each byte, lowest first: [.., n] becomes [.., n x 8 / width].
inline at::Tensor fields(const at::Tensor& bytes, int width)
{
    std::vector<at::Tensor> parts;
    for (int bit = 0; bit < 8; bit += width)
        parts.push_back(bits(bytes, ((1 << width) - 1) << bit, 1.0 / (1 << bit)));
    return at::stack(parts, -1).flatten(-2, -1);
}

// The integer made of bits [.., bits], lowest first: [..].
inline at::Tensor numberOf(const at::Tensor& parts)
{
    at::Tensor number = parts.select(-1, 0);
    for (std::int64_t bit = 1; bit < parts.size(-1); ++bit)
        number = number + parts.select(-1, bit) * static_cast<double>(std::int64_t{1} << bit);
    return number;
}

// Members of blocks, as floats or as bytes.
inline at::Tensor bytesAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return blocks.narrow(-1, static_cast<std::int64_t>(place), count);
}

inline at::Tensor halvesIn(const at::Tensor& bytes)
{
    return bytes.contiguous().view(at::kHalf).to(at::kFloat);
}

inline at::Tensor halfAt(const at::Tensor& blocks, std::size_t place) // [.., 1]
{
    return halvesIn(bytesAt(blocks, place, 2));
}

inline at::Tensor signedAt(const at::Tensor& blocks, std::size_t place, std::int64_t count)
{
    return bytesAt(blocks, place, count).contiguous().view(at::kChar).to(at::kFloat);
}

// Multiplies numbers [rows, blocks, ..], in order within each block, by scales [rows, blocks,
// groups] of equal groups of a block: [rows, blocks, groups, values of a group].
inline at::Tensor scaled(const at::Tensor& q, const at::Tensor& scales)
{
    return q.flatten(2).unflatten(-1, {scales.size(-1), -1}) * scales.unsqueeze(-1);
}

// Looks up the row or number of a table for each index.
inline at::Tensor lookedUp(const at::Tensor& table, const at::Tensor& index)
{
    std::vector<std::int64_t> shape = index.sizes().vec();
    for (std::int64_t i = 1; i < table.dim(); ++i)
        shape.push_back(table.size(i));
    return table.to(index.device()).index_select(0, index.to(at::kLong).flatten()).view(shape);
}

} // namespace ep::model
