// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels.h"

#include "kernel_tables.h"

#include <cstdlib>
#include <string_view>

namespace ep::model {

const MatmulKernels& matmulsFor(const Kernels& kernels, DType dtype)
{
    return kernels.matmuls[static_cast<std::uint8_t>(dtype)];
}

Kernels withPairsOfBf16(const Kernels& table, const PairKernels& pairs, const char* name)
{
    Kernels changed = table;
    changed.name = name;
    changed.matmuls[kBf16Weights].pairs = pairs;
    return changed;
}

std::vector<const Kernels*> kernelTables()
{
    std::vector<const Kernels*> tables;
    for (const Kernels* const table : {
#if defined(EP_X86_KERNELS)
             amxKernels(), avx512Bf16Kernels(), avx512VnniKernels(), avx512Kernels(),
                 avxVnniKernels(), avx2Kernels(),
#elif defined(EP_ARM_KERNELS)
             bf16Kernels(), dotprodKernels(),
#endif
                 portableKernels()
         }) {
        if (table)
            tables.push_back(table);
    }
    return tables;
}

const Kernels& bestKernels(std::string_view capability)
{
    const int most = capability == "default" ? 16 : capability == "avx2" ? 32 : 64;
    const auto tables = kernelTables();
    for (const Kernels* const table : tables) {
        if (table->vector_bytes <= most)
            return *table;
    }
    return *tables.back();
}

const Kernels& kernels()
{
    static const Kernels& best = []() -> const Kernels& {
        const char* const capability = std::getenv("ATEN_CPU_CAPABILITY");
        return bestKernels(capability ? capability : "");
    }();
    return best;
}

} // namespace ep::model
