// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/thought_marks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ep::text {
namespace {

// "t" for each token of thinking, "a" for each of the answer.
std::string partsOf(const char* prompt, const std::vector<std::string>& tokens)
{
    ThoughtMarks marks(prompt);
    for (const std::string& token : tokens)
        marks.add(token);
    std::string parts;
    for (const AnswerPart part : marks.parts())
        parts += part == AnswerPart::Thinking ? 't' : 'a';
    return parts;
}

TEST(ThoughtMarks, TellThinkingFromAnswer)
{
    const struct {
        const char* name;
        const char* prompt;
        std::vector<std::string> tokens;
        const char* parts;
    } cases[] = {
        {"no thought", "user\nassistant\n", {"Hi", " there"}, "aa"},
        {"Qwen 3",
         "<|im_start|>assistant\n",
         {"<think>", "\n", "hm", "</think>", "\n\n", "b"},
         "ttttaa"},
        {"opened by the prompt",
         "<|im_start|>assistant\n<think>\n",
         {"hm", ".", "</think>", "b"},
         "ttta"},
        {"opened by the prompt and never closed", "<think>", {"hm", "."}, "tt"},
        {"closed by the prompt", "<think>\n\n</think>\n\n", {"b", "c"}, "aa"},
        {"a user who wrote the mark", "<think><|im_end|>\n<|im_start|>assistant\n", {"b"}, "a"},
        {"a mark in pieces",
         "assistant",
         {"a", "<", "think", ">", "hm", "</", "think", ">", "b"},
         "attttttta"},
        {"two thoughts",
         "assistant",
         {"<think>x</think>", "a", "<think>", "y", "</think>", "b"},
         "tattta"},
        {"harmony",
         "<|start|>assistant",
         {"<|channel|>", "analysis", "<|message|>", "hm", "<|end|>", "<|start|>", "assistant",
          "<|channel|>", "final", "<|message|>", "b", "<|return|>"},
         "tttttaaaaaaa"},
        {"Gemma 4",
         "<|turn>model\n",
         {"<|channel>", "thought", "\n", "hm", "<channel|>", "b"},
         "ttttta"},
        {"Gemma 4 without thinking", "<|turn>model\n<|channel>thought\n<channel|>", {"b"}, "a"},
        {"Mistral", "[/INST]", {"[THINK]", "hm", "[/THINK]", "b"}, "ttta"},
        {"Cohere",
         "<|CHATBOT_TOKEN|>",
         {"<|START_THINKING|>", "x", "<|END_THINKING|>", "b"},
         "ttta"},
        {"half a character in a thought", "<think>\n", {"", "x", "</think>", "", "b"}, "tttta"},
    };
    for (const auto& one : cases)
        EXPECT_EQ(partsOf(one.prompt, one.tokens), one.parts) << one.name;
}

} // namespace
} // namespace ep::text
