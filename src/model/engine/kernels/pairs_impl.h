// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with 16- or 8-bit weights, by instructions that multiply
// pairs of 16-bit numbers and add both products to a lane: twice as many products as with f32.
// Blocks, panels and tiles are those of panels_impl.h, except that a lane holds a pair of columns.
// The activations are rounded when packed: to bf16 for bf16 weights, for int8 to 16-bit integers
// relative to the largest of the row's block (error at most 2^-16 of it; a block of kDepth
// products with signed bytes does not overflow 32 bits). Sums of blocks are f32.
#pragma once

#include "panels_impl.h"

#include <cstddef>

#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#include <arm_neon.h>
#endif

namespace ep::model {
namespace {

constexpr Index kPairDepth = kDepth / 2;

EP_INLINE Index pairsOf(Index columns)
{
    return (columns + 1) / 2;
}

// Pairs the low halves of the lanes of `first` with the low halves of `second`.
EP_INLINE VecU pairUp(VecU first, VecU second)
{
    return (first & 0xFFFFU) | (second << 16);
}

// --- bf16 ----------------------------------------------------------------------------------------

// Rounded to nearest, ties to even; NaN stays NaN.
EP_INLINE VecU bf16Bits(Vec v)
{
    const VecU bits = __builtin_bit_cast(VecU, v);
    const VecU rounded = bits + 0x7FFFU + ((bits >> 16) & 1U);
    const VecU number = __builtin_bit_cast(VecU, v == v);
    return ((rounded & number) | ((bits | 0x400000U) & ~number)) >> 16;
}

struct Bf16Pairs {
    using Stored = std::uint16_t;
    using Sums = Vec;
    static constexpr bool kScaled = false;
    static constexpr Index kLinesAtOnce = 1;
    static constexpr float kMax = 1.0F;
    static constexpr Index kSumColumns = 0; // columns per packed sum; 0: no sums are packed

    static EP_INLINE VecU round(VecPair x, float)
    {
        return pairUp(bf16Bits(x.first), bf16Bits(x.second));
    }
    static EP_INLINE void bring(const std::uint16_t* stored, std::uint16_t* out, Index count)
    {
        __builtin_memcpy(out, stored, static_cast<std::size_t>(count) * sizeof *out);
    }
#if defined(EP_PLAIN_PAIRS) || defined(EP_PLAIN_TILES) // for tests
    static EP_INLINE Vec plus(Vec sums, VecU x, VecU weights)
    {
        const auto value = [](VecU bits) { return __builtin_bit_cast(Vec, bits); };
        constexpr std::uint32_t kUpper = 0xFFFF0000U;
        return sums + value(x << 16) * value(weights << 16)
            + value(x & kUpper) * value(weights & kUpper);
    }
#elif defined(__AVX512BF16__)
    static EP_INLINE Vec plus(Vec sums, VecU x, VecU weights)
    {
        return _mm512_dpbf16_ps(sums, __builtin_bit_cast(__m512bh, x),
                                __builtin_bit_cast(__m512bh, weights));
    }
#elif defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
    static EP_INLINE Vec plus(Vec sums, VecU x, VecU weights)
    {
        return __builtin_bit_cast(Vec,
                                  vbfdotq_f32(__builtin_bit_cast(float32x4_t, sums),
                                              __builtin_bit_cast(bfloat16x8_t, x),
                                              __builtin_bit_cast(bfloat16x8_t, weights)));
    }
#endif
    static EP_INLINE Vec value(Vec sums, const float*)
    {
        return sums;
    }
};

// --- int8 ----------------------------------------------------------------------------------------

struct IntegerPairs {
    using Stored = std::int8_t;
    using Sums = VecI;
    static constexpr bool kScaled = true;
    static constexpr Index kLinesAtOnce = 1;
    static constexpr float kMax = 32767.0F;
    static constexpr Index kSumColumns = 0;

