// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
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

// Optional extras. Copies share them, since there are millions of operations; immutable.
class SharedExtras {
public:
    SharedExtras() = default;
    explicit SharedExtras(OperationExtras extras)
        : m_extras(extras.empty() ? nullptr
                                  : std::make_shared<const OperationExtras>(std::move(extras)))
    {
    }

    explicit operator bool() const { return m_extras != nullptr; }
    const OperationExtras* operator->() const { return m_extras.get(); }
    const OperationExtras& operator*() const { return *m_extras; }
    bool operator==(const SharedExtras& other) const
    {
        if (!m_extras || !other.m_extras)
            return !m_extras && !other.m_extras;
        return *m_extras == *other.m_extras;
    }

private:
    std::shared_ptr<const OperationExtras> m_extras;
};

} // namespace ep
