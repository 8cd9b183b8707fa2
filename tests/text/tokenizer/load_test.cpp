// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"
#include "support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>

namespace ep::text::test {
namespace {

using testing::HasSubstr;

const std::string plainModel = R"({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []})";

struct BrokenDocument {
    std::string json;
    std::string place; // must be named in the message
    ErrorCode code = ErrorCode::InvalidInput;
};

std::string bpe(const std::string& rest)
{
    return Document{.model = R"({"type": "BPE", )" + rest + "}"}.json();
}

std::string with(const std::string& part, const std::string& definition)
{
    Document document{.model = plainModel};
    if (part == "normalizer")
        document.normalizer = definition;
    else if (part == "pre_tokenizer")
        document.preTokenizer = definition;
    else if (part == "post_processor")
        document.postProcessor = definition;
    else if (part == "decoder")
        document.decoder = definition;
    else
        document.addedTokens = definition;
    return document.json();
}

void checkErrors(const std::vector<BrokenDocument>& cases)
{
    for (const BrokenDocument& example : cases) {
        SCOPED_TRACE(example.json);
        const auto result = Tokenizer::fromJson(example.json);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, example.code) << result.error().message;
        EXPECT_THAT(result.error().message, HasSubstr(example.place));
        EXPECT_EQ(result.error().message.english().back(), '.');
    }
}

TEST(TokenizerErrors, OfTheDocument)
{
    checkErrors({
        {"", "not valid JSON at line 1, column 1"},
        {"{\n  \"model\": }", "line 2, column 12"},
        {"[]", "the document must be an object"},
        {"{}", "model is missing"},
        {R"({"model": null})", "model is missing"},
        {R"({"model": "x"})", "model must be an object"},
        {R"({"version": "2.0", "model": )" + plainModel + "}", "version is \"2.0\"",
         ErrorCode::Unsupported},
        {"{\"model\": \"\xff\"}", "not valid JSON"},
        {R"({"model": {"type": "Lattice"}})", "model is of type \"Lattice\"",
         ErrorCode::Unsupported},
        {R"({"model": {"type": "WordLevel"}})", "model.vocab is missing"},
    });
}

TEST(TokenizerErrors, OfBpeModels)
{
    checkErrors({
        {bpe(R"("merges": [])"), "model.vocab is missing"},
        {bpe(R"("vocab": [], "merges": [])"), "model.vocab must be an object"},
        {bpe(R"("vocab": {"a": 0})"), "model.merges is missing"},
        {bpe(R"("vocab": {"a": "0"}, "merges": [])"), R"(model.vocab.a must be a whole number)"},
        {bpe(R"("vocab": {"a": -1}, "merges": [])"),
         R"(model.vocab.a must be a whole number from 0)"},
        {bpe(R"("vocab": {"a": 1e3}, "merges": [])"), R"(model.vocab.a must be a whole number)"},
        {bpe(R"("vocab": {"a": 4294967296}, "merges": [])"), R"(model.vocab.a)"},
        {bpe(R"("vocab": {"a": 18446744073709551615}, "merges": [])"), R"(model.vocab.a)"},
        {bpe(R"("vocab": {"a": 0, "b": 0}, "merges": [])"),
         R"(model.vocab.b has the id 0, which "a" has too)"},
        {bpe(R"("vocab": {"a": 0}, "merges": {})"), "model.merges must be a list"},
        {bpe(R"("vocab": {"a": 0}, "merges": [1])"), "model.merges[0] must be a string"},
        {bpe(R"("vocab": {"a": 0}, "merges": ["aa"])"), "model.merges[0] is \"aa\""},
        {bpe(R"("vocab": {"a": 0}, "merges": ["a a a"])"), "model.merges[0] is \"a a a\""},
        {bpe(R"("vocab": {"a": 0}, "merges": [["a"]])"), "model.merges[0] must hold two tokens"},
        {bpe(R"("vocab": {"a": 0, "aa": 1}, "merges": ["a a", "a q"])"),
         R"(model.merges[1] needs the token "q")"},
        {bpe(R"("vocab": {"a": 0}, "merges": ["a a"])"), R"(model.merges[0] needs the token "aa")"},
        {bpe(R"("vocab": {"a": 0}, "merges": [], "fuse_unk": 1)"),
         "model.fuse_unk must be true or false"},
        {bpe(R"("vocab": {"a": 0}, "merges": [], "unk_token": 1)"),
         "model.unk_token must be a string"},
        {bpe(R"("vocab": {"a": 0, "aa": 1}, "merges": ["a a"],
            "continuing_subword_prefix": "##")"),
         "model.merges[0] has a second token that is shorter"},
    });
}

TEST(TokenizerErrors, OfUnigramModels)
{
    const auto unigram = [](const std::string& rest) {
        return Document{.model = R"({"type": "Unigram", )" + rest + "}"}.json();
    };
    checkErrors({
        {unigram(R"("vocab": {})"), "model.vocab must be a list"},
        {unigram(R"("vocab": [["a"]])"), "model.vocab[0] must be a list of a token and its score"},
        {unigram(R"("vocab": [["a", "b"]])"), "model.vocab[0][1] must be a number"},
        {unigram(R"("vocab": [[1, 1]])"), "model.vocab[0][0] must be a string"},
        {unigram(R"("vocab": [["a", 0]], "unk_id": 1)"),
         "model.unk_id must be a whole number from 0 to 0"},
        {unigram(R"("vocab": [], "unk_id": 0)"), "model.vocab is empty"},
    });
}

TEST(TokenizerErrors, OfTheOtherParts)
{
    checkErrors({
        {with("normalizer", R"({})"), "normalizer.type is missing"},
        {with("normalizer", R"({"type": "Nope"})"), "normalizer \"Nope\"", ErrorCode::Unsupported},
        {with("normalizer", R"({"type": "Sequence"})"), "normalizer.normalizers is missing"},
        {with("normalizer", R"({"type": "Sequence", "normalizers": [{"type": "Prepend"}]})"),
         "normalizer.normalizers[0].prepend is missing"},
        {with("normalizer", R"({"type": "Replace", "pattern": {}, "content": ""})"),
         "normalizer.pattern must be"},
        {with("normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "?"})"),
         "precompiled_charsmap is not valid base64"},
        {with("normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "/////w=="})"),
         "precompiled_charsmap does not hold the trie"},
        {with("pre_tokenizer", R"({"type": "Nope"})"), "pre_tokenizer", ErrorCode::Unsupported},
        {with("pre_tokenizer",
              R"({"type": "Split", "pattern": {"Regex": "("}, "behavior": "Removed"})"),
         "pre_tokenizer.pattern.Regex lacks a closing parenthesis"},
        {with("pre_tokenizer", R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "x"})"),
         "pre_tokenizer.behavior is \"x\""},
        {with("pre_tokenizer", R"({"type": "Metaspace", "replacement": "ab"})"),
         "pre_tokenizer.replacement must be a single character"},
        {with("pre_tokenizer",
              R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "x"})"),
         "pre_tokenizer.prepend_scheme is \"x\""},
        {with("pre_tokenizer", R"({"type": "Metaspace", "replacement": "_",
            "prepend_scheme": "always", "add_prefix_space": false})"),
         "contradicts add_prefix_space"},
        {with("post_processor", R"({"type": "Nope"})"), "post_processor", ErrorCode::Unsupported},
        {with("post_processor", R"({"type": "TemplateProcessing", "single": [{}]})"),
         "post_processor.single[0] must be a SpecialToken or a Sequence"},
        {with("post_processor", R"({"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "x"}}], "special_tokens": {}})"),
         "post_processor.single[0].SpecialToken.id is \"x\""},
        {with("post_processor", R"({"type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "B"}}]})"),
         "post_processor.single[0].Sequence must have the id"},
        {with("post_processor", R"({"type": "BertProcessing", "cls": ["a", -1], "sep": ["b", 1]})"),
         "post_processor.cls[1] must be a whole number"},
        {with("decoder", R"({"type": "Nope"})"), "decoder", ErrorCode::Unsupported},
        {with("decoder", R"({"type": "Strip", "content": "x", "start": -1, "stop": 0})"),
         "decoder.start must be a whole number"},
        {with("added_tokens", "{}"), "added_tokens must be a list"},
        {with("added_tokens", R"([{"content": "x"}])"), "added_tokens[0].id is missing"},
        {with("added_tokens", R"([{"id": 2}])"), "added_tokens[0].content is missing"},
        {with("added_tokens", R"([{"id": 2, "content": "x"}, {"id": 2, "content": "y"}])"),
         R"(added_tokens[1].id is 2, which "x" has too)"},
        {with("added_tokens", R"([{"id": 1, "content": "x"}])"),
         R"(added_tokens[0].id is 1, which "b" has in model.vocab)"},
    });
}

