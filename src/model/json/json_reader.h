// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

// JSON files of models: reading them, and typed access to what they hold.
namespace ep::model {

// Whole content of a text file; NotFound, or Io when it is larger than maxBytes or unreadable.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// InvalidInput: "not valid JSON at line 3, column 7". Throws nothing.
Result<nlohmann::json> parseJson(std::string_view text);

// A file that must hold one JSON object.
Result<nlohmann::json> readJsonFile(const std::filesystem::path& file, std::uint64_t maxBytes);

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
    std::string asCharacter() const; // a string of exactly one code point

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

// The keys of one JSON object for readers of flat files. A key that is absent or null takes its
// fallback; without a fallback that is a problem. The first problem is kept, so that many keys can
// be read in a row and the outcome looked at once.
class JsonObject {
public:
    // `where` is how messages call the object: a path, or a path and a key.
    JsonObject(const nlohmann::json& object, std::string where);

    bool contains(const char* key) const; // present, perhaps null
    bool has(const char* key) const; // present and not null
    const nlohmann::json& at(const char* key) const; // has(key) must hold

    int integer(const char* key, std::optional<int> fallback, int least, int most);
    double number(const char* key, std::optional<double> fallback, double least, double most);
    bool boolean(const char* key, bool fallback);
    std::string string(const char* key, const std::string& fallback);

    void fail(const std::string& what); // "<where>: <what>"
    void fail(const Error& problem); // of an object inside this one
    const std::optional<Error>& problem() const { return m_problem; }

private:
    const nlohmann::json& m_object;
    std::string m_where;
    std::optional<Error> m_problem;
};

} // namespace ep::model
