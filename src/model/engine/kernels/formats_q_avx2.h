// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_q.h in 32-byte vectors, for the products of blocks_spans.h.
#pragma once

#include "formats_q.h"
#include "vectors_avx2.h"

namespace ep::model {
namespace {

// Each struct provides the scales of the groups of a span, the factors by which the sums of its
// activations are multiplied to account for the zero and the minima (offsets), the bytes of a
// group, and its words where these are cheaper to get than from the bytes.
struct KernelsQ8_0 : FormatQ8_0 {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(Place b) { return factorsOf<&Block::d>(b); }
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
    static EP_INLINE __m256 scales(Place b) { return factorsOf<&Block::d>(b); }
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

// d q + m
template <typename Format>
struct VectorsWithMinimum : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    static EP_INLINE __m256 scales(Place b) { return factorsOf<&Format::Block::d>(b); }
    static EP_INLINE __m256 offsets(Place b, __m256) { return factorsOf<&Format::Block::m>(b); }
};

struct KernelsQ4_1 : VectorsWithMinimum<FormatQ4_1> {
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

// Returns 16 in each byte whose bit of the 32 is set, and 0 in the others.
EP_INLINE Bytes fifthBits(const std::uint8_t (&high)[4])
{
    std::int32_t bits = 0;
    __builtin_memcpy(&bits, high, sizeof bits);
    const __m256i places =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), places);
    const __m256i masks = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, masks), masks);
    return _mm256_and_si256(set, _mm256_set1_epi8(16));
}

struct KernelsQ5_0 : FormatQ5_0 {
    static constexpr bool kOffsets = true;
    static EP_INLINE __m256 scales(Place b) { return factorsOf<&Block::d>(b); }
    static EP_INLINE __m256 offsets(Place, __m256 scales)
    {
        return _mm256_mul_ps(scales, _mm256_set1_ps(-16.0F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return _mm256_or_si256(halvesOf(b[kG].q), fifthBits(b[kG].high));
    }
};

struct KernelsQ5_1 : VectorsWithMinimum<FormatQ5_1> {
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return _mm256_or_si256(halvesOf(b[kG].q), fifthBits(b[kG].high));
    }
};

// Selects two bits of each of 32 bytes.
template <int kG>
EP_INLINE Bytes twoBitsOf(const std::uint8_t* q)
{
    const Bytes all = bytesAt(q + kG / 4 * kGroup);
    return _mm256_and_si256(_mm256_srli_epi16(all, 2 * (kG % 4)), _mm256_set1_epi8(3));
}

// Each half of a group has its own scale and minimum.
struct KernelsQ2_K : FormatQ2_K {
    static constexpr bool kOffsets = false;
    // The bytes of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE std::uint64_t both(const Block* b, int half)
    {
        std::uint64_t bytes = 0;
        __builtin_memcpy(&bytes, b->scales + 8 * half, sizeof bytes);
        return bytes;
    }
    static EP_INLINE __m256 scales(const Block* b, int half)
    {
        return _mm256_mul_ps(floatsOf(both(b, half) & 0x0F0F0F0F0F0F0F0FULL),
                             _mm256_set1_ps(_cvtsh_ss(b->d)));
    }
    static EP_INLINE __m256 minima(const Block* b, int half)
    {
        return _mm256_mul_ps(floatsOf(both(b, half) >> 4U & 0x0F0F0F0F0F0F0F0FULL),
                             _mm256_set1_ps(-_cvtsh_ss(b->m)));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return twoBitsOf<kG>(b->q);
    }
};

struct KernelsQ3_K : FormatQ3_K {
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 scales(const Block* b, int half)
    {
        std::uint32_t w[3];
        __builtin_memcpy(w, b->scales, sizeof w);
        const auto four = [&](std::uint32_t low, int shift) {
            return static_cast<std::uint64_t>((low & 0x0F0F0F0FU)
                                              | (w[2] >> shift & 0x03030303U) << 4U);
        };
        const std::uint64_t eight = half == 0 ? four(w[0], 0) | four(w[1], 2) << 32U
                                              : four(w[0] >> 4U, 4) | four(w[1] >> 4U, 6) << 32U;
        return _mm256_mul_ps(_mm256_sub_ps(floatsOf(eight), _mm256_set1_ps(32.0F)),
                             _mm256_set1_ps(_cvtsh_ss(b->d)));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const Bytes all = bytesAt(b->high);
        const Bytes moved = kG < 2 ? _mm256_slli_epi16(all, kG < 2 ? 2 - kG : 0)
                                   : _mm256_srli_epi16(all, kG < 2 ? 0 : kG - 2);
        return _mm256_or_si256(twoBitsOf<kG>(b->q), _mm256_and_si256(moved, _mm256_set1_epi8(4)));
    }
    template <int kG>
    static EP_INLINE Words words(const Block* b)
    {
        return wordsOf<true>(_mm256_sub_epi8(bytes<kG>(b), _mm256_set1_epi8(kZero)));
    }
};

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

// Each half of a group has its own scale.
struct KernelsQ6_K : FormatQ6_K {
    static constexpr bool kOffsets = false;
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
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

} // namespace
} // namespace ep::model
