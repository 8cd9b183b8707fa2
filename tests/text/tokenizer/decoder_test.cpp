// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"
#include "fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ep::text::test {
namespace {

using Tokens = std::vector<std::string>;

std::string decoded(const std::string& definition, const Tokens& tokens)
{
    const nlohmann::json json = nlohmann::json::parse(definition);
    const TextDecoder decoder{json::Value(json)};
    DecodingRun run(decoder);
    for (const std::string& token : tokens)
        run.push(token);
    run.finish();
    return run.takeText();
}

std::string sequence(const std::string& decoders)
{
    return R"({"type": "Sequence", "decoders": [)" + decoders + "]}";
}

const std::string byteLevel = R"({"type": "ByteLevel"})";
const std::string bytes = R"({"type": "ByteFallback"})";
const std::string wordPiece = R"({"type": "WordPiece", "prefix": "##"})";
const std::string ctc = R"({"type": "CTC"})";
const std::string fuse = R"({"type": "Fuse"})";
const std::string llama =
    sequence(R"({"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "ByteFallback"}, {"type": "Fuse"},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0})");

TEST(Decoder, MakesTextOfTokens)
{
    struct Case {
        std::string definition;
        Tokens tokens;
        std::string text;
    };
    const auto strip = [](int start, int stop) {
        return R"({"type": "Strip", "content": "x", "start": )" + std::to_string(start)
            + R"(, "stop": )" + std::to_string(stop) + "}";
    };
    const std::string replacement = "\ufffd";
    const std::vector<Case> cases = {
        {byteLevel, {"ĠHi", "Ġthere", "!"}, " Hi there!"},
        {byteLevel, {"Ã", "©"}, "é"},
        {byteLevel, {"Ã", "a", "©"}, replacement + "a" + replacement},
        {byteLevel, {"<日本>", "Ġa"}, "<日本> a"}, // a token with other characters is not changed
        {byteLevel, {}, ""},
        {wordPiece, {"Hello", "wor", "##ld", "!", "do", "not"}, "Hello world! do not"},
        {wordPiece, {"##a", "##", "b"}, "##a b"},
        {R"({"type": "WordPiece", "prefix": "+", "cleanup": false})", {"a", "+b", "."}, "ab ."},
        {ctc, {"h", "h", "<pad>", "h", "i", "|", "y", "o", "u"}, "hhi you"},
        {ctc, {"<pad>", "<pad>"}, ""},
        {bytes, {"a", "<0xE2>", "<0x82>", "<0xAC>", "b"}, "a€b"},
        {bytes, {"<0xE2>", "<0x82>", "b"}, replacement + replacement + "b"},
        {bytes, {"<0x41>", "<0xFF>"}, replacement + replacement}, // one bad byte spoils the row
        {bytes, {"<0x4>", "<0xGG>", "<0xe2>"}, "<0x4><0xGG>" + replacement},
        {strip(1, 0), {"xxa", "xb"}, "xab"},
        {strip(0, 1), {"axx", "xb", "x"}, "axxb"},
        {strip(2, 2), {"xxxx", "xxxxx"}, "x"},
        {sequence(fuse + "," + strip(1, 1)), {"xa", "xx"}, "ax"},
        {R"({"type": "Replace", "pattern": {"Regex": "a+"}, "content": "-"})", {"aab", "a"}, "-b-"},
        {sequence(fuse + R"(, {"type": "Replace", "pattern": {"String": "ab"}, "content": "-"})"),
         {"a", "ba", "a", "b"},
         "-a-"},
        {R"({"type": "Metaspace", "replacement": "▁"})", {"▁a▁b", "▁c"}, "ab c"},
        {R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"})", {"▁a"}, " a"},
        {R"({"type": "Metaspace", "replacement": "▁", "add_prefix_space": false})", {"▁a"}, " a"},
        {R"({"type": "BPEDecoder", "suffix": "</w>"})", {"a", "b</w>", "c</w>"}, "ab c"},
        {llama, {"▁Hi", "▁", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "!"}, "Hi 😀!"},
        {sequence(sequence(fuse) + "," + sequence("")), {"a", "b"}, "ab"},
    };
    for (const Case& example : cases)
        EXPECT_EQ(decoded(example.definition, example.tokens), example.text)
            << example.definition << " on " << testing::PrintToString(example.tokens);
}

