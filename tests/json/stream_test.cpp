// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace ep::json {
namespace {

// Writes down what it receives.
class Listener final : public StreamHandler {
public:
    std::string heard;

    void begin(bool object) override { heard += object ? '{' : '['; }
    void end(bool object) override { heard += object ? '}' : ']'; }
    void key(std::string_view text) override { heard += std::string(text) + ':'; }
    void string(std::string_view text) override { heard += '"' + std::string(text) + "\" "; }
    void number(std::string_view text) override { heard += std::string(text) + ' '; }
    void literal(std::string_view word) override { heard += std::string(word) + ' '; }
    bool wantsText() const override { return true; }
};

struct Read {
    std::string heard;
    bool whole;
};

Read readText(std::string_view text, Stream::Rules rules)
{
    Listener listener;
    Stream stream(listener, rules, 100);
    const bool whole = stream.read(text);
    return {listener.heard, whole};
}

struct Case {
    const char* text;
    const char* heard;
    bool strict; // whether the strict rules accept it
    bool lenient;
};

constexpr Case kCases[] = {
    {R"({"a": [1, -2.5e3, "b"], "c": {}})", "{a:[1 -2.5e3 \"b\" ]c:{}}", true, true},
    {" [true, false, null] ", "[true false null ]", true, true},
    {"[NaN, Infinity, -Infinity, nan]", "[NaN Infinity -Infinity nan ]", true, true},
    {R"(["\n\u00e9\/\"\ud83d\ude00"])", "[\"\n\xC3\xA9/\"\xF0\x9F\x98\x80\" ]", true, true},
    {R"(["\ud83d", "\ude00x"])", "[\"\xEF\xBF\xBD\" \"\xEF\xBF\xBDx\" ]", true, true},
    {R"(["C:\Work\new"])", "[\"C:\\Work\new\" ]", false, true},
    {"[\"a\tb\"]", "[\"a\tb\" ]", false, true},
    {"[1] 2", "[1 ]", false, false},
    {"[1, 2", "[1 ", false, false},
    {"[1}", "[1 ", false, false},
    {R"({"a" 1})", "{", false, false},
    {R"({"a": 1,})", "{a:1 ", false, false},
    {"[word]", "[", false, false},
    {"", "", false, false},
};

TEST(JsonStream, TellsTheParts)
{
    for (const Case& one : kCases) {
        const Read strict = readText(one.text, Stream::Rules::Strict);
        EXPECT_EQ(strict.whole, one.strict) << one.text;
        const Read lenient = readText(one.text, Stream::Rules::Lenient);
        EXPECT_EQ(lenient.whole, one.lenient) << one.text;
        EXPECT_EQ(lenient.heard, one.heard) << one.text;
        if (one.strict) {
            EXPECT_EQ(strict.heard, one.heard) << one.text;
        }
    }
}

TEST(JsonStream, ReadsTheSameInPiecesOfAnySize)
{
    for (const Case& one : kCases) {
        const std::string_view text = one.text;
        for (std::size_t piece = 1; piece < 8; ++piece) {
            Listener listener;
            std::size_t at = 0;
            Stream stream(listener, Stream::Rules::Lenient, 100);
            stream.read([&](std::span<char> buffer) {
                const std::size_t size = std::min({piece, buffer.size(), text.size() - at});
                std::memcpy(buffer.data(), text.data() + at, size);
                at += size;
                return size;
            });
            EXPECT_EQ(listener.heard, one.heard) << text << " in pieces of " << piece;
        }
    }
}

TEST(JsonStream, CutsLongTexts)
{
    const std::string text = "[\"" + std::string(150, 'x') + "\", " + std::string(150, '1') + "]";
    const Read read = readText(text, Stream::Rules::Strict);
    EXPECT_EQ(read.heard, "[\"" + std::string(100, 'x') + "\" NaN ]");
}

} // namespace
} // namespace ep::json
