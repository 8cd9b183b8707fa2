// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "AVX-512 BF16"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"
#include "x86_features.h"

namespace ep::model {

const Kernels* avx512Bf16Kernels()
{
    return avx512VnniKernels() && x86Feature(X86Feature::Avx512Bf16) ? &kTable : nullptr;
}

} // namespace ep::model
