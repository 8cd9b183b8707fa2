// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/words.h"
#include "ep/model/config.h"

#include <cstdint>
#include <string_view>
#include <vector>

// What a pass through a model takes, by arithmetic: nothing here is measured. The conventions:
// - A multiply-add is two FLOPs. For each value an RMSNorm counts 4, a LayerNorm 7, an activation
//   function 4 and its gate 1, each score of the softmax 5, a rotated dimension 3.
// - Bytes are the least that must move: a weight once in a pass, however many rows use it; keys and
//   values that a sequence sees once in a pass; inputs and outputs of every part once.
// - Of a mixture of experts, tokens are spread evenly: T tokens that choose k of E experts each
//   touch E (1 - (1 - k / E)^T) of them.
// - Positions see what the mask lets them: all before them, or a window.
namespace ep::model {

struct Cost {
    double flops = 0.0;
    double weight_bytes = 0.0;
    double cache_bytes = 0.0; // keys and values, read and written
    double activation_bytes = 0.0; // inputs and outputs of parts

    double bytes() const { return weight_bytes + cache_bytes + activation_bytes; }
    Cost& operator+=(const Cost& other);
    friend Cost operator+(Cost a, const Cost& b) { return a += b; }
    Cost scaled(double factor) const;

    bool operator==(const Cost&) const = default;
};

// A pass that computes `rows` new positions of each of `batch` sequences, all of which have
// `context` positions behind them.
struct PassShape {
    std::int64_t batch = 1;
    std::int64_t rows = 1;
    std::int64_t context = 0;
};

// Bytes of one number.
struct NumberSizes {
    double weight = 2.0; // of projections; int8: 1 and a scale of 4 for each row
    double embedding = 2.0; // of the embedding, and of a head that is tied to it
    double vector = 4.0; // of norms and biases
    double activation = 4.0;
    double cache = 4.0;
    double row_scale = 0.0; // for each row of a projection: 4 with int8
};

// As the engine computes: on the processor activations, vectors and the cache are f32; on an
// accelerator they are in the computed type (with int8 in the stored one).
NumberSizes numberSizes(DType computed, DType stored, bool accelerator);

struct ComponentCost {
    Component component = Component::InputLayernorm;
    Cost cost;
};

// In the order of the computation; a component that occurs twice (the residual) is one entry.
std::vector<ComponentCost> layerCosts(const ModelConfig& config, int layer, const PassShape& pass,
                                      const NumberSizes& sizes);

struct PassCost {
    Cost embedding;
    std::vector<std::vector<ComponentCost>> layers;
    Cost final_norm; // of the last row of each sequence, like the head
    Cost lm_head;

    Cost layer(int index) const;
    Cost total() const;
};

PassCost passCost(const ModelConfig& config, const PassShape& pass, const NumberSizes& sizes);

// Of one token: the prefill of a prompt divided by its length, and one step of decoding.
Cost prefillTokenCost(const ModelConfig& config, std::int64_t promptTokens,
                      const NumberSizes& sizes);
Cost decodeTokenCost(const ModelConfig& config, std::int64_t context, const NumberSizes& sizes);

// Keys and values of one position, all layers.
std::int64_t kvBytesPerToken(const ModelConfig& config, const NumberSizes& sizes);

// Parameters by what they belong to; tied embeddings are counted once, as embeddings.
struct ParameterCounts {
    std::int64_t embedding = 0; // tokens, and positions where they are learned
    std::int64_t attention = 0; // projections, biases, norms of queries and keys
    std::int64_t mlp = 0; // all experts, shared ones and routers included
    std::int64_t norms = 0; // of the residual stream
    std::int64_t head = 0; // 0 where it is tied
    std::int64_t inactive = 0; // experts that one token does not pass

    std::int64_t total() const { return embedding + attention + mlp + norms + head; }
    std::int64_t active() const { return total() - inactive; }
};

ParameterCounts countParameters(const ModelConfig& config);

// "MHA" (as many key heads as query heads), "MQA" (one key head) or "GQA".
std::string_view attentionKind(int heads, int kvHeads);

} // namespace ep::model
