// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/span_work.h"

#include "ep/core/token_ledger.h"
#include "ep/model/analytic.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/engine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
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

SpanWork asWork(const model::Cost& cost, int parts)
{
    return {.flops = std::llround(cost.flops / parts), .bytes = std::llround(cost.bytes() / parts)};
}

// Mean over the decoding steps: with a draft model, a step also computes the proposed positions.
std::int64_t rowsOfStep(const RunTrace& trace, const RunInfo& info)
{
    const double steps = std::max<double>(1.0, static_cast<double>(trace.tokens.size()) - 1.0);
    const double drafted = static_cast<double>(tokenCounts(info).drafted);
    return 1 + std::llround(drafted / steps);
}

class Steps {
public:
    Steps(const RunTrace& trace, const RunInfo& info, const model::ModelConfig& config)
        : m_trace(trace)
        , m_info(info)
        , m_config(config)
        , m_sizes(sizesOf(info, config))
        , m_prompt(std::max<std::int64_t>(
              1,
              info.input_tokens
                  / std::max<std::int64_t>(1, static_cast<std::int64_t>(info.batch.size()))))
        , m_cached(tokenCounts(info).cached.value_or(0))
        , m_rows(rowsOfStep(trace, info))
    {
    }

    // The costs of the step that produced a token; null outside of steps.
    const model::PassCost* of(std::int32_t token)
    {
        if (token < 0 || static_cast<std::size_t>(token) >= m_trace.tokens.size())
            return nullptr;
        if (token != m_token) {
            model::PassShape pass;
            const TokenSpan& step = m_trace.tokens[static_cast<std::size_t>(token)];
            const bool alone = m_info.batch.empty();
            pass.batch = alone ? 1 : std::max(1, step.sequences);
            pass.rows = token == 0 ? std::max<std::int64_t>(1, m_prompt - m_cached) : m_rows;
            if (token == 0)
                pass.context = m_cached;
            else
                pass.context = alone ? std::int64_t{step.position} - 1 : m_prompt + token - 1;
            m_cost = model::passCost(m_config, pass, m_sizes);
            m_token = token;
        }
        return &m_cost;
    }

    std::int64_t rows() const { return m_rows; }

private:
    static model::NumberSizes sizesOf(const RunInfo& info, const model::ModelConfig& config)
    {
        const auto stored = model::usualDType(info.model.stored_dtype,
                                              config.stored_dtype.value_or(model::DType::F32));
        const auto computed = model::usualDType(info.dtype, stored);
        model::NumberSizes sizes = model::numberSizes(computed, stored, info.device != "cpu");
        if (info.execution.cache == model::name(model::CacheKind::Q8))
            sizes.cache = model::bytesOfNumber(model::DType::Q8_0);
        return sizes;
    }

    const RunTrace& m_trace;
    const RunInfo& m_info;
    const model::ModelConfig& m_config;
    model::NumberSizes m_sizes;
    std::int64_t m_prompt;
    std::int64_t m_cached; // positions of the prompt that were not computed
    std::int64_t m_rows; // rows of a decoding step
    std::int32_t m_token = kNoToken;
    model::PassCost m_cost;
};

const model::Cost* sectionCost(const model::PassCost& pass, Section section)
{
    switch (section) {
    case Section::Embedding:
        return &pass.embedding;
    case Section::FinalNorm:
        return &pass.final_norm;
    case Section::LmHead:
        return &pass.lm_head;
    default:
        return nullptr;
    }
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
    const TokenCounts counts = tokenCounts(info);
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
    for (Span& section : trace.sections) {
        if (const StepShape* step = stepOf(section.token); step != nullptr && !section.work)
            section.work = sectionWork(info.model, section.section, *step);
    }
    for (Span& component : trace.components) {
        if (const StepShape* step = stepOf(component.token); step != nullptr && !component.work)
            component.work = componentWork(info.model, component.component, *step);
    }
}

void analyticWork(RunTrace& trace, const RunInfo& info, const model::ModelConfig& config)
{
    if (!model::checkSupported(config))
        return;
    // The cost of a component is divided if it occurs several times in a layer. All decode steps
    // are alike; the prefill of a long prompt may consist of several parts.
    using Place = std::tuple<bool, std::int32_t, Component>; // whether in prefill; layer; component
    std::map<Place, int> occurrences;
    std::optional<std::int32_t> decoded; // the first decode step
    for (const Span& span : trace.components) {
        if (span.token > 0 && !decoded)
            decoded = span.token;
        if (span.token == 0 || span.token == decoded)
            ++occurrences[{span.token == 0, span.layer, span.component}];
    }
    Steps steps(trace, info, config);
    for (Span& section : trace.sections) {
        const model::PassCost* pass = section.work ? nullptr : steps.of(section.token);
        if (const model::Cost* cost =
                pass != nullptr ? sectionCost(*pass, section.section) : nullptr)
            section.work = asWork(*cost, 1);
        // All proposed positions produce logits.
        if (pass != nullptr && section.section == Section::LmHead && section.token > 0)
            section.work->flops *= steps.rows();
    }
    for (Span& span : trace.components) {
        const model::PassCost* pass = span.work ? nullptr : steps.of(span.token);
        if (pass == nullptr || span.layer < 0
            || static_cast<std::size_t>(span.layer) >= pass->layers.size())
            continue;
        const auto& parts = pass->layers[static_cast<std::size_t>(span.layer)];
        const auto found =
            std::ranges::find(parts, span.component, &model::ComponentCost::component);
        if (found == parts.end())
            continue;
        const auto count = occurrences.find({span.token == 0, span.layer, span.component});
        span.work = asWork(found->cost, count != occurrences.end() ? count->second : 1);
    }
}

} // namespace ep::session
