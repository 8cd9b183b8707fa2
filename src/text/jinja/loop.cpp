// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop.h"

#include "runtime.h"

#include <algorithm>

namespace ep::text::jinja {

LoopObject::LoopObject(Values items, int depth, Recursion recursion)
    : m_items(std::move(items))
    , m_depth(depth)
    , m_recursion(std::move(recursion))
{
}

std::string LoopObject::describe() const
{
    return "<LoopContext " + std::to_string(m_index + 1) + "/" + std::to_string(m_items.size())
        + ">";
}

bool LoopObject::changed(const Value& value)
{
    const bool differs = !m_lastChanged || !equal(*m_lastChanged, value);
    if (!m_isOver)
        m_lastChanged = value;
    return differs;
}

Value LoopObject::attribute(const std::string& name)
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
        return m_index > 0 ? m_items[m_index - 1] : Value::undefined("there is no previous item");
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

Value LoopObject::call(Runtime& runtime, const Arguments& arguments)
{
    if (!m_recursion)
        throw Failure("only a loop marked \"recursive\" can be called");
    const Parameters parameters("loop", arguments, {"iterable"});
    runtime.charge();
    return m_recursion(parameters.at("iterable"));
}

} // namespace ep::text::jinja
