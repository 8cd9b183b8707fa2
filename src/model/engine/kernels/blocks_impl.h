// SPDX-License-Identifier: GPL-3.0-or-later
// Products of activations with weights in blocks. One row, or a few: the activations are rounded to
// 16 bits with a scale for each 32, and multiplied by the whole numbers of the weights, so that
// these need not be widened; each group's sum is then scaled in f32. Eight bits would be no faster
// where the memory is the limit, and change what a model says. Many rows: widened block by
// block in a cache and multiplied as f32 (panels_impl.h), which is as fast there and exact.
#pragma once

#include "panels_impl.h"
#ifdef EP_BLOCK_VECTORS
#include "blocks_spans.h"
#else
#include "blocks_plain.h"
#endif

namespace ep::model {
namespace {

// Rounds x to 16 bits; columns is a multiple of 32, the memory of out one of 256, whose rest
// becomes zero. The largest magnitude of a group becomes 32,639, so that such a number is 256 times
// a signed byte plus another one, and four products with a byte are whole in f32.
void quantizeRow(const float* x, Index columns, std::int16_t* values, float* scales, float* sums)
{
    constexpr float kLargest = 32639.0F;
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
            if (group % Format::kGroups == 0 && group + 8 <= end) {
                widenSpan<Format>(place, group, to);
                group += 8;
            } else {
                widenGroup<Format>(place, group, to);
                ++group;
            }
        }
    }
    // Few bytes that take long to widen: nothing is gained.
    static EP_INLINE void prefetch(const WeightRows&, Index, Index, Index) { }
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
        .pairs = {},
        .widen = nullptr,
        .blockRow = dotBlocks<Format>,
        .widenRow = widenBlockRow<Format>,
        .finite = finiteOf<Format>(),
    };
}

} // namespace
} // namespace ep::model
