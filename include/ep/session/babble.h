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
    Tally sum; // time and energy of these tokens
    std::optional<double> energy_share; // share of the run's energy
    double time_share = 0.0; // share of the run's duration
};

// Absent if the answer did not end before the last token. InvalidInput with the reason if that
// cannot be determined: for a batch, or a run whose texts are not stored. Reads the tokens only.
Result<std::optional<Babble>> findBabble(const Run& run, const text::AnswerRule& rule);

// "31 % of the energy came after the answer (tokens 45 to 63 of 64, 1.20 J measured;
// rule: fence).", or a sentence saying that none did.
Message babbleText(const Run& run, const text::AnswerRule& rule,
                   const std::optional<Babble>& babble);

} // namespace ep::session
