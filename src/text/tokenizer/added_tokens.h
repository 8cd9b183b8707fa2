// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flat_map.h"
#include "normalizer.h"
#include "pieces.h"
#include "token_model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ep::text {

// Finds any of many phrases in a text: the leftmost match, and the longest of these.
class PhraseFinder {
public:
    struct Match {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t phrase = 0; // index in the order of add(); the first of equal phrases
    };

    // An empty phrase gets a number but is never found.
    void add(std::string_view phrase);
    bool isEmpty() const { return m_nodes == 1; }
    std::optional<Match> find(std::string_view text, std::size_t from) const;

private:
    static constexpr std::uint32_t noPhrase = UINT32_MAX;
    struct Edge {
        std::uint32_t child = 0;
        std::uint32_t phrase = noPhrase; // phrase that ends at the child
    };
    static std::uint64_t key(std::uint32_t node, char byte)
    {
        return (std::uint64_t{node} << 8U) | static_cast<unsigned char>(byte);
    }

    FlatMap<Edge> m_trie;
    std::array<bool, 256> m_begins{}; // bytes that may begin a phrase
    std::uint32_t m_nodes = 1;
    std::uint32_t m_phrases = 0;
};

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
    const std::string* tokenOf(TokenId id) const; // null for ids that are not added tokens
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
