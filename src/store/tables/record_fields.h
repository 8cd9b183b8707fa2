// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/field_types.h"
#include "ep/core/profiling_record.h"
#include "ep/core/run_figure.h"

// The fields of a run's records, each named once: the JSON, its reader, the columns of
// profiling_runs and the CSV are derived from these lists. A new field needs a line here, a column
// in a new migration (resources/schema), a line in run_summary.schema.json and one in
// docs/schema.md. The figures of a run are listed in core/run_figure.h instead.
//
// visitFields(record, visit) calls visit(name, field) in the order of the JSON.

namespace ep {

template <MaybeConst<TwinRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("clean_prefill_ns", record.clean_prefill_ns);
    visit("clean_decode_ns", record.clean_decode_ns);
    visit("prefill_ns", record.prefill_ns);
    visit("decode_ns", record.decode_ns);
    visit("tokens", record.tokens);
    visit("different_tokens", record.different_tokens);
    visit("clean_mj", record.clean_mj);
    visit("instrumented_mj", record.instrumented_mj);
    visit("clean_prefill_begin_ns", record.clean_prefill.begin_ns);
    visit("clean_prefill_end_ns", record.clean_prefill.end_ns);
    visit("clean_decode_begin_ns", record.clean_decode.begin_ns);
    visit("clean_decode_end_ns", record.clean_decode.end_ns);
}

template <MaybeConst<ServerGroup> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("id", record.id);
    visit("requests", record.requests);
    visit("duration_ns", record.duration_ns);
    visit("energy_mj", record.energy_mj);
    visit("shared", record.shared);
}

template <MaybeConst<ServerRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("engine", record.engine);
    visit("dialect", record.dialect);
    visit("address", record.address);
    visit("endpoint", record.endpoint);
    visit("way", record.way);
    visit("finish", record.finish);
    visit("prompt_tokens", record.prompt_tokens);
    visit("cached_tokens", record.cached_tokens);
    visit("uncached_tokens", record.uncached_tokens);
    visit("output_tokens", record.output_tokens);
    visit("reasoning_tokens", record.reasoning_tokens);
    visit("draft_tokens", record.draft_tokens);
    visit("draft_accepted_tokens", record.draft_accepted_tokens);
    visit("load_ns", record.load_ns);
    visit("prompt_ns", record.prompt_ns);
    visit("decode_ns", record.decode_ns);
    visit("client_decode_ns", record.client_decode_ns);
    visit("chunks", record.chunks);
    visit("group", record.group);
    visit("refusals", record.refusals);
    visit("notes", record.notes);
}

template <MaybeConst<SpanCounts> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("received", record.received);
    visit("kept", record.kept);
    visit("malformed", record.malformed);
    visit("outside", record.outside);
    visit("late", record.late);
    visit("overlapping", record.overlapping);
    visit("too_many", record.too_many);
    visit("dropped", record.dropped);
    visit("senders", record.senders);
    visit("clock_shift_ns", record.clock_shift_ns);
    visit("mapped_share", record.mapped_share);
    visit("unknown", record.unknown);
}

template <MaybeConst<CommandRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("engine", record.engine);
    visit("arguments", record.arguments);
    visit("exit_status", record.exit_status);
    visit("signal", record.signal);
    visit("processor_ns", record.processor_ns);
    visit("peak_memory_bytes", record.peak_memory_bytes);
    visit("processes", record.processes);
    visit("left_running", record.left_running);
    visit("generations", record.generations);
    visit("shown_input_tokens", record.shown_input_tokens);
    visit("overlapping", record.overlapping);
    visit("spans", record.spans);
    visit("notes", record.notes);
}

template <MaybeConst<TokenCounts> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("cached", record.cached);
    visit("draft", record.draft);
    visit("drafted", record.drafted);
    visit("accepted", record.accepted);
}

template <MaybeConst<ProfilingRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("computation", record.computation);
    visit("kernels", record.kernels);
    visit("clock", record.clock);
    visit("clock_note", record.clock_note);
    visit("statistics_every", record.statistics_every);
    visit("spans", record.spans);
    visit("statistics", record.statistics);
    visit("span_cost_ns", record.span_cost_ns);
    visit("statistic_cost_ns", record.statistic_cost_ns);
    visit("cost_ns", record.cost_ns);
    visit("memory_bytes", record.memory_bytes);
    visit("token_counts", record.token_counts);
    visit("exact_slowdown", record.exact_slowdown);
    visit("twin", record.twin);
    visit("server", record.server);
    visit("command", record.command);
    visit("settings", record.settings);
}

