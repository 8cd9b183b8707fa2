// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ep::model {

// Whether text generation needs nothing of a tensor of this name: parts for images and sound, heads
// that predict further tokens, tables of angles, causal masks, scales of a quantized cache.
bool isUnneededTensor(std::string_view name);
// The part of a model that the tensor belongs to and that text does not need, "vision part"; empty:
// none of these. Layers beyond the last one predict further tokens.
std::string_view partLeftOut(std::string_view name, int layers);
// Tensors that have no reader because older versions saved them along with the weights, although
// they are not part of the model.
bool isLeftoverTensor(std::string_view name);

} // namespace ep::model
