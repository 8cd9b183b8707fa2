// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "normalizer.h"
#include "phrase_finder.h"
#include "pieces.h"
#include "token_model.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ep::text {

// Tokens in addition to the model's vocabulary that are matched in the text before the model sees
// it. Immutable after reading.
class AddedTokens {
public:
    AddedTokens() = default;
    // Assigns ids like the reference library: a token of the model keeps its id, others follow the
    // vocabulary. Throws json::ReadError.
    void read(const json::Value& list, const TokenModel& model, const Normalizer* normalizer);

    // Normalizes the text and splits it at the added tokens: those not marked "normalized" are
    // matched in the original text, the others in the normalized text.
    std::size_t longestToken() const; // bytes; 0: there is none
    Status extract(Pieces& pieces, const Normalizer* normalizer) const;

    std::optional<TokenId> idOf(std::string_view token) const;
    const std::string* tokenOf(TokenId id) const; // null if it is not an added token
    // The decoded text, which also determines whether the token is special for decoding: a
    // "normalized" token has its normalized form. Null if it is not an added token.
    const std::string* decodedTokenOf(TokenId id) const;
    bool isSpecial(std::string_view token) const { return m_special.count(std::string(token)) > 0; }
    std::size_t countBeside(const Vocabulary& vocabulary) const; // number outside the vocabulary

private:
    struct Token {
        std::string content;
        bool singleWord = false;
        bool stripLeft = false;
        bool stripRight = false;
        bool normalized = false;
        bool special = false;

        bool operator==(const Token&) const = default;
    };
    struct Matcher {
        PhraseFinder finder;
        std::vector<TokenId> ids; // index by phrase
    };

    static Token readToken(const json::Value& json);
    void add(const Token& token, const TokenModel& model);
    TokenId nextId(const TokenModel& model) const;
    void buildMatchers(const Normalizer* normalizer);
    static std::string searchedText(const Token& token, const Normalizer* normalizer);
    void split(const Piece& piece, const Matcher& matcher, std::vector<Piece>& result) const;

    std::unordered_map<std::string, TokenId> m_ids;
    std::map<TokenId, Token> m_tokens;
    std::unordered_map<TokenId, std::string> m_decoded;
    std::unordered_set<std::string> m_special;
    std::vector<Token> m_specialInOrder;
    std::vector<Token> m_othersInOrder;
    Matcher m_original;
    Matcher m_normalized;
};

} // namespace ep::text
