// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/moe.h"

#include "blocks/mlp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ep::model {
namespace {

// Whether an activation's inputs may be requested afterwards, so that it must not overwrite
// them.
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
        if (weights.has(layer + prefix + names.router + ".weight"))
            return prefix;
    }
    return names.prefixes.back();
}

std::vector<float> valuesOf(const WeightVector& vector)
{
    if (!vector.tensor.defined())
        return {};
    const at::Tensor values = vector.tensor.to(at::kCPU, at::kFloat).contiguous();
    return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
}

// Weights of all experts before the choice; the weights of a softmax are not normalised yet.
std::vector<float> scoresOf(std::span<const float> logits, bool sigmoid)
{
    std::vector<float> scores(logits.begin(), logits.end());
    const float largest = *std::max_element(logits.begin(), logits.end());
    for (float& score : scores)
        score = sigmoid ? 1.0F / (1.0F + std::exp(-score)) : std::exp(score - largest);
    return scores;
}

// Moves the experts outside of the best groups below all others.
void keepBestGroups(const MoeSettings& moe, std::vector<float>& choosing)
{
    const auto groups = static_cast<std::size_t>(moe.groups);
    const std::size_t width = choosing.size() / groups;
    std::vector<float> best(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        std::vector<float> own(choosing.begin() + static_cast<std::ptrdiff_t>(g * width),
                               choosing.begin() + static_cast<std::ptrdiff_t>((g + 1) * width));
        std::sort(own.begin(), own.end(), std::greater<>());
        best[g] = moe.groups_by_best || width < 2 ? own[0] : own[0] + own[1];
    }
    std::vector<std::size_t> order(groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return best[a] > best[b]; });
    const float below = *std::min_element(choosing.begin(), choosing.end()) - 1.0F;
    for (auto i = static_cast<std::size_t>(moe.chosen_groups); i < groups; ++i)
        std::fill_n(choosing.begin() + static_cast<std::ptrdiff_t>(order[i] * width), width, below);
}

void takeBest(int count, const std::vector<float>& choosing, std::vector<Routing::Choice>& out)
{
    out.clear();
    for (std::size_t e = 0; e < choosing.size(); ++e)
        out.push_back({static_cast<int>(e), 0.0F});
    std::partial_sort(out.begin(), out.begin() + count, out.end(),
                      [&](const Routing::Choice& a, const Routing::Choice& b) {
                          const float left = choosing[static_cast<std::size_t>(a.expert)];
                          const float right = choosing[static_cast<std::size_t>(b.expert)];
                          return left != right ? left > right : a.expert < b.expert;
                      });
    out.resize(static_cast<std::size_t>(count));
}

// The weight of each expert is its softmax among those that were not chosen before it and whose
// logits are close to its own.
void weighSparsely(std::span<const float> logits, float jitter, std::vector<Routing::Choice>& out)
{
    std::vector<bool> taken(logits.size());
    for (Routing::Choice& choice : out) {
        const float largest = logits[static_cast<std::size_t>(choice.expert)];
        float total = 0.0F;
        for (std::size_t e = 0; e < logits.size(); ++e) {
            const float scale = std::max(std::abs(logits[e]), largest);
            if (!taken[e] && (largest - logits[e]) / scale <= 2.0F * jitter)
                total += std::exp(logits[e] - largest);
        }
        choice.weight = 1.0F / total;
        taken[static_cast<std::size_t>(choice.expert)] = true;
    }
}

} // namespace

MoeBlock::MoeBlock(WeightLoader& weights, const ModelConfig& config, const std::string& layer,
                   const MoeNames& names)
    : m_activation(activationFromName(config.hidden_act))
    , m_gated(names.gated)
    , m_limit(static_cast<float>(config.gate_limit))
    , m_alpha(static_cast<float>(config.gate_alpha))
    , m_rule{.moe = config.moe}
{
    const std::string prefix = layer + prefixIn(weights, layer, names);
    readRouter(weights, config, prefix, names);
    readExperts(weights, config, prefix, names);
    readShared(weights, config, layer, prefix, names);
}

