// SPDX-License-Identifier: GPL-3.0-or-later
#include "expression_parser.h"

#include "render_limits.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

// Operands of expressions: values, and what follows them: attributes, items, calls, filters, tests.

namespace ep::text::jinja {
namespace {

int deepest(const ExpressionPtr& part)
{
    return part ? part->depth : 0;
}

int deepest(const std::vector<ExpressionPtr>& parts)
{
    int depth = 0;
    for (const ExpressionPtr& part : parts)
        depth = std::max(depth, deepest(part));
    return depth;
}

int deepest(const CallSyntax& call)
{
    int depth =
        std::max({deepest(call.positional), deepest(call.moreTuple), deepest(call.moreDict)});
    for (const auto& [name, value] : call.named)
        depth = std::max(depth, deepest(value));
    return depth;
}

struct DepthOf {
    int operator()(const Literal&) const { return 0; }
    int operator()(const Name&) const { return 0; }
    int operator()(const SequenceLiteral& e) const { return deepest(e.items); }
    int operator()(const DictLiteral& e) const
    {
        int depth = 0;
        for (const auto& [key, value] : e.entries)
            depth = std::max({depth, deepest(key), deepest(value)});
        return depth;
    }
    int operator()(const AttributeOf& e) const { return deepest(e.object); }
    int operator()(const ItemOf& e) const { return std::max(deepest(e.object), deepest(e.index)); }
    int operator()(const SliceOf& e) const
    {
        return std::max({deepest(e.object), deepest(e.begin), deepest(e.end), deepest(e.step)});
    }
    int operator()(const Call& e) const
    {
        return std::max(deepest(e.callee), deepest(e.arguments));
    }
    int operator()(const FilterUse& e) const
    {
        return std::max(deepest(e.value), deepest(e.arguments));
    }
    int operator()(const TestUse& e) const
    {
        return std::max(deepest(e.value), deepest(e.arguments));
    }
    int operator()(const Unary& e) const { return deepest(e.operand); }
    int operator()(const Binary& e) const { return std::max(deepest(e.left), deepest(e.right)); }
    int operator()(const Concatenation& e) const { return deepest(e.parts); }
    int operator()(const Comparison& e) const
    {
        int depth = deepest(e.first);
        for (const auto& [op, value] : e.rest)
            depth = std::max(depth, deepest(value));
        return depth;
    }
    int operator()(const Conditional& e) const
    {
        return std::max({deepest(e.test), deepest(e.then), deepest(e.otherwise)});
    }
};

// Depth of the deepest part of an expression; 0 if it has no parts.
int depthBelow(const Expression& expression)
{
    return std::visit(DepthOf(), expression.form);
}

} // namespace

using Kind = Token::Kind;

ExpressionPtr ExpressionParser::make(decltype(Expression::form) form, int line)
{
    auto expression = std::make_unique<Expression>();
    expression->form = std::move(form);
    expression->depth = depthBelow(*expression) + 1;
    expression->line = line;
    if (expression->depth > kMaxNesting)
        throw Failure("an expression is nested too deeply", line);
    return expression;
}

ExpressionParser::Nesting::Nesting(ExpressionParser& parser)
    : m_parser(parser)
{
    if (++m_parser.m_nesting > kMaxNesting) {
        --m_parser.m_nesting;
        parser.fail("the template is nested too deeply");
    }
}

const Token& ExpressionParser::following() const
{
    return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)];
}

Token ExpressionParser::take()
{
    const Token& token = current();
    if (token.kind != Kind::End)
        ++m_at;
    return token;
}

bool ExpressionParser::atName(std::string_view name) const
{
    return current().kind == Kind::Name && current().text == name;
}

bool ExpressionParser::atOperator(std::string_view op) const
{
    return current().kind == Kind::Operator && current().text == op;
}

bool ExpressionParser::takeName(std::string_view name)
{
    const bool found = atName(name);
    if (found)
        take();
    return found;
}

bool ExpressionParser::takeOperator(std::string_view op)
{
    const bool found = atOperator(op);
    if (found)
        take();
    return found;
}

void ExpressionParser::expectOperator(std::string_view op)
{
    if (!takeOperator(op))
        unexpected("\"" + std::string(op) + "\"");
}

std::string ExpressionParser::expectName()
{
    if (current().kind != Kind::Name)
        unexpected("a name");
    return take().text;
}

void ExpressionParser::unexpected(const std::string& wanted) const
{
    fail(wanted + " is expected, but " + described(current()) + " follows");
}

void ExpressionParser::fail(const std::string& message) const
{
    throw Failure(message, line());
}

ExpressionPtr ExpressionParser::parseExpression()
{
    const Nesting nesting(*this);
    ExpressionPtr value = parseOr();
    while (atName("if")) {
        const int at = take().line;
        ExpressionPtr test = parseOr();
        ExpressionPtr otherwise;
        if (takeName("else"))
            otherwise = parseExpression();
        value = make(Conditional{std::move(test), std::move(value), std::move(otherwise)}, at);
    }
    return value;
}

