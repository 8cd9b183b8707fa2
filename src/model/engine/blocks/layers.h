// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/feed_forward.h"
#include "blocks/mixer.h"
#include "decoder.h"

#include <memory>
#include <optional>
#include <utility>

namespace ep::model {

// The layer of Llama and many related models: h = x + mixer(norm(x)), x = h + mlp(norm(h)).
class PreNormLayer final : public DecoderLayer {
public:
    // factor: of what mixer and MLP add to the stream
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

// Gemma 2 and 3: h = x + norm(attention(norm(x))), x = h + norm(mlp(norm(h))).
class SandwichLayer final : public DecoderLayer {
public:
    struct Norms {
        Norm input;
        Norm post_attention;
        Norm pre_feedforward;
        Norm post_feedforward;
    };
    SandwichLayer(Norms norms, std::unique_ptr<MixerBlock> mixer,
                  std::unique_ptr<FeedForward> feedForward)
        : m_norms(std::move(norms))
        , m_mixer(std::move(mixer))
        , m_feed_forward(std::move(feedForward))
    {
    }
    void forward(Step& step, Matrix& x) const override;

private:
    Norms m_norms;
    std::unique_ptr<MixerBlock> m_mixer;
    std::unique_ptr<FeedForward> m_feed_forward;
};

} // namespace ep::model
