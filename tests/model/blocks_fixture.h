// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "block_factors.h"
#include "kernels.h"
#include "random.h"

#include "ep/model/dtype.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// Weights in blocks of random bytes, in every variant of the kernels.
namespace ep::model {

// All of ggml's formats.
inline std::vector<DType> blockTypes()
{
    std::vector<DType> types;
    for (const DTypeRow& row : kDTypes) {
        if (inBlocks(row.dtype) && !scalesApart(row.dtype))
            types.push_back(row.dtype);
    }
    return types;
}

// Random blocks with realistic factors.
inline std::vector<std::byte> randomBlocks(DType dtype, std::int64_t values, std::uint64_t seed)
{
    Random random(seed);
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytesOf(dtype, values)));
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random.uniform() * 256.0);
    const auto unit = static_cast<std::size_t>(rowOf(dtype).bytes);
    for (std::size_t block = 0; block < bytes.size(); block += unit) {
        setFactors(dtype, bytes.data() + block,
                   static_cast<std::uint16_t>(0x1C00 + random.uniform() * 2048.0));
    }
    return bytes;
}

inline std::vector<float> randomRow(std::int64_t count, std::uint64_t seed)
{
    Random random(seed);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(2.0 * random.uniform() - 1.0));
    return values;
}

class BlocksTest : public testing::TestWithParam<const Kernels*> {
protected:
    // Dequantizes the blocks as one row.
    void dequantize(DType dtype, const std::vector<std::byte>& blocks, std::vector<float>& out,
                    std::int64_t columns) const
    {
        matmulsFor(k, dtype).dequantizeRow({.values = blocks.data(), .columns = columns}, 0,
                                           out.data());
    }

    const Kernels& k = *GetParam();
};

} // namespace ep::model
