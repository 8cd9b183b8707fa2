// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

using TokenId = std::int32_t;

// A HuggingFace tokenizer.json (BPE byte-level or SentencePiece-style). Immutable after loading, so
// it may be shared between threads. Needs no LibTorch.
class Tokenizer {
public:
    // Reads folder/tokenizer.json. NotFound when it is absent, InvalidInput with the place in the
    // document when it is broken, Unsupported naming the part that we do not implement.
    static Result<std::shared_ptr<const Tokenizer>> load(const std::filesystem::path& folder);
    static Result<std::shared_ptr<const Tokenizer>> fromJson(std::string_view json);

    ~Tokenizer();

    // Text is any UTF-8 (invalid bytes are replaced by U+FFFD first). With addSpecialTokens the
    // post-processor's template is applied (BOS and the like).
    std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens = true) const;
    std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens = true) const;

    std::size_t vocabularySize() const; // added tokens included
    // The token's string as stored in the vocabulary ("Ġthe", "▁the"); empty for unknown ids.
    std::string tokenString(TokenId id) const;
    bool isSpecial(TokenId id) const;

private:
    struct Impl;
    explicit Tokenizer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// Decodes a growing sequence so that no half character is ever shown: text is held back while it
// ends in an incomplete UTF-8 sequence. Concatenating all push() results and flush() gives decode(all).
class StreamDecoder {
public:
    explicit StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, bool skipSpecialTokens = true);
    std::string push(TokenId id); // the text that became certain with this token; may be empty
    std::string flush(); // what was held back

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    bool m_skipSpecialTokens;
    std::vector<TokenId> m_ids;
    std::size_t m_emittedBytes = 0;
};

} // namespace ep::model
