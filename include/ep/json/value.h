// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Typed access to a parsed document. Readers need no check after each field: problems are thrown as
// ReadError and converted to an Error by read(), where reading began.
namespace ep::json {

using Json = nlohmann::json;

// "<place> <problem>": "rope_scaling.factor must be a number, not a string".
class ReadError : public std::exception {
public:
    ReadError(ErrorCode code, Message message)
        : m_error{code, std::move(message)}
        , m_english(m_error.message)
    {
    }
    ErrorCode code() const { return m_error.code; }
    const Message& message() const { return m_error.message; }
    const char* what() const noexcept override { return m_english.c_str(); }

private:
    Error m_error;
    std::string m_english;
};

// A value that knows its place in the document, "model.merges[3]". A view: the document must
// outlive it. A null field counts as absent, unless stated otherwise.
class Value {
public:
    explicit Value(const Json& document)
        : m_json(&document)
    {
    }

    const Json& json() const { return *m_json; }
    std::string place() const; // empty: the whole document

    bool isNull() const { return m_json->is_null(); }
    bool isObject() const { return m_json->is_object(); }
    bool isArray() const { return m_json->is_array(); }
    bool isString() const { return m_json->is_string(); }
    bool isNumber() const { return m_json->is_number(); }
    std::size_t size() const { return m_json->size(); } // size of a list or object

    // For objects.
    bool contains(std::string_view key) const; // present, perhaps null
    bool has(std::string_view key) const; // present and not null
    std::optional<Value> find(std::string_view key) const;
    std::optional<Value> findOrNull(std::string_view key) const; // null counts as a value
    Value at(std::string_view key) const; // the field must exist
    Value member(std::string_view key, const Json& value) const; // found by the caller
    // For lists.
    Value at(std::size_t index) const; // index must be below size()
    std::vector<Value> elements() const; // the value must be a list

    const Value& requireArray() const;
    const Value& requireObject() const;
    const std::string& asString() const;
    std::string asCharacter() const; // a string of exactly one code point
    bool asBoolean() const;
    double asNumber(double least = std::numeric_limits<double>::lowest(),
                    double most = std::numeric_limits<double>::max()) const;
    std::int64_t asInteger(std::int64_t least, std::int64_t most) const;
    std::int64_t asWholeNumber(std::int64_t least, std::int64_t most) const; // 142.0 as well

    // Fields of an object. Fields without a fallback must exist.
    std::string string(std::string_view key) const { return at(key).asString(); }
    std::string string(std::string_view key, const std::string& fallback) const;
    bool boolean(std::string_view key, bool fallback) const;
    double number(std::string_view key, std::optional<double> fallback, double least,
                  double most) const;
    // Accepts 4096.0 as a whole number, since configuration files contain such values.
    int integer(std::string_view key, std::optional<int> fallback, int least, int most) const;

    // Throws "<place> <problem>".
    [[noreturn]] void fail(const Message& problem) const;
    [[noreturn]] void fail(std::string_view key, const Message& problem) const; // for a field
    [[noreturn]] void unsupported(const Message& problem) const;

private:
    struct Place { // one step down in the document
        std::shared_ptr<const Place> parent; // null: the document itself
        std::string key; // key in an object
        std::size_t index; // index in a list, if it is an element
        bool listed;
    };
    Value(const Json& json, std::shared_ptr<const Place> place)
        : m_json(&json)
        , m_place(std::move(place))
    {
    }
    static void append(const Place* place, std::string& text);
    std::int64_t inRange(std::optional<std::int64_t> number, std::int64_t least,
                         std::int64_t most) const;

    const Json* m_json;
    std::shared_ptr<const Place> m_place;
};

// An object all of whose keys must be known: keys that were never requested are rejected, since
// they may be misspelt.
class StrictObject {
public:
    explicit StrictObject(const Value& object);

    const Value& value() const { return m_object; }
    std::optional<Value> find(std::string_view key); // nothing if absent or null
    std::optional<Value> findOrNull(std::string_view key);
    Value at(std::string_view key);
    std::string string(std::string_view key, const std::string& fallback);
    bool boolean(std::string_view key, bool fallback);
    double number(std::string_view key, double fallback, double least, double most);
    int integer(std::string_view key, int fallback, int least, int most);
    void ignore(std::string_view key) { findOrNull(key); } // its content follows from other keys

    // Call after reading the last field; throws "<place>.<key> <problem>" for any remaining key.
    void refuseOthers(const Message& problem) const;

private:
    Value m_object;
    std::vector<std::string> m_known;
};

// "a string", "a list", "true", "1.5": a description of the actual value.
std::string described(const Json& value);

// Quoted text for a message, shortened if it is long.
std::string inQuotes(std::string_view text);

// Ends a pattern with a full stop, unless its last argument does.
inline Message ended(const char* pattern, const Message& first, const Message& last)
{
    const bool stops = last.english().ends_with('.');
    return {std::string(pattern) + (stops ? "" : "."), {first, last}};
}

// Returns the result of read(root); its exceptions become "<document>: <place> <problem>.".
template <typename Read>
auto read(const std::string& document, const Json& json, Read&& read)
    -> Result<decltype(read(std::declval<const Value&>()))>
{
    try {
        return std::forward<Read>(read)(Value(json));
    } catch (const ReadError& problem) {
        return Error{problem.code(), ended("%1: %2", document, problem.message())};
    }
}

} // namespace ep::json
