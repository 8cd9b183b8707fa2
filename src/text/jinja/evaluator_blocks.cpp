// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluator.h"
#include "loop.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <utility>

namespace ep::text::jinja {

namespace {

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