TEST(TokenizerErrors, DeepNestingEnds)
{
    std::string nested = R"({"type": "NFC"})";
    for (int i = 0; i < 50; ++i)
        nested = R"({"type": "Sequence", "normalizers": [)" + nested + "]}";
    checkErrors({
        {with("normalizer", nested), "is nested too deeply"},
        {std::string(1'000'000, '['), "it is nested more than 200 levels deep"},
    });
}

TEST(TokenizerLoad, ReadsTheFileOfAFolder)
{
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "ep_tokenizer_load_test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);

    const auto missing = Tokenizer::load(folder);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_THAT(missing.error().message, HasSubstr(folder.string()));

    std::ofstream(folder / "vocab.json") << "{}";
    const auto old = Tokenizer::load(folder);
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(old.error().message, HasSubstr("only the older vocab.json"));

    std::ofstream(folder / "tokenizer.json") << "{";
    const auto broken = Tokenizer::load(folder);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(broken.error().message, HasSubstr("tokenizer.json\": "));

    std::ofstream(folder / "tokenizer.json") << Document{.model = plainModel}.json();
    const auto good = Tokenizer::load(folder);
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_EQ((*good)->encode("ab"), (std::vector<TokenId>{0, 1}));
    std::filesystem::remove_all(folder);
}

