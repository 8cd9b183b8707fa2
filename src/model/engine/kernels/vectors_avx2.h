// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on 32-byte vectors for the block formats of weights (blocks_avx2.h).
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

// The low nibbles of 16 bytes, then the high ones.
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

// The values of a group as words, one vector per half.
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

// The low or high nibbles of 16 bytes.
template <bool kHigh>
EP_INLINE __m256i nibblesAt(const void* place)
{
    const __m256i both = _mm256_cvtepu8_epi16(halfAt(place));
    return kHigh ? _mm256_srli_epi16(both, 4) : _mm256_and_si256(both, _mm256_set1_epi16(15));
}

#if defined(__AVX512BW__)
// Picks eight words from 128 bytes by their indices, with one instruction.
EP_INLINE __m128i pickedWords(const void* place, __m128i words)
{
    const auto* const bytes = static_cast<const char*>(place);
    return _mm512_castsi512_si128(_mm512_permutex2var_epi16(
        _mm512_loadu_si512(bytes), _mm512_castsi128_si512(words), _mm512_loadu_si512(bytes + 64)));
}
#endif

// The factors d, or m, of eight consecutive blocks.
template <auto kMember, typename Block>
EP_INLINE __m256 factorsOf(const Block* b)
{
#if defined(__AVX512BW__)
    if constexpr (sizeof(Block) == 18) // a factor and 32 numbers of four bits
        return _mm256_cvtph_ps(pickedWords(b, _mm_setr_epi16(0, 9, 18, 27, 36, 45, 54, 63)));
    if constexpr (sizeof(Block) == 20) { // two factors and 32 numbers of four bits
        const __m256i both = _mm512_castsi512_si256(_mm512_permutex2var_epi32(
            _mm512_loadu_si512(b),
            _mm512_castsi256_si512(_mm256_setr_epi32(0, 5, 10, 15, 16, 21, 26, 31)),
            _mm512_loadu_si512(b + 4)));
        constexpr bool kSecond = kMember == &Block::m;
        return _mm256_cvtph_ps(_mm256_cvtepi32_epi16(kSecond ? _mm256_srli_epi32(both, 16) : both));
    }
#endif
    __m128i halves = _mm_cvtsi32_si128(b[0].*kMember);
    halves = _mm_insert_epi16(halves, b[1].*kMember, 1);
    halves = _mm_insert_epi16(halves, b[2].*kMember, 2);
    halves = _mm_insert_epi16(halves, b[3].*kMember, 3);
    halves = _mm_insert_epi16(halves, b[4].*kMember, 4);
    halves = _mm_insert_epi16(halves, b[5].*kMember, 5);
    halves = _mm_insert_epi16(halves, b[6].*kMember, 6);
    halves = _mm_insert_epi16(halves, b[7].*kMember, 7);
    return _mm256_cvtph_ps(halves);
}

EP_INLINE __m256 floatsOf(std::uint64_t bytes)
{
    return floatsOf(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(bytes))));
}

// E8M0 numbers.
EP_INLINE __m256 powersOfTwo(__m256i e)
{
    return _mm256_castsi256_ps(
        _mm256_max_epi32(_mm256_slli_epi32(e, 23), _mm256_set1_epi32(0x0040'0000)));
}

// E4M3 numbers: their bits are those of f16 numbers that are 256 times smaller.
EP_INLINE __m256 valuesOfE4M3(__m128i bytes)
{
    const __m128i words = _mm_cvtepu8_epi16(bytes);
    const __m128i signs = _mm_slli_epi16(_mm_and_si128(words, _mm_set1_epi16(0x80)), 8);
    const __m128i others = _mm_slli_epi16(_mm_and_si128(words, _mm_set1_epi16(0x7F)), 7);
    return _mm256_mul_ps(_mm256_cvtph_ps(_mm_or_si128(signs, others)), _mm256_set1_ps(256.0F));
}

// The numbers of a codebook at the indices in 32 bytes, each below 16.
EP_INLINE Bytes lookedUp(const std::int8_t (&book)[16], Bytes places)
{
    const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(book));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(numbers), places);
}

} // namespace
} // namespace ep::model
