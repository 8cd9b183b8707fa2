// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/enum_words.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace ep::energy {

std::string_view title(RunFeature feature)
{
    constexpr std::array<std::string_view, kRunFeatureCount> kTitles{
        "Active parameters", "Layers",     "Hidden size",    "Input tokens",
        "Output tokens",     "Batch size", "Bits per weight"};
    return wordOf(kTitles, feature);
}

std::optional<double> valueOf(RunFeature feature, const RunInfo& info)
{
    const auto positive = [](double value) {
        return value > 0.0 ? std::optional(value) : std::nullopt;
    };
    switch (feature) {
    case RunFeature::Parameters:
        return positive(static_cast<double>(info.model.active_parameters > 0
                                                ? info.model.active_parameters
                                                : info.model.parameters));
    case RunFeature::Layers:
        return positive(info.model.layers);
    case RunFeature::HiddenSize:
        return positive(info.model.hidden_size);
    case RunFeature::InputTokens:
        return positive(static_cast<double>(info.input_tokens) / batchSize(info));
    case RunFeature::OutputTokens:
        return positive(static_cast<double>(info.output_tokens) / batchSize(info));
    case RunFeature::BatchSize:
        return batchSize(info);
    case RunFeature::BitsPerWeight:
        return info.model.parameters > 0
            ? positive(8.0 * static_cast<double>(info.model.weight_bytes)
                       / static_cast<double>(info.model.parameters))
            : std::nullopt;
    }
    return std::nullopt;
}

std::string_view title(RunGrouping grouping)
{
    constexpr std::array<std::string_view, kRunGroupingCount> kTitles{
        "Model", "Number format", "Attention heads", "Device", "Batch size"};
    return wordOf(kTitles, grouping);
}

std::string modelAndEngine(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    const auto& command = info.profiling.command;
    std::string engine = server ? server->engine : command ? command->engine : "";
    if (constexpr std::string_view kRecorded = "recorded: "; engine.starts_with(kRecorded))
        engine.erase(0, kRecorded.size());
    return info.model.name.empty() || engine.empty() ? info.model.name
                                                     : info.model.name + ", " + engine;
}

std::string groupOf(RunGrouping grouping, const RunInfo& info)
{
    switch (grouping) {
    case RunGrouping::Model:
        return modelAndEngine(info);
    case RunGrouping::NumberFormat:
        return info.dtype;
    case RunGrouping::Attention:
        if (info.model.kv_heads <= 0 || info.model.attention_heads <= 0)
            return {};
        return info.model.kv_heads == info.model.attention_heads ? "MHA"
            : info.model.kv_heads == 1                           ? "MQA"
                                                                 : "GQA";
    case RunGrouping::Device:
        return info.device;
    case RunGrouping::BatchSize:
        return std::to_string(batchSize(info));
    }
    return {};
}

std::vector<const RunSummary*> alikeBut(MayDiffer differ,
                                        const std::vector<const RunSummary*>& runs)
{
    const auto keep = [](const std::vector<const RunSummary*>& from, const auto& valueOf) {
        std::map<std::string, std::size_t> counts;
        for (const RunSummary* run : from)
            ++counts[valueOf(run->info)];
        const auto most =
            std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
        std::vector<const RunSummary*> kept;
        std::ranges::copy_if(from, std::back_inserter(kept), [&](const RunSummary* run) {
            return valueOf(run->info) == most->first;
        });
        return kept;
    };
    std::vector<const RunSummary*> kept = runs;
    if (!differ.model)
        kept = keep(kept, modelAndEngine);
    if (!differ.format)
        kept = keep(kept, [](const RunInfo& info) { return info.dtype; });
    return kept;
}

MayDiffer differingWith(RunFeature feature)
{
    const bool ofModel = feature == RunFeature::Parameters || feature == RunFeature::Layers
        || feature == RunFeature::HiddenSize;
    return {.model = ofModel, .format = feature == RunFeature::BitsPerWeight};
}

MayDiffer differingWith(RunGrouping grouping)
{
    return {.model = grouping == RunGrouping::Model || grouping == RunGrouping::Attention,
            .format = grouping == RunGrouping::NumberFormat};
}

std::string_view energyOrigin(const RunSummary& run)
{
    const Provenance provenance = run.metrics.energy.provenance;
    if (provenance == Provenance::Missing)
        return {};
    if (run.info.power.source == "simulated")
        return "simulated";
    if (run.info.power.source == "replay")
        return "replayed";
    if (run.info.power.source == kImportedSource)
        return name(Provenance::Imported);
    return provenance == Provenance::Imported || provenance == Provenance::Modelled
        ? name(provenance)
        : "measured";
}

std::vector<InsightGroup> groupBy(RunGrouping grouping, RunFigure metric,
                                  const std::vector<const RunSummary*>& runs)
{
    struct Members {
        std::vector<double> values;
        Provenance worst = Provenance::Measured;
        std::set<std::string> sources{};
    };
    std::set<std::string_view> origins;
    for (const RunSummary* run : runs) {
        if (needsEnergy(metric) && valueOf(metric, *run))
            origins.insert(energyOrigin(*run));
    }
    const bool mixed = origins.size() > 1;
    std::map<std::string, Members> groups;
    for (const RunSummary* run : runs) {
        const auto value = valueOf(metric, *run);
        std::string group = groupOf(grouping, run->info);
        if (!value || group.empty())
            continue;
        if (mixed)
            group += " (" + std::string(energyOrigin(*run)) + ')';
        Members& members = groups[group];
        members.values.push_back(*value);
        members.sources.insert(run->info.power.source);
        if (needsEnergy(metric))
            members.worst = std::max(members.worst, run->metrics.energy.provenance);
    }
    std::vector<InsightGroup> all;
    for (const auto& [name, members] : groups)
        all.push_back({name, describe(members.values), members.worst,
                       members.sources.size() == 1 ? *members.sources.begin() : std::string()});
    const bool higher = factsOf(metric).better == Better::Higher;
    std::stable_sort(all.begin(), all.end(), [&](const InsightGroup& a, const InsightGroup& b) {
        return higher ? a.statistics.mean > b.statistics.mean
                      : a.statistics.mean < b.statistics.mean;
    });
    return all;
}

std::optional<TokenCosts> tokenCosts(const std::vector<const RunSummary*>& runs)
{
    std::vector<double> inputs;
    std::vector<double> decoded;
    for (const RunSummary* run : runs) {
        const auto input = run->metrics.joules_per_input_token;
        const auto output = run->metrics.joules_per_output_token;
        if (!input || !output || !(*input > 0.0))
            continue;
        inputs.push_back(*input);
        decoded.push_back(*output);
    }
    if (inputs.empty())
        return std::nullopt;
    return TokenCosts{describe(inputs), describe(decoded)};
}

} // namespace ep::energy
