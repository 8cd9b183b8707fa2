// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 32
#define EP_REGISTERS 16
#define EP_KERNELS_NAME "AVX2"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"

namespace ep::model {

const Kernels* avx2Kernels()
{
    // Clang before 15 cannot query F16C; every processor with AVX2 has it.
    const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
