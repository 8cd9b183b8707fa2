// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_apart.h in 32-byte vectors, for the products of blocks_spans.h.
#pragma once

#include "formats_apart.h"
#include "vectors_avx2.h"

#include <cstring>

namespace ep::model {
namespace {

// The numbers of eight groups, starting at `place`; 1 << shift adjacent groups share one. A span
// begins with a new number as long as a number covers at most 256 columns.
EP_INLINE __m256 numbersOfGroups(const void* numbers, Index place, int shift,
                                 GroupScales::Type type)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const int count = shift > 3 ? 1 : 8 >> shift; // reading further might leave the tensor
    __m256 few;
    if (type == GroupScales::Type::E8M0 || type == GroupScales::Type::E4M3) {
        std::uint64_t bytes = 0;
        const auto* const from = static_cast<const std::uint8_t*>(numbers) + place;
        for (int i = 0; i < count; ++i)
            bytes |= static_cast<std::uint64_t>(from[i]) << 8 * i;
        const __m128i eight = _mm_cvtsi64_si128(static_cast<long long>(bytes));
        few = type == GroupScales::Type::E8M0 ? powersOfTwo(_mm256_cvtepu8_epi32(eight))
                                              : valuesOfE4M3(eight);
    } else if (type == GroupScales::Type::F32) {
        const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), lanes);
        few = _mm256_maskload_ps(static_cast<const float*>(numbers) + place, there);
    } else {
        const auto* const from = static_cast<const std::uint16_t*>(numbers) + place;
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        if (count >= 4) {
            std::memcpy(&low, from, sizeof low);
            if (count == 8)
                std::memcpy(&high, from + 4, sizeof high);
        } else if (count == 2) {
            std::uint32_t two = 0;
            std::memcpy(&two, from, sizeof two);
            low = two;
        } else {
            std::uint16_t one = 0;
            std::memcpy(&one, from, sizeof one);
            low = one;
        }
        const __m128i halves =
            _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
        few = type == GroupScales::Type::F16
            ? _mm256_cvtph_ps(halves)
            : _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
    }
    return _mm256_permutevar8x32_ps(few, _mm256_srl_epi32(lanes, _mm_cvtsi32_si128(shift)));
}

template <typename Format>
struct VectorsApart : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = false;
    static EP_INLINE __m256 numbers(const Place& row, const void* all)
    {
        return numbersOfGroups(all, Format::scaleIndex(row, 0), row.shift, row.scales->type);
    }
};

template <typename Format>
struct VectorsMlx : VectorsApart<Format> {
    using Base = VectorsApart<Format>;
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    static EP_INLINE __m256 scales(const Place& row)
    {
        return Base::numbers(row, row.scales->scales);
    }
    static EP_INLINE __m256 offsets(const Place& row, __m256 scales)
    {
        return _mm256_fmadd_ps(scales, _mm256_set1_ps(static_cast<float>(-Format::kZero)),
                               Base::numbers(row, row.scales->biases));
    }
};

// 32 four-bit numbers: alternately the low and the high nibble of each byte.
EP_INLINE Bytes byTurns(const std::uint8_t* place)
{
    const __m128i both = halfAt(place);
    const __m128i mask = _mm_set1_epi8(15);
    const __m128i even = _mm_and_si128(both, mask);
    const __m128i odd = _mm_and_si128(_mm_srli_epi16(both, 4), mask);
    return _mm256_set_m128i(_mm_unpackhi_epi8(even, odd), _mm_unpacklo_epi8(even, odd));
}

struct KernelsMlx4 : VectorsMlx<FormatMlx<4>> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return byTurns(row.values + kG * kBytes);
    }
};

// Four kBits-bit numbers in the lowest bits of each 32-bit lane, spread to one byte each. The
// numbers of lane i begin at bit 4 kBits i, in the middle of a byte for odd lanes if kBits is odd.
template <int kBits>
struct KernelsOfBits : VectorsMlx<FormatMlx<kBits>> {
    using Place = typename FormatMlx<kBits>::Place;
    static constexpr int kBytes = FormatMlx<kBits>::kBytes;

