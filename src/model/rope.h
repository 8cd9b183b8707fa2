// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ep::model {

// Rotary position embedding as in HuggingFace (modeling_rope_utils): the angle of pair i at
// position p is p x frequency i. Not thread-safe.
class Rope {
public:
    Rope() = default;
    // dimensions: number of rotated dimensions of a head; 0: as the config states for its first
    // layer
    Rope(const ModelConfig& config, const RopeSettings& settings, int dimensions = 0);

    // Cosines and sines of the angles of positions [first, first + count) at the end of a
    // sequence, times its attention factor; [count, pairs()] each, with HuggingFace's precision
    // (f32 product, then the function).
    void angles(std::int64_t first, std::int64_t count, float* cosines, float* sines) const;
    std::int64_t pairs() const { return static_cast<std::int64_t>(m_short.size()); }

    // Frequencies for a sequence of `length` positions, on which they depend for dynamic scaling
    // and longrope. Valid until the next call.
    std::span<const float> frequencies(std::int64_t length) const;
    // Whether a sequence that grows from one length to another must be recomputed, because its
    // cached positions were rotated with other frequencies (Phi 3's longrope, beyond the original
    // context). Dynamic scaling, and longrope in other families, keep the cached positions, as in
    // HuggingFace.
    bool startsAnew(std::int64_t from, std::int64_t to) const;

private:
    std::vector<float> dynamicFrequencies(std::int64_t length) const;

    RopeSettings m_settings;
    int m_dimensions = 0;
    std::int64_t m_original = 0; // original context
    float m_attentionFactor = 1.0F;
    bool m_recomputes = false; // recompute when the original context is exceeded
    std::vector<float> m_short;
    std::vector<float> m_long; // longrope, beyond the original context
    mutable std::int64_t m_dynamicLength = 0; // length that m_dynamic is for
    mutable std::vector<float> m_dynamic;
};

} // namespace ep::model
