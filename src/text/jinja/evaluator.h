// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"
#include "syntax.h"
#include "value.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ep::text::jinja {

// Variables; those of enclosing scopes can be read, but not changed.
class Scope {
public:
    explicit Scope(std::shared_ptr<Scope> outer = nullptr)
        : m_outer(std::move(outer))
    {
    }

    const Value* find(const std::string& name) const
    {
        for (const Scope* scope = this; scope; scope = scope->m_outer.get()) {
            if (const auto found = scope->m_variables.find(name); found != scope->m_variables.end())
                return &found->second;
        }
        return nullptr;
    }
    void set(const std::string& name, Value value)
    {
        m_variables.insert_or_assign(name, std::move(value));
    }
    void clear() { m_variables.clear(); }

private:
    std::shared_ptr<Scope> m_outer;
    std::unordered_map<std::string, Value> m_variables;
};

// Renders one template once. Throws Failure; the runtime has the line.
class Evaluator {
public:
    Evaluator(Runtime& runtime, std::shared_ptr<Scope> globals);
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    void render(const Block& block, std::string& out);
    Value evaluate(const Expression& expression);

    // The text of the body of a macro or call block.
    Value callMacro(const MacroSyntax& macro, const std::shared_ptr<Scope>& definedIn,
                    const Arguments& arguments);
    // One level of a loop, which may be recursive.
    void renderLoop(const For& loop, const Value& items, int depth, std::string& out);

private:
    enum class Flow { On, Break, Continue };

    Value evaluateForm(const Literal& e);
    Value evaluateForm(const Name& e);
    Value evaluateForm(const SequenceLiteral& e);
    Value evaluateForm(const DictLiteral& e);
    Value evaluateForm(const AttributeOf& e);
    Value evaluateForm(const ItemOf& e);
    Value evaluateForm(const SliceOf& e);
    Value evaluateForm(const Call& e);
    Value evaluateForm(const FilterUse& e);
    Value evaluateForm(const TestUse& e);
    Value evaluateForm(const Unary& e);
    Value evaluateForm(const Binary& e);
    Value evaluateForm(const Concatenation& e);
    Value evaluateForm(const Comparison& e);
    Value evaluateForm(const Conditional& e);
    Arguments argumentsOf(const CallSyntax& call);
    bool compares(Comparison::Operator op, const Value& left, const Value& right);

    Flow renderBlock(const Block& block, std::string& out);
    Flow renderForm(const Output& s, std::string& out);
    Flow renderForm(const If& s, std::string& out);
    Flow renderForm(const For& s, std::string& out);
    Flow renderForm(const Assignment& s, std::string& out);
    Flow renderForm(const std::shared_ptr<const MacroSyntax>& s, std::string& out);
    Flow renderForm(const CallBlock& s, std::string& out);
    Flow renderForm(const FilterBlock& s, std::string& out);
    Flow renderForm(const With& s, std::string& out);
    Flow renderForm(const Generation& s, std::string& out);
    Flow renderForm(const LoopControl& s, std::string& out);
    void append(std::string& out, std::string_view text);
    std::string rendered(const Block& block);
    Value filtered(const Expression& filter, Value value);
    void assign(const Target& target, const Value& value);
    Value makeMacro(const std::shared_ptr<const MacroSyntax>& macro);

    // Enters a scope nested in the current one, and leaves it on destruction.
    class Inside;

    Runtime& m_runtime;
    std::shared_ptr<Scope> m_scope;
    std::vector<std::shared_ptr<Scope>> m_captured; // scopes of macros, cleared at the end
    const Value* m_piped = nullptr; // input of a filter that has no value of its own
    std::size_t m_written = 0;
};

} // namespace ep::text::jinja
