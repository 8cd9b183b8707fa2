// SPDX-License-Identifier: GPL-3.0-or-later
#include "syntax_depth.h"

#include <algorithm>

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

} // namespace

int depthBelow(const Expression& expression)
{
    return std::visit(DepthOf(), expression.form);
}

} // namespace ep::text::jinja
