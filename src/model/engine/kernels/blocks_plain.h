// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks_spans.h does with vectors, in plain code.
#pragma once

#include "block_formats.h"

namespace ep::model {
namespace {

using KernelsQ8_0 = FormatQ8_0;
using KernelsQ4_0 = FormatQ4_0;
using KernelsQ4_K = FormatQ4_K;
using KernelsQ5_K = FormatQ5_K;
using KernelsQ6_K = FormatQ6_K;
using KernelsMlx4 = FormatMlx4;
using KernelsMlx6 = FormatMlx6;
using KernelsMlx8 = FormatMlx8;

template <typename Format>
void dotBlocks(const WeightRows& w, const BlockedRow& x, float* out, Index begin, Index end)
{
    const Index groups = w.columns / kGroup;
    for (Index row = begin; row < end; ++row) {
        const auto place = Format::place(w, row);
        float value = 0.0F;
        for (Index group = 0; group < groups; ++group)
            value += dotGroup<Format>(place, x, group);
        out[row] = value + (w.bias ? w.bias[row] : 0.0F);
    }
}

template <typename Format>
EP_INLINE void widenSpan(const typename Format::Place& row, Index group, float* out)
{
    for (int g = 0; g < 8; ++g)
        widenGroup<Format>(row, group + g, out + g * kGroup);
}

} // namespace
} // namespace ep::model
