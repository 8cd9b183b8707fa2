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

// In which formats a model is computed: one for all of it, or others for some of its projections.
// As text: "q4_k", "layers.0-3=q8_0,lm_head=q6_k", "q4_k,layers.0.down_proj=q8_0,mlp=q5_k".
struct DTypePlan {
    struct Rule {
        std::optional<std::pair<int, int>> layers; // the first and the last one; nothing: any
        std::string module; // "q_proj", "mlp", "lm_head"; empty: all of these layers
        DType dtype = DType::F32;
    };
    std::string usual = "auto"; // or the name of a format
    std::vector<Rule> rules;

    // The format of a projection by its name, "model.layers.0.self_attn.q_proj": that of the last
    // rule that fits, nothing if none does.
    std::optional<DType> of(std::string_view module) const;
};

// The error names the part that is wrong, InvalidInput.
Result<DTypePlan> parseDTypePlan(std::string_view text);

// The format of most of the weights: the plan's usual one, `stored` if that is "auto" or no plan.
DType usualDType(std::string_view text, DType stored);

} // namespace ep::model