void MoeBlock::readRouter(WeightLoader& weights, const ModelConfig& config,
                          const std::string& prefix, const MoeNames& names)
{
    const int experts = config.moe.experts;
    // The router is small and sensitive, so it is never quantized.
    m_router.weight =
        weights.matrix(prefix + names.router + ".weight", experts, config.hidden_size);
    m_router.wide_result = true;
    if (names.bias)
        m_router.bias = weights.wideVector(prefix + names.router + ".bias", experts);
    if (config.moe.corrected)
        m_rule.correction = valuesOf(weights.wideVector(prefix + names.correction, experts));
    if (names.scaled_router) {
        m_has_router_norm = true;
        m_router_norm =
            weights.scaledRmsNorm(prefix + "router.scale", config.hidden_size, config.rms_norm_eps,
                                  1.0 / std::sqrt(config.hidden_size));
        m_rule.expert_factors =
            valuesOf(weights.wideVector(prefix + "router.per_expert_scale", experts));
    }
}

void MoeBlock::readExperts(WeightLoader& weights, const ModelConfig& config,
                           const std::string& prefix, const MoeNames& names)
{
    const int latent = config.moe.latent_size;
    m_has_latent = latent > 0;
    if (m_has_latent) {
        const std::int64_t hidden = config.hidden_size;
        const bool bias = names.shared_bias;
        m_latent_in = weights.linear(prefix + names.latent_in, hidden, latent, bias);
        m_latent_out = weights.linear(prefix + names.latent_out, latent, hidden, bias);
    }
    if (weights.has(prefix + names.stacked_gate_up)) {
        readStacked(weights, config, prefix, names);
        return;
    }
    const std::int64_t hidden = m_has_latent ? latent : config.hidden_size;
    const std::int64_t width = config.moe.intermediate_size;
    for (int i = 0; i < config.moe.experts; ++i) {
        const std::string where = prefix + names.experts + std::to_string(i) + ".";
        Expert& expert = m_experts.emplace_back();
        expert.width = width;
        if (m_gated)
            expert.gate = weights.linear(where + names.gate, hidden, width, names.bias);
        expert.up = weights.linear(where + names.up, hidden, width, names.bias);
        expert.down = weights.linear(where + names.down, width, hidden, names.bias);
    }
}

// Reads all experts from one tensor.
void MoeBlock::readStacked(WeightLoader& weights, const ModelConfig& config,
                           const std::string& prefix, const MoeNames& names)
{
    const int count = config.moe.experts;
    const std::int64_t width = config.moe.intermediate_size;
    const std::int64_t hidden = m_has_latent ? config.moe.latent_size : config.hidden_size;
    const std::int64_t inputs = m_gated ? 2 * width : width;
    const std::string stacked = prefix + names.stacked_gate_up;
    const auto matrices = [&](const std::string& name, std::int64_t out, std::int64_t in) {
        return names.stacked_as_inputs ? weights.matricesOfInputs(name, count, out, in)
                                       : weights.matrices(name, count, out, in);
    };
    m_pairs = names.stacked_as_inputs;
    auto first = matrices(stacked, inputs, hidden);
    auto down = matrices(prefix + names.stacked_down, hidden, width);
    std::vector<WeightVector> firstBias(first.size());
    std::vector<WeightVector> downBias(first.size());
    if (names.bias) {
        firstBias = weights.vectors(stacked + "_bias", count, inputs);
        downBias = weights.vectors(prefix + names.stacked_down + "_bias", count, hidden);
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
        Expert& expert = m_experts.emplace_back();
        expert.width = width;
        (m_gated ? expert.gate_up : expert.up) =
            Linear{std::move(first[i]), std::move(firstBias[i])};
        expert.down = {std::move(down[i]), std::move(downBias[i])};
    }
}

