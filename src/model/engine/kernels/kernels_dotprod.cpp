// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "NEON dotprod"
#define EP_BLOCK_VECTORS
#include "arm_features.h"
#include "kernels_impl.h"

namespace ep::model {

const Kernels* dotprodKernels()
{
    static const bool supported = armFeature(ArmFeature::DotProd);
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
