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

// A decoder-only transformer: embedding, layers, final norm, head. Built by makeDecoder().
struct Decoder {
    ModelConfig config;
    std::vector<Rope> ropes; // one for most layers, one for layers with a window
    Weight embedding; // [vocabulary, hidden]
    float embedding_scale = 1.0F;
    float logit_scale = 1.0F;
    Weight positions; // [context, hidden], if positions are learned
    // Inputs that layers have besides the residual stream (Gemma 4), [.., layers * width].
    struct LayerInputs {
        std::int64_t width = 0; // 0: there are none
        Weight embedding; // [vocabulary, layers * width]
        Linear projection; // [layers * width, hidden]
        Norm norm; // norm of the part for each layer
    };
    LayerInputs layer_inputs;
    std::vector<std::unique_ptr<DecoderLayer>> layers;
    Norm final_norm;
    Linear lm_head; // [vocabulary, hidden]
    std::int64_t piece_rows = 1024; // rows of a long prompt that a layer computes at a time

    enum class Logits : std::uint8_t { LastRows, AllRows }; // the last row of each sequence
    // Called with the name and value of each hidden state, for checks against references.
    using HiddenFn = std::function<void(const std::string& name, const Matrix& value)>;

    // Computes ids, one per row of the step's sequences, after the positions in their caches, and
    // leaves the logits in the workspace. The caller must advance the caches' lengths. Returns
    // false if cancelled.
    bool forward(Step& step, std::span<const text::TokenId> ids, Logits logits,
                 const HiddenFn& hidden = {}) const;

    // The maximum number of positions of a sequence. On request, rotary positions continue beyond
    // the context; learned ones cannot.
    std::int64_t contextLength(bool pastContext) const;
    // Whether a sequence that grows from one length to another must be recomputed, because the
    // cached positions were rotated differently.
    bool startsAnew(std::int64_t from, std::int64_t to) const;

private:
    std::span<const text::TokenId> embeddedIds(Step& step,
                                               std::span<const text::TokenId> ids) const;
    void placeRows(Step& step) const; // sets the positions of the step's rows
    void makeLayerInputs(Step& step, std::span<const text::TokenId> ids) const;
    void forwardLayer(Step& step, const DecoderLayer& layer) const;
};

// Builds the decoder of a supported architecture with its weights, according to the shape of its
// family (families/family.h); throws LoadError.
Decoder makeDecoder(const ModelConfig& config, WeightLoader& weights);

} // namespace ep::model
