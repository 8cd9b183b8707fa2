// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/dtype.h"

#include "ep/core/matmul_kind.h"

namespace ep::model {
namespace {

std::optional<DType> dtypeWith(std::string_view DTypeRow::*column, std::string_view word)
{
    for (const DTypeRow& row : kDTypes) {
        if (!word.empty() && row.*column == word)
            return row.dtype;
    }
    return std::nullopt;
}

} // namespace

std::optional<DType> dtypeFromName(std::string_view word)
{
    return dtypeWith(&DTypeRow::name, word);
}

std::optional<DType> dtypeFromStored(std::string_view word)
{
    return dtypeWith(&DTypeRow::stored, word);
}

std::optional<DType> dtypeFromConfig(std::string_view word)
{
    return dtypeWith(&DTypeRow::config, word);
}

std::string_view matmulInWords(DType dtype)
{
    switch (rowOf(dtype).matmul) {
    case MatmulKind::Own:
        return kByOwnKernel;
    case MatmulKind::Dequantized:
        return kDequantizedInMatmul;
    case MatmulKind::Plain:
        break;
    }
    return "as plain numbers";
}

} // namespace ep::model
