// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "blocks/moe.h"
#include "decoder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace ep::model {

// The layer of Llama and many related models: h = x + mixer(norm(x)), x = h + mlp(norm(h)).
class PreNormLayer final : public DecoderLayer {
public:
    // factor: multiplies what mixer and MLP add to the residual stream
    PreNormLayer(Norm inputNorm, std::unique_ptr<MixerBlock> mixer, Norm postAttentionNorm,
                 std::unique_ptr<FeedForward> feedForward, float factor)
        : m_input_norm(std::move(inputNorm))
        , m_mixer(std::move(mixer))
        , m_post_attention_norm(std::move(postAttentionNorm))
        , m_feed_forward(std::move(feedForward))
        , m_factor(factor)
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    Norm m_input_norm;
    std::unique_ptr<MixerBlock> m_mixer;
    Norm m_post_attention_norm;
    std::unique_ptr<FeedForward> m_feed_forward;
    float m_factor;
};

// Nemotron-H: x = x + part(norm(x)), the part a mixer or a feed-forward network.
class OnePartLayer final : public DecoderLayer {
public:
    OnePartLayer(Norm norm, std::unique_ptr<MixerBlock> mixer)
        : m_norm(std::move(norm))
        , m_mixer(std::move(mixer))
    {
    }
    OnePartLayer(Norm norm, std::unique_ptr<FeedForward> feedForward)
        : m_norm(std::move(norm))
        , m_feed_forward(std::move(feedForward))
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    Norm m_norm;
    std::unique_ptr<MixerBlock> m_mixer; // null if the layer is a feed-forward network
    std::unique_ptr<FeedForward> m_feed_forward; // null if the layer is a mixer
};

// OLMo 2 and 3, EXAONE 4: h = x + norm(mixer(x)), x = h + norm(mlp(h)).
class PostNormLayer final : public DecoderLayer {
public:
    PostNormLayer(std::unique_ptr<MixerBlock> mixer, Norm postAttentionNorm,
                  std::unique_ptr<FeedForward> feedForward, Norm postFeedforwardNorm)
        : m_mixer(std::move(mixer))
        , m_post_attention_norm(std::move(postAttentionNorm))
        , m_feed_forward(std::move(feedForward))
        , m_post_feedforward_norm(std::move(postFeedforwardNorm))
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    std::unique_ptr<MixerBlock> m_mixer;
    Norm m_post_attention_norm;
    std::unique_ptr<FeedForward> m_feed_forward;
    Norm m_post_feedforward_norm;
};

// Attention and MLP in parallel: x = x + attention(norm(x)) + mlp(norm(x)), with one norm for both
// or one each.
class ParallelLayer final : public DecoderLayer {
public:
    ParallelLayer(Norm inputNorm, std::unique_ptr<MixerBlock> mixer, std::optional<Norm> mlpNorm,
                  std::unique_ptr<FeedForward> feedForward)
        : m_input_norm(std::move(inputNorm))
        , m_mixer(std::move(mixer))
        , m_mlp_norm(std::move(mlpNorm))
        , m_feed_forward(std::move(feedForward))
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    Norm m_input_norm;
    std::unique_ptr<MixerBlock> m_mixer;
    std::optional<Norm> m_mlp_norm;
    std::unique_ptr<FeedForward> m_feed_forward;
};

// Experts next to a dense MLP. Both read the stream, and their outputs are added.
struct ExpertsBeside {
    std::unique_ptr<MoeBlock> experts; // null: there are none
    Norm post_dense;
    Norm pre_experts;
    Norm post_experts;

    // branch: the output of the dense MLP; receives the sum.
    void forward(Step& step, const Matrix& x, Matrix& branch) const;
};

// A second input that each layer gets from the token: x += norm(project(f(gate(x)) * input)).
struct PerLayerInput {
    std::int64_t width = 0; // 0: there is none
    Activation activation = Activation::GeluTanh;
    Linear gate; // [width, hidden]
    Linear projection; // [hidden, width]
    Norm norm;

    void forward(Step& step, Matrix& x) const;
};

// Gemma 2 to 4: h = x + norm(attention(norm(x))), x = h + norm(mlp(norm(h))).
class SandwichLayer final : public DecoderLayer {
public:
    struct Norms {
        Norm input;
        Norm post_attention;
        Norm pre_feedforward;
        Norm post_feedforward;
    };
    // scalar: multiplies the residual stream at the end
    SandwichLayer(Norms norms, std::unique_ptr<MixerBlock> mixer,
                  std::unique_ptr<FeedForward> feedForward, ExpertsBeside experts,
                  PerLayerInput input, std::optional<float> scalar)
        : m_norms(std::move(norms))
        , m_mixer(std::move(mixer))
        , m_feed_forward(std::move(feedForward))
        , m_experts(std::move(experts))
        , m_input(std::move(input))
        , m_scalar(scalar)
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    Norms m_norms;
    std::unique_ptr<MixerBlock> m_mixer;
    std::unique_ptr<FeedForward> m_feed_forward;
    ExpertsBeside m_experts;
    PerLayerInput m_input;
    std::optional<float> m_scalar;
};

} // namespace ep::model
