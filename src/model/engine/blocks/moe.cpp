// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/moe.h"

#include "blocks/mlp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ep::model {
namespace {

// Whether somebody may ask for the inputs of an activation after it: it does not overwrite them
// then.
bool keepsGates(const Step& step)
{
    return step.decomposed || step.experts;
}

ForwardResult::Experts& notesOf(const Step& step)
{
    return (*step.experts)[static_cast<std::size_t>(step.layer)];
}

std::string prefixIn(const WeightLoader& weights, const std::string& layer, const MoeNames& names)
{
    for (const std::string& prefix : names.prefixes) {
        if (weights.has(layer + prefix + "gate.weight"))
            return prefix;
    }
    return names.prefixes.back();
}

} // namespace

MoeBlock::MoeBlock(WeightLoader& weights, const ModelConfig& config, const std::string& layer,
                   const MoeNames& names)
    : m_activation(activationFromName(config.hidden_act))
    , m_intermediate(config.moe.intermediate_size)
    , m_rule{.count = config.moe.experts_per_token,
             .normalise = config.moe.normalise,
             .sigmoid = config.moe.sigmoid,
             .factor = static_cast<float>(config.moe.factor),
             .epsilon = static_cast<float>(config.moe.epsilon)}
{
    const std::string prefix = layer + prefixIn(weights, layer, names);
    const std::int64_t hidden = config.hidden_size;
    // Small and sensitive: never in 8 bits.
    m_router.weight = weights.matrix(prefix + "gate.weight", config.moe.experts, hidden);
    if (config.moe.corrected) {
        const at::Tensor stored =
            weights.wideVector(prefix + names.correction, config.moe.experts).tensor;
        if (stored.defined()) {
            const at::Tensor correction = stored.to(at::kCPU).contiguous();
            const float* const values = correction.data_ptr<float>();
            m_rule.correction.assign(values, values + correction.numel());
        }
    }
    const auto read = [&](const std::string& where, std::int64_t width) {
        Expert expert;
        expert.gate = weights.linear(where + names.gate, hidden, width, false);
        expert.up = weights.linear(where + names.up, hidden, width, false);
        expert.down = weights.linear(where + names.down, width, hidden, false);
        return expert;
    };
    const std::string experts = prefix + names.experts;
    if (weights.has(experts + "gate_up_proj")) { // all experts in one tensor: transformers 5
        auto gateUp = weights.matrices(experts + "gate_up_proj", config.moe.experts,
                                       2 * m_intermediate, hidden);
        auto down =
            weights.matrices(experts + "down_proj", config.moe.experts, hidden, m_intermediate);
        for (std::size_t i = 0; i < gateUp.size(); ++i) {
            Expert& expert = m_experts.emplace_back();
            expert.gate_up.weight = std::move(gateUp[i]);
            expert.down.weight = std::move(down[i]);
        }
    } else {
        for (int i = 0; i < config.moe.experts; ++i)
            m_experts.push_back(read(experts + std::to_string(i) + ".", m_intermediate));
    }
    if (config.moe.shared_intermediate_size > 0) {
        m_has_shared = true;
        m_shared = read(prefix + names.shared, config.moe.shared_intermediate_size);
        m_shared_gate.weight = weights.matrix(prefix + "shared_expert_gate.weight", 1, hidden);
    }
}

void MoeBlock::forward(Step& step, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(Component::Router, ws.router, [&] {
        constexpr Component kRouter = Component::Router;
        step.operation(kRouter, Operation::RouterMatmul, ws.router,
                       [&] { ops.linear(x, m_router, ws.router); }); // [rows, experts]
        step.plainOperation(kRouter, Operation::ExpertSelection, [&] { route(step); });
    });
    step.component(Component::Experts, out, [&] {
        ops.clear(x, out); // [rows, hidden]
        for (std::size_t e = 0; e < m_experts.size(); ++e) {
            if (!ws.routing.rows[e].empty())
                runChosen(step, e, x, out);
        }
    });
    if (m_has_shared)
        step.component(Component::SharedExpert, ws.expert_out, [&] { runShared(step, x, out); });
}

// Runs an expert on the rows that chose it and adds the weighted result to out.
void MoeBlock::runChosen(Step& step, std::size_t index, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const auto& rows = ws.routing.rows[index];
    step.operation(
        Component::Experts, Operation::Expert, ws.expert_out,
        [&] {
            ops.gather(x, rows, ws.expert_rows); // [rows of the expert, hidden]
            run(step, m_experts[index], ws.expert_rows, ws.expert_out);
        },
        [&](float) {
            OperationFigures figures = figuresOf(step, m_experts[index]);
            figures.expert = static_cast<std::int32_t>(index);
            figures.rows = static_cast<std::int32_t>(rows.size());
            return figures;
        });
    if (step.experts)
        notesOf(step).gates[index] = signsOf(step, m_experts[index]);
    step.plainOperation(Component::Experts, Operation::Combine,
                        [&] { ops.addRows(ws.expert_out, rows, ws.routing.weights[index], out); });
}

