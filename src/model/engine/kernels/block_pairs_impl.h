// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with block-quantized weights by the integer pairs of
// pairs_impl.h. The activations have up to 16 bits, with one scale for each row of a block of
// columns; the weights are unpacked to integers once for all rows. The products of a run of columns
// that have the same factor are added up as integers, the runs in f32.
#pragma once

#include "blocks_impl.h"
#include "pairs_impl.h"

#if defined(EP_PLAIN_PAIRS) || defined(__AVX2__)

namespace ep::model {
namespace {

// Where the parts of a row of unpacked weights begin, in values of f32. The numbers, of 16 or 8
// bits, come first, then the factors of runs, then the minima.
constexpr Index kFactorsAt = kDepth / 2;
constexpr Index kMinimaAt = kFactorsAt + 16;

template <typename Number>
struct UnpackedTo {
    Number* numbers;
    float* factors;
    float* minima;
};

template <typename Format>
struct Runs {
    static constexpr Index kRun = Format::kHalves ? kGroup / 2 : kGroup;
    static constexpr Index kOfGroup = kGroup / kRun;
    static constexpr float kMax = 32767.0F; // largest value of an activation
    static constexpr bool kWords = false; // whether a number of a weight needs two bytes

    template <typename Number>
    static EP_INLINE void unpackGroup(const typename Format::Place& row, Index group,
                                      const UnpackedTo<Number>& to)
    {
        std::int8_t values[kGroup];
        Format::values(row, group, values);
        for (int i = 0; i < kGroup; ++i)
            to.numbers[i] = static_cast<Number>(values[i] - Format::kZero);
        for (int half = 0; half < kOfGroup; ++half) {
            to.factors[half] = Format::scale(row, group, half);
            if constexpr (Format::kMinima)
                to.minima[half] = Format::minimum(row, group, half);
        }
    }
#ifdef EP_BLOCK_VECTORS
    static constexpr int kZero = Format::kMinima ? 0 : Format::kZero; // part of the minima, if any
    template <int kG>
    static EP_INLINE void unpackNumbers(const typename Format::Place& at, std::int8_t* numbers)
    {
        __m256i bytes = Format::template bytes<kG>(at);
        if constexpr (kZero != 0)
            bytes = _mm256_sub_epi8(bytes, _mm256_set1_epi8(kZero));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers + kG * kGroup), bytes);
    }
    template <int kG>
    static EP_INLINE void unpackNumbers(const typename Format::Place& at, std::int16_t* numbers)
    {
        Words words = wordsOf<Format::kSigned>(Format::template bytes<kG>(at));
        if constexpr (kZero != 0) {
            words.first = _mm256_sub_epi16(words.first, _mm256_set1_epi16(kZero));
            words.second = _mm256_sub_epi16(words.second, _mm256_set1_epi16(kZero));
        }
        auto* const to = reinterpret_cast<__m256i*>(numbers + kG * kGroup);
        _mm256_storeu_si256(to, words.first);
        _mm256_storeu_si256(to + 1, words.second);
    }
    template <typename Number>
    static EP_INLINE void unpackSpan(const typename Format::Place& at, const UnpackedTo<Number>& to)
    {
        unpackNumbers<0>(at, to.numbers);
        unpackNumbers<1>(at, to.numbers);
        unpackNumbers<2>(at, to.numbers);
        unpackNumbers<3>(at, to.numbers);
        unpackNumbers<4>(at, to.numbers);
        unpackNumbers<5>(at, to.numbers);
        unpackNumbers<6>(at, to.numbers);
        unpackNumbers<7>(at, to.numbers);
        if constexpr (Format::kHalves) {
            for (int half = 0; half < 2; ++half) {
                _mm256_storeu_ps(to.factors + 8 * half, Format::scales(at, half));
                if constexpr (Format::kMinima)
                    _mm256_storeu_ps(to.minima + 8 * half, Format::minima(at, half));
            }
        } else {
            const __m256 scales = Format::scales(at);
            _mm256_storeu_ps(to.factors, scales);
            if constexpr (Format::kMinima)
                _mm256_storeu_ps(to.minima, Format::offsets(at, scales));
        }
    }
#endif
};

