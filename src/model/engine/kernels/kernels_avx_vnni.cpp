// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 32
#define EP_REGISTERS 16
#define EP_KERNELS_NAME "AVX-VNNI"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"
#include "x86_features.h"

namespace ep::model {

const Kernels* avxVnniKernels()
{
    return avx2Kernels() && x86Feature(X86Feature::AvxVnni) ? &kTable : nullptr;
}

} // namespace ep::model
