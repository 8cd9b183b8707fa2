// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "families/family_shape.h"
#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// How experts are chosen from the logits of all of them, and how they are weighted.
struct RouterRule {
    MoeSettings moe;
    std::vector<float> correction{}; // added to the scores only for choosing; empty: none
    std::vector<float> expert_factors{}; // factors of the weights, by expert
};

// Chooses the experts of one row, best first. choosing: receives the values that were compared,
// logits or corrected scores; experts of other groups are below all others.
void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out);

// A mixture of experts: out = sum over the chosen experts e of w_e * expert_e(x), chosen and
// weighted by a rule; plus shared(x) or sigmoid(gate(x)) * shared(x) if there is a
// shared expert. An expert runs only on the rows that chose it.
class MoeBlock final : public FeedForward {
public:
    // layer: prefix of the names of the layer's tensors.
    MoeBlock(WeightLoader& weights, const ModelConfig& config, const std::string& layer,
             const MoeNames& names);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

    // forward() in two steps, for models whose router has another input than the experts.
    void route(Step& step, const Matrix& x) const;
    void runAll(Step& step, const Matrix& x, Matrix& out) const;

private:
    // down(f(gate(x)) * up(x)), or down(f(up(x))), without separate taps.
    struct Expert {
        std::int64_t width = 0; // width of the activation
        Linear gate; // either gate and up, or both fused
        Linear up;
        Linear gate_up;
        Linear down;

        bool fused() const { return gate_up.weight.rows > 0; }
    };
    void readRouter(WeightLoader& weights, const ModelConfig& config, const std::string& prefix,
                    const MoeNames& names);
    void readExperts(WeightLoader& weights, const ModelConfig& config, const std::string& prefix,
                     const MoeNames& names);
    void readStacked(WeightLoader& weights, const ModelConfig& config, const std::string& prefix,
                     const MoeNames& names);
    void readShared(WeightLoader& weights, const ModelConfig& config, const std::string& layer,
                    const std::string& prefix, const MoeNames& names);
    void run(Step& step, const Expert& expert, const Matrix& x, Matrix& out) const;
    void activate(Step& step, Matrix& gate, Matrix& up, Matrix& out) const;
    // The inputs of the expert's activation, after a run() that keeps them.
    Matrix gateOf(const Step& step, const Expert& expert) const;
    OperationFigures figuresOf(Step& step, const Expert& expert) const;
    ForwardResult::Experts::Gate signsOf(Step& step, const Expert& expert) const;
    void runRouted(Step& step, const Matrix& x, Matrix& out) const;
    void runChosen(Step& step, std::size_t index, const Matrix& x, Matrix& out) const;
    void runShared(Step& step, const Matrix& x, Matrix& out) const;
    void assignRows(Step& step) const;

    Activation m_activation;
    bool m_gated;
    float m_limit; // limit of gates and ups; 0: none
    float m_alpha; // factor in the gates' sigmoid, with a limit
    bool m_pairs = false; // rows of gate and up alternate in one matrix
    RouterRule m_rule;
    Linear m_router; // [experts, hidden]
    bool m_has_router_norm = false;
    Norm m_router_norm;
    std::vector<Expert> m_experts;
    bool m_has_latent = false; // the experts are narrower than the residual stream
    Linear m_latent_in; // [latent, hidden]
    Linear m_latent_out; // [hidden, latent]
    bool m_has_shared = false;
    bool m_has_shared_gate = false;
    Expert m_shared;
    Linear m_shared_gate; // [1, hidden]
};

} // namespace ep::model
