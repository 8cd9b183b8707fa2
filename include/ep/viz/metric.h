// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run_part.h"
#include "ep/core/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ep::viz {

// Metrics of charts of layers and components.
enum class HeatmapMetric : std::uint8_t {
    TimeMs,
    EnergyMj,
    NetEnergyMj, // energy above that of the idle machine
    PowerMw,
    ActivationMean,
    ActivationStd,
    ActivationMax,
    Sparsity,
    AttentionEntropy, // this and the next two are figures of operations
    KillRatio,
    VarianceRatio,
};
inline constexpr std::size_t kHeatmapMetricCount = 11;
inline constexpr std::array<HeatmapMetric, kHeatmapMetricCount> kHeatmapMetrics{
    HeatmapMetric::TimeMs,        HeatmapMetric::EnergyMj,       HeatmapMetric::NetEnergyMj,
    HeatmapMetric::PowerMw,       HeatmapMetric::ActivationMean, HeatmapMetric::ActivationStd,
    HeatmapMetric::ActivationMax, HeatmapMetric::Sparsity,       HeatmapMetric::AttentionEntropy,
    HeatmapMetric::KillRatio,     HeatmapMetric::VarianceRatio};

std::string_view title(HeatmapMetric metric); // "Time"
std::string_view unit(HeatmapMetric metric); // "ms"; empty for pure numbers
bool needsEnergy(HeatmapMetric metric);
bool needsOperations(HeatmapMetric metric); // whether the metric is recorded at depth deep only

// At most 8 characters, for the header of a narrow column: "q", "attn", "in norm".
std::string_view shortName(Component component);

// Names for display: "KV cache init", "Input layernorm".
using ep::title; // of phases and parts
std::string_view title(Section section);
std::string_view title(Component component);

std::string_view title(Operation operation); // "QK matmul"

} // namespace ep::viz
