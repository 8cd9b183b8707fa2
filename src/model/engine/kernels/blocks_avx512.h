// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls with block-quantized weights in 64-byte vectors, where bytes can be multiplied by bytes
// (AVX-512 VNNI). An activation is 256 times its upper byte plus its lower one, so the products
// with both bytes are integers and nothing is lost. The instruction takes the weights as unsigned
// bytes, so 128 is added to signed ones, and subtracted again with the sums of the activations.
#pragma once

#include "formats_avx512.h"

namespace ep::model {
namespace {

struct SplitWords {
    __m256i upper, lower;
};

// The lower byte is signed, too, so the upper byte is rounded rather than truncated.
EP_INLINE SplitWords splitWords(const void* words)
{
    const __m512i all = _mm512_loadu_si512(words);
    const __m512i upper = _mm512_srai_epi16(_mm512_add_epi16(all, _mm512_set1_epi16(128)), 8);
    return {_mm512_cvtepi16_epi8(upper), _mm512_cvtepi16_epi8(all)};
}

// Splits the activations of whole spans into bytes, see BlockedRow.
EP_INLINE void splitBytes(const std::int16_t* values, Index count, std::int8_t* bytes)
{
    for (Index i = 0; i < count; i += 32) {
        const SplitWords split = splitWords(values + i);
        std::int8_t* const to = bytes + i / 64 * 128 + i % 64;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), split.upper);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 64), split.lower);
    }
}

// Spreads factors over the lanes of pair kP of groups: each lane gets the factor of its group, or
// of its half of a group.
template <bool kHalves, int kP>
EP_INLINE __m512 factorsOfLanes(__m512 factors)
{
    constexpr int f = (kHalves ? 4 : 2) * kP;
    constexpr int h = kHalves ? 1 : 0;
    return _mm512_permutexvar_ps(
        _mm512_setr_epi32(f, f, f, f, f + h, f + h, f + h, f + h, f + 1 + h, f + 1 + h, f + 1 + h,
                          f + 1 + h, f + 1 + 2 * h, f + 1 + 2 * h, f + 1 + 2 * h, f + 1 + 2 * h),
        factors);
}

EP_INLINE __m512 joined(__m256 low, __m256 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

// Returns the factors of the products of the groups of a span (or of their halves), and adds to
// `sum` what the weights' zero and minima contribute.
template <typename Format>
EP_INLINE __m512 wideFactors(const typename Format::Place& row, const BlockedRow& x, Index span,
                             __m512& sum)
{
    constexpr float kMoved = Format::kSigned ? -128.0F : 0.0F;
    if constexpr (Format::kHalves) {
        constexpr float kZero = kMoved - static_cast<float>(Format::kZero);
        const __m512 scales = joined(Format::scales(row, 0), Format::scales(row, 1));
        const __m512 sums = _mm512_loadu_ps(x.half_sums + span * 16);
        if constexpr (Format::kMinima)
            sum =
                _mm512_fmadd_ps(joined(Format::minima(row, 0), Format::minima(row, 1)), sums, sum);
        if constexpr (kZero != 0.0F)
            sum = _mm512_fmadd_ps(_mm512_mul_ps(scales, _mm512_set1_ps(kZero)), sums, sum);
        const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        const __m512 eight = _mm512_castps256_ps512(_mm256_loadu_ps(x.scales + span * 8));
        return _mm512_mul_ps(scales, _mm512_permutexvar_ps(twice, eight));
    } else {
        const __m256 scales = Format::scales(row);
        __m256 offsets = _mm256_setzero_ps();
        if constexpr (Format::kOffsets)
            offsets = Format::offsets(row, scales);
        if constexpr (Format::kSigned)
            offsets = _mm256_fmadd_ps(scales, _mm256_set1_ps(kMoved), offsets);
        if constexpr (Format::kOffsets || Format::kSigned) {
            sum = _mm512_fmadd_ps(_mm512_zextps256_ps512(offsets),
                                  _mm512_zextps256_ps512(_mm256_loadu_ps(x.sums + span * 8)), sum);
        }
        return _mm512_castps256_ps512(_mm256_mul_ps(scales, _mm256_loadu_ps(x.scales + span * 8)));
    }
}

// Adds the products of pair kP of groups of `Rows` rows.
template <typename Format, int kP, int Rows>
EP_INLINE void dotWidePair(const typename Format::Place (&rows)[Rows], const std::int8_t* x,
                           const __m512 (&factors)[Rows], __m512 (&sums)[Rows])
{
    const __m512i upper = _mm512_loadu_si512(x + kP * 128);
    const __m512i lower = _mm512_loadu_si512(x + kP * 128 + 64);
    __m512i weights[Rows];
    __m512i products[Rows];
    // Each step is done for all rows before the next one, so that no row waits for its own result.
    for (int r = 0; r < Rows; ++r)
        weights[r] = WideBytes<Format>::template pair<kP>(rows[r]);
    for (int r = 0; r < Rows; ++r) {
        products[r] =
            _mm512_slli_epi32(_mm512_dpbusd_epi32(_mm512_setzero_si512(), weights[r], upper), 8);
    }
    for (int r = 0; r < Rows; ++r)
        products[r] = _mm512_dpbusd_epi32(products[r], weights[r], lower);
    for (int r = 0; r < Rows; ++r) {
        sums[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products[r]),
                                  factorsOfLanes<Format::kHalves, kP>(factors[r]), sums[r]);
    }
}

