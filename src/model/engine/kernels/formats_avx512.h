// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of groups of a format as unsigned bytes in 64-byte vectors, for the products of
// blocks_avx512.h.
#pragma once

#include "formats_codebook_avx2.h"
#include "formats_q_avx2.h"

namespace ep::model {
namespace {

// Makes signed bytes unsigned by adding 128.
EP_INLINE __m512i withoutSign(__m512i bytes)
{
    return _mm512_xor_si512(bytes, _mm512_set1_epi8(-128));
}

EP_INLINE __m512i joined(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Has pair<kP>(), which returns the groups 2 kP and 2 kP + 1 of a span. Formats with 32 numbers in
// 16 bytes may have four() instead, which returns the numbers in the low and in the high nibbles of
// four groups. Only defined for formats that gain: on AMD's processors the numbers of Q4_0 and Q4_1
// become words in fewer steps.
template <typename Format>
struct WideBytes;

// Shifts of words: by `first` in the first half of a vector, or of each of its halves, and by
// `second` in the second half.
EP_INLINE __m512i shiftsOfHalves(int first, int second)
{
    return joined(_mm256_set1_epi16(static_cast<short>(first)),
                  _mm256_set1_epi16(static_cast<short>(second)));
}

EP_INLINE __m512i shiftsOfQuarters(int first, int second)
{
    const __m256i half = _mm256_set_m128i(_mm_set1_epi16(static_cast<short>(second)),
                                          _mm_set1_epi16(static_cast<short>(first)));
    return joined(half, half);
}

EP_INLINE __m512i lowHalves(__m512i bytes)
{
    return _mm512_and_si512(bytes, _mm512_set1_epi8(15));
}

// The low nibbles of 16 bytes, then their high nibbles, then the same for 16 other bytes.
EP_INLINE __m512i wideHalvesOf(const void* first, const void* second)
{
    const __m512i one = _mm512_broadcast_i32x4(halfAt(first));
    const __m512i both = _mm512_mask_broadcast_i32x4(one, 0xFF00, halfAt(second));
    return lowHalves(_mm512_srlv_epi16(both, shiftsOfQuarters(0, 4)));
}

EP_INLINE __m512i twiceAt(const void* place)
{
    return _mm512_broadcast_i64x4(bytesAt(place));
}

// The low nibbles of 32 bytes, then the high ones.
EP_INLINE __m512i wideHalvesOf(const void* place)
{
    return lowHalves(_mm512_srlv_epi16(twiceAt(place), shiftsOfHalves(0, 4)));
}

// Looks up 64 indices, each below 16, in a codebook, and returns its numbers as unsigned bytes.
EP_INLINE __m512i lookedUpWithoutSign(const std::int8_t (&book)[16], __m512i places)
{
    const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(book));
    return _mm512_shuffle_epi8(withoutSign(_mm512_broadcast_i32x4(numbers)), places);
}

// Adds `bit` to each byte whose bit in `set` is set.
EP_INLINE __m512i withBits(__m512i bytes, std::uint64_t set, int bit)
{
    return _mm512_mask_add_epi8(bytes, set, bytes, _mm512_set1_epi8(static_cast<char>(bit)));
}

template <>
struct WideBytes<KernelsQ8_0> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ8_0* b)
    {
        return withoutSign(joined(bytesAt(b[2 * kP].q), bytesAt(b[2 * kP + 1].q)));
    }
};

struct WideNumbers {
    __m512i low, high;
};

template <typename Block>
EP_INLINE WideNumbers wideHalvesOfFour(const Block* b)
{
    __m512i all = _mm512_broadcast_i32x4(halfAt(b[0].q));
    all = _mm512_mask_broadcast_i32x4(all, 0x00F0, halfAt(b[1].q));
    all = _mm512_mask_broadcast_i32x4(all, 0x0F00, halfAt(b[2].q));
    all = _mm512_mask_broadcast_i32x4(all, 0xF000, halfAt(b[3].q));
    return {lowHalves(all), lowHalves(_mm512_srli_epi16(all, 4))};
}

template <typename Block>
struct WideWithFifthBits {
    static EP_INLINE WideNumbers four(const Block* b)
    {
        std::uint32_t bits[4];
        for (int i = 0; i < 4; ++i)
            __builtin_memcpy(&bits[i], b[i].high, sizeof bits[i]);
        const auto joined = [&](int shift) {
            return static_cast<std::uint64_t>(bits[0] >> shift & 0xFFFFU)
                | static_cast<std::uint64_t>(bits[1] >> shift & 0xFFFFU) << 16U
                | static_cast<std::uint64_t>(bits[2] >> shift & 0xFFFFU) << 32U
                | static_cast<std::uint64_t>(bits[3] >> shift & 0xFFFFU) << 48U;
        };
        const WideNumbers halves = wideHalvesOfFour(b);
        return {withBits(halves.low, joined(0), 16), withBits(halves.high, joined(16), 16)};
    }
};