void MoeBlock::readShared(WeightLoader& weights, const ModelConfig& config,
                          const std::string& layer, const std::string& prefix,
                          const MoeNames& names)
{
    const std::int64_t width = config.moe.shared_intermediate_size;
    if (width == 0)
        return;
    const std::int64_t hidden = config.hidden_size;
    const std::string where = (names.shared_of_layer ? layer : prefix) + names.shared;
    const bool bias = names.bias || names.shared_bias;
    m_has_shared = true;
    m_shared.width = width;
    if (m_gated && names.gate_up.empty()) {
        m_shared.gate = weights.linear(where + names.gate, hidden, width, bias);
        m_shared.up = weights.linear(where + names.up, hidden, width, bias);
    } else if (m_gated) {
        m_shared.gate_up = weights.linear(where + names.gate_up, hidden, 2 * width, bias);
    } else {
        m_shared.up = weights.linear(where + names.up, hidden, width, bias);
    }
    m_shared.down = weights.linear(where + names.down, width, hidden, bias);
    m_has_shared_gate = !names.shared_gate.empty();
    if (m_has_shared_gate)
        m_shared_gate.weight = weights.matrix(prefix + names.shared_gate + ".weight", 1, hidden);
}

void MoeBlock::forward(Step& step, const Matrix& x, Matrix& out) const
{
    route(step, x);
    runAll(step, x, out);
    if (m_has_shared) {
        step.component(Component::SharedExpert, step.ws.expert_out,
                       [&] { runShared(step, x, out); });
    }
}

void MoeBlock::route(Step& step, const Matrix& x) const
{
    constexpr Component kRouter = Component::Router;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(kRouter, ws.router, [&] {
        const Matrix* input = &x;
        if (m_has_router_norm) {
            step.operation(kRouter, Operation::Normalize, ws.expert_rows,
                           [&] { ops.norm(x, m_router_norm, ws.expert_rows); }); // [rows, hidden]
            input = &ws.expert_rows;
        }
        step.operation(kRouter, Operation::RouterMatmul, ws.router,
                       [&] { ops.linear(*input, m_router, ws.router); }); // [rows, experts]
        step.plainOperation(kRouter, Operation::ExpertSelection, [&] { assignRows(step); });
    });
}

void MoeBlock::runAll(Step& step, const Matrix& x, Matrix& out) const
{
    step.component(Component::Experts, out, [&] {
        if (!m_has_latent) {
            runRouted(step, x, out);
            return;
        }
        // Mixers use these buffers, but layers with narrower experts have no mixer.
        Matrix& latent = step.ws.qkv;
        Matrix& sum = step.ws.second_branch;
        step.ops.linear(x, m_latent_in, latent); // [rows, latent]
        runRouted(step, latent, sum); // [rows, latent]
        step.ops.linear(sum, m_latent_out, out); // [rows, hidden]
    });
}

void MoeBlock::runRouted(Step& step, const Matrix& x, Matrix& out) const
{
    step.ops.clear(x, out); // [rows, hidden or latent]
    for (std::size_t e = 0; e < m_experts.size(); ++e) {
        if (!step.ws.routing.rows[e].empty())
            runChosen(step, e, x, out);
    }
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
    if (m_has_shared_gate) {
        step.operation(kShared, Operation::SharedGate, ws.router, [&] {
            ops.linear(x, m_shared_gate, ws.router); // [rows, 1]
            indices.clear();
            factors.clear();
            for (std::int64_t row = 0; row < ws.router.rows; ++row) {
                indices.push_back(row);
                factors.push_back(1.0F / (1.0F + std::exp(-ops.host(ws.router, row)[0])));
            }
        });
    }
    step.operation(
        kShared, Operation::Expert, ws.expert_out,
        [&] { run(step, m_shared, x, ws.expert_out); }, // [rows, hidden]
        [&](float) { return figuresOf(step, m_shared); });
    if (step.experts)
        notesOf(step).shared = signsOf(step, m_shared);
    step.plainOperation(kShared, Operation::Combine, [&] {
        if (m_has_shared_gate)
            ops.addRows(ws.expert_out, indices, factors, out);
        else
            ops.add(out, ws.expert_out);
    });
}

