// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"
#include "quantize/rounding.h"

#include <algorithm>
#include <cmath>

namespace ep::model {

void quantizeToMlx(int bits, const float* x, std::int64_t count, std::byte* packed, float* scales,
                   float* biases)
{
    constexpr float kMin = 1e-7F;
    const int most = (1 << bits) - 1;
    std::fill_n(packed, count * bits / 8, std::byte{0});
    for (std::int64_t group = 0; group < count / kMlxGroup; ++group) {
        const float* const values = x + group * kMlxGroup;
        const auto [low, high] = std::minmax_element(values, values + kMlxGroup);
        // The end with the larger magnitude is exact: it is the bias, a multiple of the scale.
        const bool fromLow = std::abs(*low) > std::abs(*high);
        const float edge = fromLow ? *low : *high;
        float scale = std::max((*high - *low) / static_cast<float>(most), kMin);
        scale = fromLow ? scale : -scale;
        const float steps = std::nearbyint(edge / scale);
        float bias = 0.0F;
        if (steps != 0.0F) {
            scale = edge / steps;
            bias = edge;
        }
        scales[group] = scale;
        biases[group] = bias;
        for (std::int64_t i = 0; i < kMlxGroup; ++i) {
            const int q = std::clamp(nearestEven((values[i] - bias) / scale), 0, most);
            const std::int64_t bit = (group * kMlxGroup + i) * bits;
            packed[bit / 8] |= static_cast<std::byte>(q << bit % 8);
            if (bit % 8 + bits > 8)
                packed[bit / 8 + 1] |= static_cast<std::byte>(q >> (8 - bit % 8));
        }
    }
}

} // namespace ep::model
