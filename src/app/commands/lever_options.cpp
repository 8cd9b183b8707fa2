// SPDX-License-Identifier: GPL-3.0-or-later
#include "lever_options.h"

#include "resources.h"

namespace ep::app {

void addKvCache(CLI::App& command, std::string& cache)
{
    command
        .add_option("--kv-cache", cache,
                    "Cache of keys and values: growing (default), static (all of it allocated at "
                    "the start) or q8_0 (growing, in blocks of 8 bits; on the processor)")
        ->check(CLI::IsMember({"growing", "static", "q8_0"}));
}

void LeverOptions::addTo(CLI::App& command)
{
    addKvCache(command, cache);
    command.add_flag("--prompt-cache", prompt_cache,
                     "Compute the beginnings that prompts have in common once; kept in memory");
    auto* const proposer =
        command
            .add_option("--draft", draft,
                        "Let a smaller model with the same vocabulary propose tokens, or ngram: "
                        "what followed the same words before. The text is the same")
            ->type_name("MODEL");
    command
        .add_option("--draft-tokens", draft_tokens,
                    "Tokens to propose for each step, at most (default 4)")
        ->check(CLI::Range(1, session::kMaxDraftTokens))
        ->needs(proposer);
}

Result<session::Levers> LeverOptions::levers() const
{
    session::Levers levers{.cache =
                               model::cacheKindFromName(cache).value_or(model::CacheKind::Growing),
                           .prompt_cache = prompt_cache,
                           .draft = draft,
                           .draft_tokens = draft_tokens};
    if (draft.empty() || draft == session::kNgramDraft)
        return levers;
    const auto folder = findModel(draft);
    if (!folder)
        return folder.error();
    levers.draft = folder->string();
    return levers;
}

} // namespace ep::app
