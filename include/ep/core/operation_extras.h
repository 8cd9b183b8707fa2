// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/shared.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ep {

// Figures of some operations only (profiling depth `deep`). Figures per head refer to the last row
// of each sequence of the step, averaged over the sequences.
struct OperationExtras {
    std::vector<float> attention_entropy; // entropy of each head's weights, in nats: -sum w ln w
    std::vector<float> max_attention_weight; // largest weight of each head
    std::vector<float> attention_sparsity; // share of each head's weights below the threshold
    std::optional<float> activation_kill_ratio; // share of an activation's inputs below zero
    std::optional<float> variance_ratio; // variance of a norm's input / variance of its output
    std::optional<std::int32_t> expert; // index of the expert
    std::optional<std::int32_t> rows; // number of rows computed by the expert

    bool empty() const { return *this == OperationExtras(); }
    bool operator==(const OperationExtras&) const = default;
};

// Mean of a figure over the heads; absent without heads.
inline std::optional<double> meanOf(const std::vector<float>& heads)
{
    if (heads.empty())
        return std::nullopt;
    double sum = 0.0;
    for (const float value : heads)
        sum += static_cast<double>(value);
    return sum / static_cast<double>(heads.size());
}

using SharedExtras = Shared<OperationExtras>; // shared because there are millions of operations

} // namespace ep
