// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with bf16 weights by NEON's bfmmla, which multiplies four
// columns of two outputs and two rows at once. The panels are like those of pairs_impl.h, but hold
// quads of columns: for each quad, all rows side by side.
#pragma once

#include "pairs_impl.h"

#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)

namespace ep::model {
namespace {

static_assert(kLanes == 4 && kPanelRows == 8);

EP_INLINE Index quadLines(Index columns)
{
    return (columns + 3) / 4 * 2; // lines of kPanelRows lanes
}

// Like packPanel(); rounds each row and spreads its quads over the panel.
void packQuads(const float* x, Index stride, Index rows, Index columns, Index panel, float* panels)
{
    const Index padded = paddedRows(rows);
    const Index depth = depthOf(columns);
    float* block = panels;
    for (Index begin = 0; begin < columns; begin += depth) {
        const Index count = columns - begin < depth ? columns - begin : depth;
        const Index lines = quadLines(count);
        for (Index i = 0; i < kPanelRows; ++i) {
            const Index row = panel * kPanelRows + i;
            std::uint32_t pairs[kPairDepth] = {};
            if (row < rows)
                roundRow<Bf16Pairs>(x + row * stride + begin, count, 1.0F, pairs);
            float* const to = block + panel * lines * kPanelRows + 2 * i;
            for (Index line = 0; line < lines; line += 2)
                __builtin_memcpy(to + line * kPanelRows, pairs + line, 2 * sizeof *pairs);
        }
        block += lines * padded;
    }
}

// See DequantizedWeights.
struct QuadWeights {
    static constexpr int kOutputs = 8;
    struct Use { };
    static Index lines(Index columns) { return quadLines(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        PairedWeights<Bf16Pairs>::bring(w, row, begin, out, count);
        if (pairsOf(count) < quadLines(count))
            out[pairsOf(count)] = 0.0F;
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        PairedWeights<Bf16Pairs>::prefetch(w, row, begin, count);
    }
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        constexpr int kRowPairs = 2 * Vectors;
        // Two outputs by two rows: both rows of the first output, then both of the second.
        float32x4_t acc[kOutputs / 2][kRowPairs];
        for (int o = 0; o < kOutputs; o += 2) {
            for (int r = 0; r < kRowPairs; ++r) {
                const float* const place = sums + o * sumsStride + 2 * r;
                acc[o / 2][r] = first ? vdupq_n_f32(0.0F)
                                      : vcombine_f32(vld1_f32(place), vld1_f32(place + sumsStride));
            }
        }
        for (Index line = 0; line < quadLines(columns); line += 2) {
            bfloat16x8_t rows[kRowPairs];
            for (int r = 0; r < kRowPairs; ++r)
                rows[r] =
                    __builtin_bit_cast(bfloat16x8_t, vld1q_f32(panel + line * kPanelRows + 4 * r));
            for (int o = 0; o < kOutputs; o += 2) {
                const float* const quad = weights + o * kDepth + line;
                const auto both = __builtin_bit_cast(
                    bfloat16x8_t, vcombine_f32(vld1_f32(quad), vld1_f32(quad + kDepth)));
                for (int r = 0; r < kRowPairs; ++r)
                    acc[o / 2][r] = vbfmmlaq_f32(acc[o / 2][r], both, rows[r]);
            }
        }
        for (int o = 0; o < kOutputs; o += 2) {
            for (int r = 0; r < kRowPairs; ++r) {
                float* const place = sums + o * sumsStride + 2 * r;
                vst1_f32(place, vget_low_f32(acc[o / 2][r]));
                vst1_f32(place + sumsStride, vget_high_f32(acc[o / 2][r]));
            }
        }
    }
};

} // namespace
} // namespace ep::model

#endif
