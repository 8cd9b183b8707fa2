// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with weights in blocks by a matrix unit for bytes (Intel
// AMX). As in blocks_avx512.h, an activation is 256 times its upper byte plus its lower one, so
// that the products with both bytes are whole and nothing is lost. Panels are those of
// pairs_impl.h, but for each group of 32 columns, eight lines hold the upper bytes of four columns
// each, and eight lines the lower bytes. The unit adds up a group; groups are scaled in f32.
#pragma once

#include "block_pairs_impl.h"
#include "tiles_impl.h"

#if defined(__AMX_INT8__)

namespace ep::model {
namespace {

constexpr Index kByteLines = kGroup / 4; // of a group's upper bytes, and of its lower ones

template <typename Format>
struct BytePairs : BlockPairs<Format> {
    static constexpr float kMax = 32639.0F; // whose upper byte is 127
    // Pairs of whole groups of columns.
    static EP_INLINE void split(std::uint32_t* pairs, Index columns)
    {
        for (Index group = 0; group < columns / kGroup; ++group) {
            std::uint32_t* const place = pairs + group * kGroup / 2;
            const __m512i words = _mm512_loadu_si512(place);
            // The lower byte has a sign, too: the upper one is what is left, rounded.
            const __m512i upper =
                _mm512_srai_epi16(_mm512_add_epi16(words, _mm512_set1_epi16(128)), 8);
            _mm512_storeu_si512(place,
                                joined(_mm512_cvtepi16_epi8(upper), _mm512_cvtepi16_epi8(words)));
        }
    }
};

// Whole numbers, for each output.
struct ByteProducts {
    Vec upper[kTileRows];
    Vec lower[kTileRows];
};

EP_INLINE void multiplyByteGroup(const float* weights, const float* lines, Index group,
                                 ByteProducts& out)
{
    const float* const bytes = weights + group * kGroup / 4;
    const float* const rows = lines + group * 2 * kByteLines * kPanelRows;
    // GCC's loads do not declare that they read memory: earlier stores must be complete.
    __asm__ volatile("" ::: "memory");
    EP_TILE_ZERO(0);
    EP_TILE_ZERO(1);
    EP_TILE_LOAD(4, bytes, kDepth);
    EP_TILE_LOAD(6, rows, kPanelRows);
    EP_TILE_LOAD(7, rows + kByteLines * kPanelRows, kPanelRows);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    EP_TILE_STORE(0, out.upper, kLanes);
    EP_TILE_STORE(1, out.lower, kLanes);
    __asm__ volatile("" ::: "memory");
}

// As multiplyRuns(), of a tile of outputs, whose totals stay in registers.
template <int Vectors, Index kSumColumns>
__attribute__((noinline)) void multiplyByteGroups(const float* panel, const float* weights,
                                                  Index columns, bool first, float* sums,
                                                  Index sumsStride)
{
    constexpr Index kOutputs = kTileRows;
    for (int v = 0; v < Vectors; ++v) {
        const float* const scales = panel + v * kLanes;
        const float* const lines = scales + kPanelRows;
        Vec total[kOutputs] = {};
        // The unit works on a group while the one before is scaled.
        ByteProducts products[2];
        const Index groups = columns / kGroup;
        multiplyByteGroup(weights, lines, 0, products[0]);
        for (Index group = 0; group < groups; ++group) {
            if (group + 1 < groups)
                multiplyByteGroup(weights, lines, group + 1, products[(group + 1) % 2]);
            const ByteProducts& of = products[group % 2];
#pragma GCC unroll 16
            for (Index o = 0; o < kOutputs; ++o) {
                const VecI whole = (__builtin_bit_cast(VecI, of.upper[o]) << 8)
                    + __builtin_bit_cast(VecI, of.lower[o]);
                total[o] +=
                    __builtin_convertvector(whole, Vec) * weights[o * kDepth + kFactorsAt + group];
            }
        }
        if constexpr (kSumColumns > 0) {
            const float* const ofGroups = lines + pairsOf(columns) * kPanelRows;
            for (Index group = 0; group < columns / kSumColumns; ++group) {
                const Vec sum = load(ofGroups + group * kPanelRows);
#pragma GCC unroll 16
                for (Index o = 0; o < kOutputs; ++o)
                    total[o] += sum * weights[o * kDepth + kMinimaAt + group];
            }
        }
        const Vec scale = load(scales);
#pragma GCC unroll 16
        for (Index o = 0; o < kOutputs; ++o) {
            float* const place = sums + o * sumsStride + v * kLanes;
            const Vec value = total[o] * scale;
            store(place, first ? value : load(place) + value);
        }
    }
}

// See DequantizedWeights. A row has its numbers as bytes, its factors and its minima.
template <typename Format>
struct ByteTileWeights {
    using Pairs = BytePairs<Format>;
    static constexpr int kOutputs = kTileRows;
    using Use = Tiles<kGroup>;
    static Index lines(Index columns) { return pairLines<Pairs>(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        auto* const numbers = reinterpret_cast<std::int8_t*>(out); // read as bytes only
        unpackPart<Format, std::int8_t>(w, row, begin, count,
                                        {numbers, out + kFactorsAt, out + kMinimaAt});
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        if constexpr (std::is_pointer_v<typename Format::Place>) {
            const auto place = Format::place(w, row);
            const auto* const from =
                reinterpret_cast<const char*>(Format::at(place, begin / kGroup));
            const auto* const to =
                reinterpret_cast<const char*>(Format::at(place, (begin + count) / kGroup));
            for (const char* line = from; line < to; line += 64)
                __builtin_prefetch(line, 0, 2);
        }
    }
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        multiplyByteGroups<Vectors, Pairs::kSumColumns>(panel, weights, columns, first, sums,
                                                        sumsStride);
    }
};

} // namespace
} // namespace ep::model

#endif
