// SPDX-License-Identifier: GPL-3.0-or-later
// Turns what was recorded into the spans of a trace.
#include "record/recorder.h"

#include <array>
#include <cmath>
#include <utility>

namespace ep::session {

std::optional<ActivationStats> Recorder::statsAt(std::int32_t index) const
{
    if (index < 0)
        return std::nullopt;
    return m_stats[static_cast<std::size_t>(index)];
}

SharedExtras Recorder::extrasOf(const Notes& notes) const
{
    OperationExtras extras;
    std::size_t place = notes.first_head;
    for (auto* const values :
         {&extras.attention_entropy, &extras.max_attention_weight, &extras.attention_sparsity}) {
        for (std::int32_t head = 0; head < notes.heads; ++head)
            values->push_back(m_heads[place++]);
    }
    if (!std::isnan(notes.activation_kill_ratio))
        extras.activation_kill_ratio = notes.activation_kill_ratio;
    if (!std::isnan(notes.variance_ratio))
        extras.variance_ratio = notes.variance_ratio;
    if (notes.expert >= 0) {
        extras.expert = notes.expert;
        extras.rows = notes.rows;
    }
    return SharedExtras(std::move(extras));
}

void Recorder::append(const Span& span, const Stretch& stretch, RunTrace& trace) const
{
    const TimeRange time{stretch.scale.timeOf(span.begin_ns), stretch.scale.timeOf(span.end_ns)};
    const model::Tap tap = tapOf(span.key);
    switch (tap.kind) {
    case model::TapKind::Section:
        trace.sections.push_back({.phase = stretch.phase,
                                  .section = tap.section,
                                  .token = stretch.token,
                                  .time = time,
                                  .energy = {},
                                  .stats = statsAt(span.notes)});
        return;
    case model::TapKind::Layer:
        trace.layers.push_back({.token = stretch.token,
                                .layer = tap.layer,
                                .time = time,
                                .stats = statsAt(span.notes),
                                .energy_mj = {}});
        return;
    case model::TapKind::Component:
        trace.components.push_back({.token = stretch.token,
                                    .layer = tap.layer,
                                    .component = tap.component,
                                    .time = time,
                                    .stats = statsAt(span.notes),
                                    .energy_mj = {}});
        return;
    case model::TapKind::Operation:
        OperationSpan& operation =
            trace.operations.emplace_back(OperationSpan{.token = stretch.token,
                                                        .layer = tap.layer,
                                                        .component = tap.component,
                                                        .operation = tap.operation,
                                                        .time = time,
                                                        .stats = {},
                                                        .energy_mj = {}});
        if (span.notes < 0)
            return;
        const Notes& notes = m_notes[static_cast<std::size_t>(span.notes)];
        operation.stats = statsAt(notes.stats);
        operation.extras = extrasOf(notes);
        return;
    }
}

void Recorder::currentStep(std::vector<LayerSpan>& layers,
                           std::vector<ComponentSpan>& components) const
{
    RunTrace step;
    const Stretch& stretch = m_stretches.back();
    for (std::size_t i = stretch.first; i < m_spans.size(); ++i) {
        const Span& span = m_spans[i];
        const auto kind = tapOf(span.key).kind;
        if (span.end_ns != 0
            && (kind == model::TapKind::Layer || kind == model::TapKind::Component))
            append(span, stretch, step);
    }
    layers = std::move(step.layers);
    components = std::move(step.components);
}

void Recorder::appendTo(RunTrace& trace, std::int32_t completedTokens) const
{
    std::array<std::size_t, 4> counts{};
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        ++counts[static_cast<std::size_t>(tapOf(m_spans[i].key).kind)];
    const auto reserve = [&](auto& spans, model::TapKind kind) {
        spans.reserve(spans.size() + counts[static_cast<std::size_t>(kind)]);
    };
    reserve(trace.sections, model::TapKind::Section);
    reserve(trace.layers, model::TapKind::Layer);
    reserve(trace.components, model::TapKind::Component);
    reserve(trace.operations, model::TapKind::Operation);
    for (std::size_t s = 0; s < m_stretches.size(); ++s) {
        const Stretch& stretch = m_stretches[s];
        if (stretch.token >= completedTokens)
            continue;
        const std::size_t end =
            s + 1 < m_stretches.size() ? m_stretches[s + 1].first : m_spans.size();
        for (std::size_t i = stretch.first; i < end; ++i) {
            if (m_spans[i].end_ns != 0)
                append(m_spans[i], stretch, trace);
        }
    }
}

} // namespace ep::session
