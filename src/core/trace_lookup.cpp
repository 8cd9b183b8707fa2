// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <tuple>

namespace ep {

namespace {

template <typename Span, typename Key, typename KeyOf>
std::span<const Span> rangeOf(std::span<const Span> spans, const Key& key, KeyOf keyOf)
{
    const auto begin = std::partition_point(spans.begin(), spans.end(),
                                            [&](const Span& span) { return keyOf(span) < key; });
    const auto end = std::partition_point(begin, spans.end(),
                                          [&](const Span& span) { return keyOf(span) == key; });
    return {begin, end};
}

} // namespace

std::span<const LayerSpan> layersOf(const RunTrace& trace, std::int32_t token)
{
    return rangeOf(std::span(trace.layers), token,
                   [](const LayerSpan& span) { return span.token; });
}

std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token)
{
    return rangeOf(std::span(trace.components), token,
                   [](const ComponentSpan& span) { return span.token; });
}

std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token,
                                            std::int32_t layer)
{
    return rangeOf(std::span(trace.components), std::tuple(token, layer),
                   [](const ComponentSpan& span) { return std::tuple(span.token, span.layer); });
}

std::span<const OperationSpan> operationsOf(const RunTrace& trace, std::int32_t token)
{
    return rangeOf(std::span(trace.operations), token,
                   [](const OperationSpan& span) { return span.token; });
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
