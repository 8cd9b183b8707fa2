// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/tally.h"
#include "ep/text/answer_end.h"

#include <cstdint>
#include <optional>
#include <string>

// The part of a stored run that came after its answer was complete. Pure; any thread.
namespace ep::session {

struct Babble {
    std::int32_t onset = 0; // index of its first token
    std::int64_t tokens = 0;
    Tally sum; // of the tokens' time and energy
    std::optional<double> energy_share; // of the energy of the run
    double time_share = 0.0; // of the duration of the run
};

// Absent if the answer did not end before the last token. InvalidInput with the reason where the
// question has no answer: a batch, or a run whose texts are not stored. Reads the tokens only.
Result<std::optional<Babble>> findBabble(const Run& run, const text::AnswerRule& rule);

// "31 % of the energy came after the answer (tokens 45 to 63 of 64, 1.20 J, measured), by the stop
// rule fence"; or that nothing did.
std::string babbleText(const Run& run, const text::AnswerRule& rule,
                       const std::optional<Babble>& babble);

} // namespace ep::session
