// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#define EP_REGISTERS 32
#include "arm_features.h"
#include "pair_table_impl.h"

namespace ep::model {

const Kernels* bf16Kernels()
{
    const Kernels* const others = dotprodKernels();
    if (!others || !armFeature(ArmFeature::Bf16))
        return nullptr;
    static const Kernels table = withPairsOfBf16(*others, kPairKernels<TypeBF16>, "NEON bf16");
    return &table;
}

} // namespace ep::model
