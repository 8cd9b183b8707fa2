// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recorded/span_listener.h"

#include "ep/core/run.h"
#include "ep/session/events.h"

#include <string>
#include <utility>
#include <vector>

namespace ep::session {

// Between a recorded command and the spans that it sends.

Status prepareSpans(const RecordTarget& target, SpanListener& spans);
// What tells the command where its spans go, and Python which to send.
std::vector<std::pair<std::string, std::string>> spanEnvironment(const RecordTarget& target,
                                                                 const SpanListener& spans);
// Once the listener has ended: its phases, tokens, layers and components, and what the senders
// say of themselves. False: nothing came.
bool takeSpans(SpanListener& spans, Run& run);

} // namespace ep::session
