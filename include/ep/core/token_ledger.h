// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep {

// Patterns of the notes. Runs of earlier versions have their counts only in these notes.
inline constexpr const char* kCachedNote =
    "Prompt cache: %1 of %2 prompt tokens were not computed again.";
inline constexpr const char* kDraftNote =
    "Draft by %1: %2 tokens proposed = %3 accepted + %4 rejected.";

// The counts as notes of the run's execution, one sentence each.
std::vector<Message> tokenNotes(const TokenCounts& counts, std::int64_t inputTokens);
TokenCounts tokenCounts(const RunInfo& info); // no counts for a run without prompt cache and draft
// Prompt tokens that were not computed again, according to the prompt cache of the run or to what
// the server reports.
std::optional<std::int64_t> cachedTokens(const RunInfo& info);

// Where the tokens of a run came from, and what they cost. Each token is in exactly one row, and
// so is each part of the energy of prefill and decode.
//   cached + computed = input tokens       (cached ones cost nothing)
//   own + accepted = output tokens
//   accepted + rejected = drafted tokens
//   computed + drafted + own + accepted + rejected + between = energy of prefill and decode
// The energy of each decoding step, except that of proposing, is divided equally among the
// positions that it computed, because weights are read once for all positions of a step.
struct TokenLedger {
    struct Row {
        std::int64_t tokens = 0;
        Tally energy;
    };

    Row cached; // prompt tokens from the prompt cache
    Row computed; // the other prompt tokens
    Row drafted; // proposed tokens, with the energy of proposing them
    Row accepted; // with the energy of confirming them
    Row rejected;
    Row own; // tokens that the model chose itself rather than confirmed
    Row between; // the rest of both phases, outside of all steps; no tokens
};

// trace: must have phases, sections and tokens. Proposing is recorded as the section `sampling`
// that begins a step.
TokenLedger tokenLedger(const RunInfo& info, const RunTrace& trace);

// A row of the ledger as outputs show it; rows for levers that the run did not use are left out.
struct LedgerLine {
    const char* id;
    const char* word; // title in the terminal
    const char* term; // title elsewhere
    const char* explanation;
    TokenLedger::Row row;
    bool counted = true; // whether it has tokens
};
std::vector<LedgerLine> ledgerLines(const RunInfo& info, const RunTrace& trace);

} // namespace ep
