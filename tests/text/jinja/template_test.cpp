// SPDX-License-Identifier: GPL-3.0-or-later
#include "template.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace ep::text::jinja {

namespace {

struct Wrong {
    std::string source;
    std::string message;
};

const Wrong kWrong[] = {
    {"a\nb{{ x\n+ }}", "line 3: an expression is expected, but the end of the expression follows"},
    {"\n\n{% if x %}\n", "line 3: \"if\" is not ended"},
    {"{% if x %}\n{% endfor %}", "line 2: \"endfor\" does not end the \"if\" of line 1"},
    {"\n{% endif %}", "line 2: \"endif\" has no beginning"},
    {"{% include 'x' %}", "line 1: the tag \"include\" is not supported"},
    {"{% what %}", "line 1: the tag \"what\" is not known"},
    {"{{ 'abc", "line 1: a string is not closed"},
    {"\n{{ 1", "line 2: a tag is not closed: \"}}\" is missing"},
    {"{# x", "line 1: a comment is not closed: \"#}\" is missing"},
    {"{{ 1 & 2 }}", "line 1: the character \"&\" is not expected in a tag"},
    {"{{ (1] }}", "line 1: \"]\" closes nothing"},
    {"\n{{ messages[0].role }}", "line 2: 'messages' is undefined"},
    {"{{ {'a': 1}.b.c }}", "line 1: 'dict object' has no attribute 'b'"},
    {"{{ 1 | nope }}", "line 1: there is no filter called \"nope\""},
    {"{{ 1 is nope }}", "line 1: there is no test called \"nope\""},
    {"{{ 'a' + 1 }}", "line 1: \"+\" does not work for a str and a int"},
    {"{{ 'a'.replace('b') }}", "line 1: replace lacks the argument new"},
    {"{{ 'a'.replace(1, 'b') }}",
     "line 1: the argument old of replace must be a text, but is a int"},
    {"{% set a, b = [1] %}", "line 1: 2 names are assigned 1 values"},
    {"{{ raise_exception('Only user and assistant!') }}", "Only user and assistant!"},
};

TEST(JinjaTemplate, ErrorsNameTheLine)
{
    for (const Wrong& wrong : kWrong) {
        SCOPED_TRACE(wrong.source);
        const auto parsed = Template::parse(wrong.source);
        if (!parsed) {
            EXPECT_EQ(parsed.error().message, wrong.message);
            continue;
        }
        const auto text = parsed->render(nlohmann::ordered_json::object(), {});
        ASSERT_FALSE(text) << *text;
        EXPECT_EQ(text.error().message, wrong.message);
    }
}

TEST(JinjaTemplate, TellsARefusalFromAMistake)
{
    const auto parsed = Template::parse("{{ raise_exception('no') }}");
    ASSERT_TRUE(parsed);
    const auto text = parsed->render(nlohmann::ordered_json::object(), {});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::Unsupported);
}

TEST(JinjaTemplate, RepairsInvalidText)
{
    const auto parsed = Template::parse("a\xff{{ 'b\xc3' }}");
    ASSERT_TRUE(parsed);
    const auto text = parsed->render(nlohmann::ordered_json::object(), {});
    ASSERT_TRUE(text);
    EXPECT_EQ(*text,
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD");
}

} // namespace

} // namespace ep::text::jinja
