// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/token_ledger.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace ep {

namespace {

constexpr std::string_view kCachedStart = "Prompt cache: ";
constexpr std::string_view kCachedMiddle = " of ";
constexpr std::string_view kDraftStart = "Draft by ";
constexpr std::string_view kDrafted = " tokens proposed = ";
constexpr std::string_view kAccepted = " accepted + ";

bool readCount(std::string_view text, std::int64_t& count)
{
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, count);
    return read.ec == std::errc() && read.ptr == end && count >= 0;
}

void readCached(std::string_view note, TokenCounts& counts)
{
    note.remove_prefix(kCachedStart.size());
    std::int64_t cached = 0;
    if (readCount(note.substr(0, note.find(kCachedMiddle)), cached))
        counts.cached = cached;
}

// The name may contain anything, so this parses from the end.
void readDraft(std::string_view note, TokenCounts& counts)
{
    note.remove_prefix(kDraftStart.size());
    const std::size_t drafted = note.rfind(kDrafted);
    const std::size_t accepted = note.rfind(kAccepted);
    if (drafted == std::string_view::npos || accepted == std::string_view::npos
        || accepted < drafted + kDrafted.size())
        return;
    const std::size_t number = note.rfind(": ", drafted);
    if (number == std::string_view::npos)
        return;
    TokenCounts read;
    if (!readCount(note.substr(number + 2, drafted - number - 2), read.drafted)
        || !readCount(note.substr(drafted + kDrafted.size(), accepted - drafted - kDrafted.size()),
                      read.accepted)
        || read.accepted > read.drafted)
        return;
    counts.draft = note.substr(0, number);
    counts.drafted = read.drafted;
    counts.accepted = read.accepted;
}

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

std::vector<std::string> tokenNotes(const TokenCounts& counts, std::int64_t inputTokens)
{
    std::vector<std::string> notes;
    if (counts.cached) {
        notes.push_back(std::string(kCachedStart) + std::to_string(*counts.cached)
                        + std::string(kCachedMiddle) + std::to_string(inputTokens)
                        + " prompt tokens were not computed again.");
    }
    if (!counts.draft.empty()) {
        notes.push_back(std::string(kDraftStart) + counts.draft + ": "
                        + std::to_string(counts.drafted) + std::string(kDrafted)
                        + std::to_string(counts.accepted) + std::string(kAccepted)
                        + std::to_string(counts.rejected()) + " rejected.");
    }
    return notes;
}

TokenCounts tokenCounts(const ExecutionRecord& execution)
{
    TokenCounts counts;
    for (const std::string_view note : execution.notes) {
        if (note.starts_with(kCachedStart))
            readCached(note, counts);
        else if (note.starts_with(kDraftStart))
            readDraft(note, counts);
    }
    return counts;
}

std::optional<std::int64_t> cachedTokens(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    return server ? server->cached_tokens : tokenCounts(info.execution).cached;
}

TokenLedger tokenLedger(const RunInfo& info, const RunTrace& trace)
{
    const TokenCounts counts = tokenCounts(info.execution);
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
        // The answer may end with a confirmed token, in the last step: then none is its own.
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
    const TokenCounts counts = tokenCounts(info.execution);
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
            {"drafted", "drafted", "Drafted", "Energy of proposing them", ledger.drafted});
        lines.push_back({"accepted", "  of these accepted", "Accepted, of the drafted ones",
                         "Their share of the steps that confirmed them", ledger.accepted});
        lines.push_back({"rejected", "  of these rejected", "Rejected, of the drafted ones",
                         "Their share of the steps that rejected them", ledger.rejected});
    }
    lines.push_back({"own", drafts ? "not drafted" : "output", drafts ? "Not drafted" : "Output",
                     "The rest of the decoding steps", ledger.own});
    lines.push_back({"between", "between steps", "Between steps",
                     "What prefill and decode used outside of their steps", ledger.between, false});
    return lines;
}

} // namespace ep
