// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"

#include "quantize/ggml_blocks.h"
#include "quantize/rounding.h"

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

} // namespace ep::model
