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

// Tokens beside the model's vocabulary that are found in the text before the model sees it.
// Immutable after reading.
class AddedTokens {
public:
    AddedTokens() = default;
    // Gives ids as the reference library does: a token of the model keeps its id there, others
    // follow the vocabulary. Throws json::ReadError.
    void read(const json::Value& list, const TokenModel& model, const Normalizer* normalizer);

    // Normalizes the text and cuts it at the added tokens: those that are not "normalized" are
    // found in the original, the others in the normalized text.
    Status extract(Pieces& pieces, const Normalizer* normalizer) const;

    std::optional<TokenId> idOf(std::string_view token) const;
    const std::string* tokenOf(TokenId id) const; // null when it is none of ours
    // What decoding writes for it, which is also what decides there whether it is special: a
    // "normalized" token is written in its normalized form. Null when it is none of ours.
    const std::string* decodedTokenOf(TokenId id) const;
    bool isSpecial(std::string_view token) const { return m_special.count(std::string(token)) > 0; }
    std::size_t countBeside(const Vocabulary& vocabulary) const; // tokens that it does not have

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
        std::vector<TokenId> ids; // by phrase
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
