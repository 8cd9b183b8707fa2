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

// The format in which a model is computed, with other types for some of its matrices. As text:
// "q4_k_m", "layers.0-3=q8_0,lm_head=q6_k", "q4_k_m,layers.0.down_proj=q8_0,mlp=q5_k".
struct DTypePlan {
    struct Rule {
        std::optional<std::pair<int, int>> layers; // first and last layer; absent: any layer
        std::string module; // "q_proj", "mlp", "lm_head"; empty: all matrices of these layers
        DType dtype = DType::F32;

        bool fits(std::string_view matrix) const; // by its name, as in DTypePlan::of()
        std::string pattern() const; // "layers.0-3.mlp"
    };
    std::string usual = "auto"; // or the name of a format, never its short name
    std::vector<Rule> rules;

    // The type of a matrix by its name, "model.layers.0.self_attn.q_proj": the type in the last
    // matching rule, absent if none matches.
    std::optional<DType> of(std::string_view module) const;
};

std::vector<std::string_view> partsOfName(std::string_view name); // separated by dots

// The error names the invalid part, InvalidInput.
Result<DTypePlan> parseDTypePlan(std::string_view text);

// Parses a plan. A text that names the stored format counts as "auto".
Result<DTypePlan> parseDTypePlan(std::string_view text, std::string_view storedFormat);

// The type of most weights: the type of the plan's usual format, or `stored` where the plan names
// none.
DType usualDType(std::string_view text, DType stored);

} // namespace ep::model
