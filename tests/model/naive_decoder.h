// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ep::test {

// What a layer with experts did.
struct NaiveExperts {
    std::vector<std::vector<int>> chosen; // [position], the heaviest first
    std::map<int, NaiveRow> gates; // inputs of the activation of each expert; -1: the shared one
};

// Logits [positions][vocabulary] of one pass over ids, written family by family after HuggingFace's
// models, in f64. config: config.json in the spelling of transformers 4.
NaiveRows naiveLogits(const nlohmann::json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids,
                      std::map<int, NaiveExperts>* experts = nullptr); // [layer]

} // namespace ep::test
