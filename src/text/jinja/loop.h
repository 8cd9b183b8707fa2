// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ep::text::jinja {

// The variable "loop" of a for block.
class LoopObject final : public Object, public std::enable_shared_from_this<LoopObject> {
public:
    using Recursion = std::function<Value(const Value& items)>; // null: not a recursive loop

    LoopObject(Values items, int depth, Recursion recursion);

    std::string typeName() const override { return "LoopContext"; }
    std::string describe() const override;
    Value attribute(const std::string& name) override;
    bool isCallable() const override { return static_cast<bool>(m_recursion); }
    Value call(Runtime& runtime, const Arguments& arguments) override;

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

    bool changed(const Value& value);
};

} // namespace ep::text::jinja
