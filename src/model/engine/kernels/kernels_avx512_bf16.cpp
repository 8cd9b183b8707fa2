// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#include "pair_table_impl.h"
#include "x86_features.h"

namespace ep::model {

const Kernels* avx512Bf16Kernels()
{
    const Kernels* const others = avx512VnniKernels();
    if (!others || !x86Feature(X86Feature::Avx512Bf16))
        return nullptr;
    static const Kernels table = withPairsOfBf16(*others, kPairKernels<TypeBF16>, "AVX-512 BF16");
    return &table;
}

} // namespace ep::model
