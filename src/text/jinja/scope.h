// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

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

} // namespace ep::text::jinja
