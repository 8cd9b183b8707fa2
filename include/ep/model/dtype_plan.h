// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/dtype.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {

// Formats in which a model is computed: one for all of it, or others for some of its projections.
// As text: "q4_k", "layers.0-3=q8_0,lm_head=q6_k", "q4_k,layers.0.down_proj=q8_0,mlp=q5_k".
struct DTypePlan {
    struct Rule {
        std::optional<std::pair<int, int>> layers; // first and last layer; absent: any layer
        std::string module; // "q_proj", "mlp", "lm_head"; empty: all projections of these layers
        DType dtype = DType::F32;
    };
    std::string usual = "auto"; // or the name of a format
    std::vector<Rule> rules;

    // The format of a projection by its name, "model.layers.0.self_attn.q_proj": that of the last
    // matching rule, absent if none matches.
    std::optional<DType> of(std::string_view module) const;
};

// The error names the invalid part, InvalidInput.
Result<DTypePlan> parseDTypePlan(std::string_view text);

// The format of most weights: the plan's usual one, or `stored` for "auto" or without a plan.
DType usualDType(std::string_view text, DType stored);

} // namespace ep::model
