// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render_limits.h"
#include "value.h"

#include <cstddef>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

class NamespaceObject;

// Resources used by one rendering, and the services for filters, tests and functions.
class Runtime {
public:
    Runtime(const Limits& limits, std::tm now)
        : m_limits(limits)
        , m_now(now)
    {
    }
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    // Charges one step, plus more for the bytes or items it touches. Fails at the limit.
    void charge(std::size_t touched = 0);
    const Limits& limits() const { return m_limits; }
    const std::tm& now() const { return m_now; }

    // Namespaces may refer to each other in a cycle; those created here are cleared at the end.
    std::shared_ptr<Object> makeNamespace(std::vector<std::pair<std::string, Value>> attributes);

    // Counts the recursion depth of the evaluation.
    class Nesting {
    public:
        explicit Nesting(Runtime& runtime);
        ~Nesting() { --m_runtime.m_depth; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        Runtime& m_runtime;
    };

    int line = 0; // current line of the evaluation, for messages

private:
    Limits m_limits;
    std::tm m_now;
    std::size_t m_steps = 0;
    int m_depth = 0;
    std::vector<std::shared_ptr<NamespaceObject>> m_namespaces;
};

// {% set ns.name = value %}
class NamespaceObject final : public Object {
public:
    explicit NamespaceObject(std::vector<std::pair<std::string, Value>> attributes)
        : m_attributes(std::move(attributes))
    {
    }
    std::string typeName() const override { return "Namespace"; }
    Value attribute(const std::string& name) override;
    void set(const std::string& name, Value value);
    void clear() { m_attributes.clear(); }

private:
    std::vector<std::pair<std::string, Value>> m_attributes;
};

// A built-in function, as opposed to a macro.
class FunctionObject final : public Object {
public:
    using Body = std::function<Value(Runtime&, const Arguments&)>;
    FunctionObject(std::string name, Body body)
        : m_name(std::move(name))
        , m_body(std::move(body))
    {
    }
    std::string typeName() const override { return "function"; }
    std::string describe() const override { return "<function " + m_name + ">"; }
    bool isCallable() const override { return true; }
    Value call(Runtime& runtime, const Arguments& arguments) override
    {
        return m_body(runtime, arguments);
    }

private:
    std::string m_name;
    Body m_body;
};
Value makeFunction(std::string name, FunctionObject::Body body);

// Arguments by a function's parameter names. Fails on too many or unknown arguments.
class Parameters {
public:
    Parameters(const std::string& function, const Arguments& arguments,
               std::vector<std::string_view> names);

    bool has(std::string_view name) const { return find(name) != nullptr; }
    const Value& at(std::string_view name) const; // fails if the argument is missing
    Value value(std::string_view name, Value byDefault) const;
    std::string text(std::string_view name) const;
    std::string text(std::string_view name, std::string byDefault) const;
    std::int64_t integer(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t byDefault) const;
    bool boolean(std::string_view name, bool byDefault) const;

private:
    const Value* find(std::string_view name) const;

    std::string m_function;
    std::vector<std::pair<std::string_view, Value>> m_given;
};

} // namespace ep::text::jinja
