// SPDX-License-Identifier: GPL-3.0-or-later
#include "library.h"

#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <memory>

namespace ep::text::jinja {
namespace {

// strftime() with English names in any locale. Unknown conversions are left unchanged.
std::string formatDate(const std::tm& time, std::string_view format);

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

std::string padded(int value, std::size_t digits, char fill = '0')
{
    std::string text = std::to_string(value);
    if (text.size() < digits)
        text.insert(0, digits - text.size(), fill);
    return text;
}

template <std::size_t n>
std::string_view nameOf(const std::array<std::string_view, n>& names, int index)
{
    return names[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(n) - 1))];
}

std::string converted(const std::tm& time, char conversion)
{
    const int hour12 = time.tm_hour % 12 == 0 ? 12 : time.tm_hour % 12;
    switch (conversion) {
    case 'a':
        return std::string(nameOf(kDays, time.tm_wday).substr(0, 3));
    case 'A':
        return std::string(nameOf(kDays, time.tm_wday));
    case 'b':
    case 'h':
        return std::string(nameOf(kMonths, time.tm_mon).substr(0, 3));
    case 'B':
        return std::string(nameOf(kMonths, time.tm_mon));
    case 'd':
        return padded(time.tm_mday, 2);
    case 'e':
        return padded(time.tm_mday, 2, ' ');
    case 'm':
        return padded(time.tm_mon + 1, 2);
    case 'y':
        return padded(time.tm_year % 100, 2);
    case 'Y':
        return std::to_string(time.tm_year + 1900);
    case 'H':
        return padded(time.tm_hour, 2);
    case 'I':
        return padded(hour12, 2);
    case 'M':
        return padded(time.tm_min, 2);
    case 'S':
        return padded(time.tm_sec, 2);
    case 'p':
        return time.tm_hour < 12 ? "AM" : "PM";
    case 'j':
        return padded(time.tm_yday + 1, 3);
    case 'w':
        return std::to_string(time.tm_wday);
    case 'F':
        return formatDate(time, "%Y-%m-%d");
    case 'T':
        return formatDate(time, "%H:%M:%S");
    case 'R':
        return formatDate(time, "%H:%M");
    case 'D':
        return formatDate(time, "%m/%d/%y");
    case '%':
        return "%";
    default:
        return std::string("%") + conversion;
    }
}

std::string formatDate(const std::tm& time, std::string_view format)
{
    std::string text;
    for (std::size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%' || at + 1 == format.size()) {
            text += format[at];
            continue;
        }
        ++at;
        if (format[at] == '-' && at + 1 < format.size()) { // glibc extension: no padding
            std::string plain = converted(time, format[++at]);
            plain.erase(0, std::min(plain.find_first_not_of("0 "), plain.size() - 1));
            text += plain;
        } else {
            text += converted(time, format[at]);
        }
    }
    return text;
}

Value range(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("range", arguments, {"start", "stop", "step"});
    const bool one = !p.has("stop");
    const std::int64_t begin = one ? 0 : p.integer("start");
    const std::int64_t end = one ? p.integer("start") : p.integer("stop");
    const std::int64_t step = p.integer("step", 1);
    if (step == 0)
        throw Failure("the step of a range cannot be zero");
    Values items;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        if (items.size() >= kMaxRange)
            throw Failure("a range is longer than " + std::to_string(kMaxRange));
        items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    runtime.charge(items.size());
    const Value list = Value::list(std::move(items));
    auto sequence = std::make_shared<Sequence>(*list.asSequence());
    sequence->kind = Sequence::Kind::Range;
    sequence->name = "range(" + std::to_string(begin) + ", " + std::to_string(end)
        + (step == 1 ? "" : ", " + std::to_string(step)) + ")";
    return Value(std::shared_ptr<const Sequence>(std::move(sequence)));
}

// The pairs of dict(other, name=value).
std::vector<std::pair<Value, Value>> pairsOf(Runtime& runtime, const std::string& function,
                                             const Arguments& arguments)
{
    std::vector<std::pair<Value, Value>> entries;
    if (arguments.positional.size() > 1)
        throw Failure(function + " takes at most one argument without a name");
    if (!arguments.positional.empty()) {
        const Value& other = arguments.positional.front();
        if (const Dict* dict = other.asDict()) {
            entries = dict->entries;
        } else {
            for (const Value& pair : itemsOf(other)) {
                const Values both = itemsOf(pair);
                if (both.size() != 2)
                    throw Failure(function + " needs pairs");
                entries.emplace_back(both[0], both[1]);
            }
        }
    }
    for (const auto& [name, value] : arguments.named)
        entries.emplace_back(Value::text(name), value);
    runtime.charge(entries.size() * entries.size());
    return entries;
}

