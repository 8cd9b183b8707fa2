// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored_sizes.h"

#include "families/family.h"
#include "layer_shape.h"

#include <vector>

namespace ep::model {
namespace {

// The matrices of a component, named relative to the layer.
std::vector<std::string> modulesOf(Component component, const FamilyShape& shape)
{
    const std::string& attention = shape.names.attention;
    const std::string& mlp = shape.names.mlp;
    const std::string& mixer = shape.names.mixer;
    const MoeNames& moe = shape.moe;
    const std::string shared =
        (moe.shared_of_layer ? std::string() : moe.prefixes.back()) + moe.shared;
    const std::string expert = moe.prefixes.back() + moe.experts + "0.";
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
    case Component::SharedExpert:
        return {shared + moe.gate, shared + moe.up, shared + moe.gate_up, shared + moe.down};
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
    case Component::Router:
        return {moe.prefixes.back() + moe.router};
    case Component::Experts: // the first expert stands for all
        return {expert + moe.gate, expert + moe.up, expert + moe.down};
    default:
        return {};
    }
}

} // namespace

void readStoredSizes(const SizeOfMatrix& sizeOf, ModelConfig& config)
{
    const FamilyShape shape = familyShape(config);
    const TensorNames::Spelling& spelling = shape.names.spellings.front();
    StoredSizes& sizes = config.stored_sizes;
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
}

} // namespace ep::model
