// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random.h"

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/text/tokenizer.h"

#include <span>
#include <vector>

namespace ep::model {

struct SampledToken {
    text::TokenId id = 0;
    float probability = 0.0F; // softmax of the raw logits, before temperature and filters
};

// Chooses tokens according to the settings of one sequence. The steps are in HuggingFace's order:
// repetition penalty (also when greedy), temperature, top-k, top-p, min-p. The same seed and
// logits give the same tokens on every platform.
class Sampler {
public:
    explicit Sampler(const SamplingSettings& settings);

    // Applies the repetition penalty to these tokens (the prompt) from now on. Chosen tokens are
    // added automatically.
    void observe(std::span<const text::TokenId> ids);

    // Expects logits of the whole vocabulary, all finite and at least one.
    SampledToken choose(std::span<const float> logits);

private:
    std::span<const float> penalized(std::span<const float> logits);
    std::size_t greedy(std::span<const float> logits) const;
    std::size_t draw(std::span<const float> logits, float largest);

    struct Candidate {
        float logit;
        text::TokenId id;
    };

    SamplingSettings m_settings;
    Random m_random;
    std::vector<Candidate> m_candidates; // reused for each token
    std::vector<double> m_weights;
    std::vector<bool> m_seen; // by id, used only with a penalty
    std::vector<float> m_penalized; // the logits after the penalty
};

// Whether all settings are within their ranges; the table of settings says so to users.
Status checkSampling(const SamplingSettings& settings);

} // namespace ep::model
