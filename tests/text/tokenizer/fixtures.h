// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::test {

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

// A document from its parts, each as JSON; an empty part is null.
struct Document {
    std::string model;
    std::string normalizer = {};
    std::string preTokenizer = {};
    std::string postProcessor = {};
    std::string decoder = {};
    std::string addedTokens = {};

    std::string json() const;
};

// Fail the test and return null when the document is not accepted.
TokenizerPointer makeTokenizer(const Document& document);
TokenizerPointer loadFixture(const std::string& name); // tests/data/tokenizers/<name>.json

std::string readFixture(const std::string& name);
std::string readFile(const std::string& path);

// The strings of the tokens that the text becomes, without those of the post-processor.
std::vector<std::string> tokensOf(const Tokenizer& tokenizer, std::string_view text);

// What push() gives for each id, and flush() at the end.
std::vector<std::string> streamed(const TokenizerPointer& tokenizer,
                                  const std::vector<TokenId>& ids, bool skipSpecialTokens);

} // namespace ep::text::test
