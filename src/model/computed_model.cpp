// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/computed_model.h"

#include "families/family.h"
#include "layer_shape.h"

#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace ep::model {
namespace {

// Bytes per number of a matrix, including its share of the scales, by the name that the loader asks
// for, without ".weight"; absent if there is no such matrix.
using SizeOfMatrix = std::function<std::optional<double>(const std::string& module)>;

using Modules = std::vector<std::string>;

// Modules of a component in a mixture of experts; the first expert represents all.
Modules modulesOfExperts(Component component, const MoeNames& moe)
{
    Modules modules;
    for (const std::string& prefix : moe.prefixes) {
        const std::string shared = (moe.shared_of_layer ? std::string() : prefix) + moe.shared;
        const std::string expert = prefix + moe.experts + "0.";
        const Modules added = component == Component::Router ? Modules{prefix + moe.router}
            : component == Component::SharedExpert
            ? Modules{shared + moe.gate, shared + moe.up, shared + moe.gate_up, shared + moe.down}
            : Modules{expert + moe.gate, expert + moe.up, expert + moe.down,
                      prefix + moe.stacked_gate_up, prefix + moe.stacked_down};
        modules.insert(modules.end(), added.begin(), added.end());
    }
    return modules;
}

// The matrices of a component, named relative to the layer.
Modules modulesOf(Component component, const FamilyShape& shape)
{
    const std::string& attention = shape.names.attention;
    const std::string& mlp = shape.names.mlp;
    const std::string& mixer = shape.names.mixer;
    switch (component) {
    case Component::QProj:
        return {attention + "q_proj"};
    case Component::KProj:
        return {attention + "k_proj"};
    case Component::VProj:
        return {attention + "v_proj"};
    case Component::QkvProj:
        return {attention + (shape.attention.fused_name ? shape.attention.fused_name : "")};
    case Component::OProj:
        return {attention + shape.attention.output_name};
    case Component::InProj:
        return {mixer + "in_proj", mixer + "in_proj_qkvz"};
    case Component::InProjQkv:
        return {mixer + "in_proj_qkv"};
    case Component::InProjZ:
        return {mixer + "in_proj_z"};
    case Component::InProjBa:
        return {mixer + "in_proj_ba", mixer + "in_proj_b", mixer + "in_proj_a"};
    case Component::OutProj:
        return {mixer + "out_proj"};
    case Component::GateProj:
        return {mlp + shape.mlp.gate};
    case Component::UpProj:
        return {mlp + shape.mlp.up};
    case Component::GateUpProj:
        return {mlp + shape.mlp.gate_up};
    case Component::DownProj:
        return {mlp + shape.mlp.down};
    case Component::Fc1:
        return {mlp + shape.mlp.first};
    case Component::Fc2:
        return {mlp + shape.mlp.second};
    case Component::QAProj:
        return {attention + "q_a_proj"};
    case Component::QBProj:
        return {attention + "q_b_proj"};
    case Component::KvAProj:
        return {attention + "kv_a_proj_with_mqa"};
    case Component::KvBProj:
        return {attention + "embed_q", attention + "unembed_out"};
    case Component::PerLayerInputGate:
        return {"per_layer_input_gate"};
    case Component::PerLayerProjection:
        return {"per_layer_projection"};
    case Component::Router:
    case Component::SharedExpert:
    case Component::Experts:
        return modulesOfExperts(component, shape.moe);
    default:
        return {};
    }
}

// The sizes that the analytic count uses, because formats of few bits seldom have all matrices in
// one type.
MatrixSizes matrixSizes(const SizeOfMatrix& sizeOf, const ModelConfig& config)
{
    const FamilyShape shape = familyShape(config);
    const auto& all = shape.names.spellings;
    const auto known = std::ranges::find_if(all, [&](const TensorNames::Spelling& one) {
        return sizeOf(one.model + shape.names.embedding).has_value();
    });
    const TensorNames::Spelling& spelling = known == all.end() ? all.front() : *known;
    MatrixSizes sizes;
    sizes.embedding = sizeOf(spelling.model + shape.names.embedding);
    sizes.head = config.tie_word_embeddings ? sizes.embedding : sizeOf(spelling.head);
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        const std::string prefix =
            spelling.model + shape.names.layers + std::to_string(layer) + ".";
        for (const Component component : layerShape(shape, config, layer).components) {
            double sum = 0.0;
            int found = 0;
            for (const std::string& module : modulesOf(component, shape)) {
                if (const auto size = sizeOf(prefix + module)) {
                    sum += *size;
                    ++found;
                }
            }
            if (found > 0)
                sizes.components[{layer, component}] = sum / found;
        }
    }
    return sizes;
}

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
