// SPDX-License-Identifier: GPL-3.0-or-later
// The plain-code counterpart of the vector code in blocks_spans.h.
#pragma once

#include "formats_apart.h"
#include "formats_codebook.h"
#include "formats_q.h"

namespace ep::model {
namespace {

using KernelsQ8_0 = FormatQ8_0;
using KernelsQ4_0 = FormatQ4_0;
using KernelsQ4_1 = FormatQ4_1;
using KernelsQ5_0 = FormatQ5_0;
using KernelsQ5_1 = FormatQ5_1;
using KernelsQ2_K = FormatQ2_K;
using KernelsQ3_K = FormatQ3_K;
using KernelsQ4_K = FormatQ4_K;
using KernelsQ5_K = FormatQ5_K;
using KernelsQ6_K = FormatQ6_K;
using KernelsIQ4_NL = FormatIQ4_NL;
using KernelsIQ4_XS = FormatIQ4_XS;
using KernelsMXFP4 = FormatMXFP4;
using KernelsNVFP4 = FormatNVFP4;
using KernelsMlx1 = FormatMlx<1>;
using KernelsMlx2 = FormatMlx<2>;
using KernelsMlx3 = FormatMlx<3>;
using KernelsMlx4 = FormatMlx<4>;
using KernelsMlx5 = FormatMlx<5>;
using KernelsMlx6 = FormatMlx<6>;
using KernelsMlx8 = FormatMlx<8>;
using KernelsMlxMxfp4 = FormatMlxMxfp4;
using KernelsMlxNvfp4 = FormatMlxNvfp4;
using KernelsFp8 = FormatFp8;

template <typename Format>
void dotBlocks(const WeightRows& w, const BlockedRow& x, float* out, Index begin, Index end)
{
    dotRowsPlainly<Format>(w, x, out, begin, end);
}

template <typename Format>
EP_INLINE void dequantizeSpan(const typename Format::Place& row, Index group, float* out)
{
    dequantizeSpanPlainly<Format>(row, group, out);
}

template <typename Format>
EP_INLINE void dequantizeRest(const typename Format::Place& row, Index group, Index count,
                              float* out)
{
    for (Index g = 0; g < count; ++g)
        dequantizeGroup<Format>(row, group + g, out + g * kGroup);
}

} // namespace
} // namespace ep::model
