// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/delta_net.h"
#include "blocks/latent_attention.h"
#include "blocks/layers.h"
#include "blocks/mamba.h"
#include "blocks/mlp.h"
#include "blocks/moe.h"
#include "blocks/self_attention.h"
#include "blocks/short_convolution.h"
#include "decoder.h"
#include "families/family.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

// Assembles a decoder from the blocks that the family's shape names.
namespace ep::model {
namespace {

class Assembly {
public:
    Assembly(const ModelConfig& config, WeightLoader& weights)
        : m_config(config)
        , m_weights(weights)
        , m_shape(familyShape(config))
        , m_spelling(spelling())
    {
    }

    Decoder make()
    {
        Decoder decoder;
        decoder.config = m_config;
        addEnds(decoder);
        if (m_config.embedding_factor != 1.0)
            decoder.embedding_scale = static_cast<float>(m_config.embedding_factor);
        decoder.logit_scale = static_cast<float>(m_config.logit_factor);
        addPositions(decoder);
        if (m_config.per_layer_input > 0)
            addLayerInputs(decoder);
        const std::string layers = m_spelling.model + m_shape.names.layers;
        for (int layer = 0; layer < m_config.num_hidden_layers; ++layer)
            decoder.layers.push_back(makeLayer(layers + std::to_string(layer) + ".", layer));
        decoder.final_norm = norm(m_spelling.model + m_shape.names.final_norm);
        return decoder;
    }

private:
    const TensorNames::Spelling& spelling() const
    {
        const auto& all = m_shape.names.spellings;
        for (const TensorNames::Spelling& one : all) {
            if (m_weights.has(one.model + m_shape.names.final_norm + ".weight"))
                return one;
        }
        return all.back();
    }

    // Tied weights are one tensor, which may have either name: which of the two is left out when a
    // model is saved depends on the program that saves it.
    void addEnds(Decoder& decoder)
    {
        const std::string head = m_spelling.head;
        const std::string name = m_spelling.model + m_shape.names.embedding + ".weight";
        const bool tied = m_config.tie_word_embeddings;
        const bool underHead = tied && !m_weights.has(name) && m_weights.has(head + ".weight");
        decoder.embedding = m_weights.matrix(underHead ? head + ".weight" : name,
                                             m_config.vocab_size, m_config.hidden_size);
        if (m_shape.scaled_embedding)
            decoder.embedding_scale = static_cast<float>(std::sqrt(m_config.hidden_size));
        if (!tied) {
            decoder.lm_head = m_weights.linear(head, m_config.hidden_size, m_config.vocab_size,
                                               m_shape.head_bias);
            return;
        }
        decoder.lm_head = {.weight = decoder.embedding, .bias = {}};
        if (m_shape.head_bias) // a bias cannot be tied
            decoder.lm_head.bias = m_weights.vector(head + ".bias", m_config.vocab_size);
        m_weights.leaveAside(head + ".weight");
    }

    void addPositions(Decoder& decoder)
    {
        if (m_shape.learnedPositions()) {
            decoder.positions =
                m_weights.matrix(m_spelling.model + m_shape.names.positions + ".weight",
                                 m_config.max_position_embeddings, m_config.hidden_size);
            return;
        }
        decoder.ropes.emplace_back(m_config, m_config.rope, rotaryDimOf(false));
        if (m_config.local_rope)
            decoder.ropes.emplace_back(m_config, *m_config.local_rope, rotaryDimOf(true));
    }

    // Rotated dimensions of a head in layers with or without a sliding window.
    int rotaryDimOf(bool windowed) const
    {
        for (int layer = 0; layer < m_config.num_hidden_layers; ++layer) {
            if (m_config.windowOf(layer).has_value() == windowed)
                return m_config.rotaryDim(layer);
        }
        return m_config.rotaryDim();
    }

    void addLayerInputs(Decoder& decoder)
    {
        const std::int64_t width = m_config.per_layer_input;
        const std::int64_t all = width * m_config.num_hidden_layers;
        const std::string& model = m_spelling.model;
        Decoder::LayerInputs& inputs = decoder.layer_inputs;
        inputs.width = width;
        inputs.embedding = m_weights.matrix(model + "embed_tokens_per_layer.weight",
                                            m_config.per_layer_vocabulary, all);
        inputs.projection = m_weights.linear(model + "per_layer_model_projection",
                                             m_config.hidden_size, all, false);
        inputs.norm =
            m_weights.rmsNorm(model + "per_layer_projection_norm", width, m_config.rms_norm_eps);
    }

    Norm norm(const std::string& name)
    {
        const std::int64_t width = m_config.hidden_size;
        switch (m_shape.norm) {
        case NormStyle::Layer:
            return m_weights.layerNorm(name, width, m_config.layer_norm_eps);
        case NormStyle::LayerWithoutBias:
            return m_weights.layerNormWithoutBias(name, width, m_config.layer_norm_eps);
        case NormStyle::RmsPlusOne:
            return m_weights.rmsNormPlusOne(name, width, m_config.rms_norm_eps);
        case NormStyle::Rms:
            break;
        }
        return m_weights.rmsNorm(name, width, m_config.rms_norm_eps);
    }

    std::unique_ptr<FeedForward> feedForward(const std::string& prefix, int layer)
    {
        if (!m_config.hasDenseMlp(layer))
            return std::make_unique<MoeBlock>(m_weights, m_config, prefix, m_shape.moe);
        const std::string mlp = prefix + m_shape.names.mlp;
        if (m_shape.mlp.kind == MlpOptions::Kind::Plain)
            return std::make_unique<PlainMlp>(m_weights, m_config, mlp, m_shape.mlp);
        return std::make_unique<GatedMlp>(m_weights, m_config, m_config.intermediateSize(layer),
                                          mlp, m_shape.mlp);
    }

