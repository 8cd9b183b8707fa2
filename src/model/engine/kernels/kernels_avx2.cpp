// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 32
#define EP_UNROLL 2
#define EP_KERNELS_NAME "AVX2"
#include "kernels_impl.h"

namespace ep::model {

const Kernels* avx2Kernels()
{
    const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("f16c");
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