#ifdef EP_BLOCK_VECTORS
// The numbers are multiplied by the integer scales of their halves. The products have 13 bits, and
// longer runs can then share the factor of the block.
template <>
struct Runs<KernelsQ6_K> {
    static constexpr Index kRun = 2 * kGroup;
    static constexpr float kMax = 8191.0F; // 64 x 4,096 x 8,191 stays below 2^31
    static constexpr bool kWords = true;

    template <int kG>
    static EP_INLINE void unpackNumbers(const BlockQ6_K* b, std::int16_t* numbers)
    {
        const Words words = KernelsQ6_K::words<kG>(b);
        auto* const to = reinterpret_cast<__m256i*>(numbers + kG * kGroup);
        _mm256_storeu_si256(to,
                            _mm256_mullo_epi16(words.first, _mm256_set1_epi16(b->scales[2 * kG])));
        _mm256_storeu_si256(
            to + 1, _mm256_mullo_epi16(words.second, _mm256_set1_epi16(b->scales[2 * kG + 1])));
    }
    static EP_INLINE void unpackSpan(const BlockQ6_K* b, const UnpackedTo<std::int16_t>& to)
    {
        unpackNumbers<0>(b, to.numbers);
        unpackNumbers<1>(b, to.numbers);
        unpackNumbers<2>(b, to.numbers);
        unpackNumbers<3>(b, to.numbers);
        unpackNumbers<4>(b, to.numbers);
        unpackNumbers<5>(b, to.numbers);
        unpackNumbers<6>(b, to.numbers);
        unpackNumbers<7>(b, to.numbers);
        _mm_storeu_ps(to.factors, _mm_set1_ps(_cvtsh_ss(b->d)));
    }
};
#endif

template <typename Format>
struct BlockPairs : IntegerPairs {
    static constexpr float kMax = Runs<Format>::kMax;
    static constexpr Index kSumColumns =
        Format::kMinima ? (Format::kHalves ? kGroup / 2 : kGroup) : 0;
};

// Columns [begin, begin + count) of a row, multiples of 32.
template <typename Format, typename Number>
EP_INLINE void unpackPart(const WeightRows& w, Index row, Index begin, Index count,
                          const UnpackedTo<Number>& all)
{
    using R = Runs<Format>;
    const auto place = Format::place(w, row);
    const Index first = begin / kGroup;
    const Index end = (begin + count) / kGroup;
    const auto partFrom = [&](Index group) {
        const Index runs = (group - first) * kGroup / R::kRun;
        return UnpackedTo<Number>{all.numbers + (group - first) * kGroup, all.factors + runs,
                                  all.minima + runs};
    };
    Index group = first;
#ifdef EP_BLOCK_VECTORS
    for (; group % Format::kGroups == 0 && group + 8 <= end; group += 8)
        R::unpackSpan(Format::at(place, group), partFrom(group));
    if constexpr (Format::kGroups < 8) {
        if (group < end && group % Format::kGroups == 0 && end % Format::kGroups == 0) {
            // Unpacks a span whose last groups are empty, into memory with room for them.
            Rest<Format> rest;
            alignas(32) Number numbers[8 * kGroup];
            alignas(32) float factors[16];
            alignas(32) float minima[16];
            R::unpackSpan(rest.place(Format::at(place, group), end - group),
                          UnpackedTo<Number>{numbers, factors, minima});
            const UnpackedTo<Number> to = partFrom(group);
            const auto groups = static_cast<std::size_t>(end - group);
            const std::size_t runs = groups * static_cast<std::size_t>(kGroup / R::kRun);
            __builtin_memcpy(to.numbers, numbers, groups * kGroup * sizeof *numbers);
            __builtin_memcpy(to.factors, factors, runs * sizeof *factors);
            if constexpr (Format::kMinima)
                __builtin_memcpy(to.minima, minima, runs * sizeof *minima);
            return;
        }
    }
#endif
    if constexpr (R::kRun <= kGroup) { // formats with longer runs only have whole spans
        for (; group < end; ++group)
            R::unpackGroup(place, group, partFrom(group));
    }
}

