// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies activations by rows of blocks, and expands such rows to floats, a span at a time: 256
// values, that is one block of the K formats or eight blocks of the others. The vectors, and the
// operations on a group of 32 values, come from the instruction set.
#pragma once

#if defined(__AVX512VNNI__)
#include "blocks_avx2.h"
#include "blocks_avx512.h"
#elif defined(__AVX2__)
#include "blocks_avx2.h"
#else
#include "blocks_dotprod.h"
#endif

#include <type_traits>

namespace ep::model {
namespace {

// The accumulators for the products of a row.
template <typename Format>
constexpr bool kInWideVectors =
#if defined(__AVX512VNNI__)
    requires
{
    sizeof(WideBytes<Format>);
};
#else
    false;
#endif
template <bool>
struct SumsOfProducts {
    using Type = Sum;
};
#if defined(__AVX512VNNI__)
template <>
struct SumsOfProducts<true> {
    using Type = __m512;
};
#endif
template <typename Format>
using SumOf = typename SumsOfProducts<kInWideVectors<Format>>::Type;

template <typename Format, int Rows, int kG>
EP_INLINE void dotGroups(const typename Format::Place (&rows)[Rows], const SpanOfActivations& x,
                         const float (&factors)[Rows][16], Sum (&sums)[Rows])
{
    const auto group = activationsOf<kG>(x);
    for (int r = 0; r < Rows; ++r)
        sums[r] = plusGroup<Format, kG>(rows[r], group, factors[r], sums[r]);
}

// Adds the products of one span in `Rows` rows. Beyond the first `groups` groups of the span, the
// activations are zero.
template <typename Format, int Rows>
EP_INLINE void dotSpan(const typename Format::Place (&rows)[Rows], const BlockedRow& row,
                       Index span, [[maybe_unused]] Index groups, SumOf<Format> (&sums)[Rows])
{
#if defined(__AVX512VNNI__)
    if constexpr (kInWideVectors<Format>) {
        dotWideSpan<Format, Rows>(rows, row, span, groups, sums);
        return;
    } else
#endif
    {
        const SpanOfActivations x = spanAt(row, span);
        alignas(32) float factors[Rows][16]; // eight if both halves share a factor
        for (int r = 0; r < Rows; ++r)
            storeFactors<Format>(rows[r], x, factors[r], sums[r]);
        dotGroups<Format, Rows, 0>(rows, x, factors, sums);
        dotGroups<Format, Rows, 1>(rows, x, factors, sums);
        dotGroups<Format, Rows, 2>(rows, x, factors, sums);
        dotGroups<Format, Rows, 3>(rows, x, factors, sums);
        dotGroups<Format, Rows, 4>(rows, x, factors, sums);
        dotGroups<Format, Rows, 5>(rows, x, factors, sums);
        dotGroups<Format, Rows, 6>(rows, x, factors, sums);
        dotGroups<Format, Rows, 7>(rows, x, factors, sums);
    }
}

// How many bytes ahead a row is prefetched; 0: not at all. The factors of blocks lie apart from
// each other, which hides the stream from the hardware's prefetcher: without ours, Q6_K is
// multiplied a tenth to a third slower on Zen 4. Q8_0, whose numbers need no arithmetic, is 16 to
// 20 % faster there without it, but a third slower on a Xeon with AMX, which gains up to 9 % from
// 2048 instead of 1024 bytes.
#if defined(__AMX_BF16__)
template <typename Format>
constexpr Index kAhead = std::is_pointer_v<typename Format::Place> ? 2048 : 0;
#else
template <typename Format>
constexpr Index kAhead = std::is_pointer_v<typename Format::Place> ? 1024 : 0;
template <>
inline constexpr Index kAhead<KernelsQ8_0> = 0;
#endif

template <typename Format, int Rows>
EP_INLINE void askAhead(const typename Format::Place (&rows)[Rows])
{
    constexpr Index kBytes = kAhead<Format>;
    if constexpr (kBytes > 0) {
        constexpr Index kLine = 64;
        for (int r = 0; r < Rows; ++r) {
            const auto* const here = reinterpret_cast<const char*>(rows[r]);
            const Index bytes = reinterpret_cast<const char*>(Format::at(rows[r], 8)) - here;
            for (Index i = 0; i < bytes; i += kLine)
                __builtin_prefetch(here + kBytes + i);
        }
    }
}

// Handles the groups after the last whole span of a row, fewer than eight, as a span, because one
// by one their products would take several times as long. In the last row they are copied, because
// a span would be read beyond it; missing groups are zero, as are their activations.
template <typename Format>
struct RestOfBlocks {
    typename Format::Block blocks[8 / Format::kGroups];

    EP_INLINE typename Format::Place place(const typename Format::Place& row, Index groups)
    {
        __builtin_memset(blocks, 0, sizeof blocks);
        __builtin_memcpy(blocks, row,
                         static_cast<std::size_t>(groups / Format::kGroups) * sizeof *blocks);
        return blocks;
    }
};

template <typename Format>
struct RestApart {
    static constexpr Index kScales = Format::kHalves ? 2 : 1; // per group
    std::uint8_t values[8 * Format::kBytes];
    float scales[8 * kScales];
    float biases[8];
    GroupScales groups;

