// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/text/tokenizer.h"

#include <optional>
#include <vector>

namespace ep::text {

// Adds the tokens around a sequence (BOS etc.). Immutable.
class PostProcessor {
public:
    PostProcessor() = default; // adds nothing
    explicit PostProcessor(const json::Value& json); // throws json::ReadError
    PostProcessor(std::optional<TokenId> before, std::optional<TokenId> after);

    std::vector<TokenId> process(std::vector<TokenId> ids, bool addSpecialTokens) const;

private:
    struct Part {
        std::optional<std::vector<TokenId>> tokens; // nullopt: the sequence itself
    };
    using Template = std::vector<Part>;

    void read(const json::Value& json, int depth);
    static Template readTemplate(const json::Value& json);
    static Template readClassifier(const json::Value& json);

    std::vector<Template> m_templates; // applied one after the other
};

} // namespace ep::text
