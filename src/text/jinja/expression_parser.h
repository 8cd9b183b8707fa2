// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lexer.h"
#include "syntax.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

// The tokens of a template and the grammar of expressions, with Jinja's operator precedence: "~"
// binds tighter than "+" and "-", filters and tests bind tightest.
class ExpressionParser {
public:
    explicit ExpressionParser(std::vector<Token> tokens)
        : m_tokens(std::move(tokens))
    {
    }

protected:
    const Token& current() const { return m_tokens[m_at]; }
    const Token& following() const;
    Token take();
    int line() const { return current().line; }
    bool atName(std::string_view name) const;
    bool atOperator(std::string_view op) const;
    bool takeName(std::string_view name);
    bool takeOperator(std::string_view op);
    void expectOperator(std::string_view op);
    std::string expectName();
    [[noreturn]] void unexpected(const std::string& wanted) const;
    [[noreturn]] void fail(const std::string& message) const;

    ExpressionPtr parseExpression(); // including "a if b else c"
    ExpressionPtr parseTuple(bool withConditional);
    ExpressionPtr parseFilters(ExpressionPtr value); // "| a | b"; the value may be null
    ExpressionPtr parseOneFilter(ExpressionPtr value); // called after the bar
    CallSyntax parseArguments();

    static ExpressionPtr make(decltype(Expression::form) form, int line);

    // Counts the recursion depth of the parser.
    class Nesting {
    public:
        explicit Nesting(ExpressionParser& parser);
        ~Nesting() { --m_parser.m_nesting; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        ExpressionParser& m_parser;
    };

private:
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseComparison();
    ExpressionPtr parseSum();
    ExpressionPtr parseConcatenation();
    ExpressionPtr parseProduct();
    ExpressionPtr parsePower();
    ExpressionPtr parseUnary(bool withFilters);
    ExpressionPtr parsePrimary();
    ExpressionPtr parsePostfix(ExpressionPtr value);
    ExpressionPtr parseSubscript(ExpressionPtr value);
    ExpressionPtr parseTest(ExpressionPtr value);
    ExpressionPtr parseList();
    ExpressionPtr parseDict();
    ExpressionPtr parseBinary(ExpressionPtr left, Binary::Operator op, ExpressionPtr right,
                              int line);
    bool beginsTestArgument() const;

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    int m_nesting = 0;
};

} // namespace ep::text::jinja
