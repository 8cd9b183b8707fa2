// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

// Metrics of pipeline and token charts.
enum class NodeMetric : std::uint8_t { Time, Energy };
std::string_view title(NodeMetric metric);
std::string_view unit(NodeMetric metric);

// At most 8 characters, for the header of a narrow column: "q", "attn", "in norm".
std::string_view shortName(Component component);

// Names for display: "Prefill", "KV cache init", "Input layernorm".
std::string_view title(Phase phase);
std::string_view title(Section section);
std::string_view title(Component component);

// Coarse parts of a token's energy, few enough to have distinguishable colours. Charts stack them
// in this order.
enum class Part : std::uint8_t {
    Embedding,
    Attention, // projections and attention core
    Mlp, // including router and experts
    Norm,
    KvCache,
    Layers, // remainder of the layers outside their components
    Head, // final norm and LM head
    Sampling,
    Rest, // remainder of the token outside its sections
};
inline constexpr std::size_t kPartCount = 9;
inline constexpr std::array<Part, kPartCount> kParts{Part::Embedding, Part::Attention, Part::Mlp,
                                                     Part::Norm,      Part::KvCache,   Part::Layers,
                                                     Part::Head,      Part::Sampling,  Part::Rest};

std::string_view title(Part part);
Part partOf(Component component);
Part partOf(Section section); // Section::Layers: its remainder
std::string_view title(Operation operation); // "QK matmul"

} // namespace ep::viz
