// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_codebook.h in 32-byte vectors, for the products of blocks_spans.h.
#pragma once

#include "formats_codebook.h"
#include "vectors_avx2.h"

namespace ep::model {
namespace {

struct KernelsIQ4_NL : FormatIQ4_NL {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(Place b) { return factorsOf<&Block::d>(b); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return lookedUp(kNonLinear, halvesOf(b[kG].q));
    }
};

struct KernelsIQ4_XS : FormatIQ4_XS {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(const Block* b)
    {
        std::int32_t nibbles = 0;
        __builtin_memcpy(&nibbles, b->low, sizeof nibbles);
        const __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32(nibbles),
                                              _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
        const __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(b->high),
                                               _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
        const __m256i whole =
            _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(15)),
                            _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4));
        return _mm256_mul_ps(floatsOf(_mm256_sub_epi32(whole, _mm256_set1_epi32(32))),
                             _mm256_set1_ps(_cvtsh_ss(b->d)));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return lookedUp(kNonLinear, halvesOf(b->q + kG * kGroup / 2));
    }
};

struct KernelsMXFP4 : FormatMXFP4 {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(Place b)
    {
#if defined(__AVX512BW__)
        // The exponents are 17 bytes apart, so they are in the low and the high half of a word in
        // turn.
        const __m128i words = pickedWords(b, _mm_setr_epi16(0, 8, 17, 25, 34, 42, 51, 59));
        const __m128i moved = _mm_srlv_epi16(words, _mm_setr_epi16(0, 8, 0, 8, 0, 8, 0, 8));
        const __m256i e = _mm256_cvtepu16_epi32(_mm_and_si128(moved, _mm_set1_epi16(0xFF)));
#else
        const __m256i e =
            _mm256_setr_epi32(b[0].e, b[1].e, b[2].e, b[3].e, b[4].e, b[5].e, b[6].e, b[7].e);
#endif
        return _mm256_mul_ps(powersOfTwo(e), _mm256_set1_ps(0.5F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return lookedUp(kE2M1Doubled, halvesOf(b[kG].q));
    }
};

struct KernelsNVFP4 : FormatNVFP4 {
    static constexpr bool kOffsets = false;
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE __m256 scales(Place b, int half)
    {
        std::uint32_t w[2];
        __builtin_memcpy(&w[0], b[2 * half].scales, sizeof w[0]);
        __builtin_memcpy(&w[1], b[2 * half + 1].scales, sizeof w[1]);
        const __m128i bytes =
            _mm_and_si128(_mm_setr_epi32(static_cast<int>(w[0]), static_cast<int>(w[1]), 0, 0),
                          _mm_set1_epi8(0x7F));
        const __m128i none = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
        return _mm256_mul_ps(valuesOfE4M3(_mm_andnot_si128(none, bytes)), _mm256_set1_ps(0.5F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        const __m128i all = halfAt(b[kG / 2].q[kG % 2 * 2]);
        const __m128i mask = _mm_set1_epi8(15);
        const __m128i low = _mm_and_si128(all, mask);
        const __m128i high = _mm_and_si128(_mm_srli_epi16(all, 4), mask);
        return lookedUp(
            kE2M1Doubled,
            _mm256_set_m128i(_mm_unpackhi_epi64(low, high), _mm_unpacklo_epi64(low, high)));
    }
};

} // namespace
} // namespace ep::model
