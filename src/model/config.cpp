// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"

namespace ep::model {

std::string_view name(DType dtype)
{
    switch (dtype) {
    case DType::F32:
        return "f32";
    case DType::F16:
        return "f16";
    case DType::BF16:
        return "bf16";
    }
    return "";
}

std::optional<DType> dtypeFromName(std::string_view word)
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        if (name(dtype) == word)
            return dtype;
    }
    return std::nullopt;
}

} // namespace ep::model
