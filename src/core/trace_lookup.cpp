// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep {

namespace {

// The spans with this key, in a list that is sorted by it.
template <typename KeyOf, typename Key>
std::span<const Span> withKey(const std::vector<Span>& spans, KeyOf keyOf, const Key& key)
{
    return {std::ranges::lower_bound(spans, key, {}, keyOf),
            std::ranges::upper_bound(spans, key, {}, keyOf)};
}

} // namespace

std::span<const Span> spansOf(const RunTrace& trace, SpanLevel level, std::int32_t token)
{
    return withKey(trace.spans(level), &Span::token, token);
}

std::span<const Span> layersOf(const RunTrace& trace, std::int32_t token)
{
    return spansOf(trace, SpanLevel::Layer, token);
}

std::span<const Span> componentsOf(const RunTrace& trace, std::int32_t token)
{
    return spansOf(trace, SpanLevel::Component, token);
}

std::span<const Span> componentsOf(const RunTrace& trace, std::int32_t token, std::int32_t layer)
{
    return withKey(
        trace.components, [](const Span& span) { return std::pair(span.token, span.layer); },
        std::pair(token, layer));
}

std::span<const Span> operationsOf(const RunTrace& trace, std::int32_t token)
{
    return spansOf(trace, SpanLevel::Operation, token);
}

const PhaseSpan* findPhase(const RunTrace& trace, Phase phase)
{
    const auto found = std::find_if(trace.phases.begin(), trace.phases.end(),
                                    [&](const PhaseSpan& span) { return span.phase == phase; });
    return found != trace.phases.end() ? &*found : nullptr;
}

std::size_t outputTokens(std::span<const TokenSpan> steps)
{
    std::size_t count = 0;
    for (const TokenSpan& step : steps)
        count += static_cast<std::size_t>(std::max(0, step.sequences));
    return count;
}

std::size_t decodedTokens(std::span<const TokenSpan> steps)
{
    return steps.empty() ? 0 : outputTokens(steps.subspan(1));
}

} // namespace ep
