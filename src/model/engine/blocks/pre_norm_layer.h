// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mlp.h"
#include "blocks/self_attention.h"
#include "decoder.h"

namespace ep::model {

// The layer of Llama and its many relatives: h = x + attention(norm(x)), x = h + mlp(norm(h)).
class PreNormLayer final : public DecoderLayer {
public:
    struct Options {
        AttentionOptions attention;
        bool fused_gate_up = false;
    };

    PreNormLayer(WeightLoader& weights, const ModelConfig& config, int layer,
                 const Options& options);

    void forward(Step& step, Matrix& x) const override;

private:
    Norm m_input_layernorm;
    SelfAttention m_self_attn;
    Norm m_post_attention_layernorm;
    GatedMlp m_mlp;
};

// A whole decoder of such layers with HuggingFace's names for its tensors.
Decoder makePreNormDecoder(const ModelConfig& config, WeightLoader& weights,
                           const PreNormLayer::Options& options);

} // namespace ep::model
