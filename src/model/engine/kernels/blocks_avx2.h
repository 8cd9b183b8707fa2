// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls and dequantization of block formats in 32-byte vectors, for blocks_spans.h.
#pragma once

#include "formats_apart_avx2.h"
#include "formats_codebook_avx2.h"
#include "formats_q_avx2.h"

namespace ep::model {
namespace {

// --- Matmuls -------------------------------------------------------------------------------------

using Sum = __m256;

struct SpanOfActivations {
    const std::int16_t* values;
    const float* half_sums;
    __m256 scales, sums;
};

EP_INLINE SpanOfActivations spanAt(const BlockedRow& x, Index span)
{
    return {x.values + span * 8 * kGroup, x.half_sums + span * 16,
            _mm256_loadu_ps(x.scales + span * 8), _mm256_loadu_ps(x.sums + span * 8)};
}

template <int kG>
EP_INLINE Words activationsOf(const SpanOfActivations& x)
{
    return {bytesAt(x.values + kG * kGroup), bytesAt(x.values + kG * kGroup + 16)};
}

// sums + a b, where the products of two adjacent words are added together.
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

// The factors for the products of the groups, or of their halves.
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
        if constexpr (Format::kMinima) {
            sum = _mm256_fmadd_ps(Format::minima(row, 0), _mm256_loadu_ps(x.half_sums), sum);
            sum = _mm256_fmadd_ps(Format::minima(row, 1), _mm256_loadu_ps(x.half_sums + 8), sum);
        }
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
    const auto plus = [&](__m256 products, const float* factor) {
        sum = _mm256_fmadd_ps(products, _mm256_broadcast_ss(factor), sum);
    };
    if constexpr (Format::kFloats) {
        plus(Format::template product<kG>(row, x), factors + kG);
    } else {
        const Words words = wordsOfGroup<Format, kG>(row);
        const __m256i first = _mm256_madd_epi16(words.first, x.first);
        if constexpr (Format::kHalves) {
            plus(floatsOf(first), factors + 2 * kG);
            plus(floatsOf(_mm256_madd_epi16(words.second, x.second)), factors + 2 * kG + 1);
        } else {
            plus(floatsOf(plusProducts(first, words.second, x.second)), factors + kG);
        }
    }
    return sum;
}

// --- Dequantizing --------------------------------------------------------------------------------

template <typename Format>
EP_INLINE void dequantizeEight(__m128i bytes, __m256 scale, __m256 minimum, float* out)
{
    const __m256i whole = _mm256_sub_epi32(Format::kSigned ? _mm256_cvtepi8_epi32(bytes)
                                                           : _mm256_cvtepu8_epi32(bytes),
                                           _mm256_set1_epi32(Format::kZero));
    const __m256 product = _mm256_mul_ps(floatsOf(whole), scale);
    _mm256_storeu_ps(out, Format::kMinima ? _mm256_add_ps(product, minimum) : product);
}

// Group kG of the span at `at`, which is group `group` of the row.
template <typename Format, int kG>
EP_INLINE void dequantizeVectors(const typename Format::Place& at,
                                 const typename Format::Place& row, Index group, float* out)
{
    if constexpr (Format::kFloats) {
        dequantizeGroup<Format>(row, group + kG, out + kG * kGroup);
        return;
    } else {
        const Bytes all = Format::template bytes<kG>(at);
        for (int half = 0; half < 2; ++half) {
            const __m128i bytes =
                half == 0 ? _mm256_castsi256_si128(all) : _mm256_extracti128_si256(all, 1);
            const __m256 scale = _mm256_set1_ps(Format::scale(row, group + kG, half));
            const __m256 minimum = _mm256_set1_ps(Format::minimum(row, group + kG, half));
            float* const to = out + kG * kGroup + half * 16;
            dequantizeEight<Format>(bytes, scale, minimum, to);
            dequantizeEight<Format>(_mm_srli_si128(bytes, 8), scale, minimum, to + 8);
        }
    }
}

} // namespace
} // namespace ep::model
