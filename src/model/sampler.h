// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random.h"

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/tokenizer.h"

#include <span>
#include <vector>

namespace ep::model {

struct SampledToken {
    TokenId id = 0;
    float probability = 0.0F; // softmax of the raw logits, before temperature and filters
};

// Chooses tokens by the settings of one generation. Filters work in the order of HuggingFace:
// temperature, top-k, top-p. The same seed and logits give the same tokens on every platform.
class Sampler {
public:
    explicit Sampler(const SamplingSettings& settings);

    // Logits of the whole vocabulary, all finite and at least one.
    SampledToken choose(std::span<const float> logits);

private:
    std::size_t draw(std::span<const float> logits, float largest);

    struct Candidate {
        float logit;
        TokenId id;
    };

    SamplingSettings m_settings;
    Random m_random;
    std::vector<Candidate> m_candidates; // kept from token to token
    std::vector<double> m_weights;
};

// InvalidInput that names the setting which is out of range.
Status checkSampling(const SamplingSettings& settings);

} // namespace ep::model
