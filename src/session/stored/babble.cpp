// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/babble.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace ep::session {

Result<std::optional<Babble>> findBabble(const Run& run, const text::AnswerRule& rule)
{
    const std::vector<TokenSpan>& tokens = run.trace.tokens;
    if (!run.info.batch.empty()) {
        return Error{ErrorCode::InvalidInput,
                     "The end of an answer is known for single sequences only, not for a batch."};
    }
    if (!tokens.empty() && std::all_of(tokens.begin(), tokens.end(), [](const TokenSpan& token) {
            return token.id == 0 && token.text.empty();
        })) {
        return Error{
            ErrorCode::InvalidInput,
            "The texts of this run are not stored, so the end of its answer is not known."};
    }
    auto watch = text::AnswerEnd::watch(rule);
    if (!watch)
        return watch.error();
    // A server sends texts without ids, so equal texts get equal ids.
    std::map<std::string_view, text::TokenId> idsOfTexts;
    for (const TokenSpan& token : tokens) {
        const text::TokenId id = run.info.profiling.server
            ? idsOfTexts.try_emplace(token.text, static_cast<text::TokenId>(idsOfTexts.size()))
                  .first->second
            : token.id;
        if (const Status pushed = watch->push(id, token.text); !pushed)
            return pushed.error();
    }
    const auto onset = watch->onset();
    if (!onset || *onset >= tokens.size())
        return std::optional<Babble>();
    Babble babble;
    babble.onset = tokens[*onset].index;
    for (std::size_t i = *onset; i < tokens.size(); ++i) {
        babble.sum.add(tallyOf(tokens[i].time, tokens[i].energy));
        ++babble.tokens;
    }
    const auto& whole = run.metrics.energy.total_mj;
    if (const auto part = babble.sum.complete(); part && whole && whole->value > 0.0)
        babble.energy_share = part->value / whole->value;
    if (run.metrics.duration_ns > 0) {
        babble.time_share = static_cast<double>(babble.sum.duration_ns)
            / static_cast<double>(run.metrics.duration_ns);
    }
    return std::optional(babble);
}

Message babbleText(const Run& run, const text::AnswerRule& rule,
                   const std::optional<Babble>& babble)
{
    if (!babble)
        return {"Nothing came after the answer (rule: %1).", text::ruleText(rule)};
    Message tokens("%1 to %2 of %3", babble->onset, babble->onset + babble->tokens - 1,
                   run.trace.tokens.size());
    if (babble->sum.energy_mj)
        tokens =
            Message("%1, %2 %3", tokens, formatEnergy(babble->sum), name(babble->sum.provenance));
    return {babble->energy_share ? "%1 of the energy came after the answer (tokens %2; rule: %3)."
                                 : "%1 of the time came after the answer (tokens %2; rule: %3).",
            formatPercent(babble->energy_share ? *babble->energy_share : babble->time_share),
            tokens, text::ruleText(rule)};
}

} // namespace ep::session
