// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "item_keys.h"
#include "library.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <cmath>

namespace ep::text::jinja {

namespace {

Values itemsCharged(Runtime& runtime, const Value& value)
{
    Values items = itemsOf(value);
    runtime.charge(16 * items.size());
    return items;
}

Value length(Runtime& runtime, const Value& value, const Arguments&)
{
    runtime.charge(value.isText() ? value.asText()->size() : 0);
    return Value(static_cast<std::int64_t>(lengthOf(value)));
}

Value byDefault(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("default", arguments, {"default_value", "boolean"});
    const bool replaces = value.isUndefined() || (p.boolean("boolean", false) && !value.isTrue());
    return replaces ? p.value("default_value", Value::text({})) : value;
}

Value first(Runtime& runtime, const Value& value, const Arguments&)
{
    const Sequence* sequence = value.asSequence();
    if (sequence && sequence->kind == Sequence::Kind::Generator) {
        if (sequence->consumed < sequence->items.size())
            return sequence->items[sequence->consumed++];
    } else if (const Values items = itemsCharged(runtime, value); !items.empty()) {
        return items.front();
    }
    return Value::undefined("there is no first item, the list is empty");
}

Value last(Runtime& runtime, const Value& value, const Arguments&)
{
    const Sequence* sequence = value.asSequence();
    if (sequence && sequence->kind == Sequence::Kind::Generator)
        throw Failure("a generator has no last item; make a list of it");
    const Values items = itemsCharged(runtime, value);
    return items.empty() ? Value::undefined("there is no last item, the list is empty")
                         : items.back();
}

Value list(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::list(itemsCharged(runtime, value));
}

Value reverse(Runtime& runtime, const Value& value, const Arguments&)
{
    Values items = itemsCharged(runtime, value);
    std::reverse(items.begin(), items.end());
    if (!value.isText())
        return Value::generator(std::move(items));
    std::string text;
    for (const Value& character : items)
        text += *character.asText();
    return Value::text(std::move(text));
}

Value join(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("join", arguments, {"d", "attribute"});
    const std::string separator = toText(runtime, p.value("d", Value::text({})));
    const Value attribute = p.value("attribute", Value::none());
    std::string text;
    bool isFirst = true;
    for (const Value& item : itemsCharged(runtime, value)) {
        if (!isFirst)
            text += separator;
        isFirst = false;
        text += toText(runtime, attributeAt(runtime, item, attribute));
        runtime.charge(separator.size());
        if (text.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    return Value::text(std::move(text));
}

Value items(Runtime& runtime, const Value& value, const Arguments&)
{
    if (value.isUndefined())
        return Value::generator({});
    const Dict* dict = value.asDict();
    if (!dict)
        throw Failure("only a dictionary has items, not a " + value.typeName());
    Values pairs;
    for (const auto& [key, item] : dict->entries)
        pairs.push_back(Value::tuple({key, item}));
    runtime.charge(16 * pairs.size());
    return Value::generator(std::move(pairs));
}

Value sort(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("sort", arguments, {"reverse", "case_sensitive", "attribute"});
    return Value::list(sortedBy(runtime, itemsCharged(runtime, value),
                                {.attribute = p.value("attribute", Value::none()),
                                 .caseSensitive = p.boolean("case_sensitive", false),
                                 .reverse = p.boolean("reverse", false)}));
}

Value dictSort(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("dictsort", arguments, {"case_sensitive", "by", "reverse"});
    const std::string by = p.text("by", "key");
    if (by != "key" && by != "value")
        throw Failure("dictsort can only sort by key or by value");
    value.requireDefined();
    return Value::list(sortedBy(runtime, itemsOf(items(runtime, value, {})),
                                {.attribute = Value(std::int64_t{by == "key" ? 0 : 1}),
                                 .caseSensitive = p.boolean("case_sensitive", false),
                                 .reverse = p.boolean("reverse", false)}));
}

Value unique(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("unique", arguments, {"case_sensitive", "attribute"});
    const ItemOrder order{.attribute = p.value("attribute", Value::none()),
                          .caseSensitive = p.boolean("case_sensitive", false)};
    Values seen;
    Values kept;
    for (Value& item : itemsCharged(runtime, value)) {
        Value key = keyOf(runtime, item, order);
        requireHashable(key);
        runtime.charge(16 * key.weight() * (1 + seen.size() / 4));
        if (std::any_of(seen.begin(), seen.end(),
                        [&](const Value& other) { return equal(other, key); }))
            continue;
        seen.push_back(std::move(key));
        kept.push_back(std::move(item));
    }
    return Value::generator(std::move(kept));
}

template <bool largest>
Value extreme(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p(largest ? "max" : "min", arguments, {"case_sensitive", "attribute"});
    const ItemOrder order{.attribute = p.value("attribute", Value::none()),
                          .caseSensitive = p.boolean("case_sensitive", false)};
    Value best = Value::undefined("there is no item, the list is empty");
    Value bestKey;
    for (const Value& item : itemsCharged(runtime, value)) {
        const Value key = keyOf(runtime, item, order);
        runtime.charge(16 * key.weight());
        if (bestKey.isUndefined()
            || (largest ? compare(key, bestKey) > 0 : compare(key, bestKey) < 0)) {
            best = item;
            bestKey = key;
        }
    }
    return best;
}

Value sum(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("sum", arguments, {"attribute", "start"});
    Value total = p.value("start", Value(std::int64_t{0}));
    const Value attribute = p.value("attribute", Value::none());
    for (const Value& item : itemsCharged(runtime, value)) {
        total = arithmetic(runtime, Binary::Operator::Add, total,
                           attributeAt(runtime, item, attribute));
    }
    return total;
}

constexpr std::int64_t kMaxColumns = 10'000;

Value batch(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("batch", arguments, {"linecount", "fill_with"});
    const std::int64_t size = p.integer("linecount");
    if (size < 1 || size > kMaxColumns)
        throw Failure("the size of a batch must be from 1 to " + std::to_string(kMaxColumns));
    Values batches;
    Values row;
    for (Value& item : itemsCharged(runtime, value)) {
        if (static_cast<std::int64_t>(row.size()) == size)
            batches.push_back(Value::list(std::exchange(row, {})));
        row.push_back(std::move(item));
    }
    const Value fill = p.value("fill_with", Value::none());
    if (!row.empty() && !fill.isNone()) {
        runtime.charge(static_cast<std::size_t>(size));
        row.resize(static_cast<std::size_t>(size), fill);
    }
    if (!row.empty())
        batches.push_back(Value::list(std::move(row)));
    return Value::generator(std::move(batches));
}

Value slices(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("slice", arguments, {"slices", "fill_with"});
    const std::int64_t count = p.integer("slices");
    if (count < 1 || count > kMaxColumns)
        throw Failure("the number of slices must be from 1 to " + std::to_string(kMaxColumns));
    const Values all = itemsCharged(runtime, value);
    const auto parts = static_cast<std::size_t>(count);
    const std::size_t each = all.size() / parts;
    const std::size_t longer = all.size() % parts;
    const Value fill = p.value("fill_with", Value::none());
    runtime.charge(16 * parts);
    Values result;
    auto at = all.begin();
    for (std::size_t i = 0; i < parts; ++i) {
        const auto size = static_cast<std::ptrdiff_t>(each + (i < longer ? 1 : 0));
        Values part(at, at + size);
        at += size;
        if (!fill.isNone() && longer > 0 && i >= longer)
            part.push_back(fill);
        result.push_back(Value::list(std::move(part)));
    }
    return Value::generator(std::move(result));
}

// Unlike "value.name", this does not look into dictionaries.
Value attribute(Runtime&, const Value& value, const Arguments& arguments)
{
    value.requireDefined();
    const Parameters p("attr", arguments, {"name"});
    const std::string name = p.text("name");
    Object* object = value.asObject();
    return object ? object->attribute(name) : methodOf(value, name);
}

} // namespace

void addListFilters(FilterTable& table)
{
    table.insert({{"length", length},
                  {"count", length},
                  {"default", byDefault},
                  {"d", byDefault},
                  {"first", first},
                  {"last", last},
                  {"list", list},
                  {"reverse", reverse},
                  {"join", join},
                  {"items", items},
                  {"sort", sort},
                  {"dictsort", dictSort},
                  {"unique", unique},
                  {"min", extreme<false>},
                  {"max", extreme<true>},
                  {"sum", sum},
                  {"batch", batch},
                  {"slice", slices},
                  {"attr", attribute}});
}

} // namespace ep::text::jinja
