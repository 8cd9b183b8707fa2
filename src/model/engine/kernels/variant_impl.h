// SPDX-License-Identifier: GPL-3.0-or-later
// For an instruction set that adds products of pairs to another one of the same vectors: only the
// kernels that use them, since the others would be compiled to the same code. Included like
// kernels_impl.h, without EP_KERNELS_NAME; with EP_OWN_ROWS also those for single rows of blocks.
#pragma once

#include "block_pair_table_impl.h"
#include "blocks_impl.h"
#include "kernels.h"
#include "pair_table_impl.h"

namespace ep::model {
namespace {

void takePairs(MatmulKernels& kernels, const PairKernels& pairs)
{
    if (pairs.pack)
        kernels.pairs = pairs;
}

template <typename Format>
void takeBlocks(MatmulKernels& kernels)
{
    takePairs(kernels, pairsOfBlocks<Format>());
#ifdef EP_OWN_ROWS
    kernels.blockRow = dotBlocks<Format>;
#endif
}

// A copy of the other instruction set's table with the kernels of this one.
Kernels variantOf(const Kernels& other, const char* name)
{
    Kernels table = other;
    table.name = name;
    MatmulKernels* next = table.matmuls;
#define EP_PLAIN(Type) takePairs(*next++, kPairKernels<Type>);
#define EP_OWN(Format) takeBlocks<Format>(*next++);
#define EP_IN_MATMUL(Format) ++next;
#include "weight_types.def"
#undef EP_PLAIN
#undef EP_OWN
#undef EP_IN_MATMUL
#ifdef EP_OWN_ROWS
    table.quantizeRow = quantizeRow;
#endif
    return table;
}

} // namespace
} // namespace ep::model
