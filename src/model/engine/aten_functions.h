// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"
#include "weights.h"

#include "ep/model/config.h"

#include <cstdint>

// Operations between matmuls, built from LibTorch's functions. AtenOps uses them, and the kernels
// for GPUs are tested against them.
namespace ep::model {

// Multiplies in the wider of the two types: weights may be in f32 beside activations in bf16.
at::Tensor linearOf(const at::Tensor& x, const Linear& layer);

// Normalises x [.., width] and returns the result in `type`; the weight may also have one row per
// head. Weights in f32 (Gemma) are applied before the result is rounded.
at::Tensor normOf(const at::Tensor& x, const Norm& norm, at::ScalarType type);

// Normalises each head of x [rows, heads x dim] like normOf().
at::Tensor normOfHeads(const at::Tensor& x, const Norm& norm, std::int64_t heads,
                       at::ScalarType type);

// x [rows, heads x dim], cosines c and sines s [rows, half]: (a, b) becomes (a c - b s, b c + a s);
// the dimensions after the pairs are unchanged. A pair is (i, i + half), or interleaved (2i, 2i +
// 1).
at::Tensor rotated(const at::Tensor& x, std::int64_t heads, const at::Tensor& c,
                   const at::Tensor& s, bool interleaved);

at::Tensor activationOf(Activation kind, const at::Tensor& x);

// Mean of |x|, standard deviation, largest |x| and the share of |x| below the threshold: f32 [4].
at::Tensor statisticsOf(const at::Tensor& x, float threshold);

} // namespace ep::model
