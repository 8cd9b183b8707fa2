// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/answer.h"
#include "ep/core/server_record.h"
#include "ep/core/trace.h"

namespace ep::attach {

// The part of a run that a request makes: load | queue | prefill | decode, without energies.
//
//  load     from the request on, for as long as the server says it loaded the model
//  queue    the remaining time before the prefill
//  prefill  the server's own time for the prompt, ending with the first token; without such a
//           time, everything from the end of loading to the first token (a note says so)
//  decode   from the first to the last token; the token that ends an answer has no text, so that
//           its end is the arrival of the final message
//
// An answer that arrives at once, without streaming, has only the phases that the server states,
// which end with the answer. The number of tokens is the server's; tokens have their own times only
// if each of them arrived in a separate part.
struct RequestParts {
    TimeRange time;
    std::vector<PhaseSpan> phases;
    std::vector<TokenSpan> tokens;
};
RequestParts partsOf(const Answer& answer);

// Adds the server's figures, with notes on what the phases are based on.
void describe(const Answer& answer, const RequestParts& parts, ServerRecord& record);

} // namespace ep::attach