TEST(TokenizerErrors, ADecoderThatMultipliesTexts)
{
    const std::string replace = R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")"
        + std::string(100, 'a') + R"("})";
    const auto tokenizer = Tokenizer::fromJson(Document{
        .model = R"({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"})",
        .decoder = R"({"type": "Sequence", "decoders": [)" + replace + "," + replace + "]}"}
                                                   .json());
    ASSERT_FALSE(tokenizer);
    EXPECT_NE(tokenizer.error().message.english().find(
                  "decoder.decoders[1] makes a text more than 1024 times as long"),
              std::string::npos)
        << tokenizer.error().message;
}

TEST(TokenizerLoad, KnowsHowManyTokensATextHasAtLeast)
{
    // With one vocabulary a word takes one token per byte; in the other, "abc" is one token.
    std::string named = "\"abc\": 256";
    for (int byte = 0; byte < 256; ++byte) {
        std::array<char, 8> name{};
        std::snprintf(name.data(), name.size(), "<0x%02X>", byte);
        named += ", \"" + std::string(name.data()) + "\": " + std::to_string(byte);
    }
    const std::string bpe =
        R"({"type": "BPE", "byte_fallback": true, "merges": [], "vocab": {)" + named + "}}";
    const auto tokenizer = makeTokenizer({.model = bpe});
    ASSERT_TRUE(tokenizer);
    const std::string text = std::string(6000, 'x') + std::string(6000, ' ');
    EXPECT_EQ(tokenizer->leastTokens(text), 1000U); // the longest token has 6 characters
    EXPECT_LE(tokenizer->leastTokens(text), tokenizer->encode(text).size());
    // Here the whole text may be one unknown token, or be dropped.
    const auto words =
        makeTokenizer({.model = R"({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"})"});
    EXPECT_EQ(words->leastTokens(text), 0U);
    const auto dropping = makeTokenizer(
        {.model = bpe,
         .normalizer = R"({"type": "Replace", "pattern": {"String": "x"}, "content": ""})"});
    EXPECT_EQ(dropping->leastTokens(text), 0U);
}

TEST(TokenizerLoad, OneTokenizerServesManyThreads)
{
    const auto tokenizer = loadFixture("precompiled");
    ASSERT_TRUE(tokenizer);
    const std::string text = "a fi  e\u0301 x a\u00ad";
    const std::vector<TokenId> expected = tokenizer->encode(text);
    ASSERT_FALSE(expected.empty());
    std::vector<std::future<bool>> results;
    for (int thread = 0; thread < 4; ++thread) {
        results.push_back(std::async(std::launch::async, [&] {
            bool same = true;
            for (int i = 0; i < 100; ++i)
                same = same && tokenizer->encode(text) == expected;
            return same;
        }));
    }
    for (std::future<bool>& result : results)
        EXPECT_TRUE(result.get());
}

