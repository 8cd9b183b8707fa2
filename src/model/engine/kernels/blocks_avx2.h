// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h in vectors of 32 bytes, for the products of blocks_spans.h.
#pragma once

#include "block_formats.h"

#include <immintrin.h>

namespace ep::model {
namespace {

using Bytes = __m256i;

EP_INLINE Bytes bytesAt(const void* place)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(place));
}

// The low and the high halves of 16 bytes, one after the other.
EP_INLINE Bytes halvesOf(const void* place)
{
    const __m128i both = _mm_loadu_si128(static_cast<const __m128i*>(place));
    const __m256i wide = _mm256_set_m128i(_mm_srli_epi16(both, 4), both);
    return _mm256_and_si256(wide, _mm256_set1_epi8(15));
}

EP_INLINE __m256 floatsOf(__m256i whole)
{
    return _mm256_cvtepi32_ps(whole);
}

EP_INLINE float sumOf(__m256 v)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// The values of a group as words: of each half.
struct Words {
    __m256i first, second;
};

template <bool kSigned>
EP_INLINE Words wordsOf(Bytes q)
{
    const __m128i first = _mm256_castsi256_si128(q);
    const __m128i second = _mm256_extracti128_si256(q, 1);
    return kSigned ? Words{_mm256_cvtepi8_epi16(first), _mm256_cvtepi8_epi16(second)}
                   : Words{_mm256_cvtepu8_epi16(first), _mm256_cvtepu8_epi16(second)};
}

EP_INLINE __m128i halfAt(const void* place)
{
    return _mm_loadu_si128(static_cast<const __m128i*>(place));
}

// The low or the high four bits of 16 bytes.
template <bool kHigh>
EP_INLINE __m256i nibblesAt(const void* place)
{
    const __m256i both = _mm256_cvtepu8_epi16(halfAt(place));
    return kHigh ? _mm256_srli_epi16(both, 4) : _mm256_and_si256(both, _mm256_set1_epi16(15));
}

// The factors d of eight blocks in a row.
template <typename Block>
EP_INLINE __m256 factorsOf(const Block* b)
{
    __m128i halves = _mm_cvtsi32_si128(b[0].d);
    halves = _mm_insert_epi16(halves, b[1].d, 1);
    halves = _mm_insert_epi16(halves, b[2].d, 2);
    halves = _mm_insert_epi16(halves, b[3].d, 3);
    halves = _mm_insert_epi16(halves, b[4].d, 4);
    halves = _mm_insert_epi16(halves, b[5].d, 5);
    halves = _mm_insert_epi16(halves, b[6].d, 6);
    halves = _mm_insert_epi16(halves, b[7].d, 7);
    return _mm256_cvtph_ps(halves);
}

// Each: scales of the groups of a span, and what its activations are multiplied by for the zero and
// the minima (offsets); the bytes of a group; and its words, where they come more cheaply than from
// the bytes.
struct KernelsQ8_0 : FormatQ8_0 {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(Place b) { return factorsOf(b); }
    static EP_INLINE __m256 offsets(Place, __m256) { return _mm256_setzero_ps(); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return bytesAt(b[kG].q);
    }
    template <int kG>
    static EP_INLINE Words words(Place b)
    {
        return {_mm256_cvtepi8_epi16(halfAt(b[kG].q)), _mm256_cvtepi8_epi16(halfAt(b[kG].q + 16))};
    }
};

struct KernelsQ4_0 : FormatQ4_0 {
    static constexpr bool kOffsets = true;
    static EP_INLINE __m256 scales(Place b) { return factorsOf(b); }
    static EP_INLINE __m256 offsets(Place, __m256 scales)
    {
        return _mm256_mul_ps(scales, _mm256_set1_ps(-8.0F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return halvesOf(b[kG].q);
    }
    template <int kG>
    static EP_INLINE Words words(Place b)
    {
        return {nibblesAt<false>(b[kG].q), nibblesAt<true>(b[kG].q)};
    }
};

EP_INLINE __m256 floatsOf(std::uint64_t bytes)
{
    return floatsOf(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(bytes))));
}

