// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "library.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>

namespace ep::text::jinja {

namespace {

template <bool (*predicate)(const Value&)>
bool simple(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("this test", arguments, {});
    return predicate(value);
}

bool isDefined(const Value& value)
{
    return !value.isUndefined();
}
bool isUndefined(const Value& value)
{
    return value.isUndefined();
}
bool isNone(const Value& value)
{
    return value.isNone();
}
bool isText(const Value& value)
{
    return value.isText();
}
bool isNumber(const Value& value)
{
    return value.isNumber();
}
bool isInteger(const Value& value)
{
    return value.isInt();
}
bool isFloat(const Value& value)
{
    return value.isFloat();
}
bool isBoolean(const Value& value)
{
    return value.isBool();
}
bool isTrueItself(const Value& value)
{
    return value.isBool() && value.boolean();
}
bool isFalseItself(const Value& value)
{
    return value.isBool() && !value.boolean();
}
bool isMapping(const Value& value)
{
    return value.asDict() != nullptr;
}
bool isIterable(const Value& value)
{
    return value.isText() || value.asSequence() || value.asDict() || value.isUndefined();
}
// Has a length and items by index, including strings and dictionaries, as in Jinja.
bool isSequence(const Value& value)
{
    const Sequence* sequence = value.asSequence();
    if (sequence)
        return sequence->kind != Sequence::Kind::Generator
            && sequence->kind != Sequence::Kind::View;
    return value.isText() || value.asDict() || value.isUndefined();
}
bool isCallable(const Value& value)
{
    return value.isUndefined() || (value.asObject() && value.asObject()->isCallable());
}
bool isEscaped(const Value& value)
{
    return value.isMarkup();
}

template <bool wanted>
bool odd(Runtime& runtime, const Value& value, const Arguments&)
{
    const Value rest = arithmetic(runtime, Binary::Operator::Modulo, value, Value(std::int64_t{2}));
    return equal(rest, Value(std::int64_t{wanted ? 1 : 0}));
}

bool divisibleBy(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("divisibleby", arguments, {"num"});
    const Value rest = arithmetic(runtime, Binary::Operator::Modulo, value, p.at("num"));
    return equal(rest, Value(std::int64_t{0}));
}

template <bool upperCase>
bool isCase(Runtime& runtime, const Value& value, const Arguments&)
{
    return call(runtime,
                methodOf(Value::text(toText(runtime, value)), upperCase ? "isupper" : "islower"),
                {})
        .isTrue();
}

bool isIn(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("in", arguments, {"seq"});
    return contains(runtime, p.at("seq"), value);
}

bool sameAs(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("sameas", arguments, {"other"});
    return value.sameAs(p.at("other"));
}

const Value& other(Runtime& runtime, const Value& value, const Parameters& parameters)
{
    const Value& right = parameters.at("other");
    runtime.charge(16 * std::min(value.weight(), right.weight()));
    return right;
}

template <bool wanted>
bool isEqual(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("the comparison", arguments, {"other"});
    return equal(value, other(runtime, value, p)) == wanted;
}

enum class Order { Less, LessEqual, Greater, GreaterEqual };

template <Order order>
bool ordered(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("the comparison", arguments, {"other"});
    const int result = compare(value, other(runtime, value, p));
    switch (order) {
    case Order::Less:
        return result < 0;
    case Order::LessEqual:
        return result <= 0;
    case Order::Greater:
        return result > 0;
    case Order::GreaterEqual:
        return result >= 0;
    }
    return false;
}

bool isFilterName(Runtime&, const Value& value, const Arguments&)
{
    return value.isText() && findFilter(*value.asText());
}

bool isTestName(Runtime&, const Value& value, const Arguments&)
{
    return value.isText() && findTest(*value.asText());
}

const std::unordered_map<std::string_view, Test>& tests()
{
    static const std::unordered_map<std::string_view, Test> table{
        {"defined", simple<isDefined>},
        {"undefined", simple<isUndefined>},
        {"none", simple<isNone>},
        {"string", simple<isText>},
        {"number", simple<isNumber>},
        {"integer", simple<isInteger>},
        {"float", simple<isFloat>},
        {"boolean", simple<isBoolean>},
        {"true", simple<isTrueItself>},
        {"false", simple<isFalseItself>},
        {"mapping", simple<isMapping>},
        {"iterable", simple<isIterable>},
        {"sequence", simple<isSequence>},
        {"callable", simple<isCallable>},
        {"escaped", simple<isEscaped>},
        {"odd", odd<true>},
        {"even", odd<false>},
        {"divisibleby", divisibleBy},
        {"upper", isCase<true>},
        {"lower", isCase<false>},
        {"in", isIn},
        {"sameas", sameAs},
        {"eq", isEqual<true>},
        {"equalto", isEqual<true>},
        {"==", isEqual<true>},
        {"ne", isEqual<false>},
        {"!=", isEqual<false>},
        {"lt", ordered<Order::Less>},
        {"lessthan", ordered<Order::Less>},
        {"<", ordered<Order::Less>},
        {"le", ordered<Order::LessEqual>},
        {"<=", ordered<Order::LessEqual>},
        {"gt", ordered<Order::Greater>},
        {"greaterthan", ordered<Order::Greater>},
        {">", ordered<Order::Greater>},
        {"ge", ordered<Order::GreaterEqual>},
        {">=", ordered<Order::GreaterEqual>},
        {"filter", isFilterName},
        {"test", isTestName},
    };
    return table;
}

} // namespace

Test findTest(std::string_view name)
{
    const auto found = tests().find(name);
    return found == tests().end() ? nullptr : found->second;
}

bool applyTest(Runtime& runtime, const std::string& name, const Value& value,
               const Arguments& arguments)
{
    const Test test = findTest(name);
    if (!test)
        throw Failure("there is no test called \"" + name + "\"");
    return test(runtime, value, arguments);
}

} // namespace ep::text::jinja
