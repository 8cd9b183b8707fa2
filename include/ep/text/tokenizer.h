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

namespace ep {
class MappedFile;
}

namespace ep::text {

using TokenId = std::int32_t;

// A HuggingFace tokenizer.json (BPE byte-level or SentencePiece-style, Unigram, WordPiece). Its
// truncation and padding are for training batches and are ignored. Immutable after loading,
// so it may be shared between threads. Does not need LibTorch.
class Tokenizer {
public:
    // Reads folder/tokenizer.json, or the metadata of a GGUF file. NotFound if it is absent
    // (Unsupported if there are only older files instead), InvalidInput with the location in the
    // document if it is invalid, Unsupported with the name of a part that is not implemented.
    static Result<std::shared_ptr<const Tokenizer>> load(const std::filesystem::path& folder);
    // Reads the metadata of a GGUF file that is open already.
    static Result<std::shared_ptr<const Tokenizer>> ofGguf(const MappedFile& file);
    static Result<std::shared_ptr<const Tokenizer>> fromJson(std::string_view json);

    ~Tokenizer();

    // Text may be any UTF-8 (invalid bytes are first replaced by U+FFFD). With
    // addSpecialTokens, the template of the post-processor is applied (BOS etc.). Fails if the
    // tokenizer has no token for a character of the text, or if one of its patterns takes too
    // long on it.
    Result<std::vector<TokenId>> tryEncode(std::string_view text,
                                           bool addSpecialTokens = true) const;
    // A lower bound of the number of tokens in the text; 0 if none is known. Much faster than
    // encoding a text that is too long anyway.
    std::size_t leastTokens(std::string_view text) const;
    // Like tryEncode(), but returns an empty list on failure.
    std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens = true) const;
    // Skips ids that are not in the vocabulary.
    std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens = true) const;

    std::size_t vocabularySize() const; // including added tokens
    // The token's string as stored in the vocabulary ("Ġthe", "▁the"); empty for unknown ids.
    std::string tokenString(TokenId id) const;
    bool isSpecial(TokenId id) const;

private:
    friend class StreamDecoder;
    struct Impl;
    explicit Tokenizer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// Decodes a growing sequence without ever showing partial characters: text is held back while a
// later token can still change it (an incomplete UTF-8 sequence, a sequence of byte tokens).
// Concatenating all push() results and flush() gives decode(all). One thread at a time.
class StreamDecoder {
public:
    explicit StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer,
                           bool skipSpecialTokens = true);
    ~StreamDecoder();
    StreamDecoder(StreamDecoder&&) noexcept;
    StreamDecoder& operator=(StreamDecoder&&) noexcept;

    std::string push(TokenId id); // returns the text that has become final; may be empty
    std::string flush(); // returns the held-back text; the next push() begins a new sequence

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::text
