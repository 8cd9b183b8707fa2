// SPDX-License-Identifier: GPL-3.0-or-later
#include "item_keys.h"

#include "characters.h"
#include "literals.h"
#include "operators.h"

#include <algorithm>
#include <utility>

namespace ep::text::jinja {

Value attributeAt(Runtime& runtime, const Value& item, const Value& attribute)
{
    if (attribute.isNone())
        return item;
    const std::string* path = attribute.asText();
    if (!path)
        return itemOf(runtime, item, attribute);
    Value value = item;
    for (std::size_t begin = 0; begin <= path->size();) {
        const std::size_t end = std::min(path->find('.', begin), path->size());
        const std::string part = path->substr(begin, end - begin);
        const bool isNumber =
            !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        const auto index = isNumber ? parseInteger(part) : std::nullopt;
        runtime.charge(part.size());
        value = itemOf(runtime, value, index ? Value(*index) : Value::text(part));
        begin = end + 1;
    }
    return value;
}

Value keyOf(Runtime& runtime, const Value& item, const ItemOrder& order)
{
    Value key = attributeAt(runtime, item, order.attribute);
    if (key.isUndefined() && !order.fallback.isNone())
        key = order.fallback;
    if (order.caseSensitive || !key.isText())
        return key;
    runtime.charge(key.asText()->size());
    return Value::text(lower(*key.asText()));
}

Values sortedBy(Runtime& runtime, Values items, const ItemOrder& order)
{
    std::vector<std::pair<Value, Value>> keyed;
    keyed.reserve(items.size());
    for (Value& item : items) {
        Value key = keyOf(runtime, item, order);
        keyed.emplace_back(std::move(key), std::move(item));
    }
    const auto before = [&](const auto& a, const auto& b) {
        runtime.charge(16 * std::min(a.first.weight(), b.first.weight()));
        if (a.first.isUndefined() && b.first.isUndefined() && !order.attribute.isNone())
            return false; // neither has the attribute
        return order.reverse ? compare(b.first, a.first) < 0 : compare(a.first, b.first) < 0;
    };
    std::stable_sort(keyed.begin(), keyed.end(), before);
    Values sorted;
    sorted.reserve(keyed.size());
    for (auto& [key, item] : keyed)
        sorted.push_back(std::move(item));
    return sorted;
}

} // namespace ep::text::jinja
