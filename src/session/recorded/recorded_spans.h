// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recorded/span_listener.h"

#include "ep/core/run.h"
#include "ep/session/events.h"

#include <string>
#include <utility>
#include <vector>

namespace ep::session {

// Connects a recorded command with the spans that it sends.

Status prepareSpans(const RecordTarget& target, const CancelToken& cancel, SpanListener& spans);
// Environment that tells the command where to send its spans, and Python which spans to send.
std::vector<std::pair<std::string, std::string>> spanEnvironment(const RecordTarget& target,
                                                                 const SpanListener& spans);
// Moves the received phases, tokens, layers, components and facts about the senders into the run,
// once the listener has ended. False: nothing arrived.
bool takeSpans(SpanListener& spans, Run& run);

} // namespace ep::session
