// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ep::text::jinja {

class Value;
class Object;
class Runtime;
struct Sequence;
struct Dict;

using Values = std::vector<Value>;

// A value of a template, with Python semantics. Cheap to copy; immutable, except for namespaces and
// the position of a generator. Strings are valid UTF-8 and are indexed by code point.
class Value {
public:
    struct Undefined {
        std::shared_ptr<const std::string> why; // message for uses of the value; may be null
    };
    struct None { };

    Value() = default; // undefined
    static Value undefined(std::string why);
    static Value none();
    static Value text(std::string text);
    // Text for a web page, like Python's Markup: whatever is added to it gets escaped.
    static Value markup(std::string text);
    static Value list(Values items);
    static Value tuple(Values items);
    static Value generator(Values items);
    static Value dict(std::vector<std::pair<Value, Value>> entries);

    Value(bool value)
        : m_state(value)
    {
    }
    Value(std::int64_t value)
        : m_state(value)
    {
    }
    Value(double value)
        : m_state(value)
    {
    }
    Value(std::shared_ptr<const Sequence> sequence);
    Value(std::shared_ptr<Object> object);
    template <typename T>
    Value(T*) = delete; // not a bool

    bool isUndefined() const { return std::holds_alternative<Undefined>(m_state); }
    bool isNone() const { return std::holds_alternative<None>(m_state); }
    bool isBool() const { return std::holds_alternative<bool>(m_state); }
    bool isInt() const { return std::holds_alternative<std::int64_t>(m_state); }
    bool isFloat() const { return std::holds_alternative<double>(m_state); }
    bool isNumber() const { return isBool() || isInt() || isFloat(); }
    bool isText() const { return asText() != nullptr; }
    bool isMarkup() const { return m_markup; }

    // Null if the value has another type.
    const std::string* asText() const;
    const Sequence* asSequence() const;
    const Dict* asDict() const;
    Object* asObject() const;

    bool boolean() const { return std::get<bool>(m_state); }
    std::int64_t integer() const; // requires an int or bool
    double number() const; // requires a number
    bool isIntegral() const { return isBool() || isInt(); }

    bool isTrue() const;
    std::string typeName() const; // Python's name: "str", "dict"
    // Fails with the reason if the value is undefined.
    void requireDefined() const;

    int depth() const; // 0 for values without elements
    std::size_t weight() const; // number of steps to visit the whole value
    bool sameAs(const Value& other) const; // same identity

private:
    using Text = std::shared_ptr<const std::string>;
    std::variant<Undefined, None, bool, std::int64_t, double, Text, std::shared_ptr<const Sequence>,
                 std::shared_ptr<const Dict>, std::shared_ptr<Object>>
        m_state;
    bool m_markup = false; // only for texts
};

struct Sequence {
    enum class Kind { List, Tuple, Range, View, Generator };
    Kind kind = Kind::List;
    Values items;
    std::string name; // printed name of a range or view: "dict_keys"
    int depth = 1;
    std::size_t weight = 1;
    mutable std::size_t consumed = 0; // items consumed from a generator
};

struct Dict {
    std::vector<std::pair<Value, Value>> entries; // in insertion order, with unique keys
    int depth = 1;
    std::size_t weight = 1;

    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
};

// The arguments of a call.
struct Arguments {
    Values positional;
    std::vector<std::pair<std::string, Value>> named;
};

// A value with custom behaviour: functions, macros, namespaces, the loop.
class Object {
public:
    Object() = default;
    virtual ~Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    virtual std::string typeName() const = 0;
    virtual std::string describe() const { return "<" + typeName() + ">"; }
    virtual Value attribute(const std::string&) { return {}; } // undefined: no such name
    virtual bool isCallable() const { return false; }
    virtual Value call(Runtime& runtime, const Arguments& arguments);
};

bool equal(const Value& a, const Value& b);
// Less than, equal to or greater than zero if a < b, a == b or a > b; fails where Python does.
int compare(const Value& a, const Value& b);
// The items of a loop over the value. Consumes a generator.
Values itemsOf(const Value& value);

} // namespace ep::text::jinja
