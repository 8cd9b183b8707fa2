// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace_events.h"

#include "ep/spans/span_record.h"

#include <string>
#include <vector>

// What the events of a trace are in a model.
namespace ep::spans {

// A part of the model by the name that the vocabulary has for it.
struct MappedEvent {
    RecordKind kind = RecordKind::Component;
    std::string name{}; // "layers.3.self_attn.q_proj"
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;
    std::int32_t token = -1; // of a pass: 0 begins a generation
};

struct Mapping {
    std::vector<MappedEvent> parts{}; // in the order of their ends, parts before what holds them
    std::string model{}; // class of the outermost module
};

// By the modules of torch.nn that ran (with_stack or with_modules): what holds what, and which of
// the products of an attention or MLP it is.
Mapping mapModules(const TraceEvents& events);
// Without modules: passes begin at the lookup of the embedding, and products repeat with the
// layers.
Mapping mapOrder(const TraceEvents& events);
// What a program computes between two passes of a generation chooses the next token and sees
// whether it is the last one: the section "sampling".
void addSampling(const TraceEvents& events, Mapping& mapping);

} // namespace ep::spans
