// SPDX-License-Identifier: GPL-3.0-or-later
// MLX's affine formats in vectors of 32 bytes, as blocks_avx2.h has those of ggml.
#pragma once

#include "blocks_avx2.h"

#include <cstring>

namespace ep::model {
namespace {

// Eight numbers of groups from `first` on, of which 1 << shift in succession have the same. A span
// begins with a number of its own, since rows hold whole groups.
EP_INLINE __m256 numbersOfGroups(const void* numbers, Index first, int shift,
                                 GroupScales::Type type)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const int count = 8 >> shift; // behind them may be nothing
    __m256 few;
    if (type == GroupScales::Type::F32) {
        const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), lanes);
        few = _mm256_maskload_ps(static_cast<const float*>(numbers) + (first >> shift), there);
    } else {
        const auto* const from = static_cast<const std::uint16_t*>(numbers) + (first >> shift);
        std::uint64_t bits[2] = {};
        switch (count) {
        case 8:
            std::memcpy(bits, from, 16);
            break;
        case 4:
            std::memcpy(bits, from, 8);
            break;
        default:
            std::memcpy(bits, from, 4);
        }
        const __m128i halves =
            _mm_set_epi64x(static_cast<long long>(bits[1]), static_cast<long long>(bits[0]));
        few = type == GroupScales::Type::F16
            ? _mm256_cvtph_ps(halves)
            : _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
    }
    return _mm256_permutevar8x32_ps(few, _mm256_srl_epi32(lanes, _mm_cvtsi32_si128(shift)));
}

template <typename Format>
struct VectorsMlx : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    static EP_INLINE __m256 scales(const Place& row)
    {
        return numbersOfGroups(row.scales->scales, row.group, row.shift, row.scales->type);
    }
    static EP_INLINE __m256 offsets(const Place& row, __m256 scales)
    {
        const __m256 minima =
            numbersOfGroups(row.scales->biases, row.group, row.shift, row.scales->type);
        return _mm256_fmadd_ps(scales, _mm256_set1_ps(static_cast<float>(-Format::kZero)), minima);
    }
};

struct KernelsMlx4 : VectorsMlx<FormatMlx4> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        const __m128i both =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.values + kG * kBytes));
        const __m128i mask = _mm_set1_epi8(15);
        const __m128i even = _mm_and_si128(both, mask);
        const __m128i odd = _mm_and_si128(_mm_srli_epi16(both, 4), mask);
        return _mm256_set_m128i(_mm_unpackhi_epi8(even, odd), _mm_unpacklo_epi8(even, odd));
    }
};

// Four numbers in three bytes: these go to the lowest 24 bits of 32, and each number to a byte.
struct KernelsMlx6 : VectorsMlx<FormatMlx6> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        // 24 bytes as 16 from the first and 16 from the ninth on, so that none is beyond the group.
        const std::uint8_t* const in = row.values + kG * kBytes;
        const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
        const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 8));
        const __m256i spread = _mm256_shuffle_epi8(
            _mm256_set_m128i(high, low),
            _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4, 5, 6, -1, 7,
                             8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1));
        const auto part = [&](__m256i moved, int mask) {
            return _mm256_and_si256(moved, _mm256_set1_epi32(mask));
        };
        return _mm256_or_si256(
            _mm256_or_si256(part(spread, 0x3F), part(_mm256_slli_epi32(spread, 2), 0x3F00)),
            _mm256_or_si256(part(_mm256_slli_epi32(spread, 4), 0x3F0000),
                            part(_mm256_slli_epi32(spread, 6), 0x3F000000)));
    }
};

struct KernelsMlx8 : VectorsMlx<FormatMlx8> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return _mm256_xor_si256(bytesAt(row.values + kG * kBytes), _mm256_set1_epi8(-128));
    }
};

} // namespace
} // namespace ep::model
