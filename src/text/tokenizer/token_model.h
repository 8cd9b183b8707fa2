// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vocabulary.h"

#include "ep/json/value.h"

#include <memory>
#include <string_view>
#include <vector>

namespace ep::text {

// Converts one word to ids. Immutable.
class TokenModel {
public:
    // Memory of one call to encode(), reused for each word.
    class Workspace {
    public:
        virtual ~Workspace() = default;
    };

    virtual ~TokenModel() = default;

    virtual std::unique_ptr<Workspace> makeWorkspace() const
    {
        return std::make_unique<Workspace>();
    }
    // Appends the ids of the non-empty word to ids. The workspace must be from this model.
    virtual Status tokenize(std::string_view word, Workspace& workspace,
                            std::vector<TokenId>& ids) const = 0;

    const Vocabulary& vocabulary() const { return m_vocabulary; }
    // Number of vocabulary entries in the file; ids of added tokens start there.
    virtual std::size_t tokenCount() const { return m_vocabulary.size(); }

protected:
    // Reads a list of tokens by id, with null where there is none; of equal tokens, the first one
    // counts. Throws json::ReadError.
    void readTokens(const json::Value& tokens);
    // Reads an object of tokens and their ids. Throws json::ReadError.
    void readVocabulary(const json::Value& vocabulary);

    Vocabulary m_vocabulary;
};

// Throws json::ReadError: InvalidInput or Unsupported, with the location.
std::unique_ptr<TokenModel> readTokenModel(const json::Value& json);

// The ids of the tokens "<0x00>" to "<0xFF>" (-1 if missing), for characters without a token.
std::vector<TokenId> byteTokens(const Vocabulary& vocabulary);
// Appends the bytes of the text as tokens; returns false, without appending, if one has none.
bool appendByteTokens(const std::vector<TokenId>& tokens, std::string_view text,
                      std::vector<TokenId>& ids);

} // namespace ep::text
