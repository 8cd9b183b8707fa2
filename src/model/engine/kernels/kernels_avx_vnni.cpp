// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 32
#define EP_REGISTERS 16
#define EP_BLOCK_VECTORS
#include "variant_impl.h"
#include "x86_features.h"

namespace ep::model {

const Kernels* avxVnniKernels()
{
    const Kernels* const others = avx2Kernels();
    if (!others || !x86Feature(X86Feature::AvxVnni))
        return nullptr;
    static const Kernels table = variantOf(*others, "AVX-VNNI");
    return &table;
}

} // namespace ep::model
