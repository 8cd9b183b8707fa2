// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of kernels.h, included by one source file per instruction set. That file defines
//   EP_VECTOR_BYTES   width of a vector register
//   EP_REGISTERS      number of vector registers
//   EP_KERNELS_NAME   name of the variant
//   EP_BLOCK_VECTORS  if it has vector code for block formats
// Everything has internal linkage, and no standard header with inline functions is used: otherwise
// the linker could use a function compiled for AVX-512 for the whole program.
#include "block_pairs_impl.h"
#include "block_tiles_impl.h"
#include "blocks_impl.h"
#include "elementwise_impl.h"
#include "kernels.h"
#include "matmul_impl.h"
#include "pair_table_impl.h"
#include "panels_impl.h"
#include "recurrence_impl.h"
#include "reductions_impl.h"

namespace ep::model {
namespace {

template <typename Type>
void dequantizePlainRow(const WeightRows& w, Index row, float* out)
{
    PlainRows<Type>::dequantize(w, row, 0, out, w.columns);
    if (w.scales)
        scale(out, w.scales[row], w.columns);
}

template <typename Format>
constexpr PairKernels pairsOfBlocks()
{
#if defined(__AMX_INT8__)
    if constexpr (!Format::kFloats && Runs<Format>::kRun >= kGroup)
        return {.pack = packPairs<BytePairs<Format>>,
                .multiply = multiplyBlocks<ByteTileWeights<Format>>};
    else
#endif
#if defined(EP_PLAIN_PAIRS) || defined(__AVX2__)
        if constexpr (!Format::kFloats)
        return {.pack = packPairs<BlockPairs<Format>>,
                .multiply = multiplyBlocks<BlockPairWeights<Format>>};
#endif
    return {};
}

// Vector code written for the format.
template <typename Format>
constexpr MatmulKernels byOwnKernel()
{
    return matmulsOfBlocks<Format, false>(dotBlocks<Format>, pairsOfBlocks<Format>());
}

template <typename Type>
constexpr MatmulKernels matmulsOf()
{
    return {
        // in the order of RowShape
        .row = {dotRows<Type, false>, dotRows<Type, true>},
        .fewRows = dotFewRows<Type>,
        .manyRows = multiplyPanels<PlainRows<Type>>,
        .pairs = kPairKernels<Type>,
        .dequantize = dequantize<Type>,
        .blockRow = nullptr,
        .dequantizeRow = dequantizePlainRow<Type>,
        .finite = nullptr,
    };
}

constexpr Kernels kTable{
    .name = EP_KERNELS_NAME,
    .vector_bytes = EP_VECTOR_BYTES,
    // in the order of DType
    .matmuls = {matmulsOf<TypeF32>(),           matmulsOf<TypeBF16>(),
                matmulsOf<TypeF16>(),           matmulsOf<TypeI8>(),
                byOwnKernel<KernelsQ8_0>(),     byOwnKernel<KernelsQ4_0>(),
                byOwnKernel<KernelsQ4_1>(),     byOwnKernel<KernelsQ5_0>(),
                byOwnKernel<KernelsQ5_1>(),     byOwnKernel<KernelsQ2_K>(),
                byOwnKernel<KernelsQ3_K>(),     byOwnKernel<KernelsQ4_K>(),
                byOwnKernel<KernelsQ5_K>(),     byOwnKernel<KernelsQ6_K>(),
                inMatmul<FormatIQ1_S>(),        inMatmul<FormatIQ1_M>(),
                inMatmul<FormatIQ2_XXS>(),      inMatmul<FormatIQ2_XS>(),
                inMatmul<FormatIQ2_S>(),        inMatmul<FormatIQ3_XXS>(),
                inMatmul<FormatIQ3_S>(),        byOwnKernel<KernelsIQ4_NL>(),
                byOwnKernel<KernelsIQ4_XS>(),   inMatmul<FormatTQ1_0>(),
                inMatmul<FormatTQ2_0>(),        inMatmul<FormatQ1_0>(),
                inMatmul<FormatQ2_0>(),         byOwnKernel<KernelsMXFP4>(),
                byOwnKernel<KernelsNVFP4>(),    byOwnKernel<KernelsMlx1>(),
                byOwnKernel<KernelsMlx2>(),     byOwnKernel<KernelsMlx3>(),
                byOwnKernel<KernelsMlx4>(),     byOwnKernel<KernelsMlx5>(),
                byOwnKernel<KernelsMlx6>(),     byOwnKernel<KernelsMlx8>(),
                byOwnKernel<KernelsMlxMxfp4>(), byOwnKernel<KernelsMlxNvfp4>(),
                byOwnKernel<KernelsFp8>()},
    .quantizeRow = quantizeRow,
    .panel_rows = kPanelRows,
    .packPanel = packPanel,
    .panelScratch = panelScratch,
    .rmsNorm = rmsNorm,
    .layerNorm = layerNorm,
    .add = add,
    .activate = activate,
    .convolve = convolve,
    .recur = recur,
    .rotate = rotate,
    .softmax = softmax,
    .softCap = softCap,
    .weightedSums = weightedSums,
    .mean = mean,
    .meanSquare = meanSquare,
    .normalize = normalize,
    .scaleShift = scaleShift,
    .multiply = multiply,
    .scale = scale,
    .softmaxFigures = softmaxFigures,
    .maximum = maximum,
    .sumOfExp = sumOfExp,
    .accumulate = accumulate,
    .countNegative = countNegative,
    .finiteF32 = finiteF32,
    .finiteBF16 = finiteBF16,
    .finiteF16 = finiteF16,
};

} // namespace
} // namespace ep::model
