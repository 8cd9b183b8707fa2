// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/model/engine.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// How well a model predicts a text. Logits become probabilities in double.
namespace ep::model {

// A forward pass over tokens [begin, end) of a text; those from `score` on are scored.
struct TextWindow {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t score = 0; // at least begin + 1: a window's first token has no prediction

    bool operator==(const TextWindow&) const = default;
};

// The windows of HuggingFace's recipe for models of fixed length
// (huggingface.co/docs/transformers/perplexity): windows of `context` tokens start `stride` tokens
// apart, and a token is scored once, in the first window that contains it. 1 <= stride <= context.
std::vector<TextWindow> textWindows(std::int64_t tokens, std::int64_t context, std::int64_t stride);

struct PerplexityRequest {
    std::span<const text::TokenId> ids{}; // at least two
    std::int64_t context = 0; // 0: defaultContext()
    std::int64_t stride = 0; // 0: half the context
    CacheKind cache = CacheKind::Growing; // cache of the engine, not of the reference
};

struct Perplexity {
    std::int64_t scored = 0;
    std::int64_t context = 0;
    std::int64_t stride = 0;
    double nll = 0.0; // mean over the scored tokens, in nats
    std::vector<double> nll_blocks{}; // blockMeans() of the scored tokens
    std::optional<double> kl{}; // mean of D(reference || engine) over them, in nats
    std::optional<double> top1{}; // share of scored tokens with the same most likely token

    double perplexity() const;
};

// Returns the means of up to 64 consecutive parts, each with at least 16 values; empty if there
// would be fewer than two parts.
std::vector<double> blockMeans(std::span<const double> values);

// The model's context, but at most 1024 tokens, because the logits of a window are in memory.
std::int64_t defaultContext(const ModelFacts& facts);

// All scored tokens have the same weight. reference: the same weights in f32, or null. Fails if
// the request does not fit the model or the logits are not finite.
Result<Perplexity> measurePerplexity(Engine& engine, Engine* reference,
                                     const PerplexityRequest& request, const ProgressFn& progress,
                                     const CancelToken& cancel);

// Negative log-likelihood of a token given a row of logits, and divergence between two rows; in
// nats.
double negativeLogLikelihood(std::span<const float> logits, text::TokenId id);
double divergence(std::span<const float> reference, std::span<const float> logits);

} // namespace ep::model