    std::unique_ptr<MixerBlock> mixer(const std::string& prefix, int layer)
    {
        switch (m_config.mixerOf(layer)) {
        case Mixer::DeltaNet:
            return std::make_unique<DeltaNet>(m_weights, m_config, prefix + m_shape.names.mixer);
        case Mixer::ShortConvolution:
            return std::make_unique<ShortConvolution>(m_weights, m_config,
                                                      prefix + m_shape.names.mixer);
        case Mixer::Mamba:
            return std::make_unique<Mamba>(m_weights, m_config, prefix + m_shape.names.mixer);
        case Mixer::MambaAndAttention:
            return std::make_unique<MambaAndAttention>(
                Mamba(m_weights, m_config, prefix + m_shape.names.mixer),
                SelfAttention(m_weights, m_config, layer, prefix + m_shape.names.attention,
                              m_shape.attention),
                m_config.branches);
        default:
            if (m_config.latent) {
                return std::make_unique<LatentAttentionBlock>(m_weights, m_config, layer,
                                                              prefix + m_shape.names.attention,
                                                              m_shape.attention);
            }
            return std::make_unique<SelfAttention>(
                m_weights, m_config, layer, prefix + m_shape.names.attention, m_shape.attention);
        }
    }

    // Reads tensors in the order in which readers of an error expect their names: those of the
    // layer's first parts first.
    std::unique_ptr<DecoderLayer> makeLayer(const std::string& prefix, int layer)
    {
        const TensorNames& names = m_shape.names;
        if (m_shape.order == LayerOrder::OnePart)
            return makeOnePart(prefix, layer);
        std::optional<Norm> input;
        if (m_shape.order != LayerOrder::PostNorm)
            input = norm(prefix + names.input_norm);
        std::unique_ptr<MixerBlock> mixer = this->mixer(prefix, layer);
        std::unique_ptr<FeedForward> mlp = feedForward(prefix, layer);
        const auto postAttention = [&] { return norm(prefix + names.post_attention_norm); };
        switch (m_shape.order) {
        case LayerOrder::Parallel:
            return std::make_unique<ParallelLayer>(std::move(*input), std::move(mixer),
                                                   std::nullopt, std::move(mlp));
        case LayerOrder::ParallelTwoNorms:
            return std::make_unique<ParallelLayer>(std::move(*input), std::move(mixer),
                                                   postAttention(), std::move(mlp));
        case LayerOrder::PostNorm:
            return std::make_unique<PostNormLayer>(std::move(mixer), postAttention(),
                                                   std::move(mlp),
                                                   norm(prefix + names.post_feedforward_norm));
        case LayerOrder::Sandwich:
            return makeSandwich(prefix, layer, std::move(*input), std::move(mixer), std::move(mlp));
        case LayerOrder::Sequential:
        case LayerOrder::OnePart:
            break;
        }
        return std::make_unique<PreNormLayer>(std::move(*input), std::move(mixer), postAttention(),
                                              std::move(mlp),
                                              static_cast<float>(m_config.residual_factor));
    }

    std::unique_ptr<DecoderLayer> makeOnePart(const std::string& prefix, int layer)
    {
        Norm first = norm(prefix + m_shape.names.input_norm);
        if (m_config.hasFeedForward(layer))
            return std::make_unique<OnePartLayer>(std::move(first), feedForward(prefix, layer));
        return std::make_unique<OnePartLayer>(std::move(first), mixer(prefix, layer));
    }

    std::unique_ptr<DecoderLayer> makeSandwich(const std::string& prefix, int layer, Norm first,
                                               std::unique_ptr<MixerBlock> mixer,
                                               std::unique_ptr<FeedForward> mlp)
    {
        const TensorNames& names = m_shape.names;
        ExpertsBeside experts;
        if (m_config.moe.beside_dense && m_config.hasExperts(layer)) {
            experts = {std::make_unique<MoeBlock>(m_weights, m_config, prefix, m_shape.moe),
                       norm(prefix + names.post_feedforward_norm + "_1"),
                       norm(prefix + names.pre_feedforward_norm + "_2"),
                       norm(prefix + names.post_feedforward_norm + "_2")};
        }
        PerLayerInput input;
        if (const std::int64_t width = m_config.per_layer_input; width > 0) {
            const std::int64_t hidden = m_config.hidden_size;
            input = {width, activationFromName(m_config.hidden_act),
                     m_weights.linear(prefix + "per_layer_input_gate", hidden, width, false),
                     m_weights.linear(prefix + "per_layer_projection", width, hidden, false),
                     norm(prefix + "post_per_layer_input_norm")};
        }
        return std::make_unique<SandwichLayer>(
            SandwichLayer::Norms{std::move(first), norm(prefix + names.post_attention_norm),
                                 norm(prefix + names.pre_feedforward_norm),
                                 norm(prefix + names.post_feedforward_norm)},
            std::move(mixer), std::move(mlp), std::move(experts), std::move(input),
            scalarOf(prefix));
    }

    std::optional<float> scalarOf(const std::string& prefix)
    {
        if (!m_shape.layer_scalar)
            return std::nullopt;
        const WeightVector scalar = m_weights.wideVector(prefix + "layer_scalar", 1);
        return scalar.tensor.defined() ? scalar.tensor.to(at::kCPU, at::kFloat).item<float>()
                                       : 1.0F;
    }

    const ModelConfig& m_config;
    WeightLoader& m_weights;
    FamilyShape m_shape;
    TensorNames::Spelling m_spelling;
};

} // namespace

Decoder makeDecoder(const ModelConfig& config, WeightLoader& weights)
{
    Decoder decoder = Assembly(config, weights).make();
    weights.finish();
    return decoder;
}

} // namespace ep::model
