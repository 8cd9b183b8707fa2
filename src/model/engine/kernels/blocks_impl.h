// SPDX-License-Identifier: GPL-3.0-or-later
// Products of activations with weights in blocks. One row, or a few: the activations are rounded to
// 16 bits with a scale for each 32, and multiplied by the whole numbers of the weights, so that
// these need not be widened; each group's sum is then scaled in f32. Eight bits would be no faster
// where the memory is the limit, and change what a model says. Many rows: widened block by
// block in a cache and multiplied as f32 (panels_impl.h), which is as fast there and exact.
#pragma once

#include "block_formats.h"
#include "panels_impl.h"
#if defined(__AVX2__)
#include "blocks_avx2.h"
#include "blocks_mlx_avx2.h"
#endif

namespace ep::model {
namespace {

#if defined(__AVX2__)
using KernelsQ8_0 = VectorsQ8_0;
using KernelsQ4_0 = VectorsQ4_0;
using KernelsQ4_K = VectorsQ4_K;
using KernelsQ5_K = VectorsQ5_K;
using KernelsQ6_K = VectorsQ6_K;
using KernelsMlx4 = VectorsMlx4;
using KernelsMlx6 = VectorsMlx6;
using KernelsMlx8 = VectorsMlx8;
#else
using KernelsQ8_0 = FormatQ8_0;
using KernelsQ4_0 = FormatQ4_0;
using KernelsQ4_K = FormatQ4_K;
using KernelsQ5_K = FormatQ5_K;
using KernelsQ6_K = FormatQ6_K;
using KernelsMlx4 = FormatMlx4;
using KernelsMlx6 = FormatMlx6;
using KernelsMlx8 = FormatMlx8;
#endif

// Rounds x to 16 bits; columns is a multiple of 32, the memory of out one of 256, whose rest
// becomes zero. The largest magnitude of a group becomes 32,767: four products with a byte are
// whole in f32.
void quantizeRow(const float* x, Index columns, std::int16_t* values, float* scales, float* sums)
{
    constexpr float kLargest = 32767.0F;
    constexpr float kRounding = 0x1.8p23F; // adding it leaves no digits after the point
    const Index groups = columns / kGroup;
    for (Index group = 0; group < groups; ++group) {
        const float* const from = x + group * kGroup;
        Vec largest = absolute(load(from));
        for (Index i = kLanes; i < kGroup; i += kLanes)
            largest = larger(largest, absolute(load(from + i)));
        const float most = largestOf(largest);
        const float scale = most / kLargest;
        const float inverse = most > 0.0F ? kLargest / most : 0.0F;
        VecI total = VecI{};
        for (Index i = 0; i < kGroup; i += kLanes) {
            const Vec rounded = (load(from + i) * inverse + kRounding) - kRounding;
            const VecI whole = __builtin_convertvector(rounded, VecI);
            total += whole;
            const VecShort words = __builtin_convertvector(whole, VecShort);
            __builtin_memcpy(values + group * kGroup + i, &words, sizeof words);
        }
        scales[group] = scale;
        sums[group] = scale * static_cast<float>(sum(total));
    }
    for (Index group = groups; group % 8 != 0; ++group) {
        __builtin_memset(values + group * kGroup, 0, kGroup * sizeof *values);
        scales[group] = 0.0F;
        sums[group] = 0.0F;
    }
}

// out[r] = weights[r, :] . x (+ bias[r]) for begin <= r < end.
template <typename Format>
void dotBlocks(const WeightRows& w, const BlockedRow& x, float* out, Index begin, Index end)
{
#if defined(__AVX2__)
    // Rows far apart, so that each is a long stream.
    constexpr int kRows = 4;
    const Index apart = (end - begin) / kRows;
    for (Index i = 0; i < apart; ++i)
        dotBlockRows<Format, kRows>(w, begin + i, apart, x, out);
    for (Index row = begin + kRows * apart; row < end; ++row)
        dotBlockRows<Format, 1>(w, row, 0, x, out);
#else
    const Index groups = w.columns / kGroup;
    for (Index row = begin; row < end; ++row) {
        const auto place = Format::place(w, row);
        float value = 0.0F;
        for (Index group = 0; group < groups; ++group)
            value += dotGroup<Format>(place, x, group);
        out[row] = value + (w.bias ? w.bias[row] : 0.0F);
    }
#endif
}

// Columns [begin, begin + count) of a row, multiples of 32.
template <typename Format>
struct BlockType {
    static EP_INLINE void widen(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        const auto place = Format::place(w, row);
        Index group = begin / kGroup;
        const Index end = (begin + count) / kGroup;
        while (group < end) {
            float* const to = out + group * kGroup - begin;
#if defined(__AVX2__)
            if (group % Format::kGroups == 0 && group + 8 <= end) {
                widenSpan<Format>(place, group, to);
                group += 8;
                continue;
            }
#endif
            widenGroup<Format>(place, group, to);
            ++group;
        }
    }
};

template <typename Format>
void widenBlockRow(const WeightRows& w, Index row, float* out)
{
    BlockType<Format>::widen(w, row, 0, out, w.columns);
}

// Whether a half is neither infinite nor no number.
EP_INLINE bool finiteHalf(Half bits)
{
    return (bits & 0x7C00) != 0x7C00;
}

template <typename Format>
bool finiteBlocks(const void* in, Index count)
{
    const auto* const blocks = static_cast<const typename Format::Block*>(in);
    bool finite = true;
    for (Index i = 0; i < count; ++i) {
        finite &= finiteHalf(blocks[i].d);
        if constexpr (requires { blocks[i].m; })
            finite &= finiteHalf(blocks[i].m);
    }
    return finite;
}

// MLX has its factors in tensors of their own.
template <typename Format>
constexpr auto finiteOf() -> bool (*)(const void*, Index)
{
    if constexpr (requires { typename Format::Block; })
        return finiteBlocks<Format>;
    else
        return nullptr;
}

template <typename Format>
constexpr ProductKernels productsOfBlocks()
{
    return {
        .row = {},
        .fewRows = nullptr,
        .manyRows = multiplyPanels<BlockType<Format>>,
        .widen = nullptr,
        .blockRow = dotBlocks<Format>,
        .widenRow = widenBlockRow<Format>,
        .finite = finiteOf<Format>(),
    };
}

} // namespace
} // namespace ep::model
