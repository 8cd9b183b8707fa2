// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/computed_model.h"

#include "matrix_sizes.h"

#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ep::model {
namespace {

bool hasFewBits(DType type)
{
    return inBlocks(type) || type == DType::Int8;
}

DTypePlan planFor(const ModelDescription& model, std::string_view format)
{
    auto plan = parseDTypePlan(format, model.format);
    return plan ? *std::move(plan) : DTypePlan{};
}

MatrixSizes sizesOfMatrices(const ModelDescription& model, const TensorTypes& types)
{
    std::map<std::string_view, double> sizes;
    bool any = false;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ListedTensor& tensor = model.tensors.tensors[i];
        const std::optional<DType> type = types[i] ? types[i] : tensor.stored;
        any = any || (tensor.rows > 1 && type && hasFewBits(*type));
        const auto numbers = static_cast<double>(tensor.rows * tensor.columns);
        if (numbers > 0.0)
            sizes.emplace(tensor.name, static_cast<double>(bytesIn(tensor, types[i])) / numbers);
    }
    if (!any) // plain types throughout
        return {};
    return matrixSizes(
        [&](const std::string& module) -> std::optional<double> {
            for (const std::string& name : {module + ".weight", module}) {
                if (const auto found = sizes.find(name); found != sizes.end())
                    return found->second;
            }
            return std::nullopt;
        },
        model.config);
}

} // namespace

ComputedModel computedIn(const ModelDescription& model, std::string_view format, bool accelerator)
{
    const DTypePlan plan = planFor(model, format);
    const TensorTypes types = typesIn(model.tensors, plan);
    ComputedModel computed;
    computed.config = model.config;
    computed.config.matrix_sizes = sizesOfMatrices(model, types);
    computed.sizes = numberSizes(usualDType(plan.usual, model.stored), model.stored, accelerator);
    computed.weight_bytes = bytesIn(model.tensors, types);
    return computed;
}

std::vector<SizedFormat> sizedFormats(const ModelDescription& model)
{
    const std::vector<ListedTensor>& tensors = model.tensors.tensors;
    const bool experts = model.config.moe.experts > 0;
    const std::int64_t asStored = bytesIn(model.tensors, TensorTypes(tensors.size()));
    std::vector<SizedFormat> formats;
    for (const std::string& word : formatChoices()) {
        if (word == model.format || (word == "mxfp4_moe" && !experts))
            continue;
        const TensorTypes types = typesIn(model.tensors, planFor(model, word));
        SizedFormat& format =
            formats.emplace_back(SizedFormat{.word = word,
                                             .name = word == "auto" ? model.format : word,
                                             .weight_bytes = bytesIn(model.tensors, types)});
        const auto enlarged = [&](std::size_t i) {
            const auto& stored = tensors[i].stored;
            return types[i] && stored && bytesIn(tensors[i], types[i]) > tensors[i].bytes;
        };
        for (std::size_t i = 0; format.weight_bytes > asStored && i < types.size(); ++i)
            format.larger_than_stored = format.larger_than_stored || enlarged(i);
    }
    std::ranges::stable_sort(formats, {}, &SizedFormat::weight_bytes);
    return formats;
}

} // namespace ep::model