Value dict(Runtime& runtime, const Arguments& arguments)
{
    return Value::dict(pairsOf(runtime, "dict", arguments));
}

Value makeNamespace(Runtime& runtime, const Arguments& arguments)
{
    const Value attributes = Value::dict(pairsOf(runtime, "namespace", arguments));
    std::vector<std::pair<std::string, Value>> named;
    for (const auto& [key, value] : attributes.asDict()->entries) {
        if (!key.isText())
            throw Failure("the names in a namespace must be texts");
        named.emplace_back(*key.asText(), value);
    }
    return Value(runtime.makeNamespace(std::move(named)));
}

Value raiseException(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("raise_exception", arguments, {"message"});
    throw Refusal(toText(runtime, p.at("message")));
}

Value strftimeNow(Runtime& runtime, const Arguments& arguments)
{
    const Parameters p("strftime_now", arguments, {"format"});
    return Value::text(formatDate(runtime.now(), p.text("format")));
}

// joiner(): nothing the first time, the separator afterwards.
Value joiner(Runtime&, const Arguments& arguments)
{
    const Parameters p("joiner", arguments, {"sep"});
    const auto used = std::make_shared<bool>(false);
    return makeFunction(
        "joiner", [used, separator = p.text("sep", ", ")](Runtime&, const Arguments&) {
            return Value::text(std::exchange(*used, true) ? separator : std::string());
        });
}

class CyclerObject final : public Object {
public:
    explicit CyclerObject(Values items)
        : m_items(std::move(items))
        , m_at(std::make_shared<std::size_t>(0))
    {
    }
    std::string typeName() const override { return "Cycler"; }
    Value attribute(const std::string& name) override
    {
        if (name == "current")
            return m_items[*m_at];
        if (name == "reset") {
            return makeFunction(name, [at = m_at](Runtime&, const Arguments&) {
                *at = 0;
                return Value::none();
            });
        }
        if (name == "next") {
            return makeFunction(name, [at = m_at, items = m_items](Runtime&, const Arguments&) {
                const Value item = items[*at];
                *at = (*at + 1) % items.size();
                return item;
            });
        }
        return {};
    }

private:
    Values m_items;
    std::shared_ptr<std::size_t> m_at;
};

Value cycler(Runtime& runtime, const Arguments& arguments)
{
    if (arguments.positional.empty())
        throw Failure("cycler needs at least one value");
    runtime.charge(16 * arguments.positional.size());
    return Value(std::shared_ptr<Object>(std::make_shared<CyclerObject>(arguments.positional)));
}

template <auto predicate>
bool simple(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("this test", arguments, {});
    return std::invoke(predicate, value);
}

bool isDefined(const Value& value)
{
    return !value.isUndefined();
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

template <typename Order>
bool ordered(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("the comparison", arguments, {"other"});
    return Order()(compare(value, other(runtime, value, p)), 0);
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
        {"undefined", simple<&Value::isUndefined>},
        {"none", simple<&Value::isNone>},
        {"string", simple<&Value::isText>},
        {"number", simple<&Value::isNumber>},
        {"integer", simple<&Value::isInt>},
        {"float", simple<&Value::isFloat>},
        {"boolean", simple<&Value::isBool>},
        {"true", simple<isTrueItself>},
        {"false", simple<isFalseItself>},
        {"mapping", simple<isMapping>},
        {"iterable", simple<isIterable>},
        {"sequence", simple<isSequence>},
        {"callable", simple<isCallable>},
        {"escaped", simple<&Value::isMarkup>},
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
        {"lt", ordered<std::less<>>},
        {"lessthan", ordered<std::less<>>},
        {"<", ordered<std::less<>>},
        {"le", ordered<std::less_equal<>>},
        {"<=", ordered<std::less_equal<>>},
        {"gt", ordered<std::greater<>>},
        {"greaterthan", ordered<std::greater<>>},
        {">", ordered<std::greater<>>},
        {"ge", ordered<std::greater_equal<>>},
        {">=", ordered<std::greater_equal<>>},
        {"filter", isFilterName},
        {"test", isTestName},
    };
    return table;
}

} // namespace

std::vector<std::pair<std::string, Value>> globalFunctions()
{
    std::vector<std::pair<std::string, Value>> functions;
    const auto add = [&](const char* name, FunctionObject::Body body) {
        functions.emplace_back(name, makeFunction(name, std::move(body)));
    };
    add("range", range);
    add("dict", dict);
    add("namespace", makeNamespace);
    add("raise_exception", raiseException);
    add("strftime_now", strftimeNow);
    add("joiner", joiner);
    add("cycler", cycler);
    return functions;
}

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
