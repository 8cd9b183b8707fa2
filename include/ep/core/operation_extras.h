// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/shared.h"

#include <array>
#include <cstddef>
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

// The numeric figures of an operation, in the order of display.
enum class OperationFigure : std::uint8_t {
    AttentionEntropy,
    MaxAttentionWeight,
    AttentionSparsity,
    KillRatio,
    VarianceRatio,
};
struct OperationFigureFacts {
    const char* word; // in JSON
    const char* title;
    std::vector<float> OperationExtras::*heads = nullptr; // one of these two
    std::optional<float> OperationExtras::*value = nullptr;

    // The mean over the heads; absent if the operation lacks the figure.
    std::optional<double> of(const OperationExtras& extras) const
    {
        if (heads != nullptr)
            return meanOf(extras.*heads);
        const std::optional<float>& number = extras.*value;
        return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
    }
};
inline constexpr std::array<OperationFigureFacts, 5> kOperationFigures{{
    {"attention_entropy", "Attention entropy", &OperationExtras::attention_entropy},
    {"max_attention_weight", "Largest attention weight", &OperationExtras::max_attention_weight},
    {"attention_sparsity", "Attention sparsity", &OperationExtras::attention_sparsity},
    {"activation_kill_ratio", "Kill ratio", nullptr, &OperationExtras::activation_kill_ratio},
    {"variance_ratio", "Variance ratio", nullptr, &OperationExtras::variance_ratio},
}};
constexpr const OperationFigureFacts& factsOf(OperationFigure figure)
{
    return kOperationFigures[static_cast<std::size_t>(figure)];
}

using SharedExtras = Shared<OperationExtras>; // shared because there are millions of operations

} // namespace ep
