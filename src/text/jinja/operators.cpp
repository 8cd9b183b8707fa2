// SPDX-License-Identifier: GPL-3.0-or-later
#include "operators.h"

#include "characters.h"
#include "text_forms.h"

#include "ep/core/enum_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ep::text::jinja {
namespace {

using Operator = Binary::Operator;

constexpr std::size_t kMaxItems = 1'000'000; // elements per list

// In the order of the operators.
constexpr std::array<std::string_view, 9> kSymbols{"+", "-",  "*",   "/", "//",
                                                   "%", "**", "and", "or"};

Value repeated(Runtime& runtime, const Value& value, std::int64_t times)
{
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
    const std::string* text = value.asText();
    const std::size_t size = text ? text->size() : value.asSequence()->items.size();
    if (size == 0 || count == 0)
        return text ? textLike(value, {}) : Value::list({});
    if (count > (text ? kMaxTextBytes : kMaxItems) / size)
        throw Failure(text ? "a text grows too long" : "a list grows too long");
    runtime.charge(size * count * (text ? 1 : 16));
    if (text) {
        std::string result;
        result.reserve(size * count);
        for (std::size_t i = 0; i < count; ++i)
            result += *text;
        return textLike(value, std::move(result));
    }
    const Sequence& sequence = *value.asSequence();
    Values items;
    items.reserve(size * count);
    for (std::size_t i = 0; i < count; ++i)
        items.insert(items.end(), sequence.items.begin(), sequence.items.end());
    return sequence.kind == Sequence::Kind::Tuple ? Value::tuple(std::move(items))
                                                  : Value::list(std::move(items));
}

bool isListOrTuple(const Value& value)
{
    const Sequence* sequence = value.asSequence();
    return sequence
        && (sequence->kind == Sequence::Kind::List || sequence->kind == Sequence::Kind::Tuple);
}

// Escapes texts among the arguments with which markup is formatted.
Value escapedTexts(const Value& value)
{
    if (value.isText())
        return value.isMarkup() ? value : Value::markup(escapedForPage(*value.asText()));
    if (const Dict* dict = value.asDict()) {
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [name, item] : dict->entries)
            entries.emplace_back(name, item.isText() ? escapedTexts(item) : item);
        return Value::dict(std::move(entries));
    }
    const Sequence* sequence = value.asSequence();
    if (!sequence || sequence->kind != Sequence::Kind::Tuple)
        return value;
    Values items;
    for (const Value& item : sequence->items)
        items.push_back(item.isText() ? escapedTexts(item) : item);
    return Value::tuple(std::move(items));
}

std::optional<Value> joined(Runtime& runtime, const Value& left, const Value& right)
{
    if (left.isText() && right.isText()) {
        runtime.charge(left.asText()->size() + right.asText()->size());
        if (left.isMarkup() || right.isMarkup())
            return Value::markup(toMarkup(runtime, left) + toMarkup(runtime, right));
        return Value::text(*left.asText() + *right.asText());
    }
    if (isListOrTuple(left) && isListOrTuple(right)
        && left.asSequence()->kind == right.asSequence()->kind) {
        Values items = left.asSequence()->items;
        const Values& more = right.asSequence()->items;
        runtime.charge(16 * (items.size() + more.size()));
        if (items.size() + more.size() > kMaxItems)
            throw Failure("a list grows too long");
        items.insert(items.end(), more.begin(), more.end());
        return left.asSequence()->kind == Sequence::Kind::Tuple ? Value::tuple(std::move(items))
                                                                : Value::list(std::move(items));
    }
    return std::nullopt;
}

// The range of a slice: Python's slice.indices().
struct SliceRange {
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::size_t count = 0;
};

SliceRange sliceRange(std::int64_t size, const Value& begin, const Value& end, const Value& step)
{
    const auto number = [](const Value& value) -> std::optional<std::int64_t> {
        if (value.isNone())
            return std::nullopt;
        value.requireDefined();
        if (!value.isIntegral())
            throw Failure("the borders of a slice must be whole numbers");
        return value.integer();
    };
    SliceRange range;
    range.step = number(step).value_or(1);
    if (range.step == 0)
        throw Failure("the step of a slice cannot be zero");
    const bool forward = range.step > 0;
    const std::int64_t lowest = forward ? 0 : -1;
    const std::int64_t highest = forward ? size : size - 1;
    const auto border = [&](const Value& value, std::int64_t byDefault) {
        const auto given = number(value);
        if (!given)
            return byDefault;
        const std::int64_t fromStart = *given < 0 ? *given + size : *given;
        return std::clamp(fromStart, lowest, highest);
    };
    range.begin = border(begin, forward ? 0 : size - 1);
    const std::int64_t last = border(end, forward ? size : -1);
    const std::int64_t distance = forward ? last - range.begin : range.begin - last;
    if (distance > 0) {
        const std::uint64_t stride = forward
            ? static_cast<std::uint64_t>(range.step)
            : std::uint64_t{0} - static_cast<std::uint64_t>(range.step);
        range.count =
            static_cast<std::size_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1;
    }
    return range;
}