void MoeBlock::run(Step& step, const Expert& expert, const Matrix& x, Matrix& out) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    Matrix& activated = keepsGates(step) ? ws.activated : ws.gate;
    if (!m_gated) {
        ops.linear(x, expert.up, ws.gate); // [rows, inter]
        ops.activate(m_activation, ws.gate, nullptr, activated); // [rows, inter]
    } else if (!expert.fused()) {
        ops.linear(x, expert.gate, ws.gate); // [rows, inter]
        ops.linear(x, expert.up, ws.up); // [rows, inter]
        activate(step, ws.gate, ws.up, activated); // [rows, inter]
    } else {
        ops.linear(x, expert.gate_up, ws.gate_up); // [rows, 2 inter]
        if (m_pairs) {
            ops.splitPairs(ws.gate_up, ws.gate, ws.up); // [rows, inter]
            activate(step, ws.gate, ws.up, activated); // [rows, inter]
        } else {
            Matrix gate = ws.gate_up.slice(0, expert.width); // [rows, inter]
            Matrix up = ws.gate_up.slice(expert.width, expert.width); // [rows, inter]
            activate(step, gate, up, activated); // [rows, inter]
        }
    }
    ops.linear(activated, expert.down, out); // [rows, hidden]
}

void MoeBlock::activate(Step& step, Matrix& gate, Matrix& up, Matrix& out) const
{
    constexpr float kQuickAlpha = 1.702F;
    Ops& ops = step.ops;
    if (m_limit == 0.0F) {
        ops.activate(m_activation, gate, &up, out);
        return;
    }
    ops.clampGates(gate, up, m_limit);
    if (m_alpha == kQuickAlpha) {
        ops.activate(Activation::QuickGelu, gate, &up, out);
        return;
    }
    ops.scale(gate, m_alpha); // x sigmoid(alpha x) = silu(alpha x) / alpha
    ops.activate(Activation::Silu, gate, &up, out);
    ops.scale(out, 1.0F / m_alpha);
}

Matrix MoeBlock::gateOf(const Step& step, const Expert& expert) const
{
    return expert.fused() && !m_pairs ? step.ws.gate_up.slice(0, expert.width) : step.ws.gate;
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

void MoeBlock::assignRows(Step& step) const
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
        chooseExperts(step.ops.host(step.ws.router, row), m_rule, routing.choosing,
                      routing.choices);
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
    const MoeSettings& moe = rule.moe;
    choosing.assign(logits.begin(), logits.end());
    const std::vector<float> scores = scoresOf(logits, moe.sigmoid);
    if (moe.groups > 1 || !rule.correction.empty())
        choosing = scores;
    for (std::size_t e = 0; e < rule.correction.size(); ++e)
        choosing[e] += rule.correction[e];
    if (moe.groups > 1)
        keepBestGroups(moe, choosing);
    takeBest(moe.experts_per_token, choosing, out);
    if (moe.sparsemixer) {
        weighSparsely(logits, static_cast<float>(moe.jitter), out);
        return;
    }
    float total = 0.0F;
    for (Routing::Choice& choice : out) {
        choice.weight = scores[static_cast<std::size_t>(choice.expert)];
        total += choice.weight;
    }
    if (moe.normalise)
        total += static_cast<float>(moe.epsilon);
    else
        total = moe.sigmoid ? 1.0F : std::accumulate(scores.begin(), scores.end(), 0.0F);
    for (Routing::Choice& choice : out) {
        choice.weight *= static_cast<float>(moe.factor) / total;
        if (!rule.expert_factors.empty())
            choice.weight *= rule.expert_factors[static_cast<std::size_t>(choice.expert)];
    }
}

} // namespace ep::model
