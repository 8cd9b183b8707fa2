// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/token_ledger.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace ep {

namespace {

Tally shareOf(const Tally& whole, std::int64_t part, std::int64_t of)
{
    const double share = static_cast<double>(part) / static_cast<double>(of);
    const auto time = std::llround(static_cast<double>(whole.duration_ns) * share);
    const auto energy = whole.complete();
    return tallyOf(time, energy ? std::optional(Millijoules{energy->value * share}) : std::nullopt,
                   whole.provenance);
}

// Divides a step equally among the positions that it computed: one of its own and the drafted ones.
void divide(const Tally& step, std::int64_t accepted, std::int64_t drafted, TokenLedger& ledger)
{
    Tally own = step;
    const auto take = [&](std::int64_t positions, Tally& row) {
        const Tally share = shareOf(step, positions, drafted + 1);
        row.add(share);
        own = own - share;
    };
    if (accepted > 0)
        take(accepted, ledger.accepted.energy);
    if (drafted > accepted)
        take(drafted - accepted, ledger.rejected.energy);
    ledger.own.energy.add(own);
}

// Energy of choosing a token before each pass, by step.
std::unordered_map<std::int32_t, Tally> proposing(const RunTrace& trace)
{
    std::unordered_map<std::int32_t, Tally> found;
    std::unordered_set<std::int32_t> computing; // steps whose forward pass has begun
    for (const Span& section : trace.sections) {
        if (section.token == kNoToken || section.phase == Phase::PostInference)
            continue;
        if (section.section == Section::Sampling && !computing.contains(section.token))
            found[section.token].add(tallyOf(section));
        else
            computing.insert(section.token);
    }
    return found;
}

} // namespace

std::vector<Message> tokenNotes(const TokenCounts& counts, std::int64_t inputTokens)
{
    std::vector<Message> notes;
    if (counts.cached)
        notes.emplace_back(kCachedNote, *counts.cached, inputTokens);
    if (!counts.draft.empty())
        notes.emplace_back(kDraftNote, counts.draft, counts.drafted, counts.accepted,
                           counts.rejected());
    return notes;
}

TokenCounts tokenCounts(const RunInfo& info)
{
    return info.profiling.token_counts.value_or(TokenCounts());
}

std::optional<std::int64_t> cachedTokens(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    return server ? server->cached_tokens : tokenCounts(info).cached;
}

TokenLedger tokenLedger(const RunInfo& info, const RunTrace& trace)
{
    const TokenCounts counts = tokenCounts(info);
    TokenLedger ledger;
    ledger.cached.tokens = counts.cached.value_or(0);
    ledger.computed.tokens = info.input_tokens - ledger.cached.tokens;
    ledger.drafted.tokens = counts.drafted;
    ledger.accepted.tokens = counts.accepted;
    ledger.rejected.tokens = counts.rejected();
    ledger.own.tokens = info.output_tokens - counts.accepted;

    const auto proposed =
        counts.draft.empty() ? std::unordered_map<std::int32_t, Tally>() : proposing(trace);
    Tally steps;
    std::int64_t unplaced = counts.accepted;
    for (const TokenSpan& step : trace.tokens) {
        Tally rest = tallyOf(step.time, step.energy);
        steps.add(rest);
        if (const auto found = proposed.find(step.index); found != proposed.end()) {
            ledger.drafted.energy.add(found->second);
            rest = rest - found->second;
        }
        if (step.phase == Phase::Prefill) {
            ledger.computed.energy.add(rest);
            continue;
        }
        // If the answer ends with a confirmed token, the last step has no token of its own.
        const std::int64_t drafted = step.drafted.value_or(0);
        const bool last = &step == &trace.tokens.back();
        const std::int64_t accepted =
            std::min({drafted, unplaced, std::int64_t{step.sequences} - (last ? 0 : 1)});
        unplaced -= accepted;
        divide(rest, accepted, drafted, ledger);
    }
    Tally phases;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill || phase.phase == Phase::Decode)
            phases.add(tallyOf(phase.time, phase.energy));
    }
    ledger.between.energy = phases - steps;
    return ledger;
}

std::vector<LedgerLine> ledgerLines(const RunInfo& info, const RunTrace& trace)
{
    const TokenCounts counts = tokenCounts(info);
    const TokenLedger ledger = tokenLedger(info, trace);
    std::vector<LedgerLine> lines;
    if (counts.cached)
        lines.push_back({"cached", "prompt: cached", "Prompt, cached",
                         "Taken from the prompt cache, which costs nothing", ledger.cached});
    lines.push_back({"computed", "prompt: computed", "Prompt, computed",
                     "Energy of the step that reads the prompt", ledger.computed});
    const bool drafts = !counts.draft.empty();
    if (drafts) {
        lines.push_back(
            {"drafted", "proposed", "Proposed", "Energy of proposing them", ledger.drafted});
        lines.push_back({"accepted", "checked: accepted", "Checked, accepted",
                         "Their share of the steps that confirmed them", ledger.accepted});
        lines.push_back({"rejected", "checked: rejected", "Checked, rejected",
                         "Their share of the steps that rejected them", ledger.rejected});
    }
    lines.push_back({"own", drafts ? "not drafted" : "output", drafts ? "Not drafted" : "Output",
                     "The rest of the decoding steps", ledger.own});
    lines.push_back({"between", "between steps", "Between steps",
                     "What prefill and decode used outside of their steps", ledger.between, false});
    return lines;
}

} // namespace ep
