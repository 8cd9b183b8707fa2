// SPDX-License-Identifier: GPL-3.0-or-later
#include "item_keys.h"
#include "library.h"
#include "literals.h"
#include "operators.h"

#include <algorithm>
#include <utility>

namespace ep::text::jinja {

namespace {

// The arguments after the first `used` ones.
Arguments rest(const Arguments& arguments, std::size_t used)
{
    return {Values(arguments.positional.begin() + static_cast<std::ptrdiff_t>(used),
                   arguments.positional.end()),
            arguments.named};
}

std::string nameAt(const Arguments& arguments, std::size_t index, const std::string& what)
{
    if (index >= arguments.positional.size())
        throw Failure("the name of " + what + " is missing");
    const std::string* name = arguments.positional[index].asText();
    if (!name)
        throw Failure("the name of " + what + " must be a text");
    return *name;
}

// Falsy values (none, 0) have no items; this is checked before anything else.
Values itemsToFilter(const Value& value)
{
    return value.isTrue() ? itemsOf(value) : Values();
}

Value map(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    Values mapped;
    const Values items = itemsToFilter(value);
    if (arguments.positional.empty()) {
        const Parameters p("map", arguments, {"attribute", "default"});
        const Value& attribute = p.at("attribute");
        const Value byDefault = p.value("default", Value());
        for (const Value& item : items) {
            runtime.charge();
            const Value found = attributeAt(runtime, item, attribute);
            mapped.push_back(found.isUndefined() && p.has("default") ? byDefault : found);
        }
        return Value::generator(std::move(mapped));
    }
    const std::string filter = nameAt(arguments, 0, "the filter of map");
    const Arguments more = rest(arguments, 1);
    const Runtime::Nesting nesting(runtime);
    for (const Value& item : items) {
        runtime.charge();
        mapped.push_back(applyFilter(runtime, filter, item, more));
    }
    return Value::generator(std::move(mapped));
}

template <bool wanted, bool byAttribute>
Value select(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    constexpr std::size_t testAt = byAttribute ? 1 : 0;
    Value attribute = Value::none();
    if (byAttribute) {
        if (arguments.positional.empty())
            throw Failure("the attribute to select by is missing");
        attribute = arguments.positional.front();
    }
    const bool hasTest = arguments.positional.size() > testAt;
    const std::string test = hasTest ? nameAt(arguments, testAt, "the test to select by") : "";
    const Arguments more = rest(arguments, hasTest ? testAt + 1 : testAt);
    Values kept;
    for (const Value& item : itemsToFilter(value)) {
        runtime.charge();
        const Value tested = attributeAt(runtime, item, attribute);
        const bool holds = hasTest ? applyTest(runtime, test, tested, more) : tested.isTrue();
        if (holds == wanted)
            kept.push_back(item);
    }
    return Value::generator(std::move(kept));
}

// Groups of items with the same attribute, each a tuple (grouper, list).
Value groupBy(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("groupby", arguments, {"attribute", "default", "case_sensitive"});
    const Value attribute = p.at("attribute");
    const ItemOrder order{.attribute = attribute,
                          .caseSensitive = p.boolean("case_sensitive", false),
                          .fallback = p.value("default", Value::none())};
    Values items = itemsOf(value);
    runtime.charge(16 * items.size());
    const bool several = items.size() > 1;
    Values groups;
    Values members;
    Value key;
    const auto close = [&] {
        if (members.empty())
            return;
        ItemOrder exact = order;
        exact.caseSensitive = true;
        const Value name = order.caseSensitive ? key : keyOf(runtime, members.front(), exact);
        groups.push_back(groupOf(name, Value::list(std::exchange(members, {}))));
    };
    for (Value& item : sortedBy(runtime, std::move(items), order)) {
        Value own = keyOf(runtime, item, order);
        if (several)
            own.requireDefined(); // undefined values cannot be sorted
        if (members.empty() || !equal(own, key)) {
            close();
            key = std::move(own);
        }
        members.push_back(std::move(item));
    }
    close();
    return Value::list(std::move(groups));
}

const FilterTable& filters()
{
    static const FilterTable table = [] {
        FilterTable all;
        addTextFilters(all);
        addListFilters(all);
        addSelectingFilters(all);
        return all;
    }();
    return table;
}

} // namespace

void addSelectingFilters(FilterTable& table)
{
    table.insert({{"groupby", groupBy},
                  {"map", map},
                  {"select", select<true, false>},
                  {"reject", select<false, false>},
                  {"selectattr", select<true, true>},
                  {"rejectattr", select<false, true>}});
}

Filter findFilter(std::string_view name)
{
    const auto found = filters().find(name);
    return found == filters().end() ? nullptr : found->second;
}

Value applyFilter(Runtime& runtime, const std::string& name, const Value& value,
                  const Arguments& arguments)
{
    const Filter filter = findFilter(name);
    if (!filter)
        throw Failure("there is no filter called \"" + name + "\"");
    return filter(runtime, value, arguments);
}

} // namespace ep::text::jinja
