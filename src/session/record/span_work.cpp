// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/span_work.h"

#include "ep/core/token_ledger.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ep::session {

namespace {

constexpr double kNormFlops = 5.0; // per element: square, sum, scale, multiply, add
constexpr double kActivationFlops = 6.0; // per element: exponential, division, multiplication

struct Sizes {
    explicit Sizes(const ModelFacts& model)
        : hidden(model.hidden_size)
        , inner(model.intermediate_size)
        , queries(static_cast<double>(model.attention_heads) * model.head_dim)
        , keys(static_cast<double>(model.kv_heads) * model.head_dim)
        , vocabulary(model.vocabulary_size)
    {
        const double parameters = static_cast<double>(std::max<std::int64_t>(1, model.parameters));
        weight =
            model.weight_bytes > 0 ? static_cast<double>(model.weight_bytes) / parameters : 2.0;
        // Activations are as wide as plain weights; models with quantized weights compute in 16
        // bits.
        value = model.quantization.empty() ? weight : 2.0;
    }

    SpanWork matrix(double rows, double inputs, double outputs) const
    {
        return asWork(2.0 * rows * inputs * outputs,
                      weight * inputs * outputs + value * rows * (inputs + outputs));
    }
    SpanWork elements(double count, double flops, double reads) const
    {
        return asWork(flops * count, value * (reads + 1.0) * count);
    }
    static SpanWork asWork(double flops, double bytes)
    {
        return {.flops = std::llround(flops), .bytes = std::llround(bytes)};
    }

    double hidden, inner, queries, keys, vocabulary;
    double weight = 2.0; // bytes of a weight
    double value = 2.0; // bytes of an activation
};

SpanWork attention(const Sizes& size, const StepShape& step)
{
    const double kept = step.sequences * step.context; // positions in the cache
    return Sizes::asWork(4.0 * size.queries * step.rows * step.context,
                         size.value * (2.0 * size.keys * kept + 2.0 * size.queries * step.rows));
}

// Only experts that a row has chosen are read.
SpanWork experts(const Sizes& size, const ModelFacts& model, const StepShape& step)
{
    const double chosen = std::max(1, model.experts_per_token);
    const double touched = std::min<double>(model.experts, chosen * step.rows);
    const double one = 3.0 * size.hidden * size.inner;
    return Sizes::asWork(2.0 * step.rows * chosen * one,
                         size.weight * touched * one + size.value * step.rows * 2.0 * size.hidden);
}

} // namespace

std::optional<SpanWork> componentWork(const ModelFacts& model, Component component,
                                      const StepShape& step)
{
    if (model.hidden_size <= 0)
        return std::nullopt;
    const Sizes size(model);
    const double rows = step.rows;
    switch (component) {
    case Component::InputLayernorm:
    case Component::PostAttentionLayernorm:
    case Component::PreFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm1:
    case Component::PreFeedforwardLayernorm2:
    case Component::PostFeedforwardLayernorm2:
    case Component::PostPerLayerInputNorm:
        return size.elements(rows * size.hidden, kNormFlops, 1.0);
    case Component::QNorm:
        return size.elements(rows * size.queries, kNormFlops, 1.0);
    case Component::KNorm:
    case Component::VNorm:
        return size.elements(rows * size.keys, kNormFlops, 1.0);
    case Component::QProj:
        return size.matrix(rows, size.hidden, size.queries);
    case Component::KProj:
    case Component::VProj:
        return size.matrix(rows, size.hidden, size.keys);
    case Component::QkvProj:
        return size.matrix(rows, size.hidden, size.queries + 2.0 * size.keys);
    case Component::KvCache:
        return size.elements(rows * 2.0 * size.keys, 0.0, 1.0);
    case Component::Attention:
        return attention(size, step);
    case Component::OProj:
        return size.matrix(rows, size.queries, size.hidden);
    case Component::GateProj:
    case Component::UpProj:
    case Component::Fc1:
        return size.matrix(rows, size.hidden, size.inner);
    case Component::GateUpProj:
        return size.matrix(rows, size.hidden, 2.0 * size.inner);
    case Component::Activation:
        return size.elements(rows * size.inner, kActivationFlops, 2.0);
    case Component::DownProj:
    case Component::Fc2:
        return size.matrix(rows, size.inner, size.hidden);
    case Component::Router:
        return size.matrix(rows, size.hidden, model.experts);
    case Component::Experts:
        return experts(size, model, step);
    case Component::Residual:
        return size.elements(rows * size.hidden, 1.0, 2.0);
    case Component::OutputGate:
        return size.elements(rows * size.queries, kActivationFlops, 2.0);
    case Component::InProj: // their widths are not among the stored facts
    case Component::InProjQkv:
    case Component::InProjZ:
    case Component::InProjBa:
    case Component::Conv1d:
    case Component::DeltaRule:
    case Component::Scan:
    case Component::GatedNorm:
    case Component::OutProj:
    case Component::QAProj:
    case Component::QANorm:
    case Component::QBProj:
    case Component::KvAProj:
    case Component::KvANorm:
    case Component::KvBProj:
    case Component::PerLayerInputGate:
    case Component::PerLayerProjection:
    case Component::SharedExpert:
        break;
    }
    return std::nullopt;
}

std::optional<SpanWork> sectionWork(const ModelFacts& model, Section section, const StepShape& step)
{
    if (model.hidden_size <= 0)
        return std::nullopt;
    const Sizes size(model);
    switch (section) {
    case Section::Embedding:
        return size.elements(step.rows * size.hidden, 0.0, 1.0);
    case Section::FinalNorm:
        return size.elements(step.rows * size.hidden, kNormFlops, 1.0);
    case Section::LmHead: // only for the last position of each sequence
        return size.matrix(step.sequences, size.hidden, size.vocabulary);
    default:
        return std::nullopt;
    }
}

void estimateWork(RunTrace& trace, const RunInfo& info)
{
    std::vector<StepShape> steps;
    const double sequences = std::max<double>(1.0, static_cast<double>(info.batch.size()));
    const double prompt = std::max(1, info.input_tokens) / sequences;
    const TokenCounts counts = tokenCounts(info.execution);
    const auto cached = static_cast<double>(counts.cached.value_or(0));
    const double proposed = static_cast<double>(counts.drafted)
        / std::max(1.0,
                   static_cast<double>(trace.tokens.size()) - 1.0); // for each step, on average
    for (const TokenSpan& token : trace.tokens) {
        StepShape step;
        step.sequences = info.batch.empty() ? 1 : std::max(1, token.sequences);
        step.rows = token.index == 0 ? std::max(1.0, prompt * sequences - cached)
                                     : step.sequences + proposed;
        // A prompt's positions attend to half of the prompt on average.
        step.context = token.index == 0 ? (prompt + 1.0) / 2.0 : prompt + token.index;
        steps.push_back(step);
    }
    const auto stepOf = [&](std::int32_t token) {
        const auto index = static_cast<std::size_t>(token);
        return token >= 0 && index < steps.size() ? &steps[index] : nullptr;
    };
    for (SectionSpan& section : trace.sections) {
        if (const StepShape* step = stepOf(section.token); step != nullptr && !section.work)
            section.work = sectionWork(info.model, section.section, *step);
    }
    for (ComponentSpan& component : trace.components) {
        if (const StepShape* step = stepOf(component.token); step != nullptr && !component.work)
            component.work = componentWork(info.model, component.component, *step);
    }
}

} // namespace ep::session
