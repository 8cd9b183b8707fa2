// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ep::model {

// Rotary position embedding as HuggingFace computes it (modeling_rope_utils): the angle of pair i
// at position p is p x frequency i. For one thread.
class Rope {
public:
    Rope() = default;
    Rope(const ModelConfig& config, const RopeSettings& settings);

    // Cosines and sines of the angles of positions [first, first + count), which end a sequence,
    // times its attention factor; [count, pairs()] each, in the precision of HuggingFace (f32
    // product, then the function).
    void angles(std::int64_t first, std::int64_t count, float* cosines, float* sines) const;
    std::int64_t pairs() const { return static_cast<std::int64_t>(m_short.size()); }

    // Frequencies for a sequence of `length` positions: they depend on the length with dynamic
    // scaling and longrope. Valid until the next call.
    std::span<const float> frequencies(std::int64_t length) const;
    // Whether a sequence that grows from one length to another must be computed anew, because what
    // its cache holds was turned by other frequencies (Phi 3's longrope, past the original
    // context). Dynamic scaling and longrope in other families keep what they have, as HuggingFace
    // does.
    bool startsAnew(std::int64_t from, std::int64_t to) const;

private:
    std::vector<float> dynamicFrequencies(std::int64_t length) const;

    RopeSettings m_settings;
    int m_dimensions = 0;
    std::int64_t m_original = 0; // context before it was stretched
    float m_attentionFactor = 1.0F;
    bool m_recomputes = false; // what was turned before the original context ended
    std::vector<float> m_short;
    std::vector<float> m_long; // longrope, past the original context
    mutable std::int64_t m_dynamicLength = 0; // of m_dynamic
    mutable std::vector<float> m_dynamic;
};

} // namespace ep::model
