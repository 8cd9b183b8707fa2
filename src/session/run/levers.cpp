// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/levers.h"

#include "ep/core/joined.h"

#include <filesystem>
#include <vector>

namespace ep::session {

std::string leversText(const Levers& levers)
{
    const Levers none;
    std::vector<std::string> parts;
    if (levers.cache != none.cache)
        parts.push_back("KV cache " + std::string(model::name(levers.cache)));
    if (levers.prompt_cache)
        parts.push_back("prompt cache");
    if (!levers.draft.empty()) {
        parts.push_back("draft by " + std::filesystem::path(levers.draft).filename().string());
        if (levers.draft_tokens != none.draft_tokens)
            parts.push_back(std::to_string(levers.draft_tokens) + " draft tokens");
    }
    return joined(parts);
}

} // namespace ep::session
