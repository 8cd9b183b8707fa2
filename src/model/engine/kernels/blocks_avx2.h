// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h in vectors of 32 bytes. A span is 256 values: a block of the K
// formats, eight blocks of the others.
#pragma once

#include "block_formats.h"

#include <immintrin.h>
#include <type_traits>

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

// Sums of four adjacent products each, as eight numbers; unsigned by signed bytes, no sum of two
// products leaves 16 bits for q below 128.
EP_INLINE __m256i dotUnsigned(Bytes q, Bytes x)
{
    return _mm256_madd_epi16(_mm256_maddubs_epi16(q, x), _mm256_set1_epi16(1));
}

EP_INLINE __m256i dotSigned(Bytes q, Bytes x)
{
    return dotUnsigned(_mm256_sign_epi8(q, q), _mm256_sign_epi8(x, q));
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
// the minima (offsets); the bytes of a group, and its product with 32 activations, as eight sums
// that the group's scale applies to.
struct VectorsQ8_0 : FormatQ8_0 {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(Place b) { return factorsOf(b); }
    static EP_INLINE __m256 offsets(Place, __m256) { return _mm256_setzero_ps(); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return bytesAt(b[kG].q);
    }
    template <int kG>
    static EP_INLINE __m256i dot(Place b, Bytes x)
    {
        return dotSigned(bytes<kG>(b), x);
    }
};

struct VectorsQ4_0 : FormatQ4_0 {
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
    static EP_INLINE __m256i dot(Place b, Bytes x)
    {
        return dotUnsigned(bytes<kG>(b), x);
    }
};

// Eight numbers of six bits each, one per byte.
EP_INLINE __m256 scalesFrom(std::uint32_t first, std::uint32_t second)
{
    const auto both = static_cast<long long>(static_cast<std::uint64_t>(second) << 32 | first);
    return floatsOf(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(both)));
}

template <typename Format>
struct VectorsWithMinima : Format {
    using Block = typename Format::Block;
    static constexpr bool kOffsets = true;

    struct Words {
        std::uint32_t a, b, c;
    };
    static EP_INLINE Words words(const Block* block)
    {
        Words words;
        __builtin_memcpy(&words, block->scales, sizeof words);
        return words;
    }
    static EP_INLINE __m256 scales(const Block* block)
    {
        const Words w = words(block);
        const __m256 whole =
            scalesFrom(w.a & 0x3F3F3F3FU, (w.c & 0x0F0F0F0FU) | (w.a >> 2 & 0x30303030U));
        return _mm256_mul_ps(whole, _mm256_set1_ps(_cvtsh_ss(block->d)));
    }
    static EP_INLINE __m256 offsets(const Block* block, __m256)
    {
        const Words w = words(block);
        const __m256 whole =
            scalesFrom(w.b & 0x3F3F3F3FU, (w.c >> 4 & 0x0F0F0F0FU) | (w.b >> 2 & 0x30303030U));
        return _mm256_mul_ps(whole, _mm256_set1_ps(-_cvtsh_ss(block->m)));
    }
    template <int kG>
    static EP_INLINE Bytes low(const Block* b)
    {
        const Bytes both = bytesAt(b->q + kG / 2 * kGroup);
        return _mm256_and_si256(kG % 2 == 0 ? both : _mm256_srli_epi16(both, 4),
                                _mm256_set1_epi8(15));
    }
};

struct VectorsQ4_K : VectorsWithMinima<FormatQ4_K> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return low<kG>(b);
    }
    template <int kG>
    static EP_INLINE __m256i dot(const Block* b, Bytes x)
    {
        return dotUnsigned(bytes<kG>(b), x);
    }
};

struct VectorsQ5_K : VectorsWithMinima<FormatQ5_K> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const Bytes all = bytesAt(b->high);
        const Bytes moved = kG < 4 ? _mm256_slli_epi16(all, kG < 4 ? 4 - kG : 0)
                                   : _mm256_srli_epi16(all, kG < 4 ? 0 : kG - 4);
        return _mm256_or_si256(low<kG>(b), _mm256_and_si256(moved, _mm256_set1_epi8(16)));
    }
    template <int kG>
    static EP_INLINE __m256i dot(const Block* b, Bytes x)
    {
        return dotUnsigned(bytes<kG>(b), x);
    }
};

// The scales of 16 values are whole numbers and multiply the products as such; the scale of a group
// is d alone.
struct VectorsQ6_K : FormatQ6_K {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(const Block* b) { return _mm256_set1_ps(_cvtsh_ss(b->d)); }
    static EP_INLINE __m256 offsets(const Block*, __m256) { return _mm256_setzero_ps(); }
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
    static EP_INLINE __m256i dot(const Block* b, Bytes x)
    {
        const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b->scales));
        constexpr char kFirst = 2 * kG;
        constexpr char kSecond = 2 * kG + 1;
        const __m128i twice = _mm_shuffle_epi8(
            all,
            _mm_setr_epi8(kFirst, kFirst, kFirst, kFirst, kFirst, kFirst, kFirst, kFirst, kSecond,
                          kSecond, kSecond, kSecond, kSecond, kSecond, kSecond, kSecond));
        const __m256i products = _mm256_sub_epi16(_mm256_maddubs_epi16(bytes<kG>(b), x),
                                                  _mm256_maddubs_epi16(_mm256_set1_epi8(32), x));
        return _mm256_madd_epi16(products, _mm256_cvtepi8_epi16(twice));
    }
};