template <typename Item, typename Use>
void forSlice(const std::vector<Item>& items, const SliceRange& range, Use use)
{
    std::int64_t at = range.begin;
    for (std::size_t i = 0; i < range.count; ++i) {
        use(items[static_cast<std::size_t>(at)]);
        if (i + 1 < range.count) // the step may be huge
            at += range.step;
    }
}

std::string described(const Value& value)
{
    return value.typeName() == "Undefined" ? "an undefined value" : value.typeName() + " object";
}

constexpr std::string_view kTooLarge = "a number grows too large";

std::int64_t checked(bool overflows, std::int64_t result)
{
    if (overflows)
        throw Failure(std::string(kTooLarge));
    return result;
}

std::int64_t multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    const bool overflows = __builtin_mul_overflow(a, b, &result);
    return checked(overflows, result);
}

// Rounds down, as Python does.
std::int64_t floorDivide(std::int64_t a, std::int64_t b)
{
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0) {
        if (base == 0)
            throw Failure("zero cannot be raised to a negative power");
        return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    std::int64_t result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            result = multiply(result, base);
        if (exponent > 1)
            base = multiply(base, base);
    }
    return Value(result);
}

Value integerArithmetic(Operator op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    switch (op) {
    case Operator::Add: {
        const bool overflows = __builtin_add_overflow(a, b, &result);
        return Value(checked(overflows, result));
    }
    case Operator::Subtract: {
        const bool overflows = __builtin_sub_overflow(a, b, &result);
        return Value(checked(overflows, result));
    }
    case Operator::Multiply:
        return Value(multiply(a, b));
    case Operator::Divide:
        return Value(static_cast<double>(a) / static_cast<double>(b));
    case Operator::FloorDivide:
        if (b == -1)
            return integerArithmetic(Operator::Subtract, 0, a);
        return Value(floorDivide(a, b));
    case Operator::Modulo:
        if (b == -1)
            return Value(std::int64_t{0});
        return Value(a - floorDivide(a, b) * b);
    case Operator::Power:
        return power(a, b);
    default:
        throw Failure("unknown operator");
    }
}

Value floatArithmetic(Operator op, double a, double b)
{
    switch (op) {
    case Operator::Add:
        return Value(a + b);
    case Operator::Subtract:
        return Value(a - b);
    case Operator::Multiply:
        return Value(a * b);
    case Operator::Divide:
        return Value(a / b);
    case Operator::FloorDivide:
        return Value(std::floor(a / b));
    case Operator::Modulo: {
        const double rest = std::fmod(a, b);
        return Value(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
    case Operator::Power:
        return Value(std::pow(a, b));
    default:
        throw Failure("unknown operator");
    }
}

} // namespace

Value arithmetic(Runtime& runtime, Operator op, const Value& left, const Value& right)
{
    if (left.isNumber() && right.isNumber()) {
        return arithmeticOfNumbers(op, left, right);
    }
    left.requireDefined();
    if (op == Operator::Modulo && left.isText())
        return textLike(
            left,
            formatPercent(runtime, *left.asText(), left.isMarkup() ? escapedTexts(right) : right));
    right.requireDefined();
    if (op == Operator::Add) {
        if (const auto both = joined(runtime, left, right))
            return *both;
    }
    if (op == Operator::Multiply) {
        if ((left.isText() || isListOrTuple(left)) && right.isIntegral())
            return repeated(runtime, left, right.integer());
        if ((right.isText() || isListOrTuple(right)) && left.isIntegral())
            return repeated(runtime, right, left.integer());
    }
    throw Failure("\"" + std::string(wordOf(kSymbols, op)) + "\" does not work for a "
                  + left.typeName() + " and a " + right.typeName());
}

Value negated(const Value& value)
{
    value.requireDefined();
    if (value.isFloat())
        return Value(-value.number());
    if (value.isIntegral())
        return arithmeticOfNumbers(Operator::Subtract, Value(std::int64_t{0}), value);
    throw Failure("\"-\" does not work for a " + value.typeName());
}

void requireHashable(const Value& value)
{
    const Sequence* sequence = value.asSequence();
    const bool listed = sequence
        && (sequence->kind == Sequence::Kind::List || sequence->kind == Sequence::Kind::View);
    if (value.asDict() || listed)
        throw Failure("a " + value.typeName() + " cannot be a key");
    if (sequence && sequence->kind == Sequence::Kind::Tuple) {
        for (const Value& item : sequence->items)
            requireHashable(item);
    }
}

bool contains(Runtime& runtime, const Value& container, const Value& item)
{
    if (const std::string* text = container.asText()) {
        item.requireDefined();
        if (!item.isText())
            throw Failure("only a text can be in a text, not a " + item.typeName());
        runtime.charge(text->size());
        return findFirst(*text, *item.asText()) != std::string::npos;
    }
    if (const Dict* dict = container.asDict()) {
        runtime.charge(16 * dict->entries.size());
        requireHashable(item);
        return dict->find(item) != nullptr;
    }
    const Values items = itemsOf(container);
    runtime.charge(16 * container.weight());
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& other) { return equal(other, item); });
}