template <MaybeConst<SamplingSettings> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("temperature", record.temperature);
    visit("top_k", record.top_k);
    visit("top_p", record.top_p);
    visit("min_p", record.min_p);
    visit("repetition_penalty", record.repetition_penalty);
    visit("seed", record.seed);
    visit("stop", record.stop);
}

template <MaybeConst<ModelFacts> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("name", record.name);
    visit("path", record.path);
    visit("architecture", record.architecture);
    visit("parameters", record.parameters);
    visit("active_parameters", record.active_parameters);
    visit("embedding_parameters", record.embedding_parameters);
    visit("attention_parameters", record.attention_parameters);
    visit("mlp_parameters", record.mlp_parameters);
    visit("layers", record.layers);
    visit("hidden_size", record.hidden_size);
    visit("intermediate_size", record.intermediate_size);
    visit("attention_heads", record.attention_heads);
    visit("kv_heads", record.kv_heads);
    visit("head_dim", record.head_dim);
    visit("vocabulary_size", record.vocabulary_size);
    visit("context_length", record.context_length);
    visit("experts", record.experts);
    visit("experts_per_token", record.experts_per_token);
    visit("weight_bytes", record.weight_bytes);
    visit("kv_bytes_per_token", record.kv_bytes_per_token);
    visit("stored_dtype", record.stored_dtype);
    visit("quantization", record.quantization);
    visit("fingerprint", record.fingerprint);
}

template <MaybeConst<PowerQuality> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("asked_interval_ms", record.asked_interval_ms);
    visit("samples", record.samples);
    visit("median_interval_ms", record.median_interval_ms);
    visit("p95_interval_ms", record.p95_interval_ms);
    visit("largest_gap_ms", record.largest_gap_ms);
    visit("coverage", record.coverage);
}

template <MaybeConst<PowerInfo> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("source", record.source);
    visit("detail", record.detail);
    visit("notice", record.notice);
    visit("quality", record.quality);
}

template <MaybeConst<Environment> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("app_version", record.app_version);
    visit("os", record.os);
    visit("machine", record.machine);
    visit("cpu", record.cpu);
    visit("threads", record.threads);
    visit("torch_version", record.torch_version);
    visit("blas", record.blas);
}

template <MaybeConst<ExecutionRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("attention", record.attention);
    visit("cache", record.cache);
    visit("peak_cache_bytes", record.peak_cache_bytes);
    visit("notes", record.notes);
    visit("model_ready_ns", record.model_ready_ns);
}

template <MaybeConst<BatchSequence> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("prompt", record.prompt);
    visit("response", record.response);
    visit("input_tokens", record.input_tokens);
    visit("output_tokens", record.output_tokens);
    visit("conversation", record.conversation);
}

template <MaybeConst<Annotation> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("begin_ns", record.begin_ns);
    visit("end_ns", record.end_ns);
    visit("text", record.text);
}

template <MaybeConst<RunInfo> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("id", record.id);
    visit("title", record.title);
    visit("notes", record.notes);
    visit("status", record.status);
    visit("status_message", record.status_message);
    visit("created_at_ms", record.created_at_ms);
    visit("prompt", record.prompt);
    visit("response", record.response);
    visit("input_tokens", record.input_tokens);
    visit("output_tokens", record.output_tokens);
    visit("max_new_tokens", record.max_new_tokens);
    visit("batch", record.batch);
    visit("chat_template", record.chat_template);
    visit("conversation", record.conversation);
    visit("depth", record.depth);
    visit("device", record.device);
    visit("dtype", record.dtype);
    visit("sparsity_threshold", record.sparsity_threshold);
    visit("sampling", record.sampling);
    visit("tags", record.tags);
    visit("annotations", record.annotations);
    visit("experiment", record.experiment);
    visit("model", record.model);
    visit("power", record.power);
    visit("environment", record.environment);
    visit("execution", record.execution);
}

// The figures of a run that are fields, in the order of kRunFigures.
template <MaybeConst<RunMetrics> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    for (const RunFigureFacts& facts : kRunFigures) {
        std::visit(
            [&](auto source) {
                if constexpr (std::is_member_object_pointer_v<decltype(source)>)
                    visit(facts.field, record.*source);
            },
            facts.source);
    }
}

