// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#define EP_BLOCK_VECTORS
#define EP_OWN_ROWS
#include "variant_impl.h"

namespace ep::model {

const Kernels* avx512VnniKernels()
{
    const Kernels* const others = avx512Kernels();
    if (!others || !__builtin_cpu_supports("avx512vnni"))
        return nullptr;
    static const Kernels table = variantOf(*others, "AVX-512 VNNI");
    return &table;
}

} // namespace ep::model
