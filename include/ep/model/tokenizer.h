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

// A HuggingFace tokenizer.json (BPE byte-level or SentencePiece-style, Unigram, WordPiece). Its
// truncation and padding are for training batches and do not matter here. Immutable after loading,
// so it may be shared between threads. Needs no LibTorch.
class Tokenizer {
public:
    // Reads folder/tokenizer.json. NotFound when it is absent (Unsupported when there are only
    // older files in its place), InvalidInput with the place in the document when it is broken,
    // Unsupported naming the part that we do not implement.
    static Result<std::shared_ptr<const Tokenizer>> load(const std::filesystem::path& folder);
    static Result<std::shared_ptr<const Tokenizer>> fromJson(std::string_view json);

    ~Tokenizer();

    // Text is any UTF-8 (invalid bytes are replaced by U+FFFD first). With addSpecialTokens the
    // post-processor's template is applied (BOS and the like).
    // Fails when the tokenizer has no token for a character of the text, or when one of its
    // patterns takes too long on it.
    Result<std::vector<TokenId>> tryEncode(std::string_view text,
                                           bool addSpecialTokens = true) const;
    // The same for texts that cannot fail; empty if it does.
    std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens = true) const;
    // Ids that the vocabulary does not have are skipped.
    std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens = true) const;

    std::size_t vocabularySize() const; // added tokens included
    // The token's string as stored in the vocabulary ("Ġthe", "▁the"); empty for unknown ids.
    std::string tokenString(TokenId id) const;
    bool isSpecial(TokenId id) const;

private:
    friend class StreamDecoder;
    struct Impl;
    explicit Tokenizer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// Decodes a growing sequence so that no half character is ever shown: text is held back while a
// later token can still change it (an incomplete UTF-8 sequence, a row of byte tokens).
// Concatenating all push() results and flush() gives decode(all). One thread at a time.
class StreamDecoder {
public:
    explicit StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer,
                           bool skipSpecialTokens = true);
    ~StreamDecoder();
    StreamDecoder(StreamDecoder&&) noexcept;
    StreamDecoder& operator=(StreamDecoder&&) noexcept;

    std::string push(TokenId id); // the text that became certain with this token; may be empty
    std::string flush(); // what was held back; the next push() begins a new sequence

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::model
