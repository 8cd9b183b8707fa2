// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"

#include "quantize/ggml_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace ep::model {
namespace {

template <auto kMake>
void fillBlocks(const float* x, std::int64_t count, std::int64_t size, std::byte* out)
{
    for (std::int64_t i = 0; i < count; i += size) {
        const auto block = kMake(x + i);
        std::memcpy(out, &block, sizeof block);
        out += sizeof block;
    }
}

using Fill = void (*)(const float* x, std::int64_t count, std::int64_t size, std::byte* out);
constexpr std::array<std::pair<DType, Fill>, 14> kFills{{{DType::Q8_0, fillBlocks<toQ8_0>},
                                                         {DType::Q4_0, fillBlocks<toQ4_0>},
                                                         {DType::Q4_1, fillBlocks<toQ4_1>},
                                                         {DType::Q5_0, fillBlocks<toQ5_0>},
                                                         {DType::Q5_1, fillBlocks<toQ5_1>},
                                                         {DType::Q2_K, fillBlocks<toQ2_K>},
                                                         {DType::Q3_K, fillBlocks<toQ3_K>},
                                                         {DType::Q4_K, fillBlocks<toQ4_K>},
                                                         {DType::Q5_K, fillBlocks<toQ5_K>},
                                                         {DType::Q6_K, fillBlocks<toQ6_K>},
                                                         {DType::IQ4_NL, fillBlocks<toIQ4_NL>},
                                                         {DType::IQ4_XS, fillBlocks<toIQ4_XS>},
                                                         {DType::Mxfp4, fillBlocks<toMXFP4>},
                                                         {DType::Nvfp4, fillBlocks<toNVFP4>}}};

} // namespace

bool fitsBlocks(DType dtype, std::int64_t columns)
{
    const bool mlx = scalesApart(dtype) && dtype != DType::Fp8;
    return columns % (mlx ? kMlxGroup : rowOf(dtype).block) == 0;
}

void quantizeToBlocks(DType dtype, const float* x, std::int64_t count, std::byte* out)
{
    for (const auto& [known, fill] : kFills) {
        if (known == dtype)
            fill(x, count, rowOf(dtype).block, out);
    }
}

void quantizeToFp8(const float* x, std::int64_t rows, std::int64_t columns, std::byte* out,
                   float* scales)
{
    constexpr float kMax = 448.0F;
    for (std::int64_t begin = 0; begin < columns; begin += kFp8Block) {
        const std::int64_t end = std::min(columns, begin + kFp8Block);
        float most = 0.0F;
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t i = begin; i < end; ++i)
                most = std::max(most, std::abs(x[row * columns + i]));
        }
        const float scale = most > 0.0F ? most / kMax : 1.0F;
        scales[begin / kFp8Block] = scale;
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t i = begin; i < end; ++i)
                out[row * columns + i] = std::byte{toE4M3(x[row * columns + i] / scale)};
        }
    }
}

void quantizeToMlx(int bits, const float* x, std::int64_t count, std::byte* packed, float* scales,
                   float* biases)
{
    constexpr float kMin = 1e-7F;
    const int most = (1 << bits) - 1;
    std::fill_n(packed, count * bits / 8, std::byte{0});
    for (std::int64_t group = 0; group < count / kMlxGroup; ++group) {
        const float* const values = x + group * kMlxGroup;
        const auto [low, high] = std::minmax_element(values, values + kMlxGroup);
        // The end with the larger magnitude is exact: it is the bias, a multiple of the scale.
        const bool fromLow = std::abs(*low) > std::abs(*high);
        const float edge = fromLow ? *low : *high;
        float scale = std::max((*high - *low) / static_cast<float>(most), kMin);
        scale = fromLow ? scale : -scale;
        const float steps = std::nearbyint(edge / scale);
        float bias = 0.0F;
        if (steps != 0.0F) {
            scale = edge / steps;
            bias = edge;
        }
        scales[group] = scale;
        biases[group] = bias;
        for (std::int64_t i = 0; i < kMlxGroup; ++i) {
            const int q = std::clamp(nearestEven((values[i] - bias) / scale), 0, most);
            const std::int64_t bit = (group * kMlxGroup + i) * bits;
            packed[bit / 8] |= static_cast<std::byte>(q << bit % 8);
            if (bit % 8 + bits > 8)
                packed[bit / 8 + 1] |= static_cast<std::byte>(q >> (8 - bit % 8));
        }
    }
}

} // namespace ep::model
