// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "added_tokens.h"
#include "decoder.h"
#include "normalizer.h"
#include "post_processor.h"
#include "pre_tokenizer.h"
#include "token_model.h"

#include "ep/text/tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string_view>

namespace ep::text {

// The parts of the document. A null normalizer or pre-tokenizer does nothing.
struct Tokenizer::Impl {
    std::unique_ptr<TokenModel> model;
    std::unique_ptr<Normalizer> normalizer;
    std::unique_ptr<PreTokenizer> preTokenizer;
    AddedTokens added;
    PostProcessor postProcessor;
    TextDecoder decoder;

    // config: tokenizer_config.json, may be null.
    static Result<std::shared_ptr<const Tokenizer>> make(std::string_view json,
                                                         const nlohmann::json& config);
    template <typename Read>
    static Result<std::shared_ptr<const Tokenizer>> build(Read&& read,
                                                          const nlohmann::json& config);
    void applyConfig(const nlohmann::json& config);
    std::optional<TokenId> idOf(std::string_view token) const;

    // nullopt for an id that is not in the vocabulary.
    std::optional<std::string_view> tokenOf(TokenId id) const;
    // The token to decode for the id; nullopt if it is skipped.
    std::optional<std::string_view> tokenToDecode(TokenId id, bool skipSpecialTokens) const;
    Status encodeWords(const Pieces& pieces, std::vector<TokenId>& ids) const;
};

} // namespace ep::text
