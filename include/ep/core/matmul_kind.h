// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep {

// Words in the record of a run's kernels for how block-quantized weights were multiplied.
inline constexpr std::string_view kByOwnKernel = "by a kernel of its own";
inline constexpr std::string_view kDequantizedInMatmul = "dequantized in the product";

// One word for a whole run: the slowest kind among its weights. Energies of number formats are
// only comparable within a kind; empty if the record does not tell.
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