// Stored in the energy record, in addition to the list above, which defines columns.
template <MaybeConst<PowerQuality> Record, typename Visit>
void visitDetails(Record& record, Visit&& visit)
{
    visit("max_interval_ms", record.max_interval_ms);
    visit("gaps", record.gaps);
    visit("dropped", record.dropped);
    visit("stuck", record.stuck);
    visit("batched", record.batched);
    visit("incomplete", record.incomplete);
    visit("thermal_pressure", record.thermal);
    visit("verdict", record.verdict);
    visit("reasons", record.reasons);
    visit("on_battery", record.on_battery);
    visit("power_mode", record.power_mode);
    visit("other_cpu_share", record.other_cpu_share);
    visit("own_cpu_share", record.own_cpu_share);
    visit("processors", record.processors);
}

template <MaybeConst<BaselineRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("moment", record.moment);
    visit("power_mw", record.power_mw);
    visit("sd_mw", record.sd_mw);
    visit("duration_ns", record.duration_ns);
    visit("samples", record.samples);
    visit("age_ns", record.age_ns);
    visit("total_mw", record.total_mw);
    visit("total_sd_mw", record.total_sd_mw);
    visit("effective_samples", record.effective_samples);
}

template <MaybeConst<UnitCosts> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("pj_per_byte", record.pj_per_byte);
    visit("pj_per_flop", record.pj_per_flop);
    visit("time_mw", record.time_mw);
    visit("pj_per_byte_sd", record.pj_per_byte_sd);
    visit("pj_per_flop_sd", record.pj_per_flop_sd);
    visit("time_mw_sd", record.time_mw_sd);
    visit("relative_residual", record.relative_residual);
}

template <MaybeConst<CostFit> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("windows", record.windows);
    visit("condition", record.condition);
    visit("rails", record.rails);
}

template <MaybeConst<CalibratedKind> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("kind", record.kind);
    visit("calls", record.calls);
    visit("footprint_bytes", record.footprint_bytes);
    visit("flops", record.flops);
    visit("bytes", record.bytes);
    visit("seconds", record.seconds);
    visit("share", record.share);
    visit("share_sd", record.share_sd);
    visit("doubled_share", record.doubled_share);
    visit("doubled_share_sd", record.doubled_share_sd);
    visit("tau", record.tau);
    visit("problem", record.problem);
}

template <MaybeConst<CalibrationRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("id", record.id);
    visit("machine", record.machine);
    visit("os", record.os);
    visit("device", record.device);
    visit("dtype", record.dtype);
    visit("model", record.model);
    visit("fingerprint", record.fingerprint);
    visit("attention", record.attention);
    visit("kernels", record.kernels);
    visit("threads", record.threads);
    visit("source", record.source);
    visit("position", record.position);
    visit("measured_at_ms", record.measured_at_ms);
    visit("idle_watts", record.idle_watts);
    visit("token_joules", record.token_joules);
    visit("token_seconds", record.token_seconds);
    visit("drift", record.drift);
    visit("kappa", record.kappa);
    visit("kappa_sd", record.kappa_sd);
    visit("kinds", record.kinds);
}

template <MaybeConst<AttributionRecord> Record, typename Visit>
void visitFields(Record& record, Visit&& visit)
{
    visit("asked", record.asked);
    visit("method", record.method);
    visit("note", record.note);
    visit("offset_ns", record.offset_ns);
    visit("offset_sd_ns", record.offset_sd_ns);
    visit("offset_applied", record.offset_applied);
    visit("known_mj", record.known_mj);
    visit("known_ns", record.known_ns);
    visit("closure", record.closure);
    visit("fit", record.fit);
    visit("calibration", record.calibration);
}

} // namespace ep

namespace ep::store {

// Format of lists and conversations in a column of profiling_runs. Any other text is read as an
// empty one. Element: std::string, Message, BatchSequence or Annotation.
template <typename Element>
std::string listText(const std::vector<Element>& list);
std::string listText(const Conversation& conversation);
template <typename Element>
void readList(const std::string& text, std::vector<Element>& list);
void readList(const std::string& text, Conversation& conversation);

// Format of a message in a column: its text, or its pattern and arguments as JSON.
std::string listText(const Message& message);
void readList(const std::string& text, Message& message);

template <typename Field>
concept ListColumn = requires(Field& field, const std::string& text)
{
    listText(field);
    readList(text, field);
};

} // namespace ep::store
