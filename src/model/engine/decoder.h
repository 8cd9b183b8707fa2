// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// One decoder layer of some family; x [rows, hidden] is the residual stream, changed in place.
class DecoderLayer {
public:
    virtual ~DecoderLayer() = default;
    virtual void forward(Step& step, Matrix& x) const = 0;
};

// A decoder-only transformer: embedding, layers, final norm, head. A family's file fills it in.
struct Decoder {
    ModelConfig config;
    std::vector<float> inverse_frequencies;
    Weight embedding; // [vocabulary, hidden]
    std::vector<std::unique_ptr<DecoderLayer>> layers;
    Norm final_norm;
    Linear lm_head; // [vocabulary, hidden]

    enum class Logits : std::uint8_t { LastRows, AllRows }; // the last one of each sequence
    // Called with the name and value of each hidden state, for checks against references.
    using HiddenFn = std::function<void(const std::string& name, const Matrix& value)>;

    // Runs ids, one for each row of the step's sequences, behind what their caches hold and leaves
    // the logits in the workspace. The lengths of the caches are the caller's to advance. False
    // when cancelled on the way.
    bool forward(Step& step, std::span<const TokenId> ids, Logits logits,
                 const HiddenFn& hidden = {}) const;
};

// "model.layers.<n>.", the prefix of a layer's tensors.
std::string layerPrefix(int layer);

// A decoder with what does not differ between families: embedding and rotary frequencies.
Decoder makeDecoderFrame(const ModelConfig& config, WeightLoader& weights);

// lm_head, or the embedding again where the two are tied.
Linear makeHead(const ModelConfig& config, WeightLoader& weights, const Weight& embedding,
                bool bias);

// The decoder of a supported architecture with its weights; throws LoadError.
Decoder makeDecoder(const ModelConfig& config, WeightLoader& weights);

} // namespace ep::model
