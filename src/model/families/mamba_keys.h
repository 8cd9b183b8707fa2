// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/model/config.h"

namespace ep::model::families {

// The keys of a Mamba-2 mixer that Granite 4 and Falcon-H1 have in common. inner: values of all
// heads.
void readMamba(const json::Value& json, ModelConfig& config, int heads, int stateSize, int inner);
// time_step_limit, two numbers.
void readStepLimits(const json::Value& json, StateSettings& state);

} // namespace ep::model::families
