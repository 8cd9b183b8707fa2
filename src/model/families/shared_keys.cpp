// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/shared_keys.h"

#include "config_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ep::model::families {

void readStepLimits(const json::Value& json, StateSettings& state)
{
    const auto limits = json.find("time_step_limit");
    if (!limits)
        return;
    if (limits->requireArray().size() != 2)
        limits->fail("must be a list of two numbers");
    state.least_step = limits->at(std::size_t{0}).asNumber(0.0);
    const json::Value most = limits->at(std::size_t{1});
    const bool endless =
        most.isNull() || (most.isNumber() && std::isinf(most.json().get<double>()));
    if (!endless)
        state.most_step = most.asNumber(state.least_step);
}

void readMamba(const json::Value& json, ModelConfig& config, const MambaKeys& keys, int inner)
{
    constexpr int kUsualDim = 64;
    constexpr int kUsualTaps = 4;
    StateSettings& state = config.state;
    state.value_heads = json.integer(keys.heads, keys.usual_heads, 1, kMaxWidth);
    state.key_heads = json.integer(keys.groups, keys.usual_groups, 1, kMaxWidth);
    state.key_dim = json.integer(keys.state_size, keys.usual_state_size, 1, kMaxWidth);
    state.taps = json.integer(keys.taps, kUsualTaps, 1, kMaxTaps);
    state.conv_bias = json.boolean(keys.conv_bias, true);
    state.projection_bias = json.boolean(keys.projection_bias, false);
    const std::int64_t values = inner > 0
        ? inner
        : json.integer(keys.head_dim, kUsualDim, 1, kMaxWidth) * std::int64_t{state.value_heads};
    if (values % state.value_heads != 0 || state.value_heads % state.key_heads != 0)
        json.fail(keys.heads, "does not divide the width of the mixer into heads and groups");
    state.value_dim = static_cast<int>(values / state.value_heads);
    const auto dim = json.find(keys.head_dim);
    if (dim && dim->isNumber() && dim->asInteger(1, kMaxWidth) != state.value_dim)
        json.fail(keys.head_dim, Message("x %1 is not the width of the mixer", keys.heads));
    if (state.keys() > kMaxWidth || state.values() > kMaxWidth)
        json.fail(keys.state_size, "is larger than any model has it");
    readStepLimits(json, state);
}

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
