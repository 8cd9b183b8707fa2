// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/corrected_scores.h"

#include "config_parts.h"

#include <algorithm>

namespace ep::model::families {

MoeNames sharedExpertsBesideScores()
{
    return {.correction = "gate.e_score_correction_bias",
            .shared = "shared_experts.",
            .shared_gate = {}};
}

void readExpertGroups(const json::Value& json, ModelConfig& config, int sharedExperts,
                      double factor)
{
    MoeSettings& moe = config.moe;
    moe.factor = json.number("routed_scaling_factor", factor, 0.0, 1e9);
    const int shared = json.integer("n_shared_experts", sharedExperts, 0, kMaxExperts);
    moe.shared_intermediate_size = std::min(shared * moe.intermediate_size, kMaxWidth);
    moe.groups = json.integer("n_group", 1, 1, kMaxExperts);
    moe.chosen_groups = json.integer("topk_group", 1, 1, kMaxExperts);
    if (moe.experts > 0 && (moe.experts % moe.groups != 0 || moe.chosen_groups > moe.groups))
        json.fail("n_group", "does not divide the experts, or is smaller than topk_group");
    if (moe.experts > 0 && moe.experts / moe.groups * moe.chosen_groups < moe.experts_per_token)
        json.fail("topk_group", "leaves fewer experts than num_experts_per_tok");
}

void readCorrectedScores(const json::Value& json, ModelConfig& config, int sharedExperts,
                         double factor)
{
    config.moe.sigmoid = true;
    config.moe.corrected = true;
    config.moe.epsilon = 1e-20;
    config.moe.normalise = json.boolean("norm_topk_prob", true);
    readExpertGroups(json, config, sharedExperts, factor);
}

} // namespace ep::model::families
