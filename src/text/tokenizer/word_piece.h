// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "token_model.h"

#include <string>

namespace ep::text {

// Splits a word greedily into the longest matching tokens; a word that cannot be split this way
// becomes one unknown token.
class WordPiece final : public TokenModel {
public:
    explicit WordPiece(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    std::string m_unknownToken;
    std::string m_prefix; // prefix of tokens inside a word
    std::size_t m_longestWord = 100; // in code points; longer ones are unknown
};

} // namespace ep::text
