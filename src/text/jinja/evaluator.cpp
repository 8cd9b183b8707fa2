// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluator.h"

#include "library.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <utility>

namespace ep::text::jinja {

namespace {

constexpr std::size_t kTouchedPerItem = 16;

// The name "self", which stands for a template's blocks; chat templates have none.
class TemplateReference final : public Object {
public:
    std::string typeName() const override { return "TemplateReference"; }
    std::string describe() const override { return "<TemplateReference None>"; }
};

} // namespace

Evaluator::Evaluator(Runtime& runtime, std::shared_ptr<Scope> globals)
    : m_runtime(runtime)
    , m_scope(std::move(globals))
{
}

// Breaks cycles: macros refer to the scope that contains them.
Evaluator::~Evaluator()
{
    for (const auto& scope : m_captured)
        scope->clear();
}

Value Evaluator::evaluate(const Expression& expression)
{
    const Runtime::Nesting nesting(m_runtime);
    m_runtime.charge();
    m_runtime.line = expression.line;
    return std::visit([this](const auto& form) { return evaluateForm(form); }, expression.form);
}

Value Evaluator::evaluateForm(const Literal& e)
{
    return e.value;
}

Value Evaluator::evaluateForm(const Name& e)
{
    const Value* value = m_scope->find(e.name);
    if (!value && e.name == "self")
        return Value(std::shared_ptr<Object>(std::make_shared<TemplateReference>()));
    return value ? *value : Value::undefined("'" + e.name + "' is undefined");
}

Value Evaluator::evaluateForm(const SequenceLiteral& e)
{
    Values items;
    items.reserve(e.items.size());
    for (const ExpressionPtr& item : e.items)
        items.push_back(evaluate(*item));
    return e.isTuple ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

Value Evaluator::evaluateForm(const DictLiteral& e)
{
    std::vector<std::pair<Value, Value>> entries;
    entries.reserve(e.entries.size());
    m_runtime.charge(e.entries.size() * e.entries.size());
    for (const auto& [key, item] : e.entries) {
        Value name = evaluate(*key);
        entries.emplace_back(std::move(name), evaluate(*item));
    }
    return Value::dict(std::move(entries));
}

Value Evaluator::evaluateForm(const AttributeOf& e)
{
    return attributeOf(m_runtime, evaluate(*e.object), e.name);
}

Value Evaluator::evaluateForm(const ItemOf& e)
{
    const Value object = evaluate(*e.object);
    return itemOf(m_runtime, object, evaluate(*e.index));
}

Value Evaluator::evaluateForm(const SliceOf& e)
{
    const Value object = evaluate(*e.object);
    const auto border = [&](const ExpressionPtr& part) {
        return part ? evaluate(*part) : Value::none();
    };
    const Value begin = border(e.begin);
    const Value end = border(e.end);
    return sliceOf(m_runtime, object, begin, end, border(e.step));
}

Arguments Evaluator::argumentsOf(const CallSyntax& call)
{
    Arguments arguments;
    for (const ExpressionPtr& argument : call.positional)
        arguments.positional.push_back(evaluate(*argument));
    for (const auto& [name, argument] : call.named)
        arguments.named.emplace_back(name, evaluate(*argument));
    if (call.moreTuple) {
        for (const Value& item : itemsOf(evaluate(*call.moreTuple))) {
            m_runtime.charge(kTouchedPerItem);
            arguments.positional.push_back(item);
        }
    }
    if (call.moreDict) {
        const Value more = evaluate(*call.moreDict);
        const Dict* dict = more.asDict();
        if (!dict)
            throw Failure("\"**\" needs a dictionary, not a " + more.typeName());
        for (const auto& [key, item] : dict->entries) {
            if (!key.isText())
                throw Failure("the names of arguments must be texts");
            m_runtime.charge(kTouchedPerItem);
            arguments.named.emplace_back(*key.asText(), item);
        }
    }
    return arguments;
}

Value Evaluator::evaluateForm(const Call& e)
{
    const Value callee = evaluate(*e.callee);
    const Arguments arguments = argumentsOf(e.arguments);
    return jinja::call(m_runtime, callee, arguments);
}

Value Evaluator::evaluateForm(const FilterUse& e)
{
    const Value value = e.value ? evaluate(*e.value) : (m_piped ? *m_piped : Value());
    const Arguments arguments = argumentsOf(e.arguments);
    return applyFilter(m_runtime, e.name, value, arguments);
}

Value Evaluator::evaluateForm(const TestUse& e)
{
    const Value value = evaluate(*e.value);
    const Arguments arguments = argumentsOf(e.arguments);
    return Value(applyTest(m_runtime, e.name, value, arguments));
}

Value Evaluator::evaluateForm(const Unary& e)
{
    const Value operand = evaluate(*e.operand);
    switch (e.op) {
    case Unary::Operator::Not:
        return Value(!operand.isTrue());
    case Unary::Operator::Minus:
        return negated(operand);
    case Unary::Operator::Plus:
        break;
    }
    return negated(negated(operand));
}

Value Evaluator::evaluateForm(const Binary& e)
{
    Value left = evaluate(*e.left);
    if (e.op == Binary::Operator::And || e.op == Binary::Operator::Or) {
        const bool decided = left.isTrue() == (e.op == Binary::Operator::Or);
        return decided ? left : evaluate(*e.right);
    }
    const Value right = evaluate(*e.right);
    return arithmetic(m_runtime, e.op, left, right);
}

Value Evaluator::evaluateForm(const Concatenation& e)
{
    std::string text;
    for (const ExpressionPtr& part : e.parts) {
        text += toText(m_runtime, evaluate(*part));
        if (text.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    m_runtime.charge(text.size());
    return Value::text(std::move(text));
}

bool Evaluator::compares(Comparison::Operator op, const Value& left, const Value& right)
{
    m_runtime.charge(kTouchedPerItem * std::min(left.weight(), right.weight()));
    switch (op) {
    case Comparison::Operator::Equal:
        return equal(left, right);
    case Comparison::Operator::NotEqual:
        return !equal(left, right);
    case Comparison::Operator::Less:
        return compare(left, right) < 0;
    case Comparison::Operator::LessEqual:
        return compare(left, right) <= 0;
    case Comparison::Operator::Greater:
        return compare(left, right) > 0;
    case Comparison::Operator::GreaterEqual:
        return compare(left, right) >= 0;
    case Comparison::Operator::In:
        return contains(m_runtime, right, left);
    case Comparison::Operator::NotIn:
        return !contains(m_runtime, right, left);
    }
    return false;
}

Value Evaluator::evaluateForm(const Comparison& e)
{
    Value left = evaluate(*e.first);
    for (const auto& [op, operand] : e.rest) {
        Value right = evaluate(*operand);
        if (!compares(op, left, right))
            return Value(false);
        left = std::move(right);
    }
    return Value(true);
}

Value Evaluator::evaluateForm(const Conditional& e)
{
    if (evaluate(*e.test).isTrue())
        return evaluate(*e.then);
    if (e.otherwise)
        return evaluate(*e.otherwise);
    return Value::undefined("an \"if\" without \"else\" has no value here");
}

} // namespace ep::text::jinja
