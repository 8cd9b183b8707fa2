// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

#include "ep/model/config.h"

#include <span>
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
    int groups = 1; // of which the best `chosen_groups` are chosen from
    int chosen_groups = 1;
    bool groups_by_best = false;
    bool sparsemixer = false;
    float jitter = 0.01F;
    std::vector<float> expert_factors{}; // of the weights
};

RouterRule routerRule(const MoeSettings& moe);

// Chooses the experts of one row, the best first. choosing: what they were chosen by, the logits or
// corrected scores; experts of other groups are below all others.
void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out);

} // namespace ep::model
