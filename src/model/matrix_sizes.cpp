// SPDX-License-Identifier: GPL-3.0-or-later
#include "matrix_sizes.h"

#include "families/family.h"
#include "layer_shape.h"

#include <algorithm>
#include <vector>

namespace ep::model {
namespace {

using Modules = std::vector<std::string>;

// Those of a mixture of experts; the first expert stands for all.
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

} // namespace

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

} // namespace ep::model