using Ids = std::vector<TokenId>;

const std::string sentenceModel =
    R"({"type": "BPE", "vocab": {"a": 0, "<s>": 1, "</s>": 2}, "merges": []})";
const std::string bos = R"({"type": "TemplateProcessing", "single": [
    {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}})";
const std::string eos = R"({"type": "TemplateProcessing", "single": [
    {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "end", "type_id": 0}}],
    "special_tokens": {"end": {"id": "end", "ids": [2, 2], "tokens": ["</s>", "</s>"]}}})";

TEST(PostProcessor, AddsSpecialTokensWhenAsked)
{
    struct Case {
        std::string definition;
        Ids expected;
    };
    const std::vector<Case> cases = {
        {"", {0}},
        {R"({"type": "ByteLevel", "trim_offsets": true, "add_prefix_space": true})", {0}},
        {bos, {1, 0}},
        {eos, {0, 2, 2}},
        {R"({"type": "Sequence", "processors": [)" + bos + "," + eos + "]}", {1, 0, 2, 2}},
        {R"({"type": "BertProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]})", {1, 0, 2}},
        {R"({"type": "RobertaProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]})", {1, 0, 2}},
    };
    for (const Case& example : cases) {
        SCOPED_TRACE(example.definition);
        const auto tokenizer =
            makeTokenizer({.model = sentenceModel, .postProcessor = example.definition});
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(tokenizer->encode("a"), example.expected);
        EXPECT_EQ(tokenizer->encode("a", false), (Ids{0}));
        EXPECT_EQ(tokenizer->encode("").size(), example.expected.size() - 1);
    }
}

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

// LlamaTokenizerFast and related classes replace the post-processor with one made from
// add_bos_token and add_eos_token (update_post_processor in transformers); all others keep the one
// in tokenizer.json.
TEST(TokenizerConfig, LlamasClassesDecideThemselvesWhatStandsAroundAText)
{
    struct Case {
        std::string config;
        Ids expected; // for the text "a"
    };
    const std::vector<Case> cases{
        {R"({})", {1, 0}},
        {R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": true, "bos_token": "<s>"})",
         {1, 0}},
        {R"({"tokenizer_class": "LlamaTokenizerFast", "add_bos_token": false})", {0}},
        {R"({"tokenizer_class": "GemmaTokenizer", "add_bos_token": true, "add_eos_token": true,
            "bos_token": {"content": "<s>", "lstrip": false}, "eos_token": "</s>"})",
         {1, 0, 2}},
        {R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": false, "add_eos_token": true,
            "eos_token": "</s>"})",
         {0, 2}},
        {R"({"tokenizer_class": "Qwen2Tokenizer", "add_bos_token": false})", {1, 0}},
        {R"({"tokenizer_class": "PreTrainedTokenizerFast", "add_bos_token": false})", {1, 0}},
        // Not specified, or not possible: the file decides.
        {R"({"tokenizer_class": "LlamaTokenizer"})", {1, 0}},
        {R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": true, "bos_token": "<x>"})",
         {1, 0}},
        {R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": null})", {1, 0}},
    };
    const Document document{.model = R"({"type": "BPE", "vocab": {"a": 0}, "merges": []})",
                            .postProcessor = R"({"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}})",
                            .addedTokens = R"([{"id": 1, "content": "<s>", "special": true},
                           {"id": 2, "content": "</s>", "special": true}])"};
    const ep::test::TempFolder folder;
    write(folder / "tokenizer.json", document.json());
    for (const Case& c : cases) {
        write(folder / "tokenizer_config.json", c.config);
        const auto tokenizer = Tokenizer::load(folder.path());
        ASSERT_TRUE(tokenizer) << tokenizer.error().message;
        EXPECT_EQ((*tokenizer)->encode("a"), c.expected) << c.config;
        EXPECT_EQ((*tokenizer)->encode("a", false), Ids{0}) << c.config;
    }
    for (const char* broken : {"[]", R"({"add_bos)"}) {
        write(folder / "tokenizer_config.json", broken);
        const auto tokenizer = Tokenizer::load(folder.path());
        ASSERT_FALSE(tokenizer) << broken;
        EXPECT_NE(tokenizer.error().message.english().find("tokenizer_config.json"),
                  std::string::npos);
    }
}

} // namespace
} // namespace ep::text::test
