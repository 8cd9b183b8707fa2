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

// One decoder layer of a family; x [rows, hidden] is the residual stream, modified in place.
class DecoderLayer {
public:
    virtual ~DecoderLayer() = default;
    virtual void forward(Step& step, Matrix& x) const = 0;
};

// A decoder-only transformer: embedding, layers, final norm, head. Built by the file of a family.
struct Decoder {
    ModelConfig config;
    std::vector<Rope> ropes; // rotations: of most layers, and of layers with a window
    Weight embedding; // [vocabulary, hidden]
    float embedding_scale = 1.0F;
    Weight positions; // [context, hidden], if positions are learned
    std::vector<std::unique_ptr<DecoderLayer>> layers;
    Norm final_norm;
    Linear lm_head; // [vocabulary, hidden]
    std::int64_t piece_rows = 1024; // rows of a long prompt computed by a layer at a time

    enum class Logits : std::uint8_t { LastRows, AllRows }; // the last row of each sequence
    // Called with the name and value of each hidden state, for checks against references.
    using HiddenFn = std::function<void(const std::string& name, const Matrix& value)>;

    // Runs ids, one per row of the step's sequences, after the positions in their caches, and
    // leaves the logits in the workspace. The caller must advance the lengths of the caches.
    // Returns false if cancelled.
    bool forward(Step& step, std::span<const TokenId> ids, Logits logits,
                 const HiddenFn& hidden = {}) const;

    // The maximum number of positions of a sequence. Rotary positions can continue past the context
    // on request, learned ones cannot.
    std::int64_t contextLength(bool pastContext) const;
    // Whether a sequence that grows from one length to another must be recomputed, because the
    // positions in its cache were rotated differently.
    bool startsAnew(std::int64_t from, std::int64_t to) const;

private:
    void placeRows(Step& step) const; // sets the positions of the step's rows
    void forwardLayer(Step& step, const DecoderLayer& layer) const;
};

// Names of a family's tensors outside of the layers.
struct DecoderNames {
    std::string embedding = "model.embed_tokens.weight";
    std::string layers = "model.layers."; // prefix of a layer: "<layers><n>."
    std::string head = "lm_head";
    bool head_bias = false;
};

// A decoder without layers and final norm: embedding, head (separate or tied) and rotations.
Decoder makeDecoderFrame(const ModelConfig& config, WeightLoader& weights,
                         const DecoderNames& names);

// With layers from makeLayer(prefix, index); the family adds the final norm.
template <typename MakeLayer>
Decoder assemble(const ModelConfig& config, WeightLoader& weights, const DecoderNames& names,
                 MakeLayer&& makeLayer)
{
    Decoder decoder = makeDecoderFrame(config, weights, names);
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        decoder.layers.push_back(makeLayer(names.layers + std::to_string(layer) + ".", layer));
    return decoder;
}

// The decoder of a supported architecture with its weights; throws LoadError.
Decoder makeDecoder(const ModelConfig& config, WeightLoader& weights);

} // namespace ep::model
