// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels.h"

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
#endif

const ProductKernels& productsFor(const Kernels& kernels, DType dtype)
{
    return kernels.products[static_cast<std::uint8_t>(dtype)];
}

const Kernels& kernels()
{
    static const Kernels& best = avx512Kernels() ? *avx512Kernels()
        : avx2Kernels()                          ? *avx2Kernels()
                                                 : *portableKernels();
    return best;
}

} // namespace ep::model