template <typename Format>
struct VectorsWithMinima : Format {
    using Block = typename Format::Block;
    static constexpr bool kOffsets = true;

    static EP_INLINE __m256 scales(const Block* block)
    {
        return _mm256_mul_ps(floatsOf(sixBits(block->scales).scales),
                             _mm256_set1_ps(_cvtsh_ss(block->d)));
    }
    static EP_INLINE __m256 offsets(const Block* block, __m256)
    {
        return _mm256_mul_ps(floatsOf(sixBits(block->scales).minima),
                             _mm256_set1_ps(-_cvtsh_ss(block->m)));
    }
    template <int kG>
    static EP_INLINE Bytes low(const Block* b)
    {
        const Bytes both = bytesAt(b->q + kG / 2 * kGroup);
        return _mm256_and_si256(kG % 2 == 0 ? both : _mm256_srli_epi16(both, 4),
                                _mm256_set1_epi8(15));
    }
};

struct KernelsQ4_K : VectorsWithMinima<FormatQ4_K> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return low<kG>(b);
    }
    template <int kG>
    static EP_INLINE Words words(const Block* b)
    {
        const std::uint8_t* const q = b->q + kG / 2 * kGroup;
        return {nibblesAt<kG % 2 != 0>(q), nibblesAt<kG % 2 != 0>(q + 16)};
    }
};

struct KernelsQ5_K : VectorsWithMinima<FormatQ5_K> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const Bytes all = bytesAt(b->high);
        const Bytes moved = kG < 4 ? _mm256_slli_epi16(all, kG < 4 ? 4 - kG : 0)
                                   : _mm256_srli_epi16(all, kG < 4 ? 0 : kG - 4);
        return _mm256_or_si256(low<kG>(b), _mm256_and_si256(moved, _mm256_set1_epi8(16)));
    }
};

// Each half of a group has a scale of its own.
struct KernelsQ6_K : FormatQ6_K {
    static constexpr bool kOffsets = false;
    // Of the first or the last eight halves.
    static EP_INLINE __m256 scales(const Block* b, int half)
    {
        const __m128i whole =
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(b->scales + 8 * half));
        return _mm256_mul_ps(floatsOf(_mm256_cvtepi8_epi32(whole)),
                             _mm256_set1_ps(_cvtsh_ss(b->d)));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        constexpr int kQuarter = kG % 4;
        const Bytes both = bytesAt(b->low + kG / 4 * 64 + kQuarter % 2 * kGroup);
        const Bytes low = _mm256_and_si256(kQuarter < 2 ? both : _mm256_srli_epi16(both, 4),
                                           _mm256_set1_epi8(15));
        const Bytes all = bytesAt(b->high + kG / 4 * kGroup);
        const Bytes moved = kQuarter == 0 ? _mm256_slli_epi16(all, 4)
            : kQuarter == 1               ? _mm256_slli_epi16(all, 2)
            : kQuarter == 2               ? all
                                          : _mm256_srli_epi16(all, 2);
        return _mm256_or_si256(low, _mm256_and_si256(moved, _mm256_set1_epi8(48)));
    }
    template <int kG>
    static EP_INLINE Words words(const Block* b)
    {
        return wordsOf<true>(_mm256_sub_epi8(bytes<kG>(b), _mm256_set1_epi8(kZero)));
    }
};

// --- Products ------------------------------------------------------------------------------------

using Sum = __m256;

// A span of activations.
struct SpanOfActivations {
    const std::int16_t* values;
    __m256 scales, sums;
};

EP_INLINE SpanOfActivations spanAt(const BlockedRow& x, Index span)
{
    return {x.values + span * 8 * kGroup, _mm256_loadu_ps(x.scales + span * 8),
            _mm256_loadu_ps(x.sums + span * 8)};
}

