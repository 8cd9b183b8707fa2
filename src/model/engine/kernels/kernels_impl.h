// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of kernels.h, included by one source file per instruction set. That file defines
//   EP_VECTOR_BYTES   width of a vector register
//   EP_UNROLL         vectors in flight per row of a product
//   EP_KERNELS_NAME   name of the variant
// Everything has internal linkage, and no standard header with inline functions is used: otherwise
// the linker could use a function compiled for AVX-512 for the whole program.
#include "elementwise_impl.h"
#include "kernels.h"
#include "products_impl.h"
#include "reductions_impl.h"

namespace ep::model {
namespace {

constexpr Kernels kTable{
    .name = EP_KERNELS_NAME,
    .dotRowsF32 = dotRows<TypeF32>,
    .dotRowsBF16 = dotRows<TypeBF16>,
    .dotRowsF16 = dotRows<TypeF16>,
    .dotRowsI8 = dotRowsI8,
    .widenBF16 = widen<TypeBF16>,
    .widenF16 = widen<TypeF16>,
    .widenI8 = widenI8,
    .rmsNorm = rmsNorm,
    .layerNorm = layerNorm,
    .add = add,
    .activate = activate,
    .rotate = rotate,
    .softmax = softmax,
    .softCap = softCap,
    .weightedSum = weightedSum,
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
