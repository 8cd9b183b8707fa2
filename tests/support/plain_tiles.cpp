// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#define EP_UNROLL 2
#define EP_REGISTERS 16
#define EP_KERNELS_NAME "plain tiles"
#include "engine/kernels/kernels_impl.h"
#include "plain_kernels.h"

namespace ep::test {

const model::Kernels* plainTileKernels()
{
    return &model::kTable;
}

} // namespace ep::test
