// SPDX-License-Identifier: GPL-3.0-or-later
#include "expression_parser.h"
#include "render_limits.h"

#include <string>
#include <utility>

// Operands of expressions: values, and what follows them: attributes, items, calls, filters, tests.
namespace ep::text::jinja {

using Kind = Token::Kind;

ExpressionPtr ExpressionParser::parsePrimary()
{
    const Token token = take();
    switch (token.kind) {
    case Kind::Name:
        if (token.text == "true" || token.text == "True")
            return make(Literal{Value(true)}, token.line);
        if (token.text == "false" || token.text == "False")
            return make(Literal{Value(false)}, token.line);
        if (token.text == "none" || token.text == "None")
            return make(Literal{Value::none()}, token.line);
        return make(Name{token.text}, token.line);
    case Kind::String: {
        std::string text = token.text;
        while (current().kind == Kind::String)
            text += take().text;
        return make(Literal{Value::text(std::move(text))}, token.line);
    }
    case Kind::Integer:
        return make(Literal{Value(token.integer)}, token.line);
    case Kind::Float:
        return make(Literal{Value(token.number)}, token.line);
    case Kind::Operator:
        if (token.text == "(") {
            ExpressionPtr value = parseTuple(true);
            expectOperator(")");
            return value;
        }
        if (token.text == "[")
            return parseList();
        if (token.text == "{")
            return parseDict();
        break;
    default:
        break;
    }
    throw Failure("an expression is expected, but " + described(token) + " follows", token.line);
}

ExpressionPtr ExpressionParser::parseList()
{
    const int at = line();
    SequenceLiteral list;
    while (!atOperator("]")) {
        list.items.push_back(parseExpression());
        if (!takeOperator(","))
            break;
    }
    expectOperator("]");
    return make(std::move(list), at);
}

ExpressionPtr ExpressionParser::parseDict()
{
    const int at = line();
    DictLiteral dict;
    while (!atOperator("}")) {
        ExpressionPtr key = parseExpression();
        expectOperator(":");
        dict.entries.emplace_back(std::move(key), parseExpression());
        if (!takeOperator(","))
            break;
    }
    expectOperator("}");
    return make(std::move(dict), at);
}

ExpressionPtr ExpressionParser::parsePostfix(ExpressionPtr value)
{
    for (;;) {
        const int at = line();
        if (atOperator(".") || atOperator("["))
            value = parseSubscript(std::move(value));
        else if (takeOperator("("))
            value = make(Call{std::move(value), parseArguments()}, at);
        else
            return value;
    }
}

ExpressionPtr ExpressionParser::parseSubscript(ExpressionPtr value)
{
    const int at = line();
    if (takeOperator(".")) {
        if (current().kind == Kind::Integer)
            return make(ItemOf{std::move(value), make(Literal{Value(take().integer)}, at)}, at);
        return make(AttributeOf{std::move(value), expectName()}, at);
    }
    expectOperator("[");
    ExpressionPtr begin;
    if (!atOperator(":")) {
        begin = parseExpression();
        if (takeOperator("]"))
            return make(ItemOf{std::move(value), std::move(begin)}, at);
    }
    SliceOf slice{std::move(value), std::move(begin), nullptr, nullptr};
    expectOperator(":");
    if (!atOperator("]") && !atOperator(":"))
        slice.end = parseExpression();
    if (takeOperator(":") && !atOperator("]"))
        slice.step = parseExpression();
    expectOperator("]");
    return make(std::move(slice), at);
}

// Called after the opening parenthesis.
CallSyntax ExpressionParser::parseArguments()
{
    CallSyntax call;
    while (!atOperator(")")) {
        if (takeOperator("**")) {
            if (call.moreDict)
                fail("a call takes \"**\" only once");
            call.moreDict = parseExpression();
        } else if (takeOperator("*")) {
            if (call.moreTuple)
                fail("a call takes \"*\" only once");
            call.moreTuple = parseExpression();
        } else if (current().kind == Kind::Name && following().kind == Kind::Operator
                   && following().text == "=") {
            std::string name = take().text;
            take();
            call.named.emplace_back(std::move(name), parseExpression());
        } else {
            if (!call.named.empty() || call.moreDict)
                fail("an argument without a name follows one with a name");
            call.positional.push_back(parseExpression());
        }
        if (!takeOperator(","))
            break;
    }
    expectOperator(")");
    return call;
}

ExpressionPtr ExpressionParser::parseOneFilter(ExpressionPtr value)
{
    const int at = line();
    FilterUse filter{std::move(value), expectName(), {}};
    while (takeOperator("."))
        filter.name += "." + expectName();
    if (takeOperator("("))
        filter.arguments = parseArguments();
    return make(std::move(filter), at);
}

ExpressionPtr ExpressionParser::parseFilters(ExpressionPtr value)
{
    for (;;) {
        const int at = line();
        if (takeOperator("|"))
            value = parseOneFilter(std::move(value));
        else if (value && takeName("is"))
            value = parseTest(std::move(value));
        else if (value && takeOperator("("))
            value = make(Call{std::move(value), parseArguments()}, at);
        else
            return value;
    }
}

bool ExpressionParser::beginsTestArgument() const
{
    switch (current().kind) {
    case Kind::Name:
        return !atName("else") && !atName("or") && !atName("and");
    case Kind::String:
    case Kind::Integer:
    case Kind::Float:
        return true;
    case Kind::Operator:
        return atOperator("[") || atOperator("{");
    default:
        return false;
    }
}

ExpressionPtr ExpressionParser::parseTest(ExpressionPtr value)
{
    const int at = line();
    const bool negated = takeName("not");
    TestUse test{std::move(value), expectName(), {}};
    while (takeOperator("."))
        test.name += "." + expectName();
    if (takeOperator("(")) {
        test.arguments = parseArguments();
    } else if (beginsTestArgument()) {
        if (atName("is"))
            fail("tests with \"is\" cannot follow each other");
        // "x is in y", "x is divisibleby 3"
        test.arguments.positional.push_back(parsePostfix(parsePrimary()));
    }
    ExpressionPtr result = make(std::move(test), at);
    if (negated)
        result = make(Unary{Unary::Operator::Not, std::move(result)}, at);
    return result;
}

} // namespace ep::text::jinja
