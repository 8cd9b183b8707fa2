// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

namespace ep::model {

// Larger than any existing model, small enough that products fit in 64 bits.
inline constexpr int kMaxWidth = 1 << 22; // hidden, intermediate, heads x head_dim
inline constexpr int kMaxLayers = 4096;
inline constexpr int kMaxPositions = 1 << 28;
inline constexpr int kMaxExperts = 4096;

// Parts of readModelConfig() that need the sizes to be read first. They throw json::ReadError.
void readRope(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);
void readWindow(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);
void readExperts(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);

} // namespace ep::model
