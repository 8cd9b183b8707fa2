// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

#include "ep/model/config.h"

#include <span>
#include <vector>

namespace ep::model {

// How experts are chosen from the logits of all of them, and how they are weighted.
struct RouterRule {
    int count = 1; // number of experts chosen
    bool normalise = false; // normalise their weights to a sum of 1
    bool sigmoid = false; // sigmoid instead of a softmax
    float factor = 1.0F; // factor of the weights
    float epsilon = 0.0F; // added to the sum by which the weights are normalised
    std::vector<float> correction{}; // added to the scores only for choosing; empty: none
    int groups = 1; // experts are chosen from the best `chosen_groups` of them
    int chosen_groups = 1;
    bool groups_by_best = false;
    bool sparsemixer = false;
    float jitter = 0.01F;
    std::vector<float> expert_factors{}; // factors of the weights, by expert
};

RouterRule routerRule(const MoeSettings& moe);

// Chooses the experts of one row, best first. choosing: receives the values that were compared,
// logits or corrected scores; experts of other groups are below all others.
void chooseExperts(std::span<const float> logits, const RouterRule& rule,
                   std::vector<float>& choosing, std::vector<Routing::Choice>& out);

} // namespace ep::model
