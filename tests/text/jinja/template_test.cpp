// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/small_stack.h"
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

std::string repeated(const std::string& text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string outcome(const std::string& source)
{
    const auto parsed = Template::parse(source);
    if (!parsed)
        return parsed.error().message.english();
    const Limits limits{.steps = 500'000, .outputBytes = 1U << 20U};
    const auto text = parsed->render(nlohmann::ordered_json::object(), {}, limits);
    return text ? *text : text.error().message.english();
}

struct Runaway {
    std::string source;
    std::string message;
};

const Runaway kRunaways[] = {
    {"{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
     "line 1: the template takes too many steps"},
    {"{% set n = namespace(t='xx') %}{% for a in range(99999) %}{% set n.t = n.t ~ n.t %}"
     "{% endfor %}",
     "line 1: the template takes too many steps"},
    {"{% set n = namespace(l=[1]) %}{% for a in range(99999) %}{% set n.l = [n.l, n.l] %}"
     "{% endfor %}",
     "line 1: a list or dictionary grows too large"},
    {"{% set n = namespace(l=[]) %}{% for a in range(99999) %}{% set n.l = [n.l] %}{% endfor %}",
     "line 1: lists and dictionaries are nested too deeply"},
    {"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
     "line 1: the template calls itself too deeply"},
    {"{% for a in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}",
     "line 1: the template calls itself too deeply"},
    {"{{ 'x' * 999999999 }}", "line 1: a text grows too long"},
    {"{{ [1] * 999999999 }}", "line 1: a list grows too long"},
    {"{{ range(999999999) }}", "line 1: a range is longer than 100000"},
    {"{{ 9 ** 999 }}", "line 1: a number grows too large"},
    {"{{ 9223372036854775807 + 1 }}", "line 1: a number grows too large"},
    {"{{ 99999999999999999999 }}", "line 1: a number is too large"},
    {"{{ 'a'.center(99999999) | length }}", "line 1: the template takes too many steps"},
    {"{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
     "line 1: the template writes too much"},
    {"{{ " + repeated("(", 5000) + "1" + repeated(")", 5000) + " }}",
     "line 1: the template is nested too deeply"},
    {"{{ " + repeated("not ", 5000) + "1 }}", "line 1: the template is nested too deeply"},
    {"{{ " + repeated("-", 5000) + "1 }}", "line 1: the template is nested too deeply"},
    {"{{ 1" + repeated("+1", 5000) + " }}", "line 1: an expression is nested too deeply"},
    {"{{ a" + repeated(".b", 5000) + " }}", "line 1: an expression is nested too deeply"},
    {"{{ a" + repeated("|b", 5000) + " }}", "line 1: an expression is nested too deeply"},
    {repeated("{% if 1 %}", 5000), "line 1: the template is nested too deeply"},
    {repeated("{% for a in b %}", 5000), "line 1: the template is nested too deeply"},
    {std::string(2U << 20U, 'x'), "it is too large for a template"},
};

TEST(JinjaLimits, RunawayTemplatesEndWithASentence)
{
    for (const Runaway& runaway : kRunaways) {
        SCOPED_TRACE(runaway.source.substr(0, 80));
        EXPECT_EQ(outcome(runaway.source), runaway.message);
    }
}

// Searching a text for a long one that it almost contains, splitting and wrapping: each ends at
// once, although the product of the lengths would be 10^11 steps or more.
TEST(JinjaLimits, LongTextsTakeTimeInProportion)
{
    const struct {
        const char* expression;
        const char* result;
    } kCases[] = {
        {"(y ~ 'b') in x ~ y", "False"},
        {"(x ~ y).find('b' ~ y)", "-1"},
        {"(x ~ y).rfind(y ~ 'b')", "-1"},
        {"(x ~ y).count(y)", "3"},
        {"(x ~ y).replace(y ~ 'b', 'c') | length", "600000"},
        {"(x ~ 'b' ~ y).rsplit('b' ~ y) | length", "2"},
        {"(x ~ 'b' ~ y).split(y ~ 'b')[0] | length", "200000"},
        {"('a ' * 200000).split() | length", "200000"},
        {"('a ' * 200000).rsplit(None, 3) | length", "4"},
        {"x.strip('bcdefghijklmnopqrstuvwxyz' * 10000) | length", "400000"},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.expression);
        EXPECT_EQ(outcome("{% set x = 'a' * 400000 %}{% set y = 'a' * 200000 %}{{ "
                          + std::string(c.expression) + " }}"),
                  c.result);
    }
}

// Values with reference cycles are freed; otherwise the sanitizers would report leaks.
TEST(JinjaLimits, CirclesAreFreed)
{
    EXPECT_EQ(outcome("{% set n = namespace() %}{% set n.n = n %}{% set n.l = [n] %}"
                      "{% macro m() %}{% endmacro %}{% set n.m = m %}"
                      "{% for i in [1] %}{% set n.loop = loop %}{{ loop.changed(loop) }}"
                      "{% macro k() %}{% endmacro %}{% set n.f = loop.changed %}{% endfor %}"
                      "{{ n.loop.changed(n.loop) }}"),
              "TrueTrue");
}

TEST(JinjaLimits, TheDeepestTemplateFitsASmallStack)
{
    const std::string macros =
        "{% macro m() %}{{ [[[m() ~ ''] | join | upper] | first] | first }}{% endmacro %}"
        "{% call m() %}{% endcall %}";
    const std::string parentheses = "{{ " + repeated("(1 + ", 45) + "1" + repeated(")", 45) + " }}";
    std::string result;
    test::onSmallStack([&] { result = outcome(macros) + outcome(parentheses); });
    EXPECT_EQ(result, "line 1: the template calls itself too deeply46");
}

} // namespace
} // namespace ep::text::jinja