    static EP_INLINE VecU round(VecPair x, float inverse)
    {
        constexpr float kRounding = 0x1.8p23F; // adding it rounds to an integer
        const auto whole = [&](Vec v) {
            const Vec rounded = (v * inverse + kRounding) - kRounding;
            return __builtin_bit_cast(VecU, __builtin_convertvector(rounded, VecI));
        };
        return pairUp(whole(x.first), whole(x.second));
    }
    static EP_INLINE void bring(const std::int8_t* stored, std::uint16_t* out, Index count)
    {
        Index c = 0;
        for (; c + kLanes <= count; c += kLanes) {
            VecByte bytes;
            __builtin_memcpy(&bytes, stored + c, sizeof bytes);
            const VecShort words = __builtin_convertvector(bytes, VecShort);
            __builtin_memcpy(out + c, &words, sizeof words);
        }
        for (; c < count; ++c)
            out[c] = static_cast<std::uint16_t>(stored[c]);
    }
#if defined(EP_PLAIN_PAIRS) // for tests
    static EP_INLINE VecI plus(VecI sums, VecU x, VecU weights)
    {
        const auto low = [](VecU v) { return __builtin_bit_cast(VecI, v << 16) >> 16; };
        const auto high = [](VecU v) { return __builtin_bit_cast(VecI, v) >> 16; };
        return sums + low(x) * low(weights) + high(x) * high(weights);
    }
#elif defined(__AVX2__)
    static EP_INLINE VecI plus(VecI sums, VecU x, VecU weights)
    {
#if EP_VECTOR_BYTES == 64
        const auto a = __builtin_bit_cast(__m512i, x);
        const auto b = __builtin_bit_cast(__m512i, weights);
        const auto c = __builtin_bit_cast(__m512i, sums);
#if defined(__AVX512VNNI__)
        return __builtin_bit_cast(VecI, _mm512_dpwssd_epi32(c, a, b));
#else
        return __builtin_bit_cast(VecI, _mm512_add_epi32(c, _mm512_madd_epi16(a, b)));
#endif
#else
        const auto a = __builtin_bit_cast(__m256i, x);
        const auto b = __builtin_bit_cast(__m256i, weights);
        const auto c = __builtin_bit_cast(__m256i, sums);
#if defined(__AVXVNNI__)
        return __builtin_bit_cast(VecI, _mm256_dpwssd_avx_epi32(c, a, b));
#else
        return __builtin_bit_cast(VecI, _mm256_add_epi32(c, _mm256_madd_epi16(a, b)));
#endif
#endif
    }
#endif
    static EP_INLINE Vec value(VecI sums, const float* scales)
    {
        return __builtin_convertvector(sums, Vec) * load(scales);
    }
};

// --- Packing -------------------------------------------------------------------------------------

// The scale of a row's block; NaN if one of its values is infinite or NaN.
EP_INLINE float scaleOf(const float* x, Index count, float max)
{
    Vec largest = Vec{};
    Vec zero = Vec{};
    Index c = 0;
    for (; c + kLanes <= count; c += kLanes) {
        largest = larger(largest, absolute(load(x + c)));
        zero += load(x + c) * 0.0F;
    }
    float most = largestOf(largest);
    float nothing = sum(zero);
    for (; c < count; ++c) {
        const float magnitude = x[c] < 0.0F ? -x[c] : x[c];
        most = magnitude > most ? magnitude : most;
        nothing += x[c] * 0.0F;
    }
    return most / max + nothing;
}

// The pairs of `count` values, in whole vectors; zero beyond the last value.
template <typename Pairs>
EP_INLINE void roundRow(const float* x, Index count, float inverse, std::uint32_t* out)
{
    Index c = 0;
    for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
        const VecU pairs = Pairs::round(TypeBF16::arrange(x + c), inverse);
        __builtin_memcpy(out + c / 2, &pairs, sizeof pairs);
    }
    if (c < count) {
        float rest[2 * kLanes] = {};
        __builtin_memcpy(rest, x + c, static_cast<std::size_t>(count - c) * sizeof *x);
        const VecU pairs = Pairs::round(TypeBF16::arrange(rest), inverse);
        __builtin_memcpy(out + c / 2, &pairs, sizeof pairs);
    }
}

// Packs the sums of every kColumns columns as integers in f32, each in a line of kPanelRows lanes.
template <Index kColumns>
EP_INLINE void packSums(const std::uint32_t* pairs, Index columns, float* lines)
{
    for (Index begin = 0; begin < columns; begin += kColumns) {
        const Index end = columns - begin < kColumns ? columns : begin + kColumns;
        std::int32_t sum = 0;
        for (Index pair = begin / 2; pair < pairsOf(end); ++pair) {
            sum += static_cast<std::int16_t>(pairs[pair] & 0xFFFFU);
            sum += static_cast<std::int16_t>(pairs[pair] >> 16U);
        }
        lines[begin / kColumns * kPanelRows] = static_cast<float>(sum);
    }
}

// Number of lines of kPanelRows lanes that a panel needs for `columns` columns: for the scales (if
// any), the pairs, and the sums (if any).
template <typename Pairs>
EP_INLINE Index pairLines(Index columns)
{
    constexpr Index kStep = Pairs::kLinesAtOnce;
    Index lines = (Pairs::kScaled ? 1 : 0) + (pairsOf(columns) + kStep - 1) / kStep * kStep;
    if constexpr (Pairs::kSumColumns > 0)
        lines += (columns + Pairs::kSumColumns - 1) / Pairs::kSumColumns;
    return lines;
}

// Like packPanel(), using less of its memory.
template <typename Pairs>
void packPairs(const float* x, Index stride, Index rows, Index columns, Index panel, float* panels)
{
    const Index padded = paddedRows(rows);
    const Index depth = depthOf(columns);
    float* block = panels;
    for (Index begin = 0; begin < columns; begin += depth) {
        const Index count = columns - begin < depth ? columns - begin : depth;
        const Index lines = pairLines<Pairs>(count);
        constexpr Index kStep = Pairs::kLinesAtOnce;
        const Index pairs = (pairsOf(count) + kStep - 1) / kStep * kStep;
        for (int part = 0; part < kPanelVectors; ++part) {
            float* to = block + panel * lines * kPanelRows + part * kLanes;
            std::uint32_t rounded[kLanes][kPairDepth] = {};
            Vec scales = Vec{};
            for (Index i = 0; i < kLanes; ++i) {
                const Index row = panel * kPanelRows + part * kLanes + i;
                if (row >= rows)
                    break;
                const float* const from = x + row * stride + begin;
                const float scale = Pairs::kScaled ? scaleOf(from, count, Pairs::kMax) : 1.0F;
                scales[i] = scale;
                roundRow<Pairs>(from, count, scale > 0.0F ? 1.0F / scale : 0.0F, rounded[i]);
            }
            if constexpr (Pairs::kScaled) {
                store(to, scales);
                to += kPanelRows;
            }
            if constexpr (Pairs::kSumColumns > 0) {
                for (Index i = 0; i < kLanes; ++i)
                    packSums<Pairs::kSumColumns>(rounded[i], count, to + pairs * kPanelRows + i);
            }
            if constexpr (requires { Pairs::split(rounded[0], count); }) {
                for (Index i = 0; i < kLanes; ++i)
                    Pairs::split(rounded[i], count);
            }
            for (Index c = 0; c < pairs; c += kLanes) {
                Vec lanes[kLanes];
                for (Index i = 0; i < kLanes; ++i)
                    __builtin_memcpy(&lanes[i], rounded[i] + c, sizeof lanes[i]);
                transpose(lanes);
                const Index last = pairs - c < kLanes ? pairs - c : kLanes;
                for (Index i = 0; i < last; ++i)
                    store(to + (c + i) * kPanelRows, lanes[i]);
            }
        }
        block += lines * padded;
    }
}

// --- Matmuls -------------------------------------------------------------------------------------

EP_INLINE VecU loadPairs(const float* p)
{
    return __builtin_bit_cast(VecU, load(p));
}

// See DequantizedWeights.
template <typename Pairs>
struct PairedWeights {
    static constexpr int kOutputs = kTileOutputs;
    struct Use { };
    static Index lines(Index columns) { return pairLines<Pairs>(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        const auto* const stored = static_cast<const typename Pairs::Stored*>(w.values);
        auto* const halves = reinterpret_cast<std::uint16_t*>(out); // read as bytes only
        Pairs::bring(stored + row * w.columns + begin, halves, count);
        if (count % 2 != 0)
            halves[count] = 0;
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        const auto* const stored = static_cast<const typename Pairs::Stored*>(w.values);
        prefetchStored(stored + row * w.columns + begin, count);
    }
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        const float* const scales = panel;
        const float* const lines = panel + (Pairs::kScaled ? kPanelRows : 0);
        typename Pairs::Sums acc[kOutputs][Vectors];
        for (int o = 0; o < kOutputs; ++o) {
            for (int v = 0; v < Vectors; ++v)
                acc[o][v] = typename Pairs::Sums{};
        }
        const Index pairs = pairsOf(columns);
        for (Index c = 0; c < pairs; ++c) {
            VecU x[Vectors];
            for (int v = 0; v < Vectors; ++v)
                x[v] = loadPairs(lines + c * kPanelRows + v * kLanes);
            for (int o = 0; o < kOutputs; ++o) {
                std::uint32_t pair;
                __builtin_memcpy(&pair, weights + o * kDepth + c, sizeof pair);
                for (int v = 0; v < Vectors; ++v)
                    acc[o][v] = Pairs::plus(acc[o][v], x[v], VecU{} + pair);
            }
        }
        for (int o = 0; o < kOutputs; ++o) {
            for (int v = 0; v < Vectors; ++v) {
                float* const place = sums + o * sumsStride + v * kLanes;
                const Vec value = Pairs::value(acc[o][v], scales + v * kLanes);
                store(place, first ? value : load(place) + value);
            }
        }
    }
};

} // namespace
} // namespace ep::model
