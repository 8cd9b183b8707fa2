// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"
#include "quantize/ggml_types.h"

#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

#include <algorithm>
#include <string_view>

namespace ep::model {
namespace {

constexpr std::int64_t kWide = 4; // bytes of f32

bool isExpert(const ListedTensor& tensor)
{
    return tensor.own.find("_exps.") != std::string::npos;
}

// Whether the format's maker rounds the matrix, for makers other than llama.cpp.
bool isRounded(const ListedTensor& tensor, FormatRule rule, bool experts)
{
    switch (rule) {
    case FormatRule::Plain:
    case FormatRule::Ggml:
        return false;
    case FormatRule::Mlx:
        return true;
    case FormatRule::Experts:
        if (experts)
            return isExpert(tensor);
        [[fallthrough]];
    case FormatRule::Projections:
        break;
    }
    return tensor.own.starts_with("blk.") || tensor.own == "per_layer_model_proj.weight";
}

TensorTypes typesOf(const TensorList& list, const FormatRow& format)
{
    if (format.rule == FormatRule::Ggml)
        return ggmlTypes(list, format);
    const bool experts = std::ranges::any_of(list.tensors, isExpert);
    TensorTypes types;
    for (const ListedTensor& tensor : list.tensors) {
        const bool rounded = tensor.matrix && isRounded(tensor, format.rule, experts)
            && fitsBlocks(format.dtype, tensor.columns);
        types.push_back(rounded ? std::optional(format.dtype) : std::nullopt);
    }
    return types;
}

// Whether a matrix of this type is computed in its plain type.
bool isPlain(DType type)
{
    return !inBlocks(type) && type != DType::Int8;
}

} // namespace

TensorTypes typesIn(const TensorList& list, const DTypePlan& plan)
{
    constexpr std::string_view kWeightEnding = ".weight";
    const FormatRow* const format = formatFromName(plan.usual);
    TensorTypes types = format ? typesOf(list, *format) : TensorTypes(list.tensors.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ListedTensor& tensor = list.tensors[i];
        if (format && format->rule == FormatRule::Plain && tensor.columns > 1 && tensor.rows > 1)
            types[i] = format->dtype;
        std::string_view module = tensor.name;
        if (module.ends_with(kWeightEnding))
            module.remove_suffix(kWeightEnding.size());
        const auto asked = tensor.matrix ? plan.of(module) : std::nullopt;
        if (asked && scalesApart(*asked))
            types[i] = fitsBlocks(*asked, tensor.columns) ? asked : std::nullopt;
        else if (asked)
            types[i] = ggmlFallback(*asked, tensor.columns);
        if (types[i] == tensor.stored)
            types[i].reset();
    }
    return types;
}

DType computedType(const ListedTensor& tensor, std::optional<DType> type)
{
    if (type)
        return *type;
    const DType stored = tensor.stored.value_or(DType::F32);
    return tensor.rows == 1 && isPlain(stored) ? DType::F32 : stored;
}

std::int64_t bytesIn(const ListedTensor& tensor, std::optional<DType> type)
{
    const std::int64_t numbers = tensor.rows * tensor.columns;
    if (!type)
        return tensor.rows == 1 && computedType(tensor, type) == DType::F32 ? kWide * numbers
                                                                            : tensor.bytes;
    const std::int64_t bytes = bytesOf(*type, numbers);
    if (*type == DType::Int8)
        return bytes + kWide * tensor.rows;
    if (*type == DType::Fp8) {
        const auto blocks = [](std::int64_t count) { return (count + kFp8Block - 1) / kFp8Block; };
        return bytes + kWide * blocks(tensor.rows) * blocks(tensor.columns);
    }
    if (scalesApart(*type)) { // a scale and a bias for each group, in the type of the model
        const std::int64_t size = tensor.stored == DType::F32 ? 4 : 2;
        return bytes + 2 * size * numbers / kMlxGroup;
    }
    return bytes;
}

std::int64_t bytesIn(const TensorList& list, const TensorTypes& types)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
        sum += bytesIn(list.tensors[i], types[i]);
    return sum;
}

} // namespace ep::model
