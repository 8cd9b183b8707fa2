// SPDX-License-Identifier: GPL-3.0-or-later
#include "arm_features.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#else
#include <sys/auxv.h>
#endif

namespace ep::model {

bool armFeature(ArmFeature feature)
{
    const bool bf16 = feature == ArmFeature::Bf16;
#ifdef __APPLE__
    int found = 0;
    size_t size = sizeof found;
    const char* const name = bf16 ? "hw.optional.arm.FEAT_BF16" : "hw.optional.arm.FEAT_DotProd";
    return sysctlbyname(name, &found, &size, nullptr, 0) == 0 && found;
#else
    constexpr unsigned long kAsimdDp = 1UL << 20U; // HWCAP_ASIMDDP in AT_HWCAP
    constexpr unsigned long kBf16 = 1UL << 14U; // HWCAP2_BF16 in AT_HWCAP2
    return bf16 ? (getauxval(AT_HWCAP2) & kBf16) != 0 : (getauxval(AT_HWCAP) & kAsimdDp) != 0;
#endif
}

} // namespace ep::model
