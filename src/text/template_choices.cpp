// SPDX-License-Identifier: GPL-3.0-or-later
#include "template_choices.h"

#include "jinja/lexer.h"
#include "jinja/render_limits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ep::text {

namespace {

using jinja::Token;
using Tokens = std::vector<Token>;

// Names that chat templates use for switches with a few values.
struct Known {
    const char* name;
    bool is_switch; // true or false; otherwise a reasoning effort
};
constexpr std::array kKnown{Known{"enable_thinking", true}, Known{"thinking", true},
                            Known{"preserve_thinking", true}, Known{"clear_thinking", true},
                            Known{"reasoning_effort", false}};

bool isName(const Tokens& tokens, std::size_t at, std::string_view name)
{
    return at < tokens.size() && tokens[at].kind == Token::Kind::Name && tokens[at].text == name;
}

bool isOperator(const Tokens& tokens, std::size_t at, std::string_view op)
{
    return at < tokens.size() && tokens[at].kind == Token::Kind::Operator && tokens[at].text == op;
}

bool isVariable(const Tokens& tokens, std::size_t at, std::string_view name)
{
    return isName(tokens, at, name) && (at == 0 || !isOperator(tokens, at - 1, "."));
}

// Whether {% set name = ... %} at this place computes the value from the same variable.
bool setsFromItself(const Tokens& tokens, std::size_t at, std::string_view name)
{
    for (++at; at < tokens.size() && tokens[at].kind != Token::Kind::EndBlock; ++at) {
        if (isVariable(tokens, at, name))
            return true;
    }
    return false;
}

// A name that the template sets or loops over before reading it is the template's own variable.
bool reads(const Tokens& tokens, std::string_view name)
{
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        if (!isVariable(tokens, at, name))
            continue;
        if (isName(tokens, at - 1, "for"))
            return false;
        if (!isOperator(tokens, at + 1, "="))
            return true;
        if (isName(tokens, at - 1, "set"))
            return setsFromItself(tokens, at, name);
    }
    return false;
}

// The usual efforts, and texts that the template compares with the variable.
std::vector<std::string> effortsOf(const Tokens& tokens, std::string_view name)
{
    std::vector<std::string> efforts{"\"low\"", "\"medium\"", "\"high\""};
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        if (!isVariable(tokens, at, name)
            || !(isOperator(tokens, at + 1, "==") || isOperator(tokens, at + 1, "!="))
            || tokens[at + 2].kind != Token::Kind::String)
            continue;
        const std::string& text = tokens[at + 2].text;
        const bool isWord = !text.empty() && text.find_first_of("\"\\\n\t ") == std::string::npos;
        const std::string quoted = '"' + text + '"';
        if (isWord && std::ranges::count(efforts, quoted) == 0)
            efforts.push_back(quoted);
    }
    return efforts;
}

} // namespace

std::vector<TemplateChoice> choicesIn(std::string_view source)
{
    std::vector<TemplateChoice> choices;
    try {
        const Tokens tokens = jinja::tokensOfTemplate(source);
        for (const Known& known : kKnown) {
            if (!reads(tokens, known.name))
                continue;
            choices.push_back({known.name,
                               known.is_switch ? std::vector<std::string>{"true", "false"}
                                               : effortsOf(tokens, known.name)});
        }
    } catch (const jinja::Failure&) {
        return {};
    }
    return choices;
}

} // namespace ep::text
