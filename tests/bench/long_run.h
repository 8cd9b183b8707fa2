// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Runs in the shape of a model of 25 M parameters: 8 layers with 14 components each, and at depth
// deep 14 operations.
namespace ep::bench {

inline constexpr int kLayers = 8;
inline constexpr int kHeads = 6;
inline constexpr Nanoseconds kRunBegin = 1'000'000'000;

inline constexpr std::array kComponents{
    Component::InputLayernorm, Component::QProj,    Component::KProj,
    Component::VProj,          Component::KvCache,  Component::Attention,
    Component::OProj,          Component::Residual, Component::PostAttentionLayernorm,
    Component::GateProj,       Component::UpProj,   Component::Activation,
    Component::DownProj,       Component::Residual};

inline std::vector<Operation> operationsOf(Component component)
{
    switch (component) {
    case Component::InputLayernorm:
    case Component::PostAttentionLayernorm:
        return {Operation::Variance, Operation::Normalize, Operation::ScaleShift};
    case Component::Attention:
        return {Operation::Rotary,    Operation::QkMatmul, Operation::Scale,
                Operation::MaskApply, Operation::Softmax,  Operation::ValueMatmul};
    case Component::Activation:
        return {Operation::Activation, Operation::GateMultiply};
    default:
        return {};
    }
}

// Values without a pattern that would shrink the file.
class LongRun {
public:
    LongRun(int tokens, Depth depth, bool energy)
        : m_depth(depth)
        , m_energy(energy)
    {
        m_run.info.id = "long";
        m_run.info.status = RunStatus::Complete;
        m_run.info.depth = depth;
        m_run.info.output_tokens = tokens;
        m_run.info.model.name = "bench";
        for (int token = 0; token < tokens; ++token)
            step(token);
        m_run.trace.time = {kRunBegin, m_now};
        m_run.trace.phases.push_back({Phase::Decode, m_run.trace.time, value(1.0)});
        m_run.metrics.duration_ns = m_run.trace.time.duration_ns();
        m_run.metrics.energy = value(1.0);
    }

    Run take() { return std::move(m_run); }

private:
    double noise()
    {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(m_state >> 11) / 9007199254740992.0;
    }
    std::optional<Millijoules> millijoules()
    {
        return m_energy ? std::optional(Millijoules{noise()}) : std::nullopt;
    }
    void addNotes(Span& span)
    {
        const auto single = [&] {
            return Millijoules{static_cast<double>(static_cast<float>(noise()))};
        };
        if (!m_energy)
            return;
        span.sd_mj = single();
        span.alternative_mj = single();
    }
    EnergyValue value(double scale)
    {
        EnergyValue energy;
        if (!m_energy)
            return energy;
        energy.total_mj = Millijoules{scale * noise()};
        energy.rails_mj[Rail::Cpu] = energy.total_mj;
        energy.provenance = Provenance::Attributed;
        energy.sd_mj = Millijoules{noise()};
        energy.alternative_mj = Millijoules{noise()};
        return energy;
    }
    ActivationStats stats()
    {
        return {static_cast<float>(noise()), static_cast<float>(noise()),
                static_cast<float>(noise()), static_cast<float>(noise())};
    }
    TimeRange next(double microseconds)
    {
        const Nanoseconds begin = m_now + 200;
        m_now = begin + static_cast<Nanoseconds>(microseconds * 1e3 * (0.5 + noise()));
        return {begin, m_now};
    }

    void step(int token)
    {
        const Nanoseconds begin = m_now;
        const Phase phase = token == 0 ? Phase::Prefill : Phase::Decode;
        const auto section = [&](Section which, const TimeRange& time, bool output) {
            Span& span = m_run.trace.sections.emplace_back(
                Span::ofSection(phase, which, token, time, value(1.0)));
            if (output) {
                span.work = SpanWork{1536, 4608};
                span.stats = stats();
            }
        };
        section(Section::Embedding, next(1.0), true);
        section(Section::PositionEmbedding, next(2.0), false);
        const Nanoseconds layers = m_now;
        for (int i = 0; m_depth != Depth::None && i < kLayers; ++i)
            layer(token, i);
        if (m_depth == Depth::None)
            m_now += 3'000'000;
        section(Section::Layers, {layers, m_now}, true);
        section(Section::FinalNorm, next(3.0), true);
        section(Section::LmHead, next(900.0), true);
        section(Section::Sampling, next(15.0), false);
        section(Section::KvCacheAppend, next(1.0), false);
        TokenSpan& made = m_run.trace.tokens.emplace_back();
        made.index = token;
        made.position = token + 4;
        made.id = token % 4096;
        made.text = " word";
        made.phase = phase;
        made.time = {begin, m_now};
        made.probability = static_cast<float>(noise());
        made.energy = value(10.0);
    }

    void layer(int token, int index)
    {
        Span layer = Span::ofLayer(token, index, {m_now, 0}, millijoules());
        layer.stats = stats();
        addNotes(layer);
        for (const Component which : kComponents) {
            Span part = Span::ofComponent(token, index, which, {m_now, 0}, millijoules());
            part.stats = stats();
            part.work = SpanWork{294912, 592896};
            addNotes(part);
            if (which == Component::Attention)
                part.work = SpanWork{1000 + 1536 * std::int64_t{token}, 3072 * std::int64_t{token}};
            if (m_depth == Depth::Deep) {
                for (const Operation operation : operationsOf(which))
                    operate(part, operation);
            }
            next(50.0);
            part.time.end_ns = m_now;
            m_run.trace.components.push_back(part);
        }
        layer.time.end_ns = m_now;
        m_run.trace.layers.push_back(layer);
    }

    void operate(const Span& within, Operation operation)
    {
        const TimeRange time = next(2.0);
        Span& span = m_run.trace.operations.emplace_back(Span::ofOperation(
            within.token, within.layer, within.component, operation, time, millijoules()));
        addNotes(span);
        OperationExtras extras;
        if (operation == Operation::Softmax) {
            for (auto* heads : {&extras.attention_entropy, &extras.max_attention_weight,
                                &extras.attention_sparsity}) {
                for (int head = 0; head < kHeads; ++head)
                    heads->push_back(static_cast<float>(noise()));
            }
        }
        if (operation == Operation::ScaleShift)
            extras.variance_ratio = static_cast<float>(noise());
        span.extras = SharedExtras(std::move(extras));
        if (operation != Operation::Variance && operation != Operation::Scale
            && operation != Operation::QkMatmul && operation != Operation::MaskApply)
            span.stats = stats();
    }

    Run m_run;
    const Depth m_depth;
    const bool m_energy;
    std::uint64_t m_state = 1;
    Nanoseconds m_now = kRunBegin;
};

} // namespace ep::bench
