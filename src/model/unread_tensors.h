// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ep::model {

// Whether text generation does not need a tensor with this name: parts for images and sound, heads
// that predict further tokens, tables of angles, causal masks, scales of a quantized cache.
bool isUnneededTensor(std::string_view name);
// The part of the model, "vision part", that the tensor belongs to and that text does not need;
// empty: none. Layers after the last one predict further tokens.
std::string_view partLeftOut(std::string_view name, int layers);
// Whether a tensor has no reader because older versions saved it with the weights although it is
// not part of the model.
bool isLeftoverTensor(std::string_view name);

} // namespace ep::model