void MoeBlock::runShared(Step& step, const Matrix& x, Matrix& out) const
{
    constexpr Component kShared = Component::SharedExpert;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    auto& indices = ws.routing.rows[0];
    auto& factors = ws.routing.weights[0];
    step.operation(kShared, Operation::SharedGate, ws.router, [&] {
        ops.linear(x, m_shared_gate, ws.router); // [rows, 1]
        indices.clear();
        factors.clear();
        for (std::int64_t row = 0; row < ws.router.rows; ++row) {
            indices.push_back(row);
            factors.push_back(1.0F / (1.0F + std::exp(-ops.host(ws.router, row)[0])));
        }
    });
    step.operation(
        kShared, Operation::Expert, ws.expert_out,
        [&] { run(step, m_shared, x, ws.expert_out); }, // [rows, hidden]
        [&](float) { return figuresOf(step, m_shared); });
    if (step.experts)
        notesOf(step).shared = signsOf(step, m_shared);
    step.plainOperation(kShared, Operation::Combine,
                        [&] { ops.addRows(ws.expert_out, indices, factors, out); });
}

void MoeBlock::run(Step& step, const Expert& expert, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    Matrix& activated = keepsGates(step) ? ws.activated : ws.gate;
    if (expert.fused()) {
        ops.linear(x, expert.gate_up, ws.gate_up); // [rows, 2 inter]
        const Matrix gate = ws.gate_up.slice(0, m_intermediate); // [rows, inter]
        const Matrix up = ws.gate_up.slice(m_intermediate, m_intermediate); // [rows, inter]
        ops.activate(m_activation, gate, &up, activated); // [rows, inter]
    } else {
        ops.linear(x, expert.gate, ws.gate); // [rows, inter]
        ops.linear(x, expert.up, ws.up); // [rows, inter]
        ops.activate(m_activation, ws.gate, &ws.up, activated); // [rows, inter]
    }
    ops.linear(activated, expert.down, out); // [rows, hidden]
}

Matrix MoeBlock::gateOf(const Step& step, const Expert& expert) const
{
    return expert.fused() ? step.ws.gate_up.slice(0, m_intermediate) : step.ws.gate;
}

OperationFigures MoeBlock::figuresOf(Step& step, const Expert& expert) const
{
    if (!keepsGates(step))
        return {};
    const double negative = step.ops.negativeFraction(gateOf(step, expert));
    return {.activation_kill_ratio = static_cast<float>(negative)};
}

ForwardResult::Experts::Gate MoeBlock::signsOf(Step& step, const Expert& expert) const
{
    const Matrix gate = gateOf(step, expert); // [rows, inter]
    return {.negative_fraction = step.ops.negativeFraction(gate), .count = step.ops.count(gate)};
}

void MoeBlock::route(Step& step) const
{
    Routing& routing = step.ws.routing;
    routing.rows.resize(m_experts.size());
    routing.weights.resize(m_experts.size());
    for (std::size_t e = 0; e < m_experts.size(); ++e) {
        routing.rows[e].clear();
        routing.weights[e].clear();
    }
    if (step.experts)
        notesOf(step).gates.resize(m_experts.size());
    for (std::int64_t row = 0; row < step.ws.router.rows; ++row) {
        const std::span<const float> logits = step.ops.host(step.ws.router, row);
        chooseExperts(logits, m_rule, routing.choosing, routing.choices);
        if (step.experts)
            notesOf(step).logits.push_back(routing.choosing);
        for (const Routing::Choice& choice : routing.choices) {
            const auto e = static_cast<std::size_t>(choice.expert);
            routing.rows[e].push_back(row);
            routing.weights[e].push_back(choice.weight);
        }
        if (step.experts) {
            std::vector<int>& chosen = notesOf(step).chosen.emplace_back();
            for (const Routing::Choice& choice : routing.choices)
                chosen.push_back(choice.expert);
        }
    }
}

void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out)
{
    const float largest = *std::max_element(logits.begin(), logits.end());
    float total = 0.0F;
    out.clear();
    choosing.assign(logits.begin(), logits.end());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const float weight =
            rule.sigmoid ? 1.0F / (1.0F + std::exp(-logits[i])) : std::exp(logits[i] - largest);
        out.push_back({static_cast<int>(i), weight});
        total += weight;
        if (!rule.correction.empty())
            choosing[i] = weight + rule.correction[i];
    }
    const auto better = [&](const Routing::Choice& a, const Routing::Choice& b) {
        const float first = choosing[static_cast<std::size_t>(a.expert)];
        const float second = choosing[static_cast<std::size_t>(b.expert)];
        return first != second ? first > second : a.expert < b.expert;
    };
    std::partial_sort(out.begin(), out.begin() + rule.count, out.end(), better);
    out.resize(static_cast<std::size_t>(rule.count));
    if (rule.normalise) {
        total = rule.epsilon;
        for (const Routing::Choice& choice : out)
            total += choice.weight;
    } else if (rule.sigmoid) {
        total = 1.0F;
    }
    for (Routing::Choice& choice : out)
        choice.weight *= rule.factor / total;
}

} // namespace ep::model
