// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// The syntax tree of a template. Immutable after parsing.
namespace ep::text::jinja {

struct Expression;
struct Statement;
using ExpressionPtr = std::unique_ptr<Expression>;
using Block = std::vector<Statement>;

struct CallSyntax {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr moreTuple; // *args
    ExpressionPtr moreDict; // **kwargs
};

struct Literal {
    Value value;
};
struct Name {
    std::string name;
};
struct SequenceLiteral {
    std::vector<ExpressionPtr> items;
    bool isTuple = false;
};
struct DictLiteral {
    std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
};
struct AttributeOf { // object.name
    ExpressionPtr object;
    std::string name;
};
struct ItemOf { // object[index]
    ExpressionPtr object;
    ExpressionPtr index;
};
struct SliceOf { // object[begin:end:step], each may be null
    ExpressionPtr object;
    ExpressionPtr begin;
    ExpressionPtr end;
    ExpressionPtr step;
};
struct Call {
    ExpressionPtr callee;
    CallSyntax arguments;
};
struct FilterUse { // without a value in "filter" blocks and block set
    ExpressionPtr value;
    std::string name;
    CallSyntax arguments;
};
struct TestUse {
    ExpressionPtr value;
    std::string name;
    CallSyntax arguments;
};
struct Unary {
    enum class Operator { Not, Minus, Plus };
    Operator op = Operator::Not;
    ExpressionPtr operand;
};
struct Binary {
    enum class Operator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, And, Or };
    Operator op = Operator::Add;
    ExpressionPtr left;
    ExpressionPtr right;
};
struct Concatenation { // a ~ b ~ c
    std::vector<ExpressionPtr> parts;
};
struct Comparison { // a < b < c
    enum class Operator { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, In, NotIn };
    ExpressionPtr first;
    std::vector<std::pair<Operator, ExpressionPtr>> rest;
};
struct Conditional { // a if test else b; b may be null
    ExpressionPtr test;
    ExpressionPtr then;
    ExpressionPtr otherwise;
};

struct Expression {
    std::variant<Literal, Name, SequenceLiteral, DictLiteral, AttributeOf, ItemOf, SliceOf, Call,
                 FilterUse, TestUse, Unary, Binary, Concatenation, Comparison, Conditional>
        form;
    int line = 0;
    int depth = 1; // depth of the tree
};

// The target of an assignment: names, or one attribute of a namespace.
struct Target {
    std::vector<std::string> names;
    bool isTuple = false;
    std::string attribute; // attribute of names[0]; empty: none
};

struct Output {
    ExpressionPtr value; // null: plain text
    std::string text;
};
struct If {
    std::vector<std::pair<ExpressionPtr, Block>> branches;
    Block otherwise;
};
struct For {
    Target target;
    ExpressionPtr items;
    ExpressionPtr filter; // may be null
    bool isRecursive = false;
    Block body;
    Block otherwise;
};
struct Assignment {
    Target target;
    ExpressionPtr value; // null: the body, with the filter applied if any
    ExpressionPtr filter;
    Block body;
};
struct MacroSyntax {
    std::string name;
    std::vector<std::pair<std::string, ExpressionPtr>> parameters; // default or null
    Block body;
};
struct CallBlock {
    ExpressionPtr call; // always a Call
    std::shared_ptr<const MacroSyntax> body;
};
struct FilterBlock {
    ExpressionPtr filter; // the innermost FilterUse has no value
    Block body;
};
struct With {
    std::vector<std::pair<Target, ExpressionPtr>> values;
    Block body;
};
struct Generation { // marks the model's own text, for training; ignored here
    Block body;
};
struct LoopControl {
    bool isBreak = false;
};

struct Statement {
    std::variant<Output, If, For, Assignment, std::shared_ptr<const MacroSyntax>, CallBlock,
                 FilterBlock, With, Generation, LoopControl>
        form;
    int line = 0;
};

} // namespace ep::text::jinja
