// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with block-quantized weights by a matrix unit for bytes
// (Intel AMX). As in blocks_avx512.h, an activation is 256 times its upper byte plus its lower one,
// so the products with both bytes are integers and nothing is lost. Numbers of weights that need
// more than a byte are split in the same way. The panels are those of pairs_impl.h, except that the
// lines of a run of columns hold the upper bytes of four columns each, and then the lower bytes.
// The unit adds up a run; runs are scaled in f32.
#pragma once

#include "block_pairs_impl.h"
#include "tiles_impl.h"

#if defined(__AMX_INT8__)

namespace ep::model {
namespace {

template <typename Format>
struct BytePairs : BlockPairs<Format> {
    static constexpr Index kRun = Runs<Format>::kRun;
    static constexpr float kMax =
        Runs<Format>::kMax < kMaxOfBytes ? Runs<Format>::kMax : kMaxOfBytes;
    // Replaces the pairs of a row by bytes in the order of the panel's lines.
    static EP_INLINE void split(std::uint32_t* pairs, Index columns)
    {
        constexpr Index kParts = kRun / kGroup;
        for (Index begin = 0; begin < columns; begin += kRun) {
            SplitWords parts[kParts];
            for (Index part = 0; part < kParts; ++part)
                parts[part] = splitWords(pairs + (begin + part * kGroup) / 2);
            auto* const to = reinterpret_cast<__m256i*>(pairs + begin / 2);
            for (Index part = 0; part < kParts; ++part) {
                _mm256_storeu_si256(to + part, parts[part].upper);
                _mm256_storeu_si256(to + kParts + part, parts[part].lower);
            }
        }
    }
};

// Integer products of each output: the sum of numbers[i] times 256^(kCount - 1 - i).
template <int kCount>
struct ByteProducts {
    Vec numbers[kCount][kTileRows];
};

constexpr Index kLowerBytesAt = kDepth / 4; // f32 values before the lower bytes of words

template <Index kRun, bool kWords>
EP_INLINE void multiplyByteRun(const float* weights, const float* lines, Index run,
                               ByteProducts<kWords ? 3 : 2>& out)
{
    const float* const bytes = weights + run * kRun / 4;
    const float* const rows = lines + run * kRun / 2 * kPanelRows;
    // GCC's loads do not declare that they read memory, so earlier stores must be completed first.
    __asm__ volatile("" ::: "memory");
    EP_TILE_ZERO(0);
    EP_TILE_ZERO(1);
    EP_TILE_LOAD(4, bytes, kDepth);
    EP_TILE_LOAD(6, rows, kPanelRows);
    EP_TILE_LOAD(7, rows + kRun / 4 * kPanelRows, kPanelRows);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    if constexpr (kWords) {
        EP_TILE_ZERO(2);
        EP_TILE_LOAD(5, bytes + kLowerBytesAt, kDepth);
        _tile_dpbssd(1, 5, 6);
        _tile_dpbssd(2, 5, 7);
        EP_TILE_STORE(2, out.numbers[2], kLanes);
    }
    EP_TILE_STORE(0, out.numbers[0], kLanes);
    EP_TILE_STORE(1, out.numbers[1], kLanes);
    __asm__ volatile("" ::: "memory");
}

// Like multiplyRuns(), for a tile of outputs, whose totals stay in registers.
template <int Vectors, Index kRun, bool kWords, Index kSumColumns>
__attribute__((noinline)) void multiplyByteRuns(const float* panel, const float* weights,
                                                Index columns, bool first, float* sums,
                                                Index sumsStride)
{
    constexpr Index kOutputs = kTileRows;
    for (int v = 0; v < Vectors; ++v) {
        const float* const scales = panel + v * kLanes;
        const float* const lines = scales + kPanelRows;
        Vec total[kOutputs] = {};
        // The unit multiplies one run while the previous one is scaled.
        ByteProducts<kWords ? 3 : 2> products[2];
        const Index runs = columns / kRun;
        multiplyByteRun<kRun, kWords>(weights, lines, 0, products[0]);
        for (Index run = 0; run < runs; ++run) {
            if (run + 1 < runs)
                multiplyByteRun<kRun, kWords>(weights, lines, run + 1, products[(run + 1) % 2]);
            const auto& numbers = products[run % 2].numbers;
#pragma GCC unroll 16
            for (Index o = 0; o < kOutputs; ++o) {
                VecI whole = __builtin_bit_cast(VecI, numbers[0][o]);
                whole = (whole << 8) + __builtin_bit_cast(VecI, numbers[1][o]);
                if constexpr (kWords)
                    whole = (whole << 8) + __builtin_bit_cast(VecI, numbers[2][o]);
                total[o] +=
                    __builtin_convertvector(whole, Vec) * weights[o * kDepth + kFactorsAt + run];
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

// See DequantizedWeights. A row has the bytes of its numbers, its factors and its minima.
template <typename Format>
struct ByteTileWeights {
    using Pairs = BytePairs<Format>;
    static constexpr bool kWords = Runs<Format>::kWords;
    static constexpr int kOutputs = kTileRows;
    using Use = Tiles<Runs<Format>::kRun>;
    static Index lines(Index columns) { return pairLines<Pairs>(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        if constexpr (kWords) {
            alignas(64) std::int16_t numbers[kDepth];
            unpackPart<Format, std::int16_t>(w, row, begin, count,
                                             {numbers, out + kFactorsAt, out + kMinimaAt});
            auto* const upper = reinterpret_cast<__m256i*>(out);
            auto* const lower = reinterpret_cast<__m256i*>(out + kLowerBytesAt);
            for (Index c = 0; c < count; c += kGroup) {
                const SplitWords bytes = splitWords(numbers + c);
                _mm256_storeu_si256(upper + c / kGroup, bytes.upper);
                _mm256_storeu_si256(lower + c / kGroup, bytes.lower);
            }
        } else {
            auto* const numbers = reinterpret_cast<std::int8_t*>(out); // read as bytes only
            unpackPart<Format, std::int8_t>(w, row, begin, count,
                                            {numbers, out + kFactorsAt, out + kMinimaAt});
        }
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
        multiplyByteRuns<Vectors, Pairs::kRun, kWords, Pairs::kSumColumns>(panel, weights, columns,
                                                                           first, sums, sumsStride);
    }
};

} // namespace
} // namespace ep::model

#endif