constexpr int kBlockOutputsAtOnce = EP_REGISTERS == 32 ? 6 : 3; // each has two sums

// Like DequantizedWeights::multiply(), for unpacked weights with runs of kRun columns and a minimum
// for every kSumColumns. Not inlined, and shared by all formats, because GCC has too few registers
// within the loops of one.
template <int Vectors, Index kRun, Index kSumColumns>
__attribute__((noinline)) void multiplyRuns(const float* panel, const float* weights, Index columns,
                                            bool first, float* sums, Index sumsStride)
{
    constexpr int kOutputs = kBlockOutputsAtOnce;
    const float* const lines = panel + kPanelRows;
    Vec total[kOutputs][Vectors];
    for (int o = 0; o < kOutputs; ++o) {
        for (int v = 0; v < Vectors; ++v)
            total[o][v] = Vec{};
    }
    for (Index run = 0; run < columns / kRun; ++run) {
        VecI acc[kOutputs][Vectors];
        for (int o = 0; o < kOutputs; ++o) {
            for (int v = 0; v < Vectors; ++v)
                acc[o][v] = VecI{};
        }
        for (Index c = run * kRun / 2; c < (run + 1) * kRun / 2; ++c) {
            VecU x[Vectors];
            for (int v = 0; v < Vectors; ++v)
                x[v] = loadPairs(lines + c * kPanelRows + v * kLanes);
            for (int o = 0; o < kOutputs; ++o) {
                std::uint32_t pair;
                __builtin_memcpy(&pair, weights + o * kDepth + c, sizeof pair);
                for (int v = 0; v < Vectors; ++v)
                    acc[o][v] = IntegerPairs::plus(acc[o][v], x[v], VecU{} + pair);
            }
        }
        for (int o = 0; o < kOutputs; ++o) {
            const float factor = weights[o * kDepth + kFactorsAt + run];
            for (int v = 0; v < Vectors; ++v)
                total[o][v] += __builtin_convertvector(acc[o][v], Vec) * factor;
        }
    }
    if constexpr (kSumColumns > 0) {
        const float* const ofGroups = lines + pairsOf(columns) * kPanelRows;
        for (Index group = 0; group < columns / kSumColumns; ++group) {
            for (int o = 0; o < kOutputs; ++o) {
                const float minimum = weights[o * kDepth + kMinimaAt + group];
                for (int v = 0; v < Vectors; ++v)
                    total[o][v] += load(ofGroups + group * kPanelRows + v * kLanes) * minimum;
            }
        }
    }
    for (int o = 0; o < kOutputs; ++o) {
        for (int v = 0; v < Vectors; ++v) {
            float* const place = sums + o * sumsStride + v * kLanes;
            const Vec value = total[o][v] * load(panel + v * kLanes);
            store(place, first ? value : load(place) + value);
        }
    }
}

// See DequantizedWeights.
template <typename Format>
struct BlockPairWeights {
    using Pairs = BlockPairs<Format>;
    static constexpr int kOutputs = kBlockOutputsAtOnce;
    struct Use { };
    static Index lines(Index columns) { return pairLines<Pairs>(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        auto* const numbers = reinterpret_cast<std::int16_t*>(out); // read as bytes only
        unpackPart<Format, std::int16_t>(w, row, begin, count,
                                         {numbers, out + kFactorsAt, out + kMinimaAt});
    }
    // Prefetching gains nothing, because a block has few bytes, which take long to unpack.
    static EP_INLINE void prefetch(const WeightRows&, Index, Index, Index) { }
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        multiplyRuns<Vectors, Runs<Format>::kRun, Pairs::kSumColumns>(panel, weights, columns,
                                                                      first, sums, sumsStride);
    }
};

} // namespace
} // namespace ep::model

#endif
