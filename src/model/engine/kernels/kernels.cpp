// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels.h"

#include "kernel_tables.h"

namespace ep::model {

#ifndef EP_X86_KERNELS
const Kernels* avx2Kernels()
{
    return nullptr;
}

const Kernels* avx512Kernels()
{
    return nullptr;
}

const Kernels* avx512VnniKernels()
{
    return nullptr;
}
#endif

#ifndef EP_ARM_KERNELS
const Kernels* dotprodKernels()
{
    return nullptr;
}
#endif

const ProductKernels& productsFor(const Kernels& kernels, DType dtype)
{
    return kernels.products[static_cast<std::uint8_t>(dtype)];
}

std::vector<const Kernels*> kernelTables()
{
    std::vector<const Kernels*> tables;
    for (const Kernels* const table : {avx512VnniKernels(), avx512Kernels(), avx2Kernels(),
                                       dotprodKernels(), portableKernels()}) {
        if (table)
            tables.push_back(table);
    }
    return tables;
}

const Kernels& kernels()
{
    static const Kernels& best = *kernelTables().front();
    return best;
}

} // namespace ep::model
