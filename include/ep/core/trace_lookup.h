// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Finds parts of a trace by binary search; relies on the order specified in trace.h.
namespace ep {

// Half-open range of token indices. Empty when last <= first.
struct TokenRange {
    std::int32_t first = 0;
    std::int32_t last = 0;

    constexpr bool operator==(const TokenRange&) const = default;
    constexpr bool empty() const { return last <= first; }
    constexpr std::int32_t size() const { return empty() ? 0 : last - first; }
    constexpr bool contains(std::int32_t token) const { return first <= token && token < last; }
};

// The spans of a token on any level except sections.
std::span<const Span> spansOf(const RunTrace& trace, SpanLevel level, std::int32_t token);
std::span<const Span> layersOf(const RunTrace& trace, std::int32_t token);
std::span<const Span> componentsOf(const RunTrace& trace, std::int32_t token);
std::span<const Span> componentsOf(const RunTrace& trace, std::int32_t token, std::int32_t layer);
std::span<const Span> operationsOf(const RunTrace& trace, std::int32_t token);

// Calls visit(time) for the phases, the tokens and the spans of all levels.
template <typename Visit>
void visitTimes(RunTrace& trace, const Visit& visit)
{
    const auto all = [&](auto& spans) {
        for (auto& span : spans)
            visit(span.time);
    };
    all(trace.phases);
    all(trace.tokens);
    for (const SpanLevel level : kSpanLevels)
        all(trace.spans(level));
}

// The span of a phase, or null.
const PhaseSpan* findPhase(const RunTrace& trace, Phase phase);

// Number of tokens produced over all sequences; decoded: without the prefill's.
std::size_t outputTokens(std::span<const TokenSpan> steps);
std::size_t decodedTokens(std::span<const TokenSpan> steps);

} // namespace ep
