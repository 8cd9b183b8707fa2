// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that multiply weights in blocks in pairs, by format.
#pragma once

#include "block_pairs_impl.h"
#include "block_tiles_impl.h"
#include "kernels.h"

namespace ep::model {
namespace {

// No kernels if weights of the format cannot be multiplied in pairs, or gain nothing from pairs
// without tiles.
template <typename Format>
constexpr PairKernels pairsOfBlocks()
{
#if defined(__AMX_INT8__)
    if constexpr (!Format::kFloats && Runs<Format>::kRun >= kGroup)
        return {.pack = packPairs<BytePairs<Format>>,
                .multiply = multiplyBlocks<ByteTileWeights<Format>>};
#elif defined(EP_PLAIN_PAIRS) || defined(__AVX2__)
    if constexpr (!Format::kFloats)
        return {.pack = packPairs<BlockPairs<Format>>,
                .multiply = multiplyBlocks<BlockPairWeights<Format>>};
#endif
    return {};
}

} // namespace
} // namespace ep::model
