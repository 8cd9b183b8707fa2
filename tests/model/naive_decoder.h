// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ep::test {

// What a layer with experts computed.
struct NaiveExperts {
    std::vector<std::vector<int>> chosen; // by position, highest weight first
    std::map<int, NaiveRow> gates; // inputs of the activation of each expert; -1: the shared one
};

// Logits [positions][vocabulary] of one pass over ids, in f64, written family by family after
// HuggingFace's models. config: config.json with the key names of transformers 4.
NaiveRows naiveLogits(const nlohmann::json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids,
                      std::map<int, NaiveExperts>* experts = nullptr); // by layer

} // namespace ep::test
