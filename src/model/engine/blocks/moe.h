// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/feed_forward.h"
#include "families/family_shape.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// How experts are chosen from the logits of all of them, and what they weigh.
struct RouterRule {
    int count = 1; // experts chosen
    bool normalise = false; // their weights to a sum of 1
    bool sigmoid = false; // instead of a softmax
    float factor = 1.0F; // of the weights
    float epsilon = 0.0F; // added to their sum, by which they are normalised
    std::vector<float> correction{}; // added to the scores, only to choose; empty: none
};

// Chooses the experts of one row, the best first. choosing: what they were chosen by, for each.
void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out);

// A mixture of experts: out = sum over the chosen experts e of p_e * expert_e(x), where p is the
// softmax over all experts, or the sigmoid of each, optionally normalised over the chosen ones.
// With a shared expert, plus sigmoid(gate(x)) * shared(x). An expert runs only on the rows that
// chose it.
class MoeBlock final : public FeedForward {
public:
    // layer: what the names of the layer's tensors begin with.
    MoeBlock(WeightLoader& weights, const ModelConfig& config, const std::string& layer,
             const MoeNames& names);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    // down(f(gate(x)) * up(x)), without separate taps.
    struct Expert {
        Linear gate; // either gate and up, or both fused
        Linear up;
        Linear gate_up;
        Linear down;

        bool fused() const { return gate_up.weight.rows > 0; }
    };
    void run(Step& step, const Expert& expert, const Matrix& x, Matrix& out) const;
    // The inputs of the expert's activation, after run() where it keeps them.
    Matrix gateOf(const Step& step, const Expert& expert) const;
    OperationFigures figuresOf(Step& step, const Expert& expert) const;
    ForwardResult::Experts::Gate signsOf(Step& step, const Expert& expert) const;
    void runChosen(Step& step, std::size_t index, const Matrix& x, Matrix& out) const;
    void runShared(Step& step, const Matrix& x, Matrix& out) const;
    void route(Step& step) const;

    Activation m_activation;
    std::int64_t m_intermediate;
    RouterRule m_rule;
    Linear m_router; // [experts, hidden]
    std::vector<Expert> m_experts;
    bool m_has_shared = false;
    Expert m_shared;
    Linear m_shared_gate; // [1, hidden]
};

} // namespace ep::model
