// SPDX-License-Identifier: GPL-3.0-or-later
#include "pre_tokenizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ep::text::test {
namespace {

using Words = std::vector<std::string>;

Words wordsOf(const std::string& definition, const std::string& text)
{
    const nlohmann::json json = nlohmann::json::parse(definition);
    Pieces pieces(text);
    const Status status = readPreTokenizer(json::Value(json))->apply(pieces);
    if (!status)
        return {"error: " + status.error().message.english()};
    Words words;
    for (const Piece& piece : pieces.list)
        words.emplace_back(piece.text);
    return words;
}

std::string split(const std::string& pattern, const std::string& behavior, bool invert = false)
{
    return R"({"type": "Split", "pattern": )" + pattern + R"(, "behavior": ")" + behavior
        + R"(", "invert": )" + (invert ? "true}" : "false}");
}

struct SplitText {
    std::string definition;
    std::string text;
    Words words;
};

void checkWords(const std::vector<SplitText>& cases)
{
    for (const SplitText& example : cases)
        EXPECT_EQ(wordsOf(example.definition, example.text), example.words)
            << example.definition << " on " << example.text;
}

TEST(PreTokenizer, SplitHasFiveBehaviors)
{
    const std::string dash = R"({"String": "-"})";
    const std::string text = "-the-final--countdown-";
    checkWords({
        {split(dash, "Removed"), text, {"the", "final", "countdown"}},
        {split(dash, "Isolated"), text, {"-", "the", "-", "final", "-", "-", "countdown", "-"}},
        {split(dash, "MergedWithPrevious"), text, {"-", "the-", "final-", "-", "countdown-"}},
        {split(dash, "MergedWithNext"), text, {"-the", "-final", "-", "-countdown", "-"}},
        {split(dash, "Contiguous"), text, {"-", "the", "-", "final", "--", "countdown", "-"}},
    });
}

TEST(PreTokenizer, WordsOfBertAndDelimiters)
{
    checkWords({
        {R"({"type": "BertPreTokenizer"})",
         "Hey  friend!! \u00bfno?",
         {"Hey", "friend", "!", "!", "\u00bf", "no", "?"}},
        {R"({"type": "BertPreTokenizer"})", " ", {}},
        {R"({"type": "CharDelimiterSplit", "delimiter": "\u2581"})",
         "\u2581a b\u2581\u2581c\u2581",
         {"a b", "c"}},
        {R"({"type": "CharDelimiterSplit", "delimiter": "-"})", "", {}},
    });
}

TEST(PreTokenizer, SplitTakesPatternsAndTheirInverse)
{
    const std::string words = R"({"Regex": "\\w+|[^\\w\\s]+"})";
    checkWords({
        {split(words, "Removed", true), "How are you?", {"How", "are", "you", "?"}},
        {split(words, "Isolated"), "Hi you", {"Hi", " ", "you"}},
        {split(R"({"Regex": "x*"})", "Isolated"), "axxb", {"a", "xx", "b"}},
        {split(R"({"String": "aa"})", "Removed"), "aaab", {"ab"}},
    });
}

TEST(PreTokenizer, ByteLevelCutsLikeGpt2)
{
    const std::string plain = R"({"type": "ByteLevel", "add_prefix_space": false})";
    const std::string prefixed = R"({"type": "ByteLevel", "add_prefix_space": true})";
    const std::string uncut =
        R"({"type": "ByteLevel", "add_prefix_space": true, "use_regex": false})";
    checkWords({
        {plain, "Hello  my friend's 42!", {"Hello", "Ġ", "Ġmy", "Ġfriend", "'s", "Ġ42", "!"}},
        {plain, "a\n\n b", {"a", "ĊĊ", "Ġb"}},
        {plain, "\u00e9\u00ad", {"Ã©", "ÂŃ"}},
        {plain, "", {}},
        {prefixed, "a", {"Ġa"}},
        {prefixed, " a", {"Ġa"}},
        {uncut, "a b", {"ĠaĠb"}},
    });
}

TEST(PreTokenizer, MetaspaceWritesSpacesAsACharacter)
{
    const auto metaspace = [](const std::string& more) {
        return R"({"type": "Metaspace", "replacement": "▁")" + more + "}";
    };
    checkWords({
        {metaspace(""), "Hey  you", {"▁Hey", "▁", "▁you"}},
        {metaspace(""), " Hey", {"▁Hey"}},
        {metaspace(R"(, "prepend_scheme": "never")"), "Hey you", {"Hey", "▁you"}},
        {metaspace(R"(, "prepend_scheme": "first", "split": false)"), "a b", {"▁a▁b"}},
        {metaspace(R"(, "add_prefix_space": true)"), "a", {"▁a"}},
        {metaspace(R"(, "add_prefix_space": false)"), "a b", {"a", "▁b"}},
        {R"({"type": "Sequence", "pretokenizers": [)" + split(R"({"String": "|"})", "Removed") + ","
             + metaspace(R"(, "prepend_scheme": "first")") + "]}",
         "a|b",
         {"▁a", "b"}},
    });
}

TEST(PreTokenizer, CharacterClasses)
{
    checkWords({
        {R"({"type": "Digits", "individual_digits": true})", "a12Ⅳb", {"a", "1", "2", "Ⅳ", "b"}},
        {R"({"type": "Digits", "individual_digits": false})", "a12b3", {"a", "12", "b", "3"}},
        {R"({"type": "Punctuation"})", "Hi!? a。+", {"Hi", "!", "?", " a", "。", "+"}},
        {R"({"type": "Punctuation", "behavior": "Contiguous"})", "Hi!?", {"Hi", "!?"}},
        {R"({"type": "Whitespace"})", "Hi, you_1 -- é", {"Hi", ",", "you_1", "--", "é"}},
        {R"({"type": "WhitespaceSplit"})", " Hi,\u3000you\t", {"Hi,", "you"}},
        {R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
            {"type": "Digits", "individual_digits": true}]})",
         "a 12",
         {"a", "1", "2"}},
    });
}

TEST(PreTokenizer, APatternThatBacktracksWithoutEndIsAnError)
{
    const Words words =
        wordsOf(split(R"({"Regex": "(x+x+)+[yz]"})", "Isolated"), std::string(40, 'x') + "wy");
    ASSERT_EQ(words.size(), 1U);
    EXPECT_EQ(words[0].rfind("error: A pattern of the tokenizer cannot be applied", 0), 0U)
        << words[0];
}

} // namespace
} // namespace ep::text::test
