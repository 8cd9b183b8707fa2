// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statement.h"

#include "ep/core/run.h"

#include <string>
#include <string_view>

// A row of profiling_runs as fields, and the one list of its columns.
namespace ep::store {

struct RunRow {
    RunInfo info;
    RunMetrics metrics;
    std::string tags_json = "[]";
    // The parts of PowerQuality: all NULL when there is none.
    std::optional<std::int64_t> asked_interval_ms;
    std::optional<std::int64_t> sample_count;
    std::optional<double> median_interval_ms;
    std::optional<double> p95_interval_ms;
    std::optional<double> largest_gap_ms;
    std::optional<double> coverage;
    // The trace's own range; NULL while a run that goes on has no token yet.
    std::optional<Nanoseconds> clock_start_ns;
    std::optional<Nanoseconds> clock_duration_ns;
    // The process that records the run; NULL when it is over.
    std::optional<std::int64_t> writer_pid;
    std::optional<std::string> writer_mark;
};

RunRow rowOf(const RunInfo& info, const RunMetrics& metrics);
RunSummary summaryOf(RunRow row);

// Comma-separated names of the columns, in the order of visitColumns().
std::string runColumnNames();

// Calls visit(name, field) for each stored column. Row: RunRow or const RunRow.
template <typename Row, typename Visit>
void visitColumns(Row& row, Visit&& visit)
{
    auto& info = row.info;
    visit("id", info.id);
    visit("status", info.status);
    visit("status_message", info.status_message);
    visit("created_at_ms", info.created_at_ms);
    visit("prompt", info.prompt);
    visit("response", info.response);
    visit("input_tokens", info.input_tokens);
    visit("output_tokens", info.output_tokens);
    visit("max_new_tokens", info.max_new_tokens);
    visit("depth", info.depth);
    visit("device", info.device);
    visit("dtype", info.dtype);
    visit("sparsity_threshold", info.sparsity_threshold);
    visit("sampling_temperature", info.sampling.temperature);
    visit("sampling_top_k", info.sampling.top_k);
    visit("sampling_top_p", info.sampling.top_p);
    visit("sampling_seed", info.sampling.seed);
    visit("tags", row.tags_json);
    visit("experiment_name", info.experiment);

    auto& model = info.model;
    visit("model_name", model.name);
    visit("model_path", model.path);
    visit("model_architecture", model.architecture);
    visit("model_parameters", model.parameters);
    visit("model_layers", model.layers);
    visit("model_hidden_size", model.hidden_size);
    visit("model_intermediate_size", model.intermediate_size);
    visit("model_attention_heads", model.attention_heads);
    visit("model_kv_heads", model.kv_heads);
    visit("model_head_dim", model.head_dim);
    visit("model_vocabulary_size", model.vocabulary_size);
    visit("model_context_length", model.context_length);
    visit("model_weight_bytes", model.weight_bytes);

    visit("power_source", info.power.source);
    visit("power_detail", info.power.detail);
    visit("power_notice", info.power.notice);
    visit("power_asked_interval_ms", row.asked_interval_ms);
    visit("power_sample_count", row.sample_count);
    visit("power_median_interval_ms", row.median_interval_ms);
    visit("power_p95_interval_ms", row.p95_interval_ms);
    visit("power_largest_gap_ms", row.largest_gap_ms);
    visit("power_coverage", row.coverage);

    auto& environment = info.environment;
    visit("app_version", environment.app_version);
    visit("os", environment.os);
    visit("machine", environment.machine);
    visit("cpu", environment.cpu);
    visit("threads", environment.threads);
    visit("torch_version", environment.torch_version);
    visit("blas", environment.blas);

    visit("clock_start_ns", row.clock_start_ns);
    visit("clock_duration_ns", row.clock_duration_ns);
    auto& metrics = row.metrics;
    visit("duration_ns", metrics.duration_ns);
    visit("total_energy_mj", metrics.energy.total_mj);
    visit("energy_provenance", metrics.energy.provenance);
    visit("cpu_energy_mj", metrics.energy.rails_mj[Rail::Cpu]);
    visit("gpu_energy_mj", metrics.energy.rails_mj[Rail::Gpu]);
    visit("ane_energy_mj", metrics.energy.rails_mj[Rail::Ane]);
    visit("dram_energy_mj", metrics.energy.rails_mj[Rail::Dram]);
    visit("system_energy_mj", metrics.energy.rails_mj[Rail::System]);
    visit("tokens_per_second", metrics.tokens_per_second);
    visit("time_to_first_token_ns", metrics.time_to_first_token_ns);
    visit("joules_per_token", metrics.joules_per_token);
    visit("joules_per_input_token", metrics.joules_per_input_token);
    visit("joules_per_output_token", metrics.joules_per_output_token);
    visit("tokens_per_joule", metrics.tokens_per_joule);
    visit("mean_power_mw", metrics.mean_power_mw);
    visit("peak_power_mw", metrics.peak_power_mw);
    visit("edp_joule_seconds", metrics.edp_joule_seconds);

    visit("writer_pid", row.writer_pid);
    visit("writer_mark", row.writer_mark);
}

// All columns from the current row of a statement that selects runColumnNames().
inline void takeRow(Statement& statement, RunRow& row)
{
    statement.get();
    visitColumns(row, [&](std::string_view, auto& field) { statement.take(field); });
}

} // namespace ep::store
