// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/request_phases.h"

#include <algorithm>
#include <limits>

namespace ep::attach {

namespace {

// When the first token arrived or, without streaming, was made according to the server.
std::optional<Nanoseconds> firstToken(const Answer& answer)
{
    if (answer.streamed && !answer.chunks.empty())
        return answer.chunks.front().at_ns;
    if (!answer.stopped_ns)
        return std::nullopt;
    // If the first token ended the answer, it had no text.
    if (answer.streamed)
        return answer.figures.output_tokens.value_or(2) <= 1 ? answer.stopped_ns : std::nullopt;
    if (!answer.figures.decode_ns)
        return std::nullopt;
    return std::max(answer.asked_ns, *answer.stopped_ns - *answer.figures.decode_ns);
}

// Whether each token came in its own chunk; the last one may have no text.
bool tokensArriveSingly(const Answer& answer)
{
    const auto& tokens = answer.figures.output_tokens;
    if (!answer.streamed || !tokens || !answer.stopped_ns || answer.chunks.empty())
        return false;
    const auto parts = static_cast<std::int64_t>(answer.chunks.size());
    return *tokens <= std::numeric_limits<std::int32_t>::max()
        && (*tokens == parts || *tokens == parts + 1);
}

std::vector<TokenSpan> tokensOf(const Answer& answer, Nanoseconds prefillBegin)
{
    std::vector<TokenSpan> tokens;
    const auto count = static_cast<std::size_t>(*answer.figures.output_tokens);
    const auto prompt = static_cast<std::int32_t>(std::min<std::int64_t>(
        answer.figures.prompt_tokens.value_or(0), std::numeric_limits<std::int32_t>::max() / 2));
    Nanoseconds begin = prefillBegin;
    for (std::size_t i = 0; i < count; ++i) {
        TokenSpan token;
        token.index = static_cast<std::int32_t>(i);
        token.position = prompt + token.index;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        const bool hasPart = i < answer.chunks.size();
        if (hasPart)
            token.text = answer.chunks[i].text;
        const Nanoseconds end =
            i + 1 == count || !hasPart ? *answer.stopped_ns : answer.chunks[i].at_ns;
        token.time = {begin, std::max(begin, i == 0 && hasPart ? answer.chunks[0].at_ns : end)};
        begin = token.time.end_ns;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace

RequestParts partsOf(const Answer& answer)
{
    RequestParts parts;
    parts.time = {answer.asked_ns, std::max(answer.asked_ns, answer.ended_ns)};
    const auto first = firstToken(answer);
    if (!first)
        return parts;
    const Figures& figures = answer.figures;
    const auto add = [&](Phase phase, const TimeRange& time) {
        if (!time.empty())
            parts.phases.push_back({phase, time, {}});
    };
    const Nanoseconds begin = answer.asked_ns;
    const Nanoseconds loaded = std::min(*first, begin + figures.load_ns.value_or(0));
    const Nanoseconds prefill =
        figures.prompt_ns ? std::max(loaded, *first - *figures.prompt_ns) : loaded;
    add(Phase::Load, {begin, loaded});
    add(Phase::Queue, {loaded, prefill});
    add(Phase::Prefill, {prefill, *first});
    if (answer.stopped_ns)
        add(Phase::Decode, {*first, *answer.stopped_ns});
    if (tokensArriveSingly(answer))
        parts.tokens = tokensOf(answer, prefill);
    return parts;
}

void describe(const Answer& answer, const RequestParts& parts, ServerRecord& record)
{
    const Figures& figures = answer.figures;
    record.finish = figures.finish;
    record.prompt_tokens = figures.prompt_tokens;
    record.cached_tokens = figures.cached_tokens;
    record.uncached_tokens = figures.uncached_tokens;
    record.output_tokens = figures.output_tokens;
    record.reasoning_tokens = figures.reasoning_tokens;
    record.draft_tokens = figures.draft_tokens;
    record.draft_accepted_tokens = figures.draft_accepted_tokens;
    record.load_ns = figures.load_ns;
    record.prompt_ns = figures.prompt_ns;
    record.decode_ns = figures.decode_ns;
    record.chunks = static_cast<std::int64_t>(answer.chunks.size());
    if (answer.streamed && answer.stopped_ns && !answer.chunks.empty())
        record.client_decode_ns = *answer.stopped_ns - answer.chunks.front().at_ns;

    const auto note = [&](bool holds, const char* text) {
        if (holds)
            record.notes.emplace_back(text);
    };
    note(!figures.output_tokens,
         "The server does not state its tokens, so their numbers and the energy per token are "
         "missing; ask it for its usage (docs/attach.md).");
    note(figures.output_tokens && !figures.uncached_tokens,
         "The server does not state how much of the prompt was in its cache, so there is no "
         "energy per input token.");
    note(!parts.phases.empty() && !figures.prompt_ns,
         "The server does not state its time for the prompt: the prefill includes any waiting, and "
         "the loading of the model if it was not loaded (--warmup 1 loads it before).");
    note(answer.streamed && answer.stopped_ns && parts.phases.empty(),
         "No part of the answer came before its end, so there are no phases.");
    note(
        figures.cached_tokens.value_or(0) > 0,
        "A part of the prompt came from the server's cache: the prefill did less work than that of "
        "the whole prompt.");
    note(!answer.streamed && !parts.phases.empty(),
         "The answer came in one piece: the phases are placed by the server's own times.");
    note(!answer.streamed && parts.phases.empty(),
         "The answer came in one piece without the server's times, so there are no phases.");
    note(answer.streamed && figures.output_tokens && parts.tokens.empty(),
         "Parts of the answer and tokens differ in number, so single tokens have no times of "
         "their own.");
}

} // namespace ep::attach
