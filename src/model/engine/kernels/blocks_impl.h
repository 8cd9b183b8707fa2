// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of activations with block formats. For one row, or a few, the activations are rounded to
// 16 bits with one scale per 32 and multiplied by the integers of the weights, which need not be
// dequantized; each group's sum is then scaled in f32. Eight bits would be no faster where memory
// is the limit, and would change the output. For many rows, weights are dequantized into a cache
// block by block and multiplied as f32 (panels_impl.h), which is as fast there, and exact.
#pragma once

#include "elementwise_impl.h"
#include "formats_grids.h"
#include "panels_impl.h"
#ifdef EP_BLOCK_VECTORS
#include "blocks_spans.h"
#else
#include "blocks_plain.h"
#endif

namespace ep::model {
namespace {

// The largest whole number that is 256 times a signed byte plus another one.
constexpr float kMaxOfBytes = 32639.0F;

// Rounds x to 16 bits. columns is a multiple of 32; the memory of out is a multiple of 256, the
// rest of which becomes zero. The largest magnitude of a group becomes kMaxOfBytes, so that four
// products with a byte stay integers in f32.
void quantizeRow(const float* x, Index columns, std::int16_t* values, float* scales, float* sums,
                 float* half_sums, [[maybe_unused]] std::int8_t* bytes)
{
    constexpr float kRounding = 0x1.8p23F; // adding it rounds to an integer
    const Index groups = columns / kGroup;
    for (Index group = 0; group < groups; ++group) {
        const float* const from = x + group * kGroup;
        Vec largest = absolute(load(from));
        for (Index i = kLanes; i < kGroup; i += kLanes)
            largest = larger(largest, absolute(load(from + i)));
        const float most = largestOf(largest);
        const float scale = most / kMaxOfBytes;
        const float inverse = most > 0.0F ? kMaxOfBytes / most : 0.0F;
        std::int32_t total = 0;
        for (Index half = 0; half < 2; ++half) {
            VecI ofHalf = VecI{};
            for (Index i = half * 16; i < half * 16 + 16; i += kLanes) {
                const Vec rounded = (load(from + i) * inverse + kRounding) - kRounding;
                const VecI whole = __builtin_convertvector(rounded, VecI);
                ofHalf += whole;
                const VecShort words = __builtin_convertvector(whole, VecShort);
                __builtin_memcpy(values + group * kGroup + i, &words, sizeof words);
            }
            const std::int32_t one = sum(ofHalf);
            half_sums[2 * group + half] = scale * static_cast<float>(one);
            total += one;
        }
        scales[group] = scale;
        sums[group] = scale * static_cast<float>(total);
    }
    for (Index group = groups; group % 8 != 0; ++group) {
        __builtin_memset(values + group * kGroup, 0, kGroup * sizeof *values);
        scales[group] = 0.0F;
        sums[group] = 0.0F;
        half_sums[2 * group] = 0.0F;
        half_sums[2 * group + 1] = 0.0F;
    }
#if defined(__AVX512VNNI__)
    splitBytes(values, (groups + 7) / 8 * 8 * kGroup, bytes);
#endif
}

// Columns [begin, begin + count) of a row, multiples of 32.
template <typename Format, bool kPlainly>
void dequantizePart(const WeightRows& w, Index row, Index begin, float* out, Index count)
{
    const auto place = Format::place(w, row);
    Index group = begin / kGroup;
    const Index end = (begin + count) / kGroup;
    while (group < end) {
        float* const to = out + group * kGroup - begin;
        if constexpr (!kPlainly && Format::kGroups < 8) {
            if (group + 8 > end && group % Format::kGroups == 0 && end % Format::kGroups == 0) {
                dequantizeRest<Format>(place, group, end - group, to);
                return;
            }
        }
        if (group % Format::kGroups != 0 || group + 8 > end) {
            dequantizeGroup<Format>(place, group, to);
            ++group;
            continue;
        }
        if constexpr (kPlainly)
            dequantizeSpanPlainly<Format>(place, group, to);
        else
            dequantizeSpan<Format>(place, group, to);
        group += 8;
    }
}

template <typename Format, bool kPlainly>
void dequantizeRow(const WeightRows& w, Index row, float* out)
{
    dequantizePart<Format, kPlainly>(w, row, 0, out, w.columns);
    if (w.scales)
        scale(out, w.scales[row], w.columns);
}

// Rows in any block format. They are read through w.part, so that all formats share the code of the
// panels.
struct BlockRows {
    static EP_INLINE void dequantize(const WeightRows& w, Index row, Index begin, float* out,
                                     Index count)
    {
        w.part(w, row, begin, out, count);
    }
    // Prefetching gains nothing, because a block has few bytes, which take long to dequantize.
    static EP_INLINE void prefetch(const WeightRows&, Index, Index, Index) { }
};

template <typename Format, bool kPlainly>
void multiplyBlockPanels(const WeightRows& w, const float* panels, Index rows, float* scratch,
                         float* out, Index outStride, Index begin, Index end)
{
    WeightRows weights = w;
    weights.part = dequantizePart<Format, kPlainly>;
    multiplyPanels<BlockRows>(weights, panels, rows, scratch, out, outStride, begin, end);
}

template <typename Format>
bool finiteBlocks(const void* in, Index count)
{
    const auto* const blocks = static_cast<const typename Format::Block*>(in);
    bool finite = true;
    for (Index i = 0; i < count; ++i)
        finite &= Format::finite(blocks[i]);
    return finite;
}

// Formats with separate scales have their factors in separate tensors.
template <typename Format>
constexpr auto finiteOf() -> bool (*)(const void*, Index)
{
    if constexpr (requires { typename Format::Block; })
        return finiteBlocks<Format>;
    else
        return nullptr;
}

template <typename Format, bool kPlainly>
constexpr MatmulKernels matmulsOfBlocks(void (*dot)(const WeightRows&, const BlockedRow&, float*,
                                                    Index, Index),
                                        const PairKernels& pairs)
{
    return {
        .row = {},
        .fewRows = nullptr,
        .manyRows = multiplyBlockPanels<Format, kPlainly>,
        .pairs = pairs,
        .dequantize = nullptr,
        .blockRow = dot,
        .dequantizeRow = dequantizeRow<Format, kPlainly>,
        .finite = finiteOf<Format>(),
    };
}

// Plain code, which dequantizes while it multiplies.
template <typename Format>
constexpr MatmulKernels inMatmul()
{
    return matmulsOfBlocks<Format, true>(dotRowsPlainly<Format>, {});
}

} // namespace
} // namespace ep::model
