// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "AVX-512 VNNI"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"

namespace ep::model {

const Kernels* avx512VnniKernels()
{
    return avx512Kernels() && __builtin_cpu_supports("avx512vnni") ? &kTable : nullptr;
}

} // namespace ep::model
