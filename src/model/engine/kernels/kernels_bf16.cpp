// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "NEON bf16"
#define EP_BLOCK_VECTORS
#include "arm_features.h"
#include "kernels_impl.h"

namespace ep::model {

const Kernels* bf16Kernels()
{
    static const bool supported = dotprodKernels() && armFeature(ArmFeature::Bf16);
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
