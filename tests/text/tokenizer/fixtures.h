// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::test {

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

// A document made of these parts, each as JSON; an empty part becomes null.
struct Document {
    std::string model;
    std::string normalizer = {};
    std::string preTokenizer = {};
    std::string postProcessor = {};
    std::string decoder = {};
    std::string addedTokens = {};

    std::string json() const;
};

// Fails the test and returns null if the document is not accepted.
TokenizerPointer makeTokenizer(const Document& document);
TokenizerPointer loadFixture(const std::string& name); // Loads tests/data/tokenizers/<name>.json.

std::string readFixture(const std::string& name);
std::string readFile(const std::string& path);

// The strings of the tokens of a text, without those that the post-processor adds.
std::vector<std::string> tokensOf(const Tokenizer& tokenizer, std::string_view text);

// The results of push() for each id, and of flush() at the end.
std::vector<std::string> streamed(const TokenizerPointer& tokenizer,
                                  const std::vector<TokenId>& ids, bool skipSpecialTokens);

} // namespace ep::text::test
