// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/json/document.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Typed access to a parsed document. Readers need no check after each field: problems are thrown as
// ReadError and converted to an Error by read(), where reading began.
namespace ep::json {

// "<place> <problem>", without a full stop: "rope_scaling.factor must be a number, not a string".
class ReadError : public std::exception {
public:
    ReadError(ErrorCode code, Message problem) // states no place
        : m_error{code, std::move(problem)}
        , m_english(m_error.message)
    {
    }
    ReadError(ErrorCode code, std::string place, const Message& problem)
        : ReadError(code, Message("%1 %2", place, problem))
    {
        m_place = std::move(place);
        m_problem = problem;
    }
    // Returns this error with the value's place in the document, for a value that was read apart
    // from the document.
    ReadError within(const std::string& place) const;

    ErrorCode code() const { return m_error.code; }
    const Message& message() const { return m_error.message; }
    const char* what() const noexcept override { return m_english.c_str(); }

private:
    Error m_error;
    std::string m_english;
    std::string m_place; // empty: none is stated
    Message m_problem;
};

// A value that finds its place in the document, "model.merges[3]", for a message. A view: the
// document must outlive it, unchanged. A null field counts as absent, unless stated otherwise.
template <typename Document>
class BasicValue {
public:
    explicit BasicValue(const Document& document)
        : m_json(&document)
        , m_document(&document)
    {
    }

    const Document& json() const { return *m_json; }
    std::string place() const; // empty: the whole document; searches it

    bool isNull() const { return m_json->is_null(); }
    bool isObject() const { return m_json->is_object(); }
    bool isArray() const { return m_json->is_array(); }
    bool isString() const { return m_json->is_string(); }
    bool isNumber() const { return m_json->is_number(); }
    std::size_t size() const { return m_json->size(); } // size of a list or object

    // For objects.
    bool contains(std::string_view key) const; // present, perhaps null
    bool has(std::string_view key) const; // present and not null
    std::optional<BasicValue> find(std::string_view key) const;
    std::optional<BasicValue> findOrNull(std::string_view key) const; // null counts as a value
    BasicValue at(std::string_view key) const; // the field must exist
    BasicValue part(const Document& value) const { return {value, m_document}; } // of the document
    // For lists.
    BasicValue at(std::size_t index) const { return part((*m_json)[index]); } // below size()
    std::vector<BasicValue> elements() const; // the value must be a list

    const BasicValue& requireArray() const;
    const BasicValue& requireObject() const;
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
    BasicValue(const Document& json, const Document* document)
        : m_json(&json)
        , m_document(document)
    {
    }
    std::int64_t inRange(std::optional<std::int64_t> number, std::int64_t least,
                         std::int64_t most) const;

    const Document* m_json;
    const Document* m_document;
};

using Value = BasicValue<Json>;
using OrderedValue = BasicValue<OrderedJson>;

// An object all of whose keys must be known: keys that were never requested are rejected, since
// they may be misspelt.
class StrictObject {
public:
    explicit StrictObject(const OrderedValue& object);

    const OrderedValue& value() const { return m_object; }
    std::optional<OrderedValue> find(std::string_view key); // nothing if absent or null
    std::optional<OrderedValue> findOrNull(std::string_view key);
    OrderedValue at(std::string_view key);
    std::string string(std::string_view key, const std::string& fallback);
    bool boolean(std::string_view key, bool fallback);
    double number(std::string_view key, double fallback, double least, double most);
    int integer(std::string_view key, int fallback, int least, int most);
    void ignore(std::string_view key) { findOrNull(key); } // its content follows from other keys

    // Call after reading the last field; throws "<place>.<key> <problem>" for any remaining key.
    void refuseOthers(const Message& problem) const;

private:
    OrderedValue m_object;
    std::vector<const OrderedJson*> m_known; // members that were requested
};

// "a string", "a list", "true", "1.5": a description of the actual value.
template <typename Document>
std::string described(const Document& value);

// Quoted text for a message, shortened if it is long.
std::string inQuotes(std::string_view text);

// Ends a pattern with a full stop, unless its last argument does.
inline Message ended(const char* pattern, const Message& first, const Message& last)
{
    const bool stops = last.english().ends_with('.');
    return {std::string(pattern) + (stops ? "" : "."), {first, last}};
}

// Returns the result of read(root); its exceptions become "<document>: <place> <problem>.".
template <typename Document, typename Read>
auto read(const std::string& document, const Document& json, Read&& read)
    -> Result<decltype(read(std::declval<const BasicValue<Document>&>()))>
{
    try {
        return std::forward<Read>(read)(BasicValue<Document>(json));
    } catch (const ReadError& problem) {
        return Error{problem.code(), ended("%1: %2", document, problem.message())};
    }
}

} // namespace ep::json
