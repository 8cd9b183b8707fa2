// SPDX-License-Identifier: GPL-3.0-or-later
#include "regular_expression.h"
#include "support/small_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::text::test {
namespace {

// The matches with "|" between, or the error.
std::string matchesOf(const std::string& pattern, const std::string& text)
{
    const Result<Regex> regex = Regex::compile(pattern);
    if (!regex)
        return "error: " + regex.error().message.english();
    std::vector<Span> spans;
    const Status status = RegexSearch(*regex).findSpans(text, spans);
    if (!status)
        return "error: " + status.error().message.english();
    std::string result;
    for (const Span& span : spans) {
        if (span.isMatch)
            result += (result.empty() ? "" : "|") + text.substr(span.begin, span.end - span.begin);
    }
    return result;
}

TEST(Regex, ReadsOnigurumasSyntax)
{
    struct Case {
        std::string pattern;
        std::string text;
        std::string matches;
    };
    const std::vector<Case> cases = {
        // Classes that differ from PCRE2's.
        {R"(\s+)", "a\u180e\u0085\u2003b", "\u0085\u2003"},
        {R"([^\S\n]+)", " \n\t", " |\t"},
        {R"(\w+)", "a_\u0301\u00b2 \u24b6", "a_\u0301\u00b2|\u24b6"},
        {R"([\w]+)", "a\u00b2b", "a|b"},
        {R"(\h+)", "xfeg", "fe"},
        {R"(\b.)", "ab c", "a| |c"},
        {R"([[:alpha:]\d]+)", "a1-b", "a1|b"},
        {R"([[:^alpha:]]+)", "a1-b", "1-"},
        {R"(\p{Letter}+|\p{^L})", "ab1", "ab|1"},
        {R"(\p{Han}+)", "漢字x、", "漢字"},
        // Sets of sets.
        {R"([a-z&&[^aeiou]]+)", "hello", "h|ll"},
        {R"([a-c[x-z]]+)", "abxyq", "abxy"},
        {R"([^a[b-d]]+)", "abcdef", "ef"},
        {R"([\W&&[^ ]]+)", "a-, b", "-,"},
        {R"([]a]+)", "a]b", "a]"},
        {R"([a\-z]+)", "a-zb", "a-z"},
        {R"([\x41-\x{43}\u0044]+)", "ABCDE", "ABCD"},
        // Options and groups.
        {R"((?i:'s|'t)|x)", "'S'tX", "'S|'t"},
        {R"(a(?i)b|c)", "aB aC c", "aB|aC"},
        {R"((?m:a.b))", "a\nb", "a\nb"},
        {R"(a.b)", "a\nb a-b", "a-b"},
        {R"((?x) a b # comment
            | c )",
         "abc", "ab|c"},
        {R"((?<n>a)\k<n>)", "aab", "aa"},
        {R"((a)(?#note)\1)", "aa", "aa"},
        {R"(\141[\142\60])", "ab a0", "ab|a0"}, // octal, where there are not that many groups
        {R"((?<=a)b(?!c))", "abc ab", "b"},
        // Repeats.
        {R"(\d{1,3}+)", "12345", "12345"}, // not possessive: ({1,3}) once or more
        {R"(\d{,2})", "123", "12|3"},
        {R"(ba{2}?)", "baab", "baa|b"}, // not lazy: ({2}) or nothing
        {R"(ba{1,2}?)", "baa", "ba"},
        {R"(a++b|c)", "aab", "aab"},
        {R"( +(?:1)?+ {2,})", "x    y", "    "},
        {R"(a{x})", "a{x}", "a{x}"},
        // Anchors refer to lines.
        {R"(^.)", "ab\ncd", "a|c"},
        {R"(.$)", "ab\ncd", "b|d"},
        {R"(\Aa|d\z)", "ad\na d", "a|d"},
        {R"(\R)", "a\r\nb\n", "\r\n|\n"},
    };
    for (const Case& example : cases)
        EXPECT_EQ(matchesOf(example.pattern, example.text), example.matches)
            << example.pattern << " on " << example.text;
}

TEST(Regex, RefusesWhatItCannotRead)
{
    for (const char* pattern : {"(", ")", "[a", "*a", "a{2", "\\", "[z-a]", "\\p{L", "\\x{110000}",
                                "\\xe9", "(?~a)", "(?<n", "\\p{NoSuchScript}", "[b\\"}) {
        const Result<Regex> regex = Regex::compile(pattern);
        if (std::string_view(pattern) == "a{2") {
            EXPECT_TRUE(regex); // a brace that starts no repeat is a plain brace
            continue;
        }
        ASSERT_FALSE(regex) << pattern;
        EXPECT_FALSE(regex.error().message.empty());
    }
    EXPECT_FALSE(Regex::compile(std::string(1000, '(') + std::string(1000, ')')));
    EXPECT_FALSE(Regex::compile(std::string(1000, '[') + std::string(1000, ']')));
}

// The deepest accepted pattern; long backtracking uses memory elsewhere.
TEST(Regex, TheDeepestPatternFitsASmallStack)
{
    constexpr int kGroups = 90;
    const std::string groups = std::string(kGroups, '(') + "a|b" + std::string(kGroups, ')');
    const std::string text(10'000, 'a');
    ::ep::test::onSmallStack([&] {
        EXPECT_EQ(matchesOf(groups, "xbx"), "b");
        EXPECT_EQ(matchesOf(groups + "*", text.substr(0, 1'000)), text.substr(0, 1'000));
        EXPECT_THAT(matchesOf(groups + "*", std::string(100'000, 'a')),
                    testing::StartsWith("error: "))
            << "more memory than a search may take";
        EXPECT_EQ(matchesOf("(?:a|b)*?$", text), text);
        EXPECT_THAT(matchesOf("(?:" + groups + "*)*[cd]", text), testing::StartsWith("error: "));
    });
}

TEST(Regex, SpansCoverTheText)
{
    const Result<Regex> regex = Regex::compile("b*");
    ASSERT_TRUE(regex);
    std::vector<Span> spans;
    ASSERT_TRUE(RegexSearch(*regex).findSpans("abba", spans));
    // An empty match directly after a match does not count.
    EXPECT_EQ(spans,
              (std::vector<Span>{
                  {0, 0, true}, {0, 1, false}, {1, 3, true}, {3, 4, false}, {4, 4, true}}));
    ASSERT_TRUE(RegexSearch(*regex).findSpans("", spans));
    EXPECT_EQ(spans, (std::vector<Span>{{0, 0, false}}));
}

} // namespace
} // namespace ep::text::test
