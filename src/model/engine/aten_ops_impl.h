// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aten_ops.h"

#include <optional>
#include <utility>

// Shared by the source files of AtenOps.
namespace ep::model {

inline void assign(Matrix& out, at::Tensor tensor)
{
    out.rows = tensor.size(0);
    out.columns = tensor.size(1);
    out.tensor = std::move(tensor);
}

// Minus infinity for masked keys, [rows, keys]; undefined if every key is visible.
at::Tensor attentionMask(std::int64_t first, std::int64_t rows, std::optional<int> window,
                         const at::TensorOptions& options);

// Softmax of scores [kv_heads, group, rows, keys] in f32; a sink takes a share of the weight.
at::Tensor softmaxOf(const at::Tensor& scores, const AttentionShape& shape);

} // namespace ep::model