Value itemOf(Runtime& runtime, const Value& value, const Value& index)
{
    value.requireDefined();
    const auto missing = [&] {
        return Value::undefined(described(value) + " has no element " + toSource(runtime, index));
    };
    if (const Dict* dict = value.asDict()) {
        runtime.charge(16 * dict->entries.size());
        if (const Value* found = dict->find(index))
            return *found;
    } else if (index.isIntegral() && (value.isText() || value.asSequence())) {
        const Sequence* sequence = value.asSequence();
        std::vector<std::string_view> characters;
        if (!sequence) {
            runtime.charge(value.asText()->size());
            characters = charactersOf(*value.asText());
        } else if (sequence->kind == Sequence::Kind::Generator
                   || sequence->kind == Sequence::Kind::View) {
            return missing();
        }
        const auto size =
            static_cast<std::int64_t>(sequence ? sequence->items.size() : characters.size());
        const std::int64_t at = index.integer() < 0 ? index.integer() + size : index.integer();
        if (at < 0 || at >= size)
            return missing();
        return sequence ? sequence->items[static_cast<std::size_t>(at)]
                        : textLike(value, std::string(characters[static_cast<std::size_t>(at)]));
    }
    if (const std::string* name = index.asText()) {
        if (Object* object = value.asObject()) {
            const Value found = object->attribute(*name);
            if (!found.isUndefined())
                return found;
        }
        const Value method = methodOf(value, *name);
        if (!method.isUndefined())
            return method;
        return Value::undefined("'" + described(value) + "' has no attribute '" + *name + "'");
    }
    return missing();
}

Value attributeOf(Runtime& runtime, const Value& value, const std::string& name)
{
    value.requireDefined();
    if (Object* object = value.asObject()) {
        const Value found = object->attribute(name);
        if (!found.isUndefined())
            return found;
    }
    const Value method = methodOf(value, name);
    if (!method.isUndefined())
        return method;
    if (const Dict* dict = value.asDict()) {
        runtime.charge(16 * dict->entries.size());
        if (const Value* found = dict->find(std::string_view(name)))
            return *found;
    }
    return Value::undefined("'" + described(value) + "' has no attribute '" + name + "'");
}

Value sliceOf(Runtime& runtime, const Value& value, const Value& begin, const Value& end,
              const Value& step)
{
    value.requireDefined();
    if (const std::string* text = value.asText()) {
        const std::vector<std::string_view> characters = charactersOf(*text);
        const auto range =
            sliceRange(static_cast<std::int64_t>(characters.size()), begin, end, step);
        runtime.charge(text->size());
        std::string part;
        forSlice(characters, range, [&](std::string_view character) { part += character; });
        return textLike(value, std::move(part));
    }
    const Sequence* sequence = value.asSequence();
    if (sequence && sequence->kind == Sequence::Kind::View)
        throw Failure("a " + value.typeName() + " has no slices");
    if (!sequence || sequence->kind == Sequence::Kind::Generator)
        return Value::undefined("a " + value.typeName() + " has no slices");
    const auto range =
        sliceRange(static_cast<std::int64_t>(sequence->items.size()), begin, end, step);
    runtime.charge(16 * range.count);
    Values items;
    items.reserve(range.count);
    forSlice(sequence->items, range, [&](const Value& item) { items.push_back(item); });
    return sequence->kind == Sequence::Kind::Tuple ? Value::tuple(std::move(items))
                                                   : Value::list(std::move(items));
}

Value call(Runtime& runtime, const Value& callee, const Arguments& arguments)
{
    callee.requireDefined();
    Object* object = callee.asObject();
    if (!object || !object->isCallable())
        throw Failure("a " + callee.typeName() + " cannot be called");
    runtime.charge();
    const Runtime::Nesting nesting(runtime);
    const Value held = callee; // the call may release the callee
    return object->call(runtime, arguments);
}

std::size_t lengthOf(const Value& value)
{
    if (value.isUndefined())
        return 0;
    if (const std::string* text = value.asText())
        return codePointCount(*text);
    if (const Dict* dict = value.asDict())
        return dict->entries.size();
    const Sequence* sequence = value.asSequence();
    if (!sequence || sequence->kind == Sequence::Kind::Generator)
        throw Failure("a " + value.typeName() + " has no length");
    return sequence->items.size();
}

Value arithmeticOfNumbers(Operator op, const Value& left, const Value& right)
{
    const bool divides =
        op == Operator::Divide || op == Operator::FloorDivide || op == Operator::Modulo;
    if (divides && right.number() == 0)
        throw Failure("a number is divided by zero");
    return left.isIntegral() && right.isIntegral()
        ? integerArithmetic(op, left.integer(), right.integer())
        : floatArithmetic(op, left.number(), right.number());
}

} // namespace ep::text::jinja
