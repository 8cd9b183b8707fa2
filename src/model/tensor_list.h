// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/model/config.h"
#include "ep/model/tensor_list.h"

#include <string_view>

namespace ep::model {

// The tensors of a checkpoint that text needs, under llama.cpp's names too. A matrix that llama.cpp
// divides, such as in_proj_qkvz into queries, keys, values and gates, has one type here.
TensorList listTensors(const Checkpoint& checkpoint, const ModelConfig& config);

// Whether makers of formats round matrices of this name, which is llama.cpp's: not norms, routers
// and tables.
bool mayBeRounded(std::string_view own);

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
