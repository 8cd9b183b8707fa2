// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_shape.h"

#include "ep/core/component_kinds.h"

namespace ep::model {
namespace {

using Components = std::vector<Component>;

Components latentComponents(const LayerShape& layer)
{
    Components list = layer.latent.query_rank == 0
        ? Components{Component::QProj}
        : Components{Component::QAProj, Component::QANorm, Component::QBProj};
    list.insert(list.end(),
                {Component::KvAProj, Component::KvANorm, Component::KvBProj, Component::KvCache,
                 Component::Attention, Component::OProj});
    return list;
}

Components attentionComponents(const AttentionOptions& attention, const LayerShape& layer)
{
    if (layer.latent.rank > 0)
        return latentComponents(layer);
    Components list;
    if (attention.fused_name) {
        list = {Component::QkvProj};
    } else {
        list = {Component::QProj};
        if (layer.own_keys)
            list.push_back(Component::KProj);
        if (layer.own_keys && !layer.values_are_keys)
            list.push_back(Component::VProj);
    }
    const bool early = attention.norm_after_rotation && layer.rotary_dim > 0;
    if (early)
        list.push_back(Component::Attention);
    if (attention.head_norm != AttentionOptions::HeadNorm::None) {
        list.push_back(Component::QNorm);
        if (layer.own_keys)
            list.push_back(Component::KNorm);
    }
    if (layer.v_norm_width > 0)
        list.push_back(Component::VNorm);
    if (layer.own_keys)
        list.push_back(Component::KvCache);
    if (!early)
        list.push_back(Component::Attention);
    if (attention.output_gate)
        list.push_back(Component::OutputGate);
    list.push_back(Component::OProj);
    return list;
}

Components expertComponents(const LayerShape& layer)
{
    Components list{Component::Router, Component::Experts};
    if (layer.shared_intermediate > 0)
        list.push_back(Component::SharedExpert);
    return list;
}

Components mixerComponents(const FamilyShape& family, const ModelConfig& config, int index,
                           const LayerShape& layer)
{
    const Components mamba{Component::InProj, Component::Conv1d, Component::Scan,
                           Component::GatedNorm, Component::OutProj};
    switch (config.mixerOf(index)) {
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
        const Components attention = attentionComponents(family.attention, layer);
        list.insert(list.end(), attention.begin(), attention.end());
        return list;
    }
    case Mixer::None:
        return {};
    case Mixer::Attention:
        break;
    }
    return attentionComponents(family.attention, layer);
}

Components mlpComponents(const FamilyShape& family, const LayerShape& layer)
{
    if (layer.intermediate == 0)
        return expertComponents(layer);
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
    Components list;
    const auto add = [&list](const Components& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    const Components mlp = mlpComponents(family, layer);
    if (family.order != LayerOrder::PostNorm)
        add({Component::InputLayernorm});
    add(mixerComponents(family, config, index, layer));
    if (family.order == LayerOrder::OnePart) {
        if (layer.feed_forward)
            add(mlp);
        add({Component::Residual});
        return list;
    }
    switch (family.order) {
    case LayerOrder::OnePart:
        break;
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
    case LayerOrder::PostNorm:
        add({kPostAttention, Component::Residual});
        add(mlp);
        add({Component::PostFeedforwardLayernorm});
        break;
    case LayerOrder::Sandwich:
        add({kPostAttention, Component::Residual, Component::PreFeedforwardLayernorm});
        add(mlp);
        if (layer.experts > 0 && layer.intermediate > 0) {
            add({Component::PostFeedforwardLayernorm1, Component::Router,
                 Component::PreFeedforwardLayernorm2, Component::Experts,
                 Component::PostFeedforwardLayernorm2});
        }
        add({Component::PostFeedforwardLayernorm});
        if (layer.per_layer_input > 0) {
            add({Component::PerLayerInputGate, Component::PerLayerProjection,
                 Component::PostPerLayerInputNorm});
        }
        break;
    }
    return list;
}

// Weights, including biases, of the norms of queries and keys, which together are `width` wide.
std::int64_t headNormWeights(AttentionOptions::HeadNorm kind, int headDim, std::int64_t width)
{
    using HeadNorm = AttentionOptions::HeadNorm;
    switch (kind) {
    case HeadNorm::None:
        return 0;
    case HeadNorm::Layer:
        return std::int64_t{2} * headDim;
    case HeadNorm::LayerOfEachHead:
    case HeadNorm::RmsOfAllHeads:
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
    const int dim = config.headDim(layer);
    shape.hidden = config.hidden_size;
    shape.latent = config.latent.value_or(LatentAttention{});
    shape.own_keys = !config.sharesCache(layer);
    shape.values_are_keys = config.valuesAreKeys(layer);
    shape.per_layer_input = config.per_layer_input;
    shape.kv_heads = config.latent ? 1 : config.kvHeads(layer);
    shape.q = std::int64_t{config.num_attention_heads} * dim;
    shape.kv = shape.own_keys ? shape.kv_heads * dim : 0;
    const bool rotates = family.attention.rotary && config.rotates(layer);
    shape.rotary_dim = rotates ? config.rotaryDim(layer) : 0;
    const auto headNorm = family.attention.head_norm;
    shape.q_norm_weights = headNormWeights(headNorm, dim, shape.q);
    shape.k_norm_weights = shape.own_keys ? headNormWeights(headNorm, dim, shape.kv) : 0;
    shape.v_norm_width = family.attention.value_norm ? shape.kv : 0;
    if (config.hasExperts(layer)) {
        shape.experts = config.moe.experts;
        shape.experts_per_token = config.moe.experts_per_token;
        shape.expert_hidden =
            config.moe.latent_size > 0 ? config.moe.latent_size : config.hidden_size;
        shape.expert_intermediate = config.moe.intermediate_size;
        shape.shared_intermediate = config.moe.shared_intermediate_size;
    }
    if (config.hasDenseMlp(layer))
        shape.intermediate = config.intermediateSize(layer);
    shape.feed_forward = config.hasFeedForward(layer);
    if (config.mixerOf(layer) == Mixer::MambaAndAttention)
        ++shape.residuals; // one for each of two mixers
    if (config.one_part_layers)
        shape.residuals = 1;
    shape.components = componentsOf(family, config, layer, shape);
    return shape;
}

bool isStreamNorm(Component component)
{
    return roleOf(component) == ComponentRole::Norm && blockOf(component) == LayerBlock::Neither;
}

} // namespace ep::model
