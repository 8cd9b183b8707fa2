// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

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

} // namespace
} // namespace ep::text::test
