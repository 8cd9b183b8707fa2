// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include <cstdint>

namespace ep::model {

// Activations [rows, columns]. On the processor f32 in our own memory, reused from token to token,
// so that decoding neither allocates nor changes reference counts; columns are contiguous, rows
// `stride` apart. On an accelerator only `tensor` is used.
struct Matrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;
    float* data = nullptr;
    at::Tensor tensor; // accelerator: values; processor: memory (size = capacity)

    float* row(std::int64_t index) const { return data + index * stride; }

    // Resizes on the processor; the content becomes undefined.
    void resize(std::int64_t newRows, std::int64_t newColumns)
    {
        const std::int64_t needed = newRows * newColumns;
        if (!tensor.defined() || tensor.numel() < needed) {
            tensor = at::empty({needed}, at::kFloat);
            data = tensor.data_ptr<float>();
        }
        rows = newRows;
        columns = newColumns;
        stride = newColumns;
    }

    // Columns [begin, begin + count) of all rows, in the same memory; valid while this matrix is
    // neither resized nor destroyed.
    Matrix slice(std::int64_t begin, std::int64_t count) const
    {
        Matrix view;
        view.rows = rows;
        view.columns = count;
        view.stride = stride;
        if (data)
            view.data = data + begin;
        else
            view.tensor = tensor.narrow(1, begin, count);
        return view;
    }

    // Rows [begin, begin + count) in the same memory.
    Matrix rowsFrom(std::int64_t begin, std::int64_t count) const
    {
        Matrix view;
        view.rows = count;
        view.columns = columns;
        view.stride = stride;
        if (data)
            view.data = row(begin);
        else if (tensor.defined())
            view.tensor = tensor.narrow(0, begin, count);
        return view;
    }
};

} // namespace ep::model
