// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ep::model {

// Thrown while a document is read and caught where reading began (Tokenizer::fromJson), so that the
// readers of the many small parts can be written without a check after each field.
class ReadError : public std::runtime_error {
public:
    ReadError(ErrorCode code, const std::string& message)
        : std::runtime_error(message)
        , m_code(code)
    {
    }
    ErrorCode code() const { return m_code; }

private:
    ErrorCode m_code;
};

// A value in a JSON document that knows its place ("model.merges[3]") for messages. A view: the
// document must outlive it. An absent or null field is an empty optional.
class JsonValue {
public:
    JsonValue(const nlohmann::json& value, std::string place);

    const std::string& place() const { return m_place; }
    const nlohmann::json& value() const { return *m_value; }

    bool isObject() const;
    bool isArray() const;
    bool isString() const;
    std::size_t size() const; // of an array or object

    std::optional<JsonValue> find(const char* key) const; // of an object
    JsonValue at(const char* key) const; // of an object; the field must be there
    JsonValue at(std::size_t index) const; // of an array; below size()

    void requireArray() const;
    void requireObject() const;
    std::string asString() const;
    bool asBool() const;
    double asNumber() const;
    std::int64_t asInteger(std::int64_t lowest, std::int64_t highest) const;
    char32_t asCharacter() const; // a string of exactly one code point

    std::string string(const char* key) const { return at(key).asString(); }
    std::string string(const char* key, const std::string& byDefault) const;
    bool boolean(const char* key, bool byDefault) const;

    // "<place> <problem>" as an error that says the document is wrong.
    [[noreturn]] void fail(const std::string& problem) const;
    [[noreturn]] void unsupported(const std::string& problem) const;

private:
    const nlohmann::json* m_value;
    std::string m_place;
};

// Text in quotes for a message, shortened when it is long.
std::string inQuotes(std::string_view text);

} // namespace ep::model
