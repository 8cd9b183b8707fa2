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
