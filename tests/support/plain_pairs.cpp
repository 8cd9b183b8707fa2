// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#include "engine/kernels/variant_impl.h"
#include "plain_kernels.h"

namespace ep::test {

const model::Kernels* plainPairKernels()
{
    static const model::Kernels kTable = model::variantOf(*model::portableKernels(), "plain pairs");
    return &kTable;
}

} // namespace ep::test
