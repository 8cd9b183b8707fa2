// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "token_model.h"

#include <string>

namespace ep::text {

// A word is either a token or becomes the unknown token.
class WordLevel final : public TokenModel {
public:
    explicit WordLevel(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    std::string m_unknownToken;
};

} // namespace ep::text
