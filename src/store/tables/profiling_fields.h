// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/maybe_const.h"

#include "ep/core/profiling_record.h"

// The fields of the records of how a run was recorded; see record_fields.h.
namespace ep::store {

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
    visit("exact_slowdown", record.exact_slowdown);
    visit("twin", record.twin);
    visit("server", record.server);
    visit("command", record.command);
}

} // namespace ep::store
