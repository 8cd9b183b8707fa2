// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"

#include "ep/text/answer_end.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

// tests/data/answers: one text per line, with § where the answer is complete, or without if
// nothing follows it.
namespace ep::text {
namespace {

struct Piece {
    TokenId id = 0;
    std::string text;
};

std::size_t characterAt(const std::string& text, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        ++end;
    return end - at;
}

// Tokens of at most `longest` characters. Words begin a token, a special token has no text, and a
// character of more than two bytes comes with the second of two tokens.
std::vector<Piece> tokensOf(const std::string& text, std::size_t longest)
{
    std::vector<Piece> pieces;
    const auto add = [&](const std::string& piece, const std::string& shown) {
        pieces.push_back(
            {static_cast<TokenId>(std::hash<std::string>{}(piece)&0x3fffffffU), shown});
    };
    std::string piece;
    std::size_t characters = 0;
    const auto flush = [&] {
        if (!piece.empty())
            add(piece, piece);
        piece.clear();
        characters = 0;
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t special = text.compare(at, 2, "<|") == 0 ? text.find("|>", at) : at;
        if (special != at && special != std::string::npos) {
            flush();
            add(text.substr(at, special + 2 - at), "");
            at = special + 2;
            continue;
        }
        const std::size_t size = characterAt(text, at);
        if (characters >= longest || (text[at] == ' ' && !piece.empty()) || size > 2)
            flush();
        if (size > 2)
            add(text.substr(at, 1), "");
        piece += text.substr(at, size);
        ++characters;
        at += size;
    }
    flush();
    return pieces;
}

struct Text {
    std::string rule;
    std::string text; // without the mark
    std::size_t mark = std::string::npos;
};

std::vector<Text> textsOf(const std::string& name)
{
    std::ifstream file(test::dataPath("answers/") + name);
    std::vector<Text> texts;
    for (std::string line; std::getline(file, line);) {
        const auto json = nlohmann::json::parse(line);
        Text one{.rule = json.at("rule"), .text = json.at("text")};
        one.mark = one.text.find("§");
        if (one.mark != std::string::npos)
            one.text.erase(one.mark, std::string("§").size());
        texts.push_back(std::move(one));
    }
    return texts;
}

// A loop is counted in tokens, so texts with one keep their words whole.
std::vector<std::size_t> lengthsFor(const Text& text)
{
    return text.rule == "repetition" ? std::vector<std::size_t>{1000}
                                     : std::vector<std::size_t>{1, 3, 6};
}

std::optional<std::size_t> onsetOf(const Text& text, const std::vector<Piece>& pieces)
{
    auto watch = AnswerEnd::watch(*parseAnswerRule(text.rule));
    EXPECT_TRUE(watch) << text.rule;
    for (const Piece& piece : pieces)
        EXPECT_TRUE(watch->push(piece.id, piece.text));
    return watch->onset();
}

// The token after the one that contains the last byte before the mark.
std::size_t expectedOnset(const Text& text, const std::vector<Piece>& pieces)
{
    // Special tokens have no text, so the position is counted in what the tokens show.
    std::size_t shown = 0;
    for (const Piece& piece : tokensOf(text.text.substr(0, text.mark), 1))
        shown += piece.text.size();
    std::size_t length = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        length += pieces[i].text.size();
        if (length >= shown)
            return i + 1;
    }
    return pieces.size();
}

TEST(AnswerEnd, FindsTheOnsetOfTwoHundredTexts)
{
    const auto texts = textsOf("babble.jsonl");
    ASSERT_EQ(texts.size(), 200U);
    for (const Text& text : texts) {
        ASSERT_NE(text.mark, std::string::npos) << text.text;
        for (const std::size_t longest : lengthsFor(text)) {
            const auto pieces = tokensOf(text.text, longest);
            const auto onset = onsetOf(text, pieces);
            ASSERT_TRUE(onset) << text.rule << ", " << longest << ": " << text.text;
            EXPECT_EQ(*onset, expectedOnset(text, pieces))
                << text.rule << ", " << longest << ": " << text.text;
        }
    }
}

TEST(AnswerEnd, FindsNoneInTwoHundredCleanTexts)
{
    const auto texts = textsOf("clean.jsonl");
    ASSERT_EQ(texts.size(), 200U);
    for (const Text& text : texts) {
        ASSERT_EQ(text.mark, std::string::npos) << text.text;
        for (const std::size_t longest : lengthsFor(text))
            EXPECT_FALSE(onsetOf(text, tokensOf(text.text, longest)))
                << text.rule << ", " << longest << ": " << text.text;
    }
}

TEST(AnswerEnd, ReadsRules)
{
    for (const char* text : {"fence", "json", "repetition", "regex:a|b"}) {
        const auto rule = parseAnswerRule(text);
        ASSERT_TRUE(rule) << text;
        EXPECT_EQ(ruleText(*rule), text);
    }
    for (const char* text : {"", "fences", "regex:", "regex:(", "regex"}) {
        const auto rule = parseAnswerRule(text);
        ASSERT_FALSE(rule) << text;
        EXPECT_NE(rule.error().message.english().find(text), std::string::npos);
    }
}

TEST(AnswerEnd, SaysWhenAGenerationMayStop)
{
    auto watch = AnswerEnd::watch(*parseAnswerRule("json"));
    ASSERT_TRUE(watch);
    ASSERT_TRUE(watch->push(1, "{\"a\": 1"));
    EXPECT_FALSE(watch->complete());
    ASSERT_TRUE(watch->push(2, "} Then"));
    EXPECT_TRUE(watch->complete());
    EXPECT_FALSE(watch->onset()) << "no token after it";
    ASSERT_TRUE(watch->push(3, "\n"));
    EXPECT_FALSE(watch->onset());
    ASSERT_TRUE(watch->push(4, "more"));
    EXPECT_EQ(watch->onset(), 2U);
}

} // namespace
} // namespace ep::text