    EP_INLINE typename Format::Place place(const typename Format::Place& row, Index count)
    {
        const GroupScales& from = *row.scales;
        __builtin_memset(values, 0, sizeof values);
        __builtin_memset(scales, 0, sizeof scales);
        __builtin_memset(biases, 0, sizeof biases);
        __builtin_memcpy(values, row.values, static_cast<std::size_t>(count * Format::kBytes));
        for (Index group = 0; group < count; ++group) {
            const Index at = Format::scaleIndex(row, group);
            if constexpr (Format::kHalves) {
                for (Index half = 0; half < 2; ++half)
                    scales[2 * group + half] = Format::number(
                        from.scales, row.first + 2 * (row.group + group) + half, from.type);
            } else if (from.scales) {
                scales[group] = Format::number(from.scales, at, from.type);
            }
            if constexpr (Format::kMinima)
                biases[group] = Format::number(from.biases, at, from.type);
        }
        groups = {.scales = from.scales ? scales : nullptr, .biases = biases};
        return {.values = values, .first = 0, .group = 0, .shift = 0, .scales = &groups};
    }
};

template <typename Format>
using Rest = std::conditional_t<std::is_pointer_v<typename Format::Place>, RestOfBlocks<Format>,
                                RestApart<Format>>;

template <typename Format, int Rows>
EP_INLINE void dotRest(const typename Format::Place (&rows)[Rows], Index groups,
                       const BlockedRow& x, Index span, SumOf<Format> (&sums)[Rows])
{
    Rest<Format> rest[Rows];
    typename Format::Place places[Rows];
    for (int r = 0; r < Rows; ++r)
        places[r] = rest[r].place(rows[r], groups);
    dotSpan<Format, Rows>(places, x, span, groups, sums);
}

// The rows row, row + apart, and so on, below `end`.
template <typename Format, int Rows>
EP_INLINE void dotBlockRows(const WeightRows& w, Index row, Index apart, Index end,
                            const BlockedRow& x, float* out)
{
    const Index groups = w.columns / kGroup;
    const Index spans = groups / 8;
    typename Format::Place rows[Rows];
    SumOf<Format> sums[Rows];
    for (int r = 0; r < Rows; ++r) {
        rows[r] = Format::place(w, row + r * apart);
        sums[r] = SumOf<Format>{};
    }
    for (Index span = 0; span < spans; ++span) {
        askAhead<Format, Rows>(rows);
        dotSpan<Format, Rows>(rows, x, span, 8, sums);
        for (int r = 0; r < Rows; ++r)
            rows[r] = Format::at(rows[r], 8);
    }
    if constexpr (Format::kGroups < 8) {
        const Index rest = groups - spans * 8;
        // The span extends into the next row, whose values are finite; the activations there are
        // zero.
        const bool inside = std::is_pointer_v<typename Format::Place> && spans > 0
            && row + (Rows - 1) * apart + 1 < end;
        if (rest > 0 && inside)
            dotSpan<Format, Rows>(rows, x, spans, rest, sums);
        else if (rest > 0)
            dotRest<Format, Rows>(rows, rest, x, spans, sums);
    }
    for (int r = 0; r < Rows; ++r) {
        const Index at = row + r * apart;
        out[at] = finished(w, at, sumOf(sums[r]));
    }
}

// out[r] = weights[r, :] . x (+ bias[r]) for begin <= r < end.
template <typename Format>
void dotBlocks(const WeightRows& w, const BlockedRow& x, float* out, Index begin, Index end)
{
    // The rows are far apart, so that each is a long stream.
    constexpr int kRows = 4;
    const Index apart = (end - begin) / kRows;
    for (Index i = 0; i < apart; ++i)
        dotBlockRows<Format, kRows>(w, begin + i, apart, end, x, out);
    for (Index row = begin + kRows * apart; row < end; ++row)
        dotBlockRows<Format, 1>(w, row, 0, end, x, out);
}

template <typename Format>
EP_INLINE void dequantizeSpan(const typename Format::Place& row, Index group, float* out)
{
    const auto at = Format::at(row, group);
    dequantizeVectors<Format, 0>(at, row, group, out);
    dequantizeVectors<Format, 1>(at, row, group, out);
    dequantizeVectors<Format, 2>(at, row, group, out);
    dequantizeVectors<Format, 3>(at, row, group, out);
    dequantizeVectors<Format, 4>(at, row, group, out);
    dequantizeVectors<Format, 5>(at, row, group, out);
    dequantizeVectors<Format, 6>(at, row, group, out);
    dequantizeVectors<Format, 7>(at, row, group, out);
}

// Handles the remaining groups from `group` on, fewer than eight.
template <typename Format>
EP_INLINE void dequantizeRest(const typename Format::Place& row, Index group, Index count,
                              float* out)
{
    Rest<Format> rest;
    alignas(32) float values[8 * kGroup];
    dequantizeSpan<Format>(rest.place(Format::at(row, group), count), 0, values);
    __builtin_memcpy(out, values, static_cast<std::size_t>(count * kGroup) * sizeof *out);
}

} // namespace
} // namespace ep::model
