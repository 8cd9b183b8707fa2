// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flat_map.h"
#include "token_model.h"

#include <optional>
#include <string>

namespace ep::text {

// Byte-pair encoding: the characters of a word are merged pair by pair, the pair of the lowest rank
// first. Supports byte-level and SentencePiece-style vocabularies.
class Bpe final : public TokenModel {
public:
    explicit Bpe(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    struct Merge {
        std::uint32_t rank = 0;
        TokenId result = 0;
    };
    struct Word;

    void readMerges(const json::Value& merges);
    void addMerge(const json::Value& place, std::uint32_t rank, const std::string& left,
                  const std::string& right);
    const Merge* mergeOf(TokenId left, TokenId right) const;
    Status splitIntoSymbols(std::string_view text, std::vector<TokenId>& symbols) const;
    void mergeAll(Word& word) const;

    FlatMap<Merge> m_merges;
    std::optional<std::string> m_unknownToken;
    std::string m_subwordPrefix;
    std::string m_wordSuffix;
    std::vector<TokenId> m_byteTokens; // empty without byte_fallback
    bool m_fuseUnknown = false;
    bool m_ignoreMerges = false;
};

} // namespace ep::text
