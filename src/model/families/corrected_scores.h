// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family_shape.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

// What DeepSeek's mixtures of experts and those built after them have in common.
namespace ep::model::families {

// Experts that every token passes count in full; scores have a correction, which only chooses.
MoeNames sharedExpertsBesideScores();

// Reads how experts are chosen by sigmoids: groups, the factor of weights, the shared experts.
void readCorrectedScores(const json::Value& json, ModelConfig& config, int sharedExperts,
                         double factor);
// The groups, with the shared experts and the factor, whatever the scores are.
void readExpertGroups(const json::Value& json, ModelConfig& config, int sharedExperts,
                      double factor);

} // namespace ep::model::families
