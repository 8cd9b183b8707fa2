// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace_events.h"

#include "ep/spans/span_record.h"

#include <string>
#include <vector>

// Maps the events of a trace to the parts of a model.
namespace ep::spans {

// A part of the model under its name in the vocabulary.
struct MappedEvent {
    RecordKind kind = RecordKind::Component;
    std::string name{}; // "layers.3.self_attn.q_proj"
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;
    std::int32_t token = -1; // number of the pass: 0 begins a generation
};

struct Mapping {
    std::vector<MappedEvent> parts{}; // in the order of their ends, inner parts before outer ones
    std::string model{}; // class of the outermost module
};

// Maps by the torch.nn modules that ran (with_stack or with_modules), which show how parts nest
// and which product of an attention or MLP an operator is.
Mapping mapModules(const TraceEvents& events);
// Maps without modules: passes begin at the embedding lookup, and matmuls repeat with the
// layers.
Mapping mapOrder(const TraceEvents& events);
// Work between two passes of a generation chooses the next token and checks whether it is the
// last: the section "sampling".
void addSampling(const TraceEvents& events, Mapping& mapping);

} // namespace ep::spans