ExpressionPtr ExpressionParser::parseTuple(bool withConditional)
{
    const int at = line();
    const auto ends = [&] {
        return current().kind == Kind::EndBlock || current().kind == Kind::EndPrint
            || current().kind == Kind::End || atOperator(")");
    };
    SequenceLiteral tuple{.items = {}, .isTuple = true};
    bool comma = false;
    while (!ends()) {
        tuple.items.push_back(withConditional ? parseExpression() : parseOr());
        comma = takeOperator(",");
        if (!comma)
            break;
    }
    if (tuple.items.empty() && !atOperator(")"))
        unexpected("an expression");
    if (tuple.items.size() == 1 && !comma)
        return std::move(tuple.items.front());
    return make(std::move(tuple), at);
}

ExpressionPtr ExpressionParser::parseBinary(ExpressionPtr left, Binary::Operator op,
                                            ExpressionPtr right, int line)
{
    return make(Binary{op, std::move(left), std::move(right)}, line);
}

ExpressionPtr ExpressionParser::parseOr()
{
    ExpressionPtr left = parseAnd();
    while (atName("or")) {
        const int at = take().line;
        left = parseBinary(std::move(left), Binary::Operator::Or, parseAnd(), at);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseAnd()
{
    ExpressionPtr left = parseNot();
    while (atName("and")) {
        const int at = take().line;
        left = parseBinary(std::move(left), Binary::Operator::And, parseNot(), at);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseNot()
{
    if (!atName("not"))
        return parseComparison();
    const Nesting nesting(*this);
    const int at = take().line;
    return make(Unary{Unary::Operator::Not, parseNot()}, at);
}

ExpressionPtr ExpressionParser::parseComparison()
{
    using Operator = Comparison::Operator;
    constexpr std::array<std::pair<std::string_view, Operator>, 6> operators{
        {{"==", Operator::Equal},
         {"!=", Operator::NotEqual},
         {"<=", Operator::LessEqual},
         {"<", Operator::Less},
         {">=", Operator::GreaterEqual},
         {">", Operator::Greater}}};
    const int at = line();
    ExpressionPtr first = parseSum();
    Comparison comparison;
    for (;;) {
        std::optional<Operator> found;
        for (const auto& [text, op] : operators) {
            if (atOperator(text))
                found = op;
        }
        if (atName("in"))
            found = Operator::In;
        if (atName("not") && following().kind == Kind::Name && following().text == "in") {
            take();
            found = Operator::NotIn;
        }
        if (!found)
            break;
        take();
        comparison.rest.emplace_back(*found, parseSum());
    }
    if (comparison.rest.empty())
        return first;
    comparison.first = std::move(first);
    return make(std::move(comparison), at);
}

ExpressionPtr ExpressionParser::parseSum()
{
    ExpressionPtr left = parseConcatenation();
    while (atOperator("+") || atOperator("-")) {
        const Token op = take();
        left = parseBinary(std::move(left),
                           op.text == "+" ? Binary::Operator::Add : Binary::Operator::Subtract,
                           parseConcatenation(), op.line);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseConcatenation()
{
    const int at = line();
    ExpressionPtr first = parseProduct();
    if (!atOperator("~"))
        return first;
    Concatenation all;
    all.parts.push_back(std::move(first));
    while (takeOperator("~"))
        all.parts.push_back(parseProduct());
    return make(std::move(all), at);
}

ExpressionPtr ExpressionParser::parseProduct()
{
    using Operator = Binary::Operator;
    ExpressionPtr left = parsePower();
    for (;;) {
        Operator op = Operator::Multiply;
        if (atOperator("/"))
            op = Operator::Divide;
        else if (atOperator("//"))
            op = Operator::FloorDivide;
        else if (atOperator("%"))
            op = Operator::Modulo;
        else if (!atOperator("*"))
            return left;
        const int at = take().line;
        left = parseBinary(std::move(left), op, parsePower(), at);
    }
}

ExpressionPtr ExpressionParser::parsePower()
{
    ExpressionPtr left = parseUnary(true);
    while (atOperator("**")) {
        const int at = take().line;
        left = parseBinary(std::move(left), Binary::Operator::Power, parseUnary(true), at);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseUnary(bool withFilters)
{
    const Nesting nesting(*this);
    ExpressionPtr value;
    if (atOperator("-") || atOperator("+")) {
        const Token op = take();
        value = make(Unary{op.text == "-" ? Unary::Operator::Minus : Unary::Operator::Plus,
                           parseUnary(false)},
                     op.line);
    } else {
        value = parsePrimary();
    }
    value = parsePostfix(std::move(value));
    if (withFilters)
        value = parseFilters(std::move(value));
    return value;
}

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