template <>
struct WideBytes<KernelsQ5_0> : WideWithFifthBits<BlockQ5_0> {
};
template <>
struct WideBytes<KernelsQ5_1> : WideWithFifthBits<BlockQ5_1> {
};

#if defined(__AMX_BF16__)
template <typename Block>
struct WideHalves {
    static EP_INLINE WideNumbers four(const Block* b) { return wideHalvesOfFour(b); }
};

template <>
struct WideBytes<KernelsQ4_0> : WideHalves<BlockQ4_0> {
};
template <>
struct WideBytes<KernelsQ4_1> : WideHalves<BlockQ4_1> {
};
#endif

template <typename Block, const std::int8_t (&kBook)[16]>
struct WideLookedUp {
    static EP_INLINE WideNumbers four(const Block* b)
    {
        const WideNumbers places = wideHalvesOfFour(b);
        return {lookedUpWithoutSign(kBook, places.low), lookedUpWithoutSign(kBook, places.high)};
    }
};

template <>
struct WideBytes<KernelsIQ4_NL> : WideLookedUp<BlockIQ4_NL, kNonLinear> {
};
template <>
struct WideBytes<KernelsMXFP4> : WideLookedUp<BlockMXFP4, kE2M1Doubled> {
};

template <>
struct WideBytes<KernelsIQ4_XS> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockIQ4_XS* b)
    {
        const std::uint8_t* const q = b->q + kP * kGroup;
        return lookedUpWithoutSign(kNonLinear, wideHalvesOf(q, q + kGroup / 2));
    }
};

template <>
struct WideBytes<KernelsQ4_K> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ4_K* b)
    {
        return wideHalvesOf(b->q + kP * kGroup);
    }
};

template <>
struct WideBytes<KernelsQ5_K> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ5_K* b)
    {
        constexpr int kFirst = 1 << 2 * kP;
        const __m512i bits = joined(_mm256_set1_epi8(static_cast<char>(kFirst)),
                                    _mm256_set1_epi8(static_cast<char>(2 * kFirst)));
        return withBits(wideHalvesOf(b->q + kP * kGroup),
                        _mm512_test_epi8_mask(twiceAt(b->high), bits), 16);
    }
};

template <>
struct WideBytes<KernelsQ6_K> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ6_K* b)
    {
        const __m512i both = _mm512_loadu_si512(b->low + kP / 2 * 64);
        const __m512i low = kP % 2 == 0 ? both : _mm512_srli_epi16(both, 4);
        const __m512i all = twiceAt(b->high + kP / 2 * kGroup);
        const __m512i high = kP % 2 == 0 ? _mm512_sllv_epi16(all, shiftsOfHalves(4, 2))
                                         : _mm512_srlv_epi16(all, shiftsOfHalves(0, 2));
        constexpr int kEither = 0xEA; // a & b | c
        return _mm512_ternarylogic_epi64(low, _mm512_set1_epi8(15),
                                         _mm512_and_si512(high, _mm512_set1_epi8(48)), kEither);
    }
};

// Pair kP of groups of two-bit numbers, of which 32 bytes hold four groups.
template <int kP>
EP_INLINE __m512i wideTwoBits(const std::uint8_t* q)
{
    constexpr int kShift = 4 * (kP % 2);
    return _mm512_and_si512(
        _mm512_srlv_epi16(twiceAt(q + kP / 2 * kGroup), shiftsOfHalves(kShift, kShift + 2)),
        _mm512_set1_epi8(3));
}

template <>
struct WideBytes<KernelsQ2_K> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ2_K* b)
    {
        return wideTwoBits<kP>(b->q);
    }
};

template <>
struct WideBytes<KernelsQ3_K> {
    template <int kP>
    static EP_INLINE __m512i pair(const BlockQ3_K* b)
    {
        constexpr int kFirst = 1 << 2 * kP;
        const __m512i bits = joined(_mm256_set1_epi8(static_cast<char>(kFirst)),
                                    _mm256_set1_epi8(static_cast<char>(2 * kFirst)));
        return withBits(wideTwoBits<kP>(b->q), _mm512_test_epi8_mask(twiceAt(b->high), bits), 4);
    }
};

} // namespace
} // namespace ep::model
