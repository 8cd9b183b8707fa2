// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#ifdef __aarch64__
#define EP_KERNELS_NAME "NEON"
#else
#define EP_KERNELS_NAME "portable"
#endif
#include "kernels_impl.h"

namespace ep::model {

const Kernels* portableKernels()
{
    return &kTable;
}

} // namespace ep::model