// --- Products ------------------------------------------------------------------------------------

template <typename Format, int Rows, int kG>
EP_INLINE void dotGroups(const typename Format::Place (&rows)[Rows], const std::int8_t* x,
                         const float (&factors)[Rows][8], __m256 (&sums)[Rows])
{
    const Bytes q = bytesAt(x + kG * kGroup);
    for (int r = 0; r < Rows; ++r) {
        const __m256 products = floatsOf(Format::template dot<kG>(rows[r], q));
        sums[r] = _mm256_fmadd_ps(products, _mm256_broadcast_ss(&factors[r][kG]), sums[r]);
    }
}

// Adds the products of one span of `Rows` rows.
template <typename Format, int Rows>
EP_INLINE void dotSpan(const typename Format::Place (&rows)[Rows], const BlockedRow& x, Index span,
                       __m256 (&sums)[Rows])
{
    alignas(32) float factors[Rows][8];
    const __m256 ofActivations = _mm256_loadu_ps(x.scales + span * 8);
    const __m256 totals = _mm256_loadu_ps(x.sums + span * 8);
    for (int r = 0; r < Rows; ++r) {
        const __m256 scales = Format::scales(rows[r]);
        _mm256_store_ps(factors[r], _mm256_mul_ps(scales, ofActivations));
        if constexpr (Format::kOffsets)
            sums[r] = _mm256_fmadd_ps(Format::offsets(rows[r], scales), totals, sums[r]);
    }
    const std::int8_t* const q = x.values + span * 8 * kGroup;
    dotGroups<Format, Rows, 0>(rows, q, factors, sums);
    dotGroups<Format, Rows, 1>(rows, q, factors, sums);
    dotGroups<Format, Rows, 2>(rows, q, factors, sums);
    dotGroups<Format, Rows, 3>(rows, q, factors, sums);
    dotGroups<Format, Rows, 4>(rows, q, factors, sums);
    dotGroups<Format, Rows, 5>(rows, q, factors, sums);
    dotGroups<Format, Rows, 6>(rows, q, factors, sums);
    dotGroups<Format, Rows, 7>(rows, q, factors, sums);
}

// Asks for what comes in a while. The factors of blocks lie apart from each other, which hides the
// stream from the hardware's prefetcher: each would wait for the memory.
template <typename Format, int Rows>
EP_INLINE void askAhead(const typename Format::Place (&rows)[Rows])
{
    if constexpr (std::is_pointer_v<typename Format::Place>) {
        constexpr Index kLine = 64;
        constexpr Index kAhead = 1024;
        for (int r = 0; r < Rows; ++r) {
            const auto* const here = reinterpret_cast<const char*>(rows[r]);
            const Index bytes = reinterpret_cast<const char*>(Format::at(rows[r], 8)) - here;
            for (Index i = 0; i < bytes; i += kLine)
                _mm_prefetch(here + kAhead + i, _MM_HINT_T0);
        }
    }
}

// The rows row, row + apart, and so on.
template <typename Format, int Rows>
EP_INLINE void dotBlockRows(const WeightRows& w, Index row, Index apart, const BlockedRow& x,
                            float* out)
{
    const Index groups = w.columns / kGroup;
    const Index spans = groups / 8;
    typename Format::Place rows[Rows];
    __m256 sums[Rows];
    for (int r = 0; r < Rows; ++r) {
        rows[r] = Format::place(w, row + r * apart);
        sums[r] = _mm256_setzero_ps();
    }
    for (Index span = 0; span < spans; ++span) {
        askAhead<Format, Rows>(rows);
        dotSpan<Format, Rows>(rows, x, span, sums);
        for (int r = 0; r < Rows; ++r)
            rows[r] = Format::at(rows[r], 8);
    }
    for (int r = 0; r < Rows; ++r) {
        const Index at = row + r * apart;
        float value = sumOf(sums[r]);
        const auto first = Format::place(w, at);
        for (Index group = spans * 8; group < groups; ++group)
            value += dotGroup<Format>(first, x, group);
        out[at] = value + (w.bias ? w.bias[at] : 0.0F);
    }
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

template <typename Format>
EP_INLINE void widenSpan(const typename Format::Place& row, Index group, float* out)
{
    const auto at = Format::at(row, group);
    widenVectors<Format, 0>(at, row, group, out);
    widenVectors<Format, 1>(at, row, group, out);
    widenVectors<Format, 2>(at, row, group, out);
    widenVectors<Format, 3>(at, row, group, out);
    widenVectors<Format, 4>(at, row, group, out);
    widenVectors<Format, 5>(at, row, group, out);
    widenVectors<Format, 6>(at, row, group, out);
    widenVectors<Format, 7>(at, row, group, out);
}

} // namespace
} // namespace ep::model
