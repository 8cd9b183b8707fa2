// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_factors.h"

#include "engine/kernels/block_layouts.h"

#include <cstring>

namespace ep::model {
namespace {

template <typename Block>
void setHalves(std::byte* place, std::uint16_t half)
{
    Block block;
    std::memcpy(&block, place, sizeof block);
    block.d = half;
    if constexpr (requires { block.m; })
        block.m = half;
    std::memcpy(place, &block, sizeof block);
}

// Converts the exponent of the half to E8M0; infinity and NaN become 255, its NaN.
constexpr std::uint8_t exponentOf(std::uint16_t half)
{
    const int exponent = half >> 10 & 31;
    return static_cast<std::uint8_t>(exponent == 31 ? 255 : exponent + 112);
}

void setInScales(std::byte* place, std::uint16_t half)
{
    BlockIQ1_M block;
    std::memcpy(&block, place, sizeof block);
    for (int i = 0; i < 4; ++i) {
        std::uint8_t& upper = block.scales[2 * i + 1];
        upper = static_cast<std::uint8_t>((upper & 15) | (half >> 4 * i & 15) << 4);
    }
    std::memcpy(place, &block, sizeof block);
}

} // namespace

void setFactors(DType dtype, std::byte* block, std::uint16_t half)
{
    switch (dtype) {
    case DType::Q8_0:
        return setHalves<BlockQ8_0>(block, half);
    case DType::Q4_0:
        return setHalves<BlockQ4_0>(block, half);
    case DType::Q4_1:
        return setHalves<BlockQ4_1>(block, half);
    case DType::Q5_0:
        return setHalves<BlockQ5_0>(block, half);
    case DType::Q5_1:
        return setHalves<BlockQ5_1>(block, half);
    case DType::Q2_K:
        return setHalves<BlockQ2_K>(block, half);
    case DType::Q3_K:
        return setHalves<BlockQ3_K>(block, half);
    case DType::Q4_K:
        return setHalves<BlockQ4_K>(block, half);
    case DType::Q5_K:
        return setHalves<BlockQ5_K>(block, half);
    case DType::Q6_K:
        return setHalves<BlockQ6_K>(block, half);
    case DType::IQ1_S:
        return setHalves<BlockIQ1_S>(block, half);
    case DType::IQ1_M:
        return setInScales(block, half);
    case DType::IQ2_XXS:
        return setHalves<BlockIQ2_XXS>(block, half);
    case DType::IQ2_XS:
        return setHalves<BlockIQ2_XS>(block, half);
    case DType::IQ2_S:
        return setHalves<BlockIQ2_S>(block, half);
    case DType::IQ3_XXS:
        return setHalves<BlockIQ3_XXS>(block, half);
    case DType::IQ3_S:
        return setHalves<BlockIQ3_S>(block, half);
    case DType::IQ4_NL:
        return setHalves<BlockIQ4_NL>(block, half);
    case DType::IQ4_XS:
        return setHalves<BlockIQ4_XS>(block, half);
    case DType::TQ1_0:
        return setHalves<BlockTQ1_0>(block, half);
    case DType::TQ2_0:
        return setHalves<BlockTQ2_0>(block, half);
    case DType::Q1_0:
        return setHalves<BlockQ1_0>(block, half);
    case DType::Q2_0:
        return setHalves<BlockQ2_0>(block, half);
    case DType::Mxfp4:
        block[offsetof(BlockMXFP4, e)] = std::byte{exponentOf(half)};
        return;
    case DType::Nvfp4:
        for (int i = 0; i < 4; ++i)
            block[i] &= std::byte{0x3F};
        return;
    default: // plain numbers, or separate scales
        return;
    }
}

} // namespace ep::model
