// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/metric.h"

#include "ep/core/operation_extras.h"
#include "ep/core/own_part.h"

namespace ep::viz {

namespace {

struct MetricWords {
    std::string_view title;
    std::string_view unit;
};
constexpr std::array<MetricWords, kHeatmapMetricCount> kMetrics{{
    {"Time", "ms"},
    {"Energy", "mJ"},
    {"Net energy", "mJ"},
    {"Power", "mW"},
    {"Activation mean |x|", ""},
    {"Activation deviation", ""},
    {"Activation max |x|", ""},
    {"Sparsity", ""},
    {factsOf(OperationFigure::AttentionEntropy).title, "nats"},
    {factsOf(OperationFigure::KillRatio).title, ""},
    {factsOf(OperationFigure::VarianceRatio).title, ""},
}};

struct ComponentWords {
    std::string_view title;
    std::string_view shortName;
};
constexpr std::array<ComponentWords, kComponentCount> kComponents{{
#define EP_COMPONENT(enumerator, word, title, shortName, ...) {title, shortName},
#include "ep/core/components.def"
#undef EP_COMPONENT
}};

constexpr std::array<std::string_view, kSectionCount> kSections{
    "Tokenization",    "Tensor transfer", "KV cache init",  "Embedding",      "Position embedding",
    "Layers",          "Final norm",      "LM head",        "KV cache store", "Sampling",
    "KV cache append", "Detokenization",  "Memory cleanup", "Model load"};

template <typename Enum>
constexpr std::size_t indexOf(Enum value)
{
    return static_cast<std::size_t>(value);
}

} // namespace

std::string_view title(HeatmapMetric metric)
{
    return kMetrics[indexOf(metric)].title;
}

std::string_view unit(HeatmapMetric metric)
{
    return kMetrics[indexOf(metric)].unit;
}

bool needsEnergy(HeatmapMetric metric)
{
    return metric == HeatmapMetric::EnergyMj || metric == HeatmapMetric::NetEnergyMj
        || metric == HeatmapMetric::PowerMw;
}

bool needsOperations(HeatmapMetric metric)
{
    return metric == HeatmapMetric::AttentionEntropy || metric == HeatmapMetric::KillRatio
        || metric == HeatmapMetric::VarianceRatio;
}

std::string_view shortName(Component component)
{
    if (!isOwn(component))
        return kComponents[indexOf(component)].shortName;
    const std::string_view own = ownName(component);
    return own.substr(own.rfind('.') + 1);
}

std::string_view title(Section section)
{
    return isOwn(section) ? ownName(section) : kSections[indexOf(section)];
}

std::string_view title(Component component)
{
    return isOwn(component) ? ownName(component) : kComponents[indexOf(component)].title;
}

std::string_view title(Operation operation)
{
    static constexpr std::array<std::string_view, kOperationCount> kTitles{
#define EP_OPERATION(enumerator, word, title) title,
#include "ep/core/operations.def"
#undef EP_OPERATION
    };
    return kTitles[static_cast<std::size_t>(operation)];
}

} // namespace ep::viz
