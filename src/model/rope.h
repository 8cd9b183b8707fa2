// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ep::model {

// Rotary position embedding: angle of pair i at position p is p x inverseFrequencies[i].
std::vector<float> inverseFrequencies(const ModelConfig& config); // rotaryDim() / 2 values

// Cosine and sine of the angles of `count` positions from `first` on, [count, rotary_dim / 2] each,
// in the precision of HuggingFace (f32 product, then the function).
void rotaryAngles(std::span<const float> inverseFrequencies, std::int64_t first, std::int64_t count,
                  float* cosines, float* sines);

} // namespace ep::model
