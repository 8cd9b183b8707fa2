// SPDX-License-Identifier: GPL-3.0-or-later
#define EP_VECTOR_BYTES 64
#define EP_REGISTERS 32
#define EP_BLOCK_VECTORS
#define EP_OWN_ROWS
#include "variant_impl.h"
#include "x86_features.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ep::model {
namespace {

// Linux grants tiles to programs that request them, for all of their threads.
bool tilesGranted()
{
#ifdef __linux__
    constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18; // XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

} // namespace

const Kernels* amxKernels()
{
    const Kernels* const others = avx512Bf16Kernels();
    static const bool usable = others && x86Feature(X86Feature::AmxTile)
        && x86Feature(X86Feature::AmxBf16) && x86Feature(X86Feature::AmxInt8) && tilesGranted();
    if (!usable)
        return nullptr;
    static const Kernels table = variantOf(*others, "AMX");
    return &table;
}

} // namespace ep::model
