// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime.h"

#include "operators.h"

#include <algorithm>

namespace ep::text::jinja {

namespace {

constexpr std::size_t kTouchedPerStep = 16;

} // namespace

Runtime::~Runtime()
{
    for (const auto& made : m_namespaces)
        made->clear();
}

void Runtime::charge(std::size_t touched)
{
    m_steps += 1 + touched / kTouchedPerStep;
    if (m_steps > m_limits.steps)
        throw Failure("the template takes too many steps");
}

std::shared_ptr<Object>
Runtime::makeNamespace(std::vector<std::pair<std::string, Value>> attributes)
{
    charge(kTouchedPerStep * kTouchedPerStep);
    m_namespaces.push_back(std::make_shared<NamespaceObject>(std::move(attributes)));
    return m_namespaces.back();
}

Runtime::Nesting::Nesting(Runtime& runtime)
    : m_runtime(runtime)
{
    if (++m_runtime.m_depth > m_runtime.m_limits.depth) {
        --m_runtime.m_depth;
        throw Failure("the template calls itself too deeply");
    }
}

Value NamespaceObject::attribute(const std::string& name)
{
    const auto found = std::find_if(m_attributes.begin(), m_attributes.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == m_attributes.end() ? Value() : found->second;
}

void NamespaceObject::set(const std::string& name, Value value)
{
    const auto found = std::find_if(m_attributes.begin(), m_attributes.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == m_attributes.end())
        m_attributes.emplace_back(name, std::move(value));
    else
        found->second = std::move(value);
}

Value makeFunction(std::string name, FunctionObject::Body body)
{
    return Value(std::shared_ptr<Object>(
        std::make_shared<FunctionObject>(std::move(name), std::move(body))));
}

Parameters::Parameters(const std::string& function, const Arguments& arguments,
                       std::vector<std::string_view> names)
    : m_function(function)
{
    if (arguments.positional.size() > names.size()) {
        throw Failure(function + " takes at most " + std::to_string(names.size())
                      + " arguments, but has " + std::to_string(arguments.positional.size()));
    }
    for (std::size_t i = 0; i < arguments.positional.size(); ++i)
        m_given.emplace_back(names[i], arguments.positional[i]);
    for (const auto& [name, value] : arguments.named) {
        const auto known = std::find(names.begin(), names.end(), name);
        if (known == names.end())
            throw Failure(function + " has no argument called " + name);
        if (find(name))
            throw Failure(function + " has the argument " + name + " twice");
        m_given.emplace_back(*known, value);
    }
}

const Value* Parameters::find(std::string_view name) const
{
    const auto found = std::find_if(m_given.begin(), m_given.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == m_given.end() ? nullptr : &found->second;
}

const Value& Parameters::at(std::string_view name) const
{
    const Value* value = find(name);
    if (!value)
        throw Failure(m_function + " lacks the argument " + std::string(name));
    return *value;
}

Value Parameters::value(std::string_view name, Value byDefault) const
{
    const Value* value = find(name);
    return value ? *value : std::move(byDefault);
}

std::string Parameters::text(std::string_view name) const
{
    const std::string* text = at(name).asText();
    if (!text) {
        at(name).requireDefined();
        throw Failure("the argument " + std::string(name) + " of " + m_function
                      + " must be a text, but is a " + at(name).typeName());
    }
    return *text;
}

std::string Parameters::text(std::string_view name, std::string byDefault) const
{
    return has(name) ? text(name) : std::move(byDefault);
}

std::int64_t Parameters::integer(std::string_view name) const
{
    const Value& value = at(name);
    if (!value.isIntegral()) {
        value.requireDefined();
        throw Failure("the argument " + std::string(name) + " of " + m_function
                      + " must be a whole number, but is a " + value.typeName());
    }
    return value.integer();
}

std::int64_t Parameters::integer(std::string_view name, std::int64_t byDefault) const
{
    return has(name) ? integer(name) : byDefault;
}

bool Parameters::boolean(std::string_view name, bool byDefault) const
{
    return has(name) ? at(name).isTrue() : byDefault;
}

} // namespace ep::text::jinja
