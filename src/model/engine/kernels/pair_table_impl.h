// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that multiply weights of 16 or 8 bits in pairs, by type of weight.
#pragma once

#include "kernels.h"
#include "pair_rows_impl.h"
#include "pairs_impl.h"
#include "quads_impl.h"
#include "tiles_impl.h"

namespace ep::model {
namespace {

// Kernels that multiply pairs of weights at once; none for most types.
template <typename Type>
constexpr PairKernels kPairKernels{};
#if defined(EP_PLAIN_TILES) || defined(__AMX_BF16__)
template <>
constexpr PairKernels kPairKernels<TypeBF16>{.pack = packPairs<TilePairs>,
                                             .multiply = multiplyBlocks<TiledWeights>,
                                             .roundRow = roundRowTwice,
                                             .row = dotPairRows};
#elif defined(EP_PLAIN_PAIRS) || defined(__AVX512BF16__)
template <>
constexpr PairKernels kPairKernels<TypeBF16>{.pack = packPairs<Bf16Pairs>,
                                             .multiply = multiplyBlocks<PairedWeights<Bf16Pairs>>,
                                             .roundRow = roundRowTwice,
                                             .row = dotPairRows};
#elif defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
template <>
constexpr PairKernels kPairKernels<TypeBF16>{.pack = packQuads,
                                             .multiply = multiplyBlocks<QuadWeights>,
                                             .roundRow = roundRowTwice,
                                             .row = dotPairRows};
#endif
#if defined(EP_PLAIN_PAIRS) || defined(__AVX2__)
template <>
constexpr PairKernels kPairKernels<TypeI8>{.pack = packPairs<IntegerPairs>,
                                           .multiply = multiplyBlocks<PairedWeights<IntegerPairs>>};
#endif

} // namespace
} // namespace ep::model
