// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/thought_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ep::text {
namespace {

// "t" for each thinking token, "a" for each token of the answer.
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

// As above, each as soon as its token arrives; "-" before anything was thought.
std::string partsDuringTheAnswer(const char* prompt, const std::vector<std::string>& tokens)
{
    ThoughtMarks marks(prompt);
    std::string parts;
    for (const std::string& token : tokens) {
        marks.add(token);
        parts += !marks.thought() ? '-' : marks.last() == AnswerPart::Thinking ? 't' : 'a';
    }
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

TEST(ThoughtMarks, AreKnownWhileTheAnswerIsGenerated)
{
    const struct {
        const char* name;
        const char* prompt;
        std::vector<std::string> tokens;
        const char* parts;
    } cases[] = {
        {"no thought", "assistant\n", {"Hi", " there"}, "--"},
        {"whole marks", "", {"a", "<think>", "hm", "</think>", "\n\n", "b"}, "-tttaa"},
        {"opened by the prompt", "<think>\n", {"", "hm", "</think>", "", "b"}, "tttta"},
        {"marks in pieces",
         "",
         {"a", "<", "think", ">", "hm", "</", "think", ">", "b"},
         "---ttttta"},
        {"in one token", "", {"<think>x</think>", "a", "<think>y", "z</think>b", "c"}, "tatta"},
        {"harmony",
         "<|start|>assistant",
         {"<|channel|>", "analysis", "<|message|>", "hm", "<|end|>", "<|start|>", "b"},
         "--tttaa"},
    };
    for (const auto& one : cases)
        EXPECT_EQ(partsDuringTheAnswer(one.prompt, one.tokens), one.parts) << one.name;
}

// Marks are found where they stand in a long text, however it is cut into tokens.
TEST(ThoughtMarks, DoNotDependOnTheTokens)
{
    const std::string text = std::string(100, 'x') + "<|channel|>analysis<|message|>"
        + std::string(60, 'y') + "<|end|>" + std::string(50, 'z') + "<think>hm</think>end";
    for (std::size_t length = 1; length < 40; ++length) {
        ThoughtMarks marks("");
        std::string expected;
        for (std::size_t begin = 0; begin < text.size(); begin += length) {
            const std::size_t end = std::min(begin + length, text.size());
            marks.add(text.substr(begin, length));
            const bool thinking = (end > 100 && begin < 197) || (end > 247 && begin < 264);
            expected += thinking ? 't' : 'a';
        }
        std::string found;
        for (const AnswerPart part : marks.parts())
            found += part == AnswerPart::Thinking ? 't' : 'a';
        EXPECT_EQ(found, expected) << length;
    }
}

} // namespace
} // namespace ep::text
