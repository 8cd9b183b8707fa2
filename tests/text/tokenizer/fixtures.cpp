// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include "support/folders.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace ep::text::test {

namespace {

TokenizerPointer accepted(const std::string& json)
{
    Result<TokenizerPointer> result = Tokenizer::fromJson(json);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return nullptr;
    }
    return *result;
}

} // namespace

std::string Document::json() const
{
    const auto orNull = [](const std::string& part) { return part.empty() ? "null" : part; };
    return R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": )"
        + orNull(addedTokens) + R"(, "normalizer": )" + orNull(normalizer)
        + R"(, "pre_tokenizer": )" + orNull(preTokenizer) + R"(, "post_processor": )"
        + orNull(postProcessor) + R"(, "decoder": )" + orNull(decoder) + R"(, "model": )" + model
        + "}";
}

TokenizerPointer makeTokenizer(const Document& document)
{
    return accepted(document.json());
}

TokenizerPointer loadFixture(const std::string& name)
{
    return accepted(readFixture(name));
}

std::string readFixture(const std::string& name)
{
    return readFile(ep::test::dataPath("tokenizers/") + name + ".json");
}

std::string readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

std::vector<std::string> tokensOf(const Tokenizer& tokenizer, std::string_view text)
{
    std::vector<std::string> tokens;
    const Result<std::vector<TokenId>> ids = tokenizer.tryEncode(text, false);
    if (!ids) {
        tokens.push_back("error: " + ids.error().message.english());
        return tokens;
    }
    for (const TokenId id : *ids)
        tokens.push_back(tokenizer.tokenString(id));
    return tokens;
}

std::vector<std::string> streamed(const TokenizerPointer& tokenizer,
                                  const std::vector<TokenId>& ids, bool skipSpecialTokens)
{
    StreamDecoder decoder(tokenizer, skipSpecialTokens);
    std::vector<std::string> parts;
    for (const TokenId id : ids)
        parts.push_back(decoder.push(id));
    parts.push_back(decoder.flush());
    return parts;
}

} // namespace ep::text::test
