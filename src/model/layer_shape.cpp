// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_shape.h"

#include <utility>

namespace ep::model {
namespace {

using Components = std::vector<Component>;

Components attentionComponents(const AttentionOptions& attention)
{
    Components list = attention.fused_name
        ? Components{Component::QkvProj}
        : Components{Component::QProj, Component::KProj, Component::VProj};
    if (attention.head_norm != AttentionOptions::HeadNorm::None)
        list.insert(list.end(), {Component::QNorm, Component::KNorm});
    list.insert(list.end(), {Component::KvCache, Component::Attention});
    if (attention.output_gate)
        list.push_back(Component::OutputGate);
    list.push_back(Component::OProj);
    return list;
}

Components mixerComponents(const FamilyShape& family, const ModelConfig& config, int layer)
{
    const Components mamba{Component::InProj, Component::Conv1d, Component::Scan,
                           Component::GatedNorm, Component::OutProj};
    switch (config.mixerOf(layer)) {
    case Mixer::DeltaNet: {
        Components list = config.state.fused_projections
            ? Components{Component::InProj}
            : Components{Component::InProjQkv, Component::InProjZ};
        list.insert(list.end(),
                    {Component::InProjBa, Component::Conv1d, Component::DeltaRule,
                     Component::GatedNorm, Component::OutProj});
        return list;
    }
    case Mixer::ShortConvolution:
        return {Component::InProj, Component::Conv1d, Component::OutProj};
    case Mixer::Mamba:
        return mamba;
    case Mixer::MambaAndAttention: {
        Components list = mamba;
        const Components attention = attentionComponents(family.attention);
        list.insert(list.end(), attention.begin(), attention.end());
        return list;
    }
    case Mixer::None:
        return {};
    case Mixer::Attention:
        break;
    }
    return attentionComponents(family.attention);
}

Components mlpComponents(const FamilyShape& family, const LayerShape& layer)
{
    if (layer.experts > 0) {
        Components list{Component::Router, Component::Experts};
        if (layer.shared_intermediate > 0)
            list.push_back(Component::SharedExpert);
        return list;
    }
    switch (family.mlp.kind) {
    case MlpOptions::Kind::Plain:
        return {Component::Fc1, Component::Activation, Component::Fc2};
    case MlpOptions::Kind::FusedGated:
        return {Component::GateUpProj, Component::Activation, Component::DownProj};
    case MlpOptions::Kind::Gated:
        break;
    }
    return {Component::GateProj, Component::UpProj, Component::Activation, Component::DownProj};
}

Components componentsOf(const FamilyShape& family, const ModelConfig& config, int index,
                        const LayerShape& layer)
{
    constexpr Component kPostAttention = Component::PostAttentionLayernorm;
    Components list{Component::InputLayernorm};
    const auto add = [&list](const Components& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    const Components mlp = mlpComponents(family, layer);
    add(mixerComponents(family, config, index));
    switch (family.order) {
    case LayerOrder::Sequential:
        add({Component::Residual, kPostAttention});
        add(mlp);
        break;
    case LayerOrder::Parallel:
        add(mlp);
        add({Component::Residual});
        break;
    case LayerOrder::ParallelTwoNorms:
        add({kPostAttention});
        add(mlp);
        add({Component::Residual});
        break;
    case LayerOrder::Sandwich:
        add({kPostAttention, Component::Residual, Component::PreFeedforwardLayernorm});
        add(mlp);
        add({Component::PostFeedforwardLayernorm});
        break;
    }
    return list;
}

// Weights, biases included, of the norms of queries and of keys, which together are `width` wide.
std::int64_t headNormWeights(AttentionOptions::HeadNorm kind, int headDim, std::int64_t width)
{
    using HeadNorm = AttentionOptions::HeadNorm;
    switch (kind) {
    case HeadNorm::None:
        return 0;
    case HeadNorm::Layer:
        return std::int64_t{2} * headDim;
    case HeadNorm::LayerOfEachHead:
        return width;
    case HeadNorm::Rms:
    case HeadNorm::RmsPlusOne:
        break;
    }
    return headDim;
}

} // namespace

LayerShape layerShape(const FamilyShape& family, const ModelConfig& config, int layer)
{
    LayerShape shape;
    shape.hidden = config.hidden_size;
    shape.q = std::int64_t{config.num_attention_heads} * config.head_dim;
    shape.kv = std::int64_t{config.num_key_value_heads} * config.head_dim;
    shape.rotary_dim = family.attention.rotary ? config.rotaryDim() : 0;
    const auto headNorm = family.attention.head_norm;
    shape.q_norm_weights = headNormWeights(headNorm, config.head_dim, shape.q);
    shape.k_norm_weights = headNormWeights(headNorm, config.head_dim, shape.kv);
    if (config.hasExperts(layer)) {
        shape.experts = config.moe.experts;
        shape.experts_per_token = config.moe.experts_per_token;
        shape.expert_intermediate = config.moe.intermediate_size;
        shape.shared_intermediate = config.moe.shared_intermediate_size;
    } else {
        shape.intermediate = config.intermediate_size;
    }
    if (config.mixerOf(layer) == Mixer::MambaAndAttention)
        ++shape.residuals; // the two mixers
    shape.components = componentsOf(family, config, layer, shape);
    return shape;
}

bool isStreamNorm(Component component)
{
    return component == Component::InputLayernorm || component == Component::PostAttentionLayernorm
        || component == Component::PreFeedforwardLayernorm
        || component == Component::PostFeedforwardLayernorm;
}

} // namespace ep::model
