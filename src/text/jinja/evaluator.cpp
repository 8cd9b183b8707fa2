// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluator.h"

#include "library.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

namespace ep::text::jinja {
namespace {

constexpr std::size_t kTouchedPerItem = 16;

// The name "self", which stands for a template's blocks; chat templates have none.
class TemplateReference final : public Object {
public:
    std::string typeName() const override { return "TemplateReference"; }
    std::string describe() const override { return "<TemplateReference None>"; }
};

// The variable "loop" of a for block.
class LoopObject final : public Object, public std::enable_shared_from_this<LoopObject> {
public:
    using Recursion = std::function<Value(const Value& items)>; // null: not a recursive loop

    LoopObject(Values items, int depth, Recursion recursion)
        : m_items(std::move(items))
        , m_depth(depth)
        , m_recursion(std::move(recursion))
    {
    }

    std::string typeName() const override { return "LoopContext"; }

    std::string describe() const override
    {
        return "<LoopContext " + std::to_string(m_index + 1) + "/" + std::to_string(m_items.size())
            + ">";
    }

    Value attribute(const std::string& name) override
    {
        const auto count = static_cast<std::int64_t>(m_items.size());
        const auto index = static_cast<std::int64_t>(m_index);
        if (name == "index")
            return Value(index + 1);
        if (name == "index0")
            return Value(index);
        if (name == "revindex")
            return Value(count - index);
        if (name == "revindex0")
            return Value(count - index - 1);
        if (name == "first")
            return Value(index == 0);
        if (name == "last")
            return Value(index + 1 == count);
        if (name == "length")
            return Value(count);
        if (name == "depth")
            return Value(std::int64_t{m_depth} + 1);
        if (name == "depth0")
            return Value(std::int64_t{m_depth});
        if (name == "previtem")
            return m_index > 0 ? m_items[m_index - 1]
                               : Value::undefined("there is no previous item");
        if (name == "nextitem")
            return m_index + 1 < m_items.size() ? m_items[m_index + 1]
                                                : Value::undefined("there is no next item");
        if (name == "cycle") {
            const auto at = m_index;
            return makeFunction("cycle", [at](Runtime&, const Arguments& arguments) {
                if (arguments.positional.empty())
                    throw Failure("loop.cycle needs at least one value");
                return arguments.positional[at % arguments.positional.size()];
            });
        }
        if (name == "changed") {
            const std::weak_ptr<LoopObject> weak = weak_from_this();
            return makeFunction("changed", [weak](Runtime& runtime, const Arguments& arguments) {
                const auto self = weak.lock();
                if (!self)
                    throw Failure("the loop of loop.changed is over");
                Values values = arguments.positional;
                const Value all = Value::tuple(std::move(values));
                runtime.charge(16 * all.weight());
                return Value(self->changed(all));
            });
        }
        return {};
    }

    bool isCallable() const override { return static_cast<bool>(m_recursion); }

    Value call(Runtime& runtime, const Arguments& arguments) override
    {
        if (!m_recursion)
            throw Failure("only a loop marked \"recursive\" can be called");
        const Parameters parameters("loop", arguments, {"iterable"});
        runtime.charge();
        return m_recursion(parameters.at("iterable"));
    }

    std::size_t size() const { return m_items.size(); }
    const Value& current() const { return m_items[m_index]; }
    void moveTo(std::size_t index) { m_index = index; }
    // Ends the loop: it can no longer be called and releases references that could form a cycle.
    void end()
    {
        m_recursion = nullptr;
        m_lastChanged.reset();
        m_isOver = true;
    }

private:
    Values m_items;
    std::size_t m_index = 0;
    int m_depth;
    bool m_isOver = false;
    Recursion m_recursion;
    std::optional<Value> m_lastChanged; // last argument of loop.changed()

