// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_view.h"

#include "ep/core/component_kinds.h"

#include <algorithm>

namespace ep::api {

namespace {

Json message(const char* type, const LiveRun& run)
{
    return {{"type", type}, {"run_id", run.id}};
}

void addStats(Json& json, const std::optional<ActivationStats>& stats)
{
    json["activation_mean"] = stats ? Json(stats->mean_abs) : Json();
    json["activation_std"] = stats ? Json(stats->std) : Json();
    json["activation_max"] = stats ? Json(stats->max_abs) : Json();
    json["activation_sparsity"] = stats ? Json(stats->sparsity) : Json();
}

// Contains only the figures that the operation has; figures per head are averaged.
Json extrasJson(const SharedExtras& extras)
{
    Json json = Json::object();
    if (!extras)
        return json;
    const auto add = [&](const char* key, const auto& value) {
        if (value)
            json[key] = *value;
    };
    add("attention_entropy", meanOf(extras->attention_entropy));
    add("max_attention_weight", meanOf(extras->max_attention_weight));
    add("attention_sparsity", meanOf(extras->attention_sparsity));
    add("activation_kill_ratio", extras->activation_kill_ratio);
    add("variance_ratio", extras->variance_ratio);
    return json;
}

} // namespace

Json powerMessage(const LiveRun& run, const PowerSample& sample)
{
    Json json = message("power_sample", run);
    json["timestamp_ms"] = toMilliseconds(sample.window.end_ns - run.zero_ns);
    json["duration_ms"] = toMilliseconds(sample.window.duration_ns());
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System})
        json[std::string(name(rail)) + "_power_mw"] = orNull(sample.power_mw[rail]);
    json["total_power_mw"] = orNull(sample.total_mw);
    json["phase"] = std::string(name(sample.phase));
    json["modelled"] = sample.modelled;
    return json;
}

Json sectionMessage(const LiveRun& run, const session::SectionEvent& event, bool end)
{
    Json json = message(end ? "section_end" : "section_start", run);
    json["phase"] = std::string(name(event.phase));
    json["section_name"] = std::string(name(event.section));
    json["token"] = event.token == kNoToken ? Json() : Json(event.token);
    json["timestamp_ms"] =
        toMilliseconds((end ? event.time.end_ns : event.time.begin_ns) - run.zero_ns);
    if (end)
        json["duration_ms"] = toMilliseconds(event.time.duration_ns());
    return json;
}

Json tokenMessage(const LiveRun& run, const session::TokenComplete& token)
{
    const TokenSpan& span = token.token;
    Json json = message("token_complete", run);
    json["token"] = span.index;
    json["position"] = span.position;
    json["token_id"] = span.id;
    json["text"] = span.text;
    json["phase"] = std::string(name(span.phase));
    json["sequences"] = span.sequences;
    json["timestamp_ms"] = toMilliseconds(span.time.end_ns - run.zero_ns);
    json["duration_ms"] = toMilliseconds(span.time.duration_ns());
    json["energy_mj"] = orNull(span.energy.total_mj);
    json["energy_provenance"] = std::string(name(span.energy.provenance));
    json["power_snapshot_mw"] = orNull(span.power_snapshot_mw);
    return json;
}

Json layerMessage(const LiveRun& run, const session::TokenComplete& token)
{
    Json json = message("layer_metrics", run);
    json["token"] = token.token.index;
    json["layers"] = Json::array();
    auto part = token.components.begin(); // sorted by layer, like the layers
    for (const LayerSpan& layer : token.layers) {
        Nanoseconds attention = 0;
        Nanoseconds mlp = 0;
        for (; part != token.components.end() && part->layer <= layer.layer; ++part) {
            if (part->layer != layer.layer)
                continue;
            const LayerBlock block = blockOf(part->component);
            if (block != LayerBlock::Neither)
                (block == LayerBlock::Attention ? attention : mlp) += part->time.duration_ns();
        }
        Json one{{"layer_index", layer.layer},
                 {"total_time_ms", toMilliseconds(layer.time.duration_ns())},
                 {"attention_time_ms", toMilliseconds(attention)},
                 {"mlp_time_ms", toMilliseconds(mlp)},
                 {"energy_mj", orNull(layer.energy_mj)}};
        addStats(one, layer.stats);
        json["layers"].push_back(std::move(one));
    }
    return json;
}

Json componentMessage(const LiveRun& run, const session::TokenComplete& token)
{
    Json json = message("component_metrics", run);
    json["token"] = token.token.index;
    json["components"] = Json::array();
    for (const ComponentSpan& span : token.components) {
        Json one{{"layer_index", span.layer},
                 {"component_name", std::string(name(span.component))},
                 {"time_ms", toMilliseconds(span.time.duration_ns())},
                 {"energy_mj", orNull(span.energy_mj)}};
        addStats(one, span.stats);
        json["components"].push_back(std::move(one));
    }
    return json;
}

Json operationMessage(const LiveRun& run, const RunTrace& trace, std::int32_t token)
{
    Json json = message("operation_metrics", run);
    json["token"] = token;
    json["operations"] = Json::array();
    const auto begin = std::lower_bound(
        trace.operations.begin(), trace.operations.end(), token,
        [](const OperationSpan& span, std::int32_t value) { return span.token < value; });
    for (auto span = begin; span != trace.operations.end() && span->token == token; ++span) {
        Json one{{"layer_index", span->layer},
                 {"component_name", std::string(name(span->component))},
                 {"operation_name", std::string(name(span->operation))},
                 {"time_ms", toMilliseconds(span->time.duration_ns())},
                 {"energy_mj", orNull(span->energy_mj)},
                 {"flops_estimate", span->work ? Json(span->work->flops) : Json()}};
        addStats(one, span->stats);
        one["extra_metrics"] = extrasJson(span->extras);
        json["operations"].push_back(std::move(one));
    }
    return json;
}

Json completeMessage(const session::RunFinished& finished)
{
    const Run& run = *finished.run;
    Json json{{"type", "inference_complete"},
              {"run_id", run.info.id},
              {"status", std::string(name(run.info.status))},
              {"saved", finished.saved}};
    json["summary"] = runSummary(run);
    return json;
}

} // namespace ep::api
