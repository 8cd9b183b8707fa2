// SPDX-License-Identifier: GPL-3.0-or-later
#include "x86_features.h"

#include <cpuid.h>

namespace ep::model {

// Intel, "Software Developer's Manual", volume 2, CPUID leaf 7.
bool x86Feature(X86Feature feature)
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    const auto ask = [&](unsigned part) {
        return __get_cpuid_count(7, part, &eax, &ebx, &ecx, &edx) != 0;
    };
    switch (feature) {
    case X86Feature::AvxVnni:
        return ask(1) && (eax >> 4U & 1U) != 0;
    case X86Feature::Avx512Bf16:
        return ask(1) && (eax >> 5U & 1U) != 0;
    case X86Feature::AmxBf16:
        return ask(0) && (edx >> 22U & 1U) != 0;
    case X86Feature::AmxInt8:
        return ask(0) && (edx >> 25U & 1U) != 0;
    case X86Feature::AmxTile:
        return ask(0) && (edx >> 24U & 1U) != 0;
    }
    return false;
}

} // namespace ep::model