// Adds the products of the four groups of a span from group 4 kF on, for formats with four().
template <typename Format, int kF, int Rows>
EP_INLINE void dotWideFour(const typename Format::Place (&rows)[Rows], const std::int8_t* x,
                           const __m512 (&factors)[Rows], __m512 (&sums)[Rows])
{
    const auto at = [&](int part) { return _mm512_loadu_si512(x + kF * 256 + part * 64); };
    constexpr int kFirst = 0x88; // the first of every two quarters
    constexpr int kSecond = 0xDD;
    const __m512i upper = _mm512_shuffle_i32x4(at(0), at(2), kFirst);
    const __m512i upperSecond = _mm512_shuffle_i32x4(at(0), at(2), kSecond);
    const __m512i lower = _mm512_shuffle_i32x4(at(1), at(3), kFirst);
    const __m512i lowerSecond = _mm512_shuffle_i32x4(at(1), at(3), kSecond);
    WideNumbers weights[Rows];
    __m512i products[Rows];
    for (int r = 0; r < Rows; ++r)
        weights[r] = WideBytes<Format>::four(rows[r] + 4 * kF);
    for (int r = 0; r < Rows; ++r)
        products[r] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), weights[r].low, upper);
    for (int r = 0; r < Rows; ++r) {
        products[r] =
            _mm512_slli_epi32(_mm512_dpbusd_epi32(products[r], weights[r].high, upperSecond), 8);
    }
    for (int r = 0; r < Rows; ++r)
        products[r] = _mm512_dpbusd_epi32(products[r], weights[r].low, lower);
    for (int r = 0; r < Rows; ++r)
        products[r] = _mm512_dpbusd_epi32(products[r], weights[r].high, lowerSecond);
    for (int r = 0; r < Rows; ++r) {
        sums[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products[r]),
                                  factorsOfLanes<true, kF>(factors[r]), sums[r]);
    }
}

template <typename Format, int Rows>
EP_INLINE void dotWideSpan(const typename Format::Place (&rows)[Rows], const BlockedRow& x,
                           Index span, Index groups, __m512 (&sums)[Rows])
{
    const std::int8_t* const bytes = x.bytes + span * 16 * kGroup;
    __m512 factors[Rows];
    for (int r = 0; r < Rows; ++r)
        factors[r] = wideFactors<Format>(rows[r], x, span, sums[r]);
    if constexpr (requires { WideBytes<Format>::four(rows[0]); }) {
        dotWideFour<Format, 0, Rows>(rows, bytes, factors, sums);
        if (groups > 4)
            dotWideFour<Format, 1, Rows>(rows, bytes, factors, sums);
    } else {
        dotWidePair<Format, 0, Rows>(rows, bytes, factors, sums);
        if (groups > 2)
            dotWidePair<Format, 1, Rows>(rows, bytes, factors, sums);
        if (groups > 4)
            dotWidePair<Format, 2, Rows>(rows, bytes, factors, sums);
        if (groups > 6)
            dotWidePair<Format, 3, Rows>(rows, bytes, factors, sums);
    }
}

EP_INLINE float sumOf(__m512 v)
{
    return sumOf(_mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1)));
}

} // namespace
} // namespace ep::model
