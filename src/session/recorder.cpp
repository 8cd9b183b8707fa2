// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorder.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

// More is reserved only when it is needed: 2^21 spans are 64 MiB.
constexpr std::size_t kLargestReserve = std::size_t{1} << 21;

Nanoseconds measureStampCost()
{
    constexpr int kRounds = 256;
    const Nanoseconds begin = monotonicNow();
    for (int i = 1; i < kRounds; ++i)
        static_cast<void>(monotonicNow());
    return (monotonicNow() - begin) / kRounds;
}

} // namespace

Recorder::Recorder(const RecorderOptions& options, PublishedOperation& published,
                   SectionListener listener)
    : m_options(options)
    , m_published(published)
    , m_listener(std::move(listener))
    , m_stampCost(measureStampCost())
{
    const std::size_t expected = std::min(options.expected_spans, kLargestReserve);
    m_spans.reserve(expected);
    if (options.depth != Depth::None)
        m_stats.reserve(expected);
}

void Recorder::enter(Phase phase, std::int32_t token)
{
    m_openCount = 0;
    m_stepBegin = m_spans.size();
    m_current = {.phase = phase, .section = m_current.section, .token = token};
    m_published.store(pack(m_current), std::memory_order_relaxed);
}

bool Recorder::wants(const model::Tap& tap)
{
    switch (tap.kind) {
    case model::TapKind::Section:
        return true;
    case model::TapKind::Layer:
    case model::TapKind::Component:
        return m_options.depth != Depth::None;
    case model::TapKind::Operation:
        return m_options.depth == Depth::Deep;
    }
    return false;
}

Recorder::Span Recorder::makeSpan(const model::Tap& tap) const
{
    Span span;
    span.token = m_current.token;
    span.phase = m_current.phase;
    span.layer = tap.layer;
    span.kind = tap.kind;
    span.operation = tap.operation;
    span.part = tap.kind == model::TapKind::Section ? static_cast<std::uint8_t>(tap.section)
                                                    : static_cast<std::uint8_t>(tap.component);
    return span;
}

void Recorder::publish(const model::Tap& tap)
{
    if (tap.kind == model::TapKind::Operation)
        return;
    if (tap.kind == model::TapKind::Section)
        m_current.section = tap.section;
    m_current.layer = tap.layer;
    m_current.has_component = tap.kind == model::TapKind::Component;
    m_current.component = tap.component;
    m_published.store(pack(m_current), std::memory_order_relaxed);
}

void Recorder::announce(const std::function<void(const SectionEvent&)>& heard,
                        const Span& span) const
{
    if (!heard)
        return;
    const Nanoseconds end = span.end_ns == 0 ? span.begin_ns : span.end_ns;
    heard({.phase = span.phase,
           .section = static_cast<Section>(span.part),
           .token = span.token,
           .time = {span.begin_ns, end}});
}

void Recorder::began(const model::Tap& tap)
{
    if (m_openCount == m_open.size())
        return;
    publish(tap);
    const std::size_t index = m_spans.append(makeSpan(tap));
    m_open[m_openCount++] = index;
    Span& span = m_spans[index];
    span.begin_ns = monotonicNow();
    if (tap.kind == model::TapKind::Section)
        announce(m_listener.began, span);
}

void Recorder::ended(const model::Tap& tap, const model::TensorProbe* output)
{
    const Nanoseconds end = monotonicNow();
    const Span wanted = makeSpan(tap);
    const auto matches = [&](std::size_t index) {
        const Span& span = m_spans[index];
        return span.kind == wanted.kind && span.part == wanted.part && span.layer == wanted.layer
            && span.operation == wanted.operation;
    };
    // A part that broke off inside leaves its spans open; they are dropped with it.
    std::size_t depth = m_openCount;
    while (depth > 0 && !matches(m_open[depth - 1]))
        --depth;
    if (depth == 0)
        return;
    m_openCount = depth - 1;
    Span& span = m_spans[m_open[m_openCount]];
    span.end_ns = end;
    if (tap.kind == model::TapKind::Section) {
        announce(m_listener.ended, span);
    } else if (output != nullptr) {
        span.stats =
            static_cast<std::int32_t>(m_stats.append(output->stats(m_options.sparsity_threshold)));
        m_statsTime += monotonicNow() - end;
    }
}

std::optional<ActivationStats> Recorder::statsOf(const Span& span) const
{
    if (span.stats < 0)
        return std::nullopt;
    return m_stats[static_cast<std::size_t>(span.stats)];
}

void Recorder::append(const Span& span, RunTrace& trace) const
{
    const TimeRange time{span.begin_ns, span.end_ns};
    switch (span.kind) {
    case model::TapKind::Section:
        trace.sections.push_back({.phase = span.phase,
                                  .section = static_cast<Section>(span.part),
                                  .token = span.token,
                                  .time = time,
                                  .energy = {}});
        return;
    case model::TapKind::Layer:
        trace.layers.push_back({.token = span.token,
                                .layer = span.layer,
                                .time = time,
                                .stats = statsOf(span),
                                .energy_mj = {}});
        return;
    case model::TapKind::Component:
        trace.components.push_back({.token = span.token,
                                    .layer = span.layer,
                                    .component = static_cast<Component>(span.part),
                                    .time = time,
                                    .stats = statsOf(span),
                                    .energy_mj = {}});
        return;
    case model::TapKind::Operation:
        trace.operations.push_back({.token = span.token,
                                    .layer = span.layer,
                                    .component = static_cast<Component>(span.part),
                                    .operation = span.operation,
                                    .time = time,
                                    .stats = statsOf(span),
                                    .energy_mj = {}});
        return;
    }
}

void Recorder::currentStep(std::vector<LayerSpan>& layers,
                           std::vector<ComponentSpan>& components) const
{
    RunTrace step;
    for (std::size_t i = m_stepBegin; i < m_spans.size(); ++i) {
        if (m_spans[i].end_ns != 0)
            append(m_spans[i], step);
    }
    layers = std::move(step.layers);
    components = std::move(step.components);
}

void Recorder::appendTo(RunTrace& trace, std::int32_t completedTokens) const
{
    for (std::size_t i = 0; i < m_spans.size(); ++i) {
        const Span& span = m_spans[i];
        if (span.end_ns != 0 && span.token < completedTokens)
            append(span, trace);
    }
}

Nanoseconds Recorder::selfTime() const
{
    return m_statsTime + 2 * m_stampCost * static_cast<Nanoseconds>(m_spans.size());
}

} // namespace ep::session
