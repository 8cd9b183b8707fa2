// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of kernels.h, included by one source file per instruction set; those that differ from
// another in a few kernels include variant_impl.h instead. That file defines
//   EP_VECTOR_BYTES   width of a vector register
//   EP_REGISTERS      number of vector registers, where it exceeds the architecture's least
//   EP_KERNELS_NAME   name of the variant
//   EP_BLOCK_VECTORS  if it has vector code for block formats
// Everything has internal linkage, and no standard header with inline functions is used: otherwise
// the linker could use a function compiled for AVX-512 for the whole program.
#include "block_pair_table_impl.h"
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
    .matmuls =
        {
#define EP_PLAIN(Type) matmulsOf<Type>(),
#define EP_OWN(Format) byOwnKernel<Format>(),
#define EP_IN_MATMUL(Format) inMatmul<Format>(),
#include "weight_types.def"
#undef EP_PLAIN
#undef EP_OWN
#undef EP_IN_MATMUL
        },
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
