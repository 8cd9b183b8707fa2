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
    std::vector<Rope> ropes; // how positions turn: of most layers, and of those with a window
    Weight embedding; // [vocabulary, hidden]
    float embedding_scale = 1.0F;
    Weight positions; // [context, hidden], where positions are learned
    std::vector<std::unique_ptr<DecoderLayer>> layers;
    Norm final_norm;
    Linear lm_head; // [vocabulary, hidden]
    std::int64_t piece_rows = 1024; // of a long prompt that a layer computes at a time

    enum class Logits : std::uint8_t { LastRows, AllRows }; // the last one of each sequence
    // Called with the name and value of each hidden state, for checks against references.
    using HiddenFn = std::function<void(const std::string& name, const Matrix& value)>;

    // Runs ids, one for each row of the step's sequences, behind what their caches hold and leaves
    // the logits in the workspace. The lengths of the caches are the caller's to advance. False
    // when cancelled on the way.
    bool forward(Step& step, std::span<const TokenId> ids, Logits logits,
                 const HiddenFn& hidden = {}) const;

    // Positions that a sequence can have. Those that turn go on past the context when asked to;
    // learned ones end with it.
    std::int64_t contextLength(bool pastContext) const;
    // Whether a sequence that grows from one length to another must be computed anew, because the
    // positions in its cache were turned in another way.
    bool startsAnew(std::int64_t from, std::int64_t to) const;

private:
    void placeRows(Step& step) const; // positions of the step's rows
    void forwardLayer(Step& step, const DecoderLayer& layer) const;
};

// What a family calls the tensors outside its layers.
struct DecoderNames {
    std::string embedding = "model.embed_tokens.weight";
    std::string layers = "model.layers."; // a layer's are "<layers><n>."
    std::string head = "lm_head";
    bool head_bias = false;
};

// A decoder without layers and final norm: embedding, head (separate or tied) and rotations.
Decoder makeDecoderFrame(const ModelConfig& config, WeightLoader& weights,
                         const DecoderNames& names);

// The same with the layers that makeLayer(prefix, index) makes; the final norm is the family's.
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
