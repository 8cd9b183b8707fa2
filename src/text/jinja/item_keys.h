// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"

namespace ep::text::jinja {

// item.a.b for the attribute "a.b", item[0] for a number, the item itself for no attribute.
Value attributeAt(Runtime& runtime, const Value& item, const Value& attribute);

// The order in which filters compare items.
struct ItemOrder {
    Value attribute = Value::none();
    bool caseSensitive = false;
    bool reverse = false;
    Value fallback = Value::none(); // for items that lack the attribute, unless it is none
};
Value keyOf(Runtime& runtime, const Value& item, const ItemOrder& order);
Values sortedBy(Runtime& runtime, Values items, const ItemOrder& order);

} // namespace ep::text::jinja
