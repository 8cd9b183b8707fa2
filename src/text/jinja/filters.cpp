// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "library.h"
#include "literals.h"
#include "operators.h"
#include "runtime.h"
#include "text_forms.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ep::text::jinja {
namespace {

// The order in which filters compare items.
struct ItemOrder {
    Value attribute = Value::none();
    bool caseSensitive = false;
    bool reverse = false;
    Value fallback = Value::none(); // for items that lack the attribute, unless it is none
};

// item.a.b for the attribute "a.b", item[0] for a number, the item itself for no attribute.
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
        requireTextSize(text.size());
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

// Applies the method of the same name to the value as a string.
template <const char* name>
Value asMethod(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    return call(runtime, methodOf(textLike(value, toText(runtime, value)), name), arguments);
}
constexpr char kStrip[] = "strip";
constexpr char kUpper[] = "upper";
constexpr char kLower[] = "lower";
constexpr char kCapitalize[] = "capitalize";

Value centered(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("center", arguments, {"width"});
    return call(runtime, methodOf(textLike(value, toText(runtime, value)), "center"),
                {{Value(p.integer("width", 80))}, {}});
}

// Words begin after spaces, hyphens and opening brackets.
Value title(Runtime& runtime, const Value& value, const Arguments&)
{
    const std::string text = toText(runtime, value);
    std::string result;
    bool begins = true;
    for (const std::string_view character : charactersOf(text)) {
        const bool separates = character == "-" || character == "(" || character == "{"
            || character == "[" || character == "<" || isSpace(codePointOf(character));
        result += begins ? upper(character) : lower(character);
        begins = separates;
    }
    return Value::text(std::move(result));
}

Value replace(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("replace", arguments, {"old", "new", "count"});
    const bool limited = p.has("count") && !p.at("count").isNone();
    return Value::text(replaced(runtime, toText(runtime, value), toText(runtime, p.at("old")),
                                toText(runtime, p.at("new")), limited ? p.integer("count") : -1));
}

Value string(Runtime& runtime, const Value& value, const Arguments&)
{
    return textLike(value, toText(runtime, value));
}

Value safe(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::markup(toText(runtime, value));
}

Value escape(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::markup(toMarkup(runtime, value));
}

// The text on which a filter calls a method.
const std::string& textOf(const Value& value, const char* filter)
{
    value.requireDefined();
    if (!value.isText())
        throw Failure(std::string(filter) + " needs a text, not a " + value.typeName());
    return *value.asText();
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    lines.push_back(text.substr(begin));
    return lines;
}

Value indent(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("indent", arguments, {"width", "first", "blank"});
    const Value width = p.value("width", Value(std::int64_t{4}));
    std::string indentation;
    if (width.isText())
        indentation = *width.asText();
    else
        indentation.assign(
            static_cast<std::size_t>(std::clamp<std::int64_t>(p.integer("width", 4), 0, 1000)),
            ' ');
    const bool blank = p.boolean("blank", false);
    std::string result = p.boolean("first", false) ? indentation : "";
    bool first = true;
    for (const std::string& line : linesOf(textOf(value, "indent"))) {
        if (!first)
            result += "\n" + (line.empty() && !blank ? std::string() : indentation);
        first = false;
        result += line;
        runtime.charge(indentation.size() + line.size());
        requireTextSize(result.size());
    }
    return textLike(value, std::move(result));
}

Value truncate(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("truncate", arguments, {"length", "killwords", "end", "leeway"});
    const std::int64_t leeway = std::clamp<std::int64_t>(p.integer("leeway", 5), 0, 1'000'000);
    // Values other than texts also have a length, and are returned unchanged if they are short.
    if (!value.isText()
        && static_cast<std::int64_t>(lengthOf(value)) <= p.integer("length", 255) + leeway)
        return value;
    const std::string text = textOf(value, "truncate");
    const std::string end = p.text("end", "...");
    const std::int64_t length = p.integer("length", 255);
    const auto endSize = static_cast<std::int64_t>(codePointCount(end));
    if (length < endSize || length > static_cast<std::int64_t>(kMaxTextBytes))
        throw Failure("the length of truncate does not fit");
    const auto size = static_cast<std::int64_t>(codePointCount(text));
    if (size <= length + leeway)
        return value;
    std::string kept =
        *sliceOf(runtime, Value::text(text), Value::none(), Value(length - endSize), Value::none())
             .asText();
    if (!p.boolean("killwords", false))
        kept = kept.substr(0, kept.rfind(' '));
    return textLike(value, kept + (value.isMarkup() ? escapedForPage(end) : end));
}

Value wordCount(Runtime& runtime, const Value& value, const Arguments&)
{
    std::int64_t words = 0;
    bool inWord = false;
    const std::string text = toText(runtime, value);
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        const bool isPart = isLetter(c) || isDigit(c) || c == U'_';
        words += isPart && !inWord ? 1 : 0;
        inWord = isPart;
    }
    return Value(words);
}

