// SPDX-License-Identifier: GPL-3.0-or-later
#include "expression_parser.h"

#include "render_limits.h"
#include "syntax_depth.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ep::text::jinja {

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

} // namespace ep::text::jinja
