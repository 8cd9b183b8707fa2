// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/model/config.h"
#include "ep/model/tensor_list.h"

#include <string_view>

namespace ep::model {

// The tensors of a checkpoint that text needs, under llama.cpp's names too. What a matrix holds
// that llama.cpp divides has one type here: the queries, keys, values and gates of in_proj_qkvz.
TensorList listTensors(const Checkpoint& checkpoint, const ModelConfig& config);

// Whether makers of formats round matrices of this name, which is llama.cpp's: not norms, routers
// and tables.
bool mayBeRounded(std::string_view own);

} // namespace ep::model
