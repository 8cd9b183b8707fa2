// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/prompt.h"

#include "ep/core/utf8.h"

namespace ep::session {

std::string cleanPrompt(std::string_view prompt)
{
    const std::string valid = replaceInvalidUtf8(prompt);
    std::string clean;
    clean.reserve(valid.size());
    for (const char c : valid) {
        if (c == '\0')
            clean += "\xEF\xBF\xBD";
        else
            clean += c;
    }
    return clean;
}

Status checkLeast(std::size_t leastTokens, const ModelFacts& model)
{
    const auto context =
        static_cast<std::size_t>(model.context_length > 0 ? model.context_length : 0);
    if (context == 0 || leastTokens <= context)
        return {};
    return Error{
        ErrorCode::InvalidInput,
        {"The prompt has at least %1 tokens, but the context of %2 holds %3: shorten the prompt.",
         leastTokens, model.name, context}};
}

Status checkLengths(std::size_t promptTokens, int maxNewTokens, const ModelFacts& model)
{
    if (promptTokens == 0) {
        return Error{ErrorCode::InvalidInput,
                     "The prompt is empty and this model's tokenizer adds no start token: give a "
                     "prompt of at least one character."};
    }
    if (maxNewTokens < 1) {
        return Error{ErrorCode::InvalidInput,
                     {"The number of new tokens is %1: ask for at least 1.", maxNewTokens}};
    }
    const auto context =
        static_cast<std::size_t>(model.context_length > 0 ? model.context_length : 0);
    if (context > 0 && promptTokens > context) {
        return Error{
            ErrorCode::InvalidInput,
            {"The prompt has %1 tokens, but the context of %2 holds %3: shorten the prompt.",
             promptTokens, model.name, context}};
    }
    return {};
}

Status checkAskedContext(std::size_t promptTokens, int context)
{
    if (context <= 0 || promptTokens <= static_cast<std::size_t>(context))
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"The prompt has %1 tokens, but the context of this run is limited to %2: shorten "
                  "the prompt or allow a longer context.",
                  promptTokens, context}};
}

} // namespace ep::session
