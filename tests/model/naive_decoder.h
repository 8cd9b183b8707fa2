// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cstdint>
#include <vector>

namespace ep::test {

// Logits [positions][vocabulary] of one pass over ids, written family by family after HuggingFace's
// models, in f64. config: config.json in the spelling of transformers 4.
NaiveRows naiveLogits(const nlohmann::json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids);

} // namespace ep::test
