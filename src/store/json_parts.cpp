// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_parts.h"

#include "ep/core/clock.h"

namespace ep::store {

namespace {

void writeSampling(JsonWriter& json, const SamplingSettings& sampling)
{
    json.beginObject(JsonWriter::Layout::Inline);
    json.member("temperature", sampling.temperature);
    json.member("top_k", sampling.top_k);
    json.member("top_p", sampling.top_p);
    json.member("seed", sampling.seed);
    json.endObject();
}

void writeModel(JsonWriter& json, const ModelFacts& model)
{
    json.beginObject();
    json.member("name", model.name);
    json.member("path", model.path);
    json.member("architecture", model.architecture);
    json.member("parameters", model.parameters);
    json.member("layers", model.layers);
    json.member("hidden_size", model.hidden_size);
    json.member("intermediate_size", model.intermediate_size);
    json.member("attention_heads", model.attention_heads);
    json.member("kv_heads", model.kv_heads);
    json.member("head_dim", model.head_dim);
    json.member("vocabulary_size", model.vocabulary_size);
    json.member("context_length", model.context_length);
    json.member("weight_bytes", model.weight_bytes);
    json.endObject();
}

void writeEnvironment(JsonWriter& json, const Environment& environment)
{
    json.beginObject();
    json.member("app_version", environment.app_version);
    json.member("os", environment.os);
    json.member("machine", environment.machine);
    json.member("cpu", environment.cpu);
    json.member("threads", environment.threads);
    json.member("torch_version", environment.torch_version);
    json.member("blas", environment.blas);
    json.endObject();
}

} // namespace

void writeInfo(JsonWriter& json, const RunInfo& info)
{
    json.beginObject();
    json.member("id", info.id);
    json.member("status", info.status);
    json.member("status_message", info.status_message);
    json.member("created_at", isoTimestamp(info.created_at_ms));
    json.member("created_at_ms", info.created_at_ms);
    json.member("prompt", info.prompt);
    json.member("response", info.response);
    json.member("input_tokens", info.input_tokens);
    json.member("output_tokens", info.output_tokens);
    json.member("max_new_tokens", info.max_new_tokens);
    json.member("depth", info.depth);
    json.member("device", info.device);
    json.member("dtype", info.dtype);
    json.member("sparsity_threshold", info.sparsity_threshold);
    json.key("sampling");
    writeSampling(json, info.sampling);
    json.key("tags");
    json.beginArray(JsonWriter::Layout::Inline);
    for (const std::string& tag : info.tags)
        json.value(tag);
    json.endArray();
    json.member("experiment", info.experiment);
    json.key("model");
    writeModel(json, info.model);
    json.key("power");
    json.beginObject();
    json.member("source", info.power.source);
    json.member("detail", info.power.detail);
    json.member("notice", info.power.notice);
    json.key("quality");
    writePowerQuality(json, info.power.quality);
    json.endObject();
    json.key("environment");
    writeEnvironment(json, info.environment);
    json.endObject();
}

void writeMetrics(JsonWriter& json, const RunMetrics& metrics)
{
    json.beginObject();
    writeDuration(json, metrics.duration_ns);
    json.key("energy");
    writeEnergy(json, metrics.energy);
    json.member("tokens_per_second", metrics.tokens_per_second);
    json.member("time_to_first_token_ns", metrics.time_to_first_token_ns);
    json.member("time_to_first_token_ms",
                metrics.time_to_first_token_ns
                    ? std::optional(milliseconds(*metrics.time_to_first_token_ns))
                    : std::nullopt);
    json.member("joules_per_token", metrics.joules_per_token);
    json.member("joules_per_input_token", metrics.joules_per_input_token);
    json.member("joules_per_output_token", metrics.joules_per_output_token);
    json.member("tokens_per_joule", metrics.tokens_per_joule);
    json.member("mean_power_mw", metrics.mean_power_mw);
    json.member("peak_power_mw", metrics.peak_power_mw);
    json.member("edp_joule_seconds", metrics.edp_joule_seconds);
    json.endObject();
}

void writePowerQuality(JsonWriter& json, const std::optional<PowerQuality>& quality)
{
    if (!quality) {
        json.value(std::optional<int>());
        return;
    }
    json.beginObject();
    json.member("asked_interval_ms", quality->asked_interval_ms);
    json.member("samples", quality->samples);
    json.member("median_interval_ms", quality->median_interval_ms);
    json.member("p95_interval_ms", quality->p95_interval_ms);
    json.member("largest_gap_ms", quality->largest_gap_ms);
    json.member("coverage", quality->coverage);
    json.endObject();
}

void writeEnergy(JsonWriter& json, const EnergyValue& energy)
{
    json.beginObject(JsonWriter::Layout::Inline);
    json.member("total_mj", energy.total_mj);
    json.key("rails");
    writeRails(json, energy.rails_mj);
    json.member("provenance", energy.provenance);
    json.endObject();
}

void writeTime(JsonWriter& json, const TimeRange& time, Nanoseconds runBegin)
{
    const Nanoseconds start = time.begin_ns - runBegin;
    json.member("start_ns", start);
    json.member("duration_ns", time.duration_ns());
    json.member("start_ms", milliseconds(start));
    json.member("duration_ms", milliseconds(time.duration_ns()));
}

void writeDuration(JsonWriter& json, Nanoseconds duration)
{
    json.member("duration_ns", duration);
    json.member("duration_ms", milliseconds(duration));
}

} // namespace ep::store
