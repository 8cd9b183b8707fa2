// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep {

// Phrases in the record of a run's kernels that say how block-quantized weights were multiplied.
inline constexpr std::string_view kByOwnKernel = "by a kernel of its own";
inline constexpr std::string_view kDequantizedInMatmul = "dequantized in the product";

// Returns the phrase for the slowest kind of matmul in a run; empty if the record does not say.
// Energies of number formats are only comparable between runs of the same kind.
inline std::string matmulKindOf(std::string_view kernels)
{
    if (kernels.empty())
        return {};
    for (const std::string_view kind : {kDequantizedInMatmul, kByOwnKernel}) {
        if (kernels.find(kind) != std::string_view::npos)
            return std::string(kind);
    }
    return "as plain numbers";
}

} // namespace ep
