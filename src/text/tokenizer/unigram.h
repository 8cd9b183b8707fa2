// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flat_map.h"
#include "token_model.h"

#include <optional>

namespace ep::text {

// A vocabulary of pieces with scores (log probabilities): a word becomes the sequence of pieces
// with the highest sum, found with the Viterbi algorithm.
class Unigram final : public TokenModel {
public:
    explicit Unigram(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;
    std::size_t tokenCount() const override { return m_scores.size(); } // duplicates count twice

private:
    struct Lattice;
    struct TrieNode {
        std::uint32_t child = 0;
        TokenId token = -1; // token that ends at the child
    };

    void addToTrie(std::string_view token, TokenId id);
    Status findBestPath(std::string_view word, Lattice& lattice) const;
    Status appendPiece(std::string_view piece, std::vector<TokenId>& ids) const;

    std::vector<double> m_scores; // by token id
    double m_unknownScore = 0;
    std::optional<TokenId> m_unknownId;
    std::vector<TokenId> m_byteTokens; // empty without byte_fallback
    FlatMap<TrieNode> m_trie; // by parent node and byte
    std::uint32_t m_trieNodes = 1;
};

} // namespace ep::text