Value toInteger(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("int", arguments, {"default", "base"});
    const Value byDefault = p.value("default", Value(std::int64_t{0}));
    value.requireDefined();
    const auto truncated = [&](double number) {
        return std::abs(number) < 9e18 ? Value(static_cast<std::int64_t>(number)) : byDefault;
    };
    if (value.isIntegral())
        return Value(value.integer());
    if (value.isFloat())
        return truncated(value.number());
    const std::string* text = value.asText();
    if (!text)
        return byDefault;
    const auto base = static_cast<int>(std::clamp<std::int64_t>(p.integer("base", 10), 2, 36));
    if (const auto integer = parseInteger(*text, base))
        return Value(*integer);
    const auto number = parseFloat(*text);
    return number ? truncated(*number) : byDefault;
}

Value toFloat(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("float", arguments, {"default"});
    value.requireDefined();
    if (value.isNumber())
        return Value(value.number());
    if (const std::string* text = value.asText()) {
        if (const auto number = parseFloat(*text))
            return Value(*number);
    }
    return p.value("default", Value(0.0));
}

Value absolute(Runtime&, const Value& value, const Arguments&)
{
    value.requireDefined();
    if (!value.isNumber())
        throw Failure("a " + value.typeName() + " has no absolute value");
    if (value.isFloat())
        return Value(std::abs(value.number()));
    return value.integer() < 0 ? negated(value) : Value(value.integer());
}

Value rounded(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("round", arguments, {"precision", "method"});
    const std::int64_t precision = p.integer("precision", 0);
    const std::string method = p.text("method", "common");
    value.requireDefined();
    if (!value.isNumber())
        throw Failure("a " + value.typeName() + " cannot be rounded");
    if (precision < 0 || precision > 15)
        throw Failure("the precision of round must be from 0 to 15");
    const double number = value.number();
    if (method == "common") {
        if (value.isIntegral())
            return Value(value.integer());
        if (!(std::abs(number) < 1e15))
            return value;
        const std::string text =
            formatPercent(runtime, "%." + std::to_string(precision) + "f", value);
        return Value(parseFloat(text).value_or(number));
    }
    if (method != "ceil" && method != "floor")
        throw Failure("the method of round must be common, ceil or floor");
    const double scale = std::pow(10.0, static_cast<double>(precision));
    return Value((method == "ceil" ? std::ceil(number * scale) : std::floor(number * scale))
                 / scale);
}

Value percentFormat(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Value text = textLike(value, toText(runtime, value));
    if (arguments.named.empty())
        return arithmetic(runtime, Binary::Operator::Modulo, text,
                          Value::tuple(arguments.positional));
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [name, item] : arguments.named)
        entries.emplace_back(Value::text(name), item);
    return arithmetic(runtime, Binary::Operator::Modulo, text, Value::dict(std::move(entries)));
}

// As configured by HuggingFace: plain JSON, without HTML escaping.
Value json(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonStyle style;
    style.asciiOnly = p.boolean("ensure_ascii", false);
    style.sortKeys = p.boolean("sort_keys", false);
    const Value indentation = p.value("indent", Value::none());
    if (indentation.isText()) {
        style.indent = *indentation.asText();
    } else if (!indentation.isNone()) {
        style.indent = std::string(
            static_cast<std::size_t>(std::clamp<std::int64_t>(p.integer("indent"), 0, 100)), ' ');
    }
    if (style.indent)
        style.itemSeparator = ",";
    const Value separators = p.value("separators", Value::none());
    if (!separators.isNone()) {
        const Values both = itemsOf(separators);
        if (both.size() != 2 || !both[0].isText() || !both[1].isText())
            throw Failure("the separators of tojson must be two texts");
        style.itemSeparator = *both[0].asText();
        style.keySeparator = *both[1].asText();
    }
    return Value::text(toJson(runtime, value, style));
}

const std::unordered_map<std::string_view, Filter>& filters()
{
    static const std::unordered_map<std::string_view, Filter> table{
        {"length", length},
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
        {"attr", attribute},
        {"groupby", groupBy},
        {"map", map},
        {"select", select<true, false>},
        {"reject", select<false, false>},
        {"selectattr", select<true, true>},
        {"rejectattr", select<false, true>},
        {"trim", asMethod<kStrip>},
        {"upper", asMethod<kUpper>},
        {"lower", asMethod<kLower>},
        {"capitalize", asMethod<kCapitalize>},
        {"title", title},
        {"center", centered},
        {"replace", replace},
        {"string", string},
        {"safe", safe},
        {"escape", escape},
        {"e", escape},
        {"indent", indent},
        {"truncate", truncate},
        {"wordcount", wordCount},
        {"int", toInteger},
        {"float", toFloat},
        {"abs", absolute},
        {"round", rounded},
        {"format", percentFormat},
        {"tojson", json},
    };
    return table;
}

} // namespace

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
