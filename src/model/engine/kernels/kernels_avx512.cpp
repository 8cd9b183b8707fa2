// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "AVX-512"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"

namespace ep::model {

const Kernels* avx512Kernels()
{
    const bool supported = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