template <int kG>
EP_INLINE Words activationsOf(const SpanOfActivations& x)
{
    return {bytesAt(x.values + kG * kGroup), bytesAt(x.values + kG * kGroup + 16)};
}

// The sums of the products of two adjacent words, added to others.
EP_INLINE __m256i plusProducts(__m256i sums, __m256i a, __m256i b)
{
#if defined(__AVX512VNNI__)
    return _mm256_dpwssd_epi32(sums, a, b);
#else
    return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b));
#endif
}

template <typename Format, int kG>
EP_INLINE Words wordsOfGroup(const typename Format::Place& row)
{
    if constexpr (requires { Format::template words<kG>(row); })
        return Format::template words<kG>(row);
    else
        return wordsOf<Format::kSigned>(Format::template bytes<kG>(row));
}

// What the products of the groups, or of their halves, are multiplied by.
template <typename Format>
EP_INLINE void storeFactors(const typename Format::Place& row, const SpanOfActivations& x,
                            float* factors, Sum& sum)
{
    if constexpr (Format::kHalves) {
        const __m256i low = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
        const __m256i high = _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7);
        _mm256_store_ps(
            factors,
            _mm256_mul_ps(Format::scales(row, 0), _mm256_permutevar8x32_ps(x.scales, low)));
        _mm256_store_ps(
            factors + 8,
            _mm256_mul_ps(Format::scales(row, 1), _mm256_permutevar8x32_ps(x.scales, high)));
    } else {
        const __m256 scales = Format::scales(row);
        _mm256_store_ps(factors, _mm256_mul_ps(scales, x.scales));
        if constexpr (Format::kOffsets)
            sum = _mm256_fmadd_ps(Format::offsets(row, scales), x.sums, sum);
    }
}

template <typename Format, int kG>
EP_INLINE Sum plusGroup(const typename Format::Place& row, const Words& x, const float* factors,
                        Sum sum)
{
    const auto plus = [&](__m256i products, const float* factor) {
        sum = _mm256_fmadd_ps(floatsOf(products), _mm256_broadcast_ss(factor), sum);
    };
    const Words words = wordsOfGroup<Format, kG>(row);
    const __m256i first = _mm256_madd_epi16(words.first, x.first);
    if constexpr (Format::kHalves) {
        plus(first, factors + 2 * kG);
        plus(_mm256_madd_epi16(words.second, x.second), factors + 2 * kG + 1);
    } else {
        plus(plusProducts(first, words.second, x.second), factors + kG);
    }
    return sum;
}

// --- Widening ------------------------------------------------------------------------------------

template <typename Format>
EP_INLINE void widenEight(__m128i bytes, __m256 scale, __m256 minimum, float* out)
{
    const __m256i whole = _mm256_sub_epi32(Format::kSigned ? _mm256_cvtepi8_epi32(bytes)
                                                           : _mm256_cvtepu8_epi32(bytes),
                                           _mm256_set1_epi32(Format::kZero));
    const __m256 product = _mm256_mul_ps(floatsOf(whole), scale);
    _mm256_storeu_ps(out, Format::kMinima ? _mm256_add_ps(product, minimum) : product);
}

// Group kG of the span at `at`, which is group `group` of the row.
template <typename Format, int kG>
EP_INLINE void widenVectors(const typename Format::Place& at, const typename Format::Place& row,
                            Index group, float* out)
{
    const Bytes all = Format::template bytes<kG>(at);
    for (int half = 0; half < 2; ++half) {
        const __m128i bytes =
            half == 0 ? _mm256_castsi256_si128(all) : _mm256_extracti128_si256(all, 1);
        const __m256 scale = _mm256_set1_ps(Format::scale(row, group + kG, half));
        const __m256 minimum = _mm256_set1_ps(Format::minimum(row, group + kG, half));
        float* const to = out + kG * kGroup + half * 16;
        widenEight<Format>(bytes, scale, minimum, to);
        widenEight<Format>(_mm_srli_si128(bytes, 8), scale, minimum, to + 8);
    }
}

} // namespace
} // namespace ep::model
