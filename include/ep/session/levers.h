// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine.h"

#include <string>

namespace ep::session {

inline constexpr const char* kNgramDraft = "ngram";
inline constexpr int kUsualDraftTokens = 4;
inline constexpr int kMaxDraftTokens = 64;

// Settings that save work in a generation of our engine (docs/generation.md).
struct Levers {
    model::CacheKind cache = model::CacheKind::Growing;
    bool prompt_cache = false; // common beginnings of prompts are computed only once
    // The draft that proposes tokens. Empty: none; kNgramDraft: earlier occurrences of the same
    // words; otherwise the folder of a model.
    std::string draft{};
    int draft_tokens = kUsualDraftTokens; // maximum number proposed per step

    bool operator==(const Levers&) const = default;
};

// "KV cache q8_0, prompt cache, draft by ngram"; empty: none.
std::string leversText(const Levers& levers);

} // namespace ep::session
