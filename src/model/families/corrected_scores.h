// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family_shape.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

// Shared by DeepSeek's mixtures of experts and later ones like it.
namespace ep::model::families {

// Shared experts have full weight; scores have a correction that is only used for choosing.
MoeNames sharedExpertsBesideScores();

// Reads how experts are chosen by sigmoids: groups, the factor of the weights, shared experts.
void readCorrectedScores(const json::Value& json, ModelConfig& config, int sharedExperts,
                         double factor);
// Reads the groups, the shared experts and the factor, for any kind of scores.
void readExpertGroups(const json::Value& json, ModelConfig& config, int sharedExperts,
                      double factor);

} // namespace ep::model::families
