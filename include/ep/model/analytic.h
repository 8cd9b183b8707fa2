// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/words.h"
#include "ep/model/config.h"

#include <cstdint>
#include <string_view>
#include <vector>

// The cost of a pass through a model, computed analytically without measuring. Conventions:
// - A multiply-add is two FLOPs. Per value, an RMSNorm counts 4, a LayerNorm 7, an activation
//   function 4 and its gate 1, each score of the softmax 5, a rotated dimension 3.
// - Bytes are the minimum that must be moved: a weight once per pass, regardless of the number of
//   rows; keys and values visible to a sequence once per pass; inputs and outputs of parts once.
// - A state is read and written once per pass. For each of its entries and each row it costs 5
//   FLOPs (to decay, take up a value and be read), or 7 with the delta rule.
// - In a mixture of experts, tokens are spread evenly: T tokens that choose k of E experts each
//   use E (1 - (1 - k / E)^T) of them.
// - Positions attend to those the mask allows: all preceding ones, or a window.
namespace ep::model {

struct Cost {
    double flops = 0.0;
    double weight_bytes = 0.0;
    double cache_bytes = 0.0; // keys, values and states, read and written
    double activation_bytes = 0.0; // inputs and outputs of the parts

    double bytes() const { return weight_bytes + cache_bytes + activation_bytes; }
    Cost& operator+=(const Cost& other);
    friend Cost operator+(Cost a, const Cost& b) { return a += b; }
    Cost scaled(double factor) const;

    bool operator==(const Cost&) const = default;
};

// A pass that computes `rows` new positions of each of `batch` sequences, which all have `context`
// previous positions.
struct PassShape {
    std::int64_t batch = 1;
    std::int64_t rows = 1;
    std::int64_t context = 0;
};

// Bytes per number.
struct NumberSizes {
    // For matrices whose size config.matrix_sizes does not state.
    double weight = 2.0; // weights of projections; int8: 1, and a scale of 4 per row
    double embedding = 2.0; // the embedding, and a head tied to it
    double vector = 4.0; // norms and biases
    double activation = 4.0;
    double cache = 4.0;
    double row_scale = 0.0; // per row of a projection: 4 with int8
};

// The types that the engine uses. On the processor, activations, vectors and the cache are f32; on
// an accelerator they have the computed type (with int8, the stored one).
NumberSizes numberSizes(DType computed, DType stored, bool accelerator);

struct ComponentCost {
    Component component = Component::InputLayernorm;
    Cost cost;
};

// In order of computation; a component that occurs twice (the residual) has one entry.
std::vector<ComponentCost> layerCosts(const ModelConfig& config, int layer, const PassShape& pass,
                                      const NumberSizes& sizes);

struct PassCost {
    Cost embedding;
    std::vector<std::vector<ComponentCost>> layers;
    Cost final_norm; // for the last row of each sequence only, like the head
    Cost lm_head;

    Cost layer(int index) const;
    Cost total() const;
};

PassCost passCost(const ModelConfig& config, const PassShape& pass, const NumberSizes& sizes);

// Cost per token: of the prefill of a prompt divided by its length, and of one decoding step.
Cost prefillTokenCost(const ModelConfig& config, std::int64_t promptTokens,
                      const NumberSizes& sizes);
Cost decodeTokenCost(const ModelConfig& config, std::int64_t context, const NumberSizes& sizes);

// Bytes of one position's keys and values in all layers.
std::int64_t kvBytesPerToken(const ModelConfig& config, const NumberSizes& sizes);
// Bytes of one sequence's states in all layers, which do not depend on its length.
std::int64_t stateBytes(const ModelConfig& config, const NumberSizes& sizes);

// Parameter counts by part of the model; tied embeddings count once, as embeddings.
struct ParameterCounts {
    std::int64_t embedding = 0; // token embeddings, and learned positions
    std::int64_t attention = 0; // attention or another mixer: projections, biases, inner norms
    std::int64_t mlp = 0; // all experts, including shared experts and routers
    std::int64_t norms = 0; // norms of the residual stream
    std::int64_t head = 0; // 0 if tied
    std::int64_t inactive = 0; // experts that one token does not use

    std::int64_t total() const { return embedding + attention + mlp + norms + head; }
    std::int64_t active() const { return total() - inactive; }
};

ParameterCounts countParameters(const ModelConfig& config);

// "MHA" (as many key heads as query heads), "MQA" (one key head) or "GQA".
std::string_view attentionKind(int heads, int kvHeads);

} // namespace ep::model
