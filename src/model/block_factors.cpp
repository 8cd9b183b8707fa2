// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_factors.h"

#include "engine/kernels/block_layouts.h"

#include <algorithm>
#include <array>
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

void setExponent(std::byte* place, std::uint16_t half)
{
    place[offsetof(BlockMXFP4, e)] = std::byte{exponentOf(half)};
}

void limitScales(std::byte* place, std::uint16_t /*half*/)
{
    for (int i = 0; i < 4; ++i)
        place[i] &= std::byte{0x3F};
}

struct Factors {
    DType dtype;
    void (*set)(std::byte* block, std::uint16_t half);
};
constexpr std::array kBlockFactors{Factors{DType::Q8_0, setHalves<BlockQ8_0>},
                                   Factors{DType::Q4_0, setHalves<BlockQ4_0>},
                                   Factors{DType::Q4_1, setHalves<BlockQ4_1>},
                                   Factors{DType::Q5_0, setHalves<BlockQ5_0>},
                                   Factors{DType::Q5_1, setHalves<BlockQ5_1>},
                                   Factors{DType::Q2_K, setHalves<BlockQ2_K>},
                                   Factors{DType::Q3_K, setHalves<BlockQ3_K>},
                                   Factors{DType::Q4_K, setHalves<BlockQ4_K>},
                                   Factors{DType::Q5_K, setHalves<BlockQ5_K>},
                                   Factors{DType::Q6_K, setHalves<BlockQ6_K>},
                                   Factors{DType::IQ1_S, setHalves<BlockIQ1_S>},
                                   Factors{DType::IQ1_M, setInScales},
                                   Factors{DType::IQ2_XXS, setHalves<BlockIQ2_XXS>},
                                   Factors{DType::IQ2_XS, setHalves<BlockIQ2_XS>},
                                   Factors{DType::IQ2_S, setHalves<BlockIQ2_S>},
                                   Factors{DType::IQ3_XXS, setHalves<BlockIQ3_XXS>},
                                   Factors{DType::IQ3_S, setHalves<BlockIQ3_S>},
                                   Factors{DType::IQ4_NL, setHalves<BlockIQ4_NL>},
                                   Factors{DType::IQ4_XS, setHalves<BlockIQ4_XS>},
                                   Factors{DType::TQ1_0, setHalves<BlockTQ1_0>},
                                   Factors{DType::TQ2_0, setHalves<BlockTQ2_0>},
                                   Factors{DType::Q1_0, setHalves<BlockQ1_0>},
                                   Factors{DType::Q2_0, setHalves<BlockQ2_0>},
                                   Factors{DType::Mxfp4, setExponent},
                                   Factors{DType::Nvfp4, limitScales}};

} // namespace

void setFactors(DType dtype, std::byte* block, std::uint16_t half)
{
    const auto* const found = std::ranges::find(kBlockFactors, dtype, &Factors::dtype);
    if (found != kBlockFactors.end()) // otherwise plain numbers, or separate scales
        found->set(block, half);
}

} // namespace ep::model