    bool changed(const Value& value)
    {
        const bool differs = !m_lastChanged || !equal(*m_lastChanged, value);
        if (!m_isOver)
            m_lastChanged = value;
        return differs;
    }
};

// A macro together with the variables visible to its body. Belongs to one rendering.
class MacroObject final : public Object {
public:
    MacroObject(Evaluator& evaluator, std::shared_ptr<const MacroSyntax> macro,
                std::shared_ptr<Scope> scope)
        : m_evaluator(evaluator)
        , m_macro(std::move(macro))
        , m_scope(std::move(scope))
    {
    }
    std::string typeName() const override { return "Macro"; }
    std::string describe() const override { return "<Macro '" + m_macro->name + "'>"; }
    bool isCallable() const override { return true; }
    Value attribute(const std::string& name) override
    {
        return name == "name" ? Value::text(m_macro->name) : Value();
    }
    Value call(Runtime&, const Arguments& arguments) override
    {
        return m_evaluator.callMacro(*m_macro, m_scope, arguments);
    }

private:
    Evaluator& m_evaluator;
    std::shared_ptr<const MacroSyntax> m_macro;
    std::shared_ptr<Scope> m_scope;
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
        requireTextSize(text.size());
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

class Evaluator::Inside {
public:
    Inside(Evaluator& evaluator, std::shared_ptr<Scope> outer)
        : m_evaluator(evaluator)
        , m_before(std::exchange(evaluator.m_scope, std::make_shared<Scope>(std::move(outer))))
    {
    }
    explicit Inside(Evaluator& evaluator)
        : Inside(evaluator, evaluator.m_scope)
    {
    }
    ~Inside() { m_evaluator.m_scope = std::move(m_before); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    Evaluator& m_evaluator;
    std::shared_ptr<Scope> m_before;
};

void Evaluator::render(const Block& block, std::string& out)
{
    renderBlock(block, out);
}

void Evaluator::append(std::string& out, std::string_view text)
{
    m_runtime.charge(text.size());
    m_written += text.size();
    if (m_written > m_runtime.limits().outputBytes)
        throw Failure("the template writes too much");
    out += text;
}

std::string Evaluator::rendered(const Block& block)
{
    std::string text;
    renderBlock(block, text);
    return text;
}

Evaluator::Flow Evaluator::renderBlock(const Block& block, std::string& out)
{
    const Runtime::Nesting nesting(m_runtime);
    for (const Statement& statement : block) {
        m_runtime.charge();
        m_runtime.line = statement.line;
        const Flow flow =
            std::visit([&](const auto& form) { return renderForm(form, out); }, statement.form);
        if (flow != Flow::On)
            return flow;
    }
    return Flow::On;
}

Evaluator::Flow Evaluator::renderForm(const Output& s, std::string& out)
{
    if (s.value)
        append(out, toText(m_runtime, evaluate(*s.value)));
    else
        append(out, s.text);
    return Flow::On;
}

Evaluator::Flow Evaluator::renderForm(const If& s, std::string& out)
{
    for (const auto& [test, body] : s.branches) {
        if (evaluate(*test).isTrue())
            return renderBlock(body, out);
    }
    return renderBlock(s.otherwise, out);
}

Evaluator::Flow Evaluator::renderForm(const For& s, std::string& out)
{
    renderLoop(s, evaluate(*s.items), 0, out);
    return Flow::On;
}

void Evaluator::renderLoop(const For& loop, const Value& items, int depth, std::string& out)
{
    const Runtime::Nesting nesting(m_runtime);
    Values kept = itemsOf(items);
    m_runtime.charge(kept.size());
    if (loop.filter) {
        Values chosen;
        for (Value& item : kept) {
            const Inside inside(*this);
            assign(loop.target, item);
            if (evaluate(*loop.filter).isTrue())
                chosen.push_back(std::move(item));
        }
        kept = std::move(chosen);
    }
    if (kept.empty()) {
        const Inside inside(*this);
        renderBlock(loop.otherwise, out);
        return;
    }

    const std::shared_ptr<Scope> around = m_scope;
    LoopObject::Recursion recursion;
    if (loop.isRecursive) {
        recursion = [this, &loop, depth, around](const Value& inner) {
            const std::shared_ptr<Scope> before = std::exchange(m_scope, around);
            std::string text;
            renderLoop(loop, inner, depth + 1, text);
            m_scope = before;
            return Value::text(std::move(text));
        };
    }
    const auto state = std::make_shared<LoopObject>(std::move(kept), depth, std::move(recursion));
    struct AtEnd {
        LoopObject& loop;
        ~AtEnd() { loop.end(); }
    } const atEnd{*state};
    for (std::size_t i = 0; i < state->size(); ++i) {
        m_runtime.charge();
        const Inside inside(*this);
        state->moveTo(i);
        m_scope->set("loop", Value(std::shared_ptr<Object>(state)));
        assign(loop.target, state->current());
        if (renderBlock(loop.body, out) == Flow::Break)
            break;
    }
}

void Evaluator::assign(const Target& target, const Value& value)
{
    if (!target.attribute.empty()) {
        const Value* space = m_scope->find(target.names.front());
        auto* object = dynamic_cast<NamespaceObject*>(space ? space->asObject() : nullptr);
        if (!object)
            throw Failure("an attribute can only be set on a namespace");
        object->set(target.attribute, value);
        return;
    }
    if (!target.isTuple) {
        m_scope->set(target.names.front(), value);
        return;
    }
    value.requireDefined();
    const Values items = itemsOf(value);
    m_runtime.charge(items.size());
    if (items.size() != target.names.size()) {
        throw Failure(std::to_string(target.names.size()) + " names are assigned "
                      + std::to_string(items.size()) + " values");
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        m_scope->set(target.names[i], items[i]);
}

Value Evaluator::filtered(const Expression& filter, Value value)
{
    const Value* const before = std::exchange(m_piped, &value);
    struct Restore {
        Evaluator& evaluator;
        const Value* before;
        ~Restore() { evaluator.m_piped = before; }
    } const restore{*this, before};
    return evaluate(filter);
}

Evaluator::Flow Evaluator::renderForm(const Assignment& s, std::string&)
{
    if (s.value) {
        assign(s.target, evaluate(*s.value));
        return Flow::On;
    }
    Value text;
    {
        const Inside inside(*this);
        text = Value::text(rendered(s.body));
    }
    if (s.filter)
        text = filtered(*s.filter, std::move(text));
    assign(s.target, text);
    return Flow::On;
}

Value Evaluator::makeMacro(const std::shared_ptr<const MacroSyntax>& macro)
{
    if (m_captured.empty() || m_captured.back() != m_scope)
        m_captured.push_back(m_scope);
    return Value(std::shared_ptr<Object>(std::make_shared<MacroObject>(*this, macro, m_scope)));
}

Evaluator::Flow Evaluator::renderForm(const std::shared_ptr<const MacroSyntax>& s, std::string&)
{
    m_scope->set(s->name, makeMacro(s));
    return Flow::On;
}

Value Evaluator::callMacro(const MacroSyntax& macro, const std::shared_ptr<Scope>& definedIn,
                           const Arguments& arguments)
{
    const Runtime::Nesting nesting(m_runtime);
    const Inside inside(*this, definedIn);
    m_scope->set("caller", Value::undefined("'caller' is undefined"));
    std::vector<std::pair<Value, Value>> others;
    for (const auto& argument : arguments.named) {
        const bool known =
            std::any_of(macro.parameters.begin(), macro.parameters.end(),
                        [&](const auto& parameter) { return parameter.first == argument.first; });
        if (known || argument.first == "caller")
            m_scope->set(argument.first, argument.second);
        else
            others.emplace_back(Value::text(argument.first), argument.second);
    }
    const std::size_t wanted = macro.parameters.size();
    const std::size_t given = std::min(arguments.positional.size(), wanted);
    for (std::size_t i = 0; i < given; ++i)
        m_scope->set(macro.parameters[i].first, arguments.positional[i]);
    for (std::size_t i = given; i < wanted; ++i) {
        const auto& parameter = macro.parameters[i];
        const bool named =
            std::any_of(arguments.named.begin(), arguments.named.end(),
                        [&](const auto& argument) { return argument.first == parameter.first; });
        if (named)
            continue;
        m_scope->set(parameter.first,
                     parameter.second ? evaluate(*parameter.second)
                                      : Value::undefined("parameter '" + parameter.first
                                                         + "' was not provided"));
    }
    m_runtime.charge(others.size() * others.size());
    m_scope->set("kwargs", Value::dict(std::move(others)));
    m_scope->set(
        "varargs",
        Value::tuple(Values(arguments.positional.begin() + static_cast<std::ptrdiff_t>(given),
                            arguments.positional.end())));
    return Value::text(rendered(macro.body));
}

Evaluator::Flow Evaluator::renderForm(const CallBlock& s, std::string& out)
{
    const Call& called = std::get<Call>(s.call->form);
    const Value callee = evaluate(*called.callee);
    Arguments arguments = argumentsOf(called.arguments);
    arguments.named.emplace_back("caller", makeMacro(s.body));
    append(out, toText(m_runtime, jinja::call(m_runtime, callee, arguments)));
    return Flow::On;
}

Evaluator::Flow Evaluator::renderForm(const FilterBlock& s, std::string& out)
{
    std::string text;
    {
        const Inside inside(*this);
        text = rendered(s.body);
    }
    append(out, toText(m_runtime, filtered(*s.filter, Value::text(std::move(text)))));
    return Flow::On;
}

Evaluator::Flow Evaluator::renderForm(const With& s, std::string& out)
{
    Values values;
    for (const auto& [target, value] : s.values)
        values.push_back(evaluate(*value));
    const Inside inside(*this);
    for (std::size_t i = 0; i < values.size(); ++i)
        assign(s.values[i].first, values[i]);
    return renderBlock(s.body, out);
}

Evaluator::Flow Evaluator::renderForm(const Generation& s, std::string& out)
{
    return renderBlock(s.body, out);
}

Evaluator::Flow Evaluator::renderForm(const LoopControl& s, std::string&)
{
    return s.isBreak ? Flow::Break : Flow::Continue;
}

} // namespace ep::text::jinja
