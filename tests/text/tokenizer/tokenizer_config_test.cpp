// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"
#include "support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ep::text::test {
namespace {

using Ids = std::vector<TokenId>;

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
