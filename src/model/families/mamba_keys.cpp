// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/mamba_keys.h"

#include "config_parts.h"

#include <cmath>

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

void readMamba(const json::Value& json, ModelConfig& config, int heads, int stateSize, int inner)
{
    StateSettings& state = config.state;
    state.value_heads = json.integer("mamba_n_heads", heads, 1, kMaxWidth);
    state.key_heads = json.integer("mamba_n_groups", 1, 1, kMaxWidth);
    state.key_dim = json.integer("mamba_d_state", stateSize, 1, kMaxWidth);
    state.taps = json.integer("mamba_d_conv", 4, 1, kMaxTaps);
    state.conv_bias = json.boolean("mamba_conv_bias", true);
    state.projection_bias = json.boolean("mamba_proj_bias", false);
    if (inner % state.value_heads != 0 || state.value_heads % state.key_heads != 0)
        json.fail("mamba_n_heads", "does not divide the width of the mixer into heads and groups");
    state.value_dim = inner / state.value_heads;
    const auto dim = json.find("mamba_d_head");
    if (dim && dim->isNumber() && dim->asInteger(1, kMaxWidth) != state.value_dim)
        json.fail("mamba_d_head", "x mamba_n_heads is not the width of the mixer");
    if (state.keys() > kMaxWidth || state.values() > kMaxWidth)
        json.fail("mamba_d_state", "is larger than any model has it");
    readStepLimits(json, state);
}

} // namespace ep::model::families