    // The byte positions of lanes `first` to `first` + 3 in the 16 bytes that start at `begin`.
    static EP_INLINE __m128i places(int first, int begin)
    {
        const auto place = [&](int i) {
            const int byte = kBits * (first + i / 4) / 2 + i % 4 - begin;
            const bool there = i % 4 < (kBits + 1) / 2;
            return static_cast<char>(there ? byte : -1);
        };
        return _mm_setr_epi8(place(0), place(1), place(2), place(3), place(4), place(5), place(6),
                             place(7), place(8), place(9), place(10), place(11), place(12),
                             place(13), place(14), place(15));
    }
    // Reads no byte beyond the group.
    static EP_INLINE __m256i lanes(const std::uint8_t* in)
    {
        if constexpr (kBytes > 16) {
            return _mm256_shuffle_epi8(_mm256_set_m128i(halfAt(in + kBytes - 16), halfAt(in)),
                                       _mm256_set_m128i(places(4, kBytes - 16), places(0, 0)));
        } else {
            const auto [low, high] = twoWords<kBytes>(in);
            const __m128i all =
                _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
            return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(all),
                                       _mm256_set_m128i(places(4, 0), places(0, 0)));
        }
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        __m256i v = lanes(row.values + kG * kBytes);
        if constexpr (kBits % 2 != 0)
            v = _mm256_srlv_epi32(v, _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4));
        const auto part = [&](__m256i moved, int byte) {
            return _mm256_and_si256(moved, _mm256_set1_epi32(((1 << kBits) - 1) << 8 * byte));
        };
        return _mm256_or_si256(
            _mm256_or_si256(part(v, 0), part(_mm256_slli_epi32(v, 8 - kBits), 1)),
            _mm256_or_si256(part(_mm256_slli_epi32(v, 2 * (8 - kBits)), 2),
                            part(_mm256_slli_epi32(v, 3 * (8 - kBits)), 3)));
    }
};

using KernelsMlx1 = KernelsOfBits<1>;
using KernelsMlx2 = KernelsOfBits<2>;
using KernelsMlx3 = KernelsOfBits<3>;
using KernelsMlx5 = KernelsOfBits<5>;
using KernelsMlx6 = KernelsOfBits<6>;

struct KernelsMlx8 : VectorsMlx<FormatMlx<8>> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return _mm256_xor_si256(bytesAt(row.values + kG * kBytes), _mm256_set1_epi8(-128));
    }
};

struct KernelsMlxMxfp4 : VectorsApart<FormatMlxMxfp4> {
    static EP_INLINE __m256 scales(const Place& row)
    {
        return _mm256_mul_ps(numbers(row, row.scales->scales), _mm256_set1_ps(0.5F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return lookedUp(kE2M1Doubled, byTurns(row.values + kG * kBytes));
    }
};

struct KernelsMlxNvfp4 : VectorsApart<FormatMlxNvfp4> {
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE __m256 scales(const Place& row, int half)
    {
        const __m256 eight = numbersOfGroups(
            row.scales->scales, row.first + 2 * row.group + 8 * half, 0, row.scales->type);
        return _mm256_mul_ps(eight, _mm256_set1_ps(0.5F));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return lookedUp(kE2M1Doubled, byTurns(row.values + kG * kBytes));
    }
};

struct KernelsFp8 : VectorsApart<FormatFp8> {
    static EP_INLINE __m256 scales(const Place& row)
    {
        return row.scales->scales ? numbers(row, row.scales->scales) : _mm256_set1_ps(1.0F);
    }
    // The sums of the products of a group, in f32: the numbers vary too widely for 16-bit words.
    template <int kG>
    static EP_INLINE __m256 product(const Place& row, const Words& x)
    {
        const std::uint8_t* const in = row.values + kG * kBytes;
        const auto eight = [&](int i, __m128i activations) {
            const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(in + 8 * i));
            return _mm256_mul_ps(valuesOfE4M3(bytes), floatsOf(_mm256_cvtepi16_epi32(activations)));
        };
        const __m256 first = _mm256_add_ps(eight(0, _mm256_castsi256_si128(x.first)),
                                           eight(1, _mm256_extracti128_si256(x.first, 1)));
        return _mm256_add_ps(first,
                             _mm256_add_ps(eight(2, _mm256_castsi256_si128(x.second)),
                                           eight(3, _mm256_extracti128_si256(x.second, 1))));
    }
};

} // namespace
} // namespace ep::model
