// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 16
#define EP_UNROLL 4
#define EP_REGISTERS 32
#define EP_KERNELS_NAME "NEON dotprod"
#define EP_BLOCK_VECTORS
#include "kernels_impl.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#else
#include <sys/auxv.h>
#endif

namespace ep::model {
namespace {

bool hasDotProducts()
{
#ifdef __APPLE__
    int found = 0;
    size_t size = sizeof found;
    return sysctlbyname("hw.optional.arm.FEAT_DotProd", &found, &size, nullptr, 0) == 0 && found;
#else
    constexpr unsigned long kAsimdDp = 1UL << 20U; // HWCAP_ASIMDDP
    return (getauxval(AT_HWCAP) & kAsimdDp) != 0;
#endif
}

} // namespace

const Kernels* dotprodKernels()
{
    static const bool supported = hasDotProducts();
    return supported ? &kTable : nullptr;
}

} // namespace ep::model
