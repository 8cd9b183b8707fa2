// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "library.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace ep::text::jinja {
namespace {

Value viewOf(const std::string& name, Values items)
{
    const Value list = Value::list(std::move(items));
    auto view = std::make_shared<Sequence>(*list.asSequence());
    view->kind = Sequence::Kind::View;
    view->name = "dict_" + name;
    return Value(std::shared_ptr<const Sequence>(std::move(view)));
}

Value dictMethod(const Value& value, const std::string& name)
{
    constexpr std::array<std::string_view, 5> changing{"pop", "popitem", "clear", "update",
                                                       "setdefault"};
    if (std::find(changing.begin(), changing.end(), name) != changing.end()) {
        return makeFunction(name, [name](Runtime&, const Arguments&) -> Value {
            throw Failure("\"" + name + "\" would change a dictionary, which a template cannot");
        });
    }
    if (name == "get") {
        return makeFunction(name, [value](Runtime& runtime, const Arguments& arguments) {
            const Parameters p("get", arguments, {"key", "default"});
            runtime.charge(16 * value.asDict()->entries.size());
            const Value* found = value.asDict()->find(p.at("key"));
            return found ? *found : p.value("default", Value::none());
        });
    }
    if (name == "copy") {
        return makeFunction(name, [value](Runtime&, const Arguments&) { return value; });
    }
    if (name != "items" && name != "keys" && name != "values")
        return {};
    return makeFunction(name, [value, name](Runtime& runtime, const Arguments& arguments) {
        const Parameters p(name, arguments, {});
        Values items;
        for (const auto& [key, item] : value.asDict()->entries)
            items.push_back(name == "items" ? Value::tuple({key, item})
                                            : (name == "keys" ? key : item));
        runtime.charge(16 * items.size());
        return viewOf(name, std::move(items));
    });
}

Value listMethod(const Value& value, const std::string& name)
{
    constexpr std::array<std::string_view, 8> changing{"append", "extend", "insert", "pop",
                                                       "remove", "clear",  "sort",   "reverse"};
    if (value.asSequence()->kind == Sequence::Kind::List
        && std::find(changing.begin(), changing.end(), name) != changing.end()) {
        return makeFunction(name, [name](Runtime&, const Arguments&) -> Value {
            throw Failure("\"" + name + "\" would change a list, which a template cannot");
        });
    }
    if (name != "index" && name != "count")
        return {};
    return makeFunction(name, [value, name](Runtime& runtime, const Arguments& arguments) {
        const Parameters p(name, arguments, {"value"});
        runtime.charge(16 * value.weight());
        const Values& items = value.asSequence()->items;
        const auto same = [&](const Value& item) { return equal(item, p.at("value")); };
        if (name == "count")
            return Value(std::int64_t{std::count_if(items.begin(), items.end(), same)});
        const auto found = std::find_if(items.begin(), items.end(), same);
        if (found == items.end())
            throw Failure("the list does not have the item that is looked for");
        return Value(std::int64_t{found - items.begin()});
    });
}

constexpr std::string_view kGroup = "group"; // type name of a group's tuple

Value partOfGroup(const Sequence& group, const std::string& name)
{
    const bool first = name == "grouper";
    return first || name == "list" ? group.items[first ? 0 : 1] : Value();
}

template <bool (*predicate)(char32_t)>
Value allAre(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    return Value(!characters.empty()
                 && std::all_of(characters.begin(), characters.end(),
                                [](std::string_view c) { return predicate(codePointOf(c)); }));
}

bool isLetterOrDigit(char32_t c)
{
    return isLetter(c) || isDigit(c);
}

template <bool (*wanted)(char32_t), bool (*other)(char32_t)>
Value isCase(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    const auto any = [&](bool (*predicate)(char32_t)) {
        return std::any_of(characters.begin(), characters.end(),
                           [&](std::string_view c) { return predicate(codePointOf(c)); });
    };
    return Value(any(wanted) && !any(other));
}

Value isAscii(Runtime&, const std::string& text, const Arguments&)
{
    return Value(std::all_of(text.begin(), text.end(),
                             [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Value isIdentifier(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    const auto fits = [&](std::string_view character) {
        const char32_t c = codePointOf(character);
        return c == U'_' || isLetter(c) || (isDigit(c) && character.data() != text.data());
    };
    return Value(!characters.empty() && std::all_of(characters.begin(), characters.end(), fits));
}

// Upper case only at the start of words, lower case only after another letter.
Value isTitle(Runtime&, const std::string& text, const Arguments&)
{
    bool inWord = false;
    bool some = false;
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        const bool capital = isUpper(c);
        const bool small = isLower(c);
        if ((capital && inWord) || (small && !inWord))
            return Value(false);
        inWord = capital || small;
        some = some || inWord;
    }
    return Value(some);
}

Value areAllPrintable(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    return Value(std::all_of(characters.begin(), characters.end(), [](std::string_view character) {
        return isPrintable(codePointOf(character));
    }));
}

const std::unordered_map<std::string_view, TextMethod>& textPredicates()
{
    static const std::unordered_map<std::string_view, TextMethod> table{
        {"isascii", isAscii},
        {"isidentifier", isIdentifier},
        {"istitle", isTitle},
        {"isprintable", areAllPrintable},
        {"isspace", allAre<isSpace>},
        {"isalpha", allAre<isLetter>},
        {"isdigit", allAre<isDigit>},
        {"isdecimal", allAre<isDigit>},
        {"isnumeric", allAre<isDigit>},
        {"isalnum", allAre<isLetterOrDigit>},
        {"isupper", isCase<isUpper, isLower>},
        {"islower", isCase<isLower, isUpper>},
    };
    return table;
}

// Escapes those arguments of a method of markup that become part of its result.
Arguments escapedFor(const std::string& name, const Arguments& arguments)
{
    Arguments escaped = arguments;
    const auto escape = [](Value& value) {
        if (value.isText() && !value.isMarkup())
            value = Value::markup(escapedForPage(*value.asText()));
    };
    if (name == "replace" && escaped.positional.size() > 1)
        escape(escaped.positional[1]);
    for (auto& [key, value] : escaped.named) {
        if (name == "format" || key == "new")
            escape(value);
    }
    if (name == "format")
        std::for_each(escaped.positional.begin(), escaped.positional.end(), escape);
    if (name == "join" && !escaped.positional.empty()) {
        Values items = itemsOf(escaped.positional.front());
        std::for_each(items.begin(), items.end(), escape);
        escaped.positional.front() = Value::list(std::move(items));
    }
    return escaped;
}

// Texts that a method of markup returns are markup, too.
Value asMarkup(const Value& value)
{
    if (value.isText())
        return Value::markup(*value.asText());
    const Sequence* const sequence = value.asSequence();
    if (!sequence)
        return value;
    Values items;
    for (const Value& item : sequence->items)
        items.push_back(item.isText() ? asMarkup(item) : item);
    return sequence->kind == Sequence::Kind::Tuple ? Value::tuple(std::move(items))
                                                   : Value::list(std::move(items));
}

} // namespace

Value groupOf(const Value& grouper, const Value& list)
{
    const Value tuple = Value::tuple({grouper, list});
    auto group = std::make_shared<Sequence>(*tuple.asSequence());
    group->name = kGroup;
    return Value(std::shared_ptr<const Sequence>(std::move(group)));
}

Value methodOf(const Value& value, const std::string& name)
{
    if (value.isText()) {
        const TextMethod method = findTextMethod(name);
        if (!method)
            return {};
        return makeFunction(
            name, [value, method, name](Runtime& runtime, const Arguments& arguments) {
                runtime.charge(value.asText()->size());
                if (value.isMarkup())
                    return asMarkup(method(runtime, *value.asText(), escapedFor(name, arguments)));
                return method(runtime, *value.asText(), arguments);
            });
    }
    if (value.asDict())
        return dictMethod(value, name);
    const Sequence* sequence = value.asSequence();
    if (sequence && sequence->kind == Sequence::Kind::Tuple && sequence->name == kGroup) {
        if (const Value part = partOfGroup(*sequence, name); !part.isUndefined())
            return part;
    }
    if (sequence
        && (sequence->kind == Sequence::Kind::List || sequence->kind == Sequence::Kind::Tuple))
        return listMethod(value, name);
    return {};
}

TextMethod findTextPredicate(std::string_view name)
{
    const auto found = textPredicates().find(name);
    return found == textPredicates().end() ? nullptr : found->second;
}

} // namespace ep::text::jinja
