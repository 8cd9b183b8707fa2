// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family_shape.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

namespace ep::model::families {

// A family's names for the keys of a Mamba-2 mixer, and its defaults for missing ones.
struct MambaKeys {
    const char* heads = "mamba_n_heads";
    const char* head_dim = "mamba_d_head";
    const char* groups = "mamba_n_groups";
    const char* state_size = "mamba_d_state";
    const char* taps = "mamba_d_conv";
    const char* conv_bias = "mamba_conv_bias";
    const char* projection_bias = "mamba_proj_bias";
    int usual_heads = 128;
    int usual_groups = 1;
    int usual_state_size = 256;
};

// inner: number of values of all heads; 0: heads x head_dim.
void readMamba(const json::Value& json, ModelConfig& config, const MambaKeys& keys, int inner);
// Reads time_step_limit, two numbers.
void readStepLimits(const json::Value& json, StateSettings& state);

// DeepSeek's mixtures of experts, and later ones like it: shared experts have full weight, and
// scores have a correction that is only used for choosing.
MoeNames sharedExpertsBesideScores();

// Reads how experts are chosen by sigmoids: groups, the factor of the weights, shared experts.
void readCorrectedScores(const json::Value& json, ModelConfig& config, int sharedExperts,
                         double factor);
// Reads the groups, the shared experts and the factor, for any kind of scores.
void readExpertGroups(const json::Value& json, ModelConfig& config, int sharedExperts,
                      double factor);

} // namespace ep::model::families