struct StreamCase {
    std::string decoder;
    Tokens vocabulary;
    std::vector<TokenId> ids;
    Tokens parts; // the text after each id, and at the end
};

TokenizerPointer withTokens(const std::string& decoder, const Tokens& tokens)
{
    nlohmann::json vocabulary = nlohmann::json::object();
    for (std::size_t i = 0; i < tokens.size(); ++i)
        vocabulary[tokens[i]] = i;
    return makeTokenizer(
        {.model = R"({"type": "BPE", "merges": [], "vocab": )" + vocabulary.dump() + "}",
         .decoder = decoder,
         .addedTokens = R"([{"id": 99, "content": "<s>", "special": true}])"});
}

TEST(StreamDecoder, HoldsBackOnlyWhatMayChange)
{
    const std::string replacement = "\ufffd";
    const std::vector<StreamCase> cases = {
        {byteLevel, {"ð", "Ł", "ĺ", "Ģ", "a"}, {4, 0, 1, 2, 3, 4}, {"a", "", "", "", "😀", "a", ""}},
        {byteLevel, {"ð", "Ł", "a"}, {0, 1, 2, 0}, {"", "", replacement + "a", "", replacement}},
        {bytes, {"<0xC3>", "<0xA9>", "a"}, {2, 0, 1, 2, 0}, {"a", "", "", "éa", "", replacement}},
        {llama, {"▁", "a", "▁a"}, {0, 1, 2}, {"", "a", " a", ""}},
        {"", {"a", "b"}, {0, 1, 7, 0}, {"a", " b", "", " a", ""}},
        {R"({"type": "BPEDecoder", "suffix": "_"})", {"a_", "b"}, {0, 1, 0}, {"", "a ", "b", "a"}},
        {sequence(fuse + R"(, {"type": "Replace", "pattern": {"String": "éé"}, "content": "-"})"),
         {"é", "a"},
         {1, 0, 0, 1},
         {"a", "", "-", "a", ""}},
        {sequence(fuse + R"(, {"type": "Strip", "content": "a", "start": 0, "stop": 2})"),
         {"a", "b"},
         {0, 0, 0, 1, 0},
         {"", "", "a", "aab", "", ""}},
    };
    for (const StreamCase& example : cases) {
        SCOPED_TRACE(example.decoder + " on " + testing::PrintToString(example.vocabulary));
        const auto tokenizer = withTokens(example.decoder, example.vocabulary);
        ASSERT_TRUE(tokenizer);
        const Tokens parts = streamed(tokenizer, example.ids, true);
        EXPECT_EQ(parts, example.parts);
        std::string all;
        for (const std::string& part : parts)
            all += part;
        EXPECT_EQ(all, tokenizer->decode(example.ids));
    }
}

TEST(StreamDecoder, SkipsSpecialTokensAndStartsAgainAfterFlush)
{
    const auto tokenizer = withTokens(llama, {"▁a"});
    ASSERT_TRUE(tokenizer);
    const TokenId special = 1; // comes after the vocabulary
    StreamDecoder decoder(tokenizer);
    EXPECT_EQ(decoder.push(special), "");
    EXPECT_EQ(decoder.push(0), "a");
    EXPECT_EQ(decoder.push(0), " a");
    EXPECT_EQ(decoder.flush(), "");
    EXPECT_EQ(decoder.push(0), "a");
    EXPECT_EQ(streamed(tokenizer, {special, 0}, false), (Tokens{"<s>", " a", ""}));
}

} // namespace
} // namespace ep::text::test
