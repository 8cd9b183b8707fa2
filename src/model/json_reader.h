// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace ep::model {

// Whole content of a text file; NotFound, or Io when it is larger than maxBytes or unreadable.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// A file that must hold one JSON object.
Result<nlohmann::json> readJsonFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// Typed access to one JSON object. A key that is absent or null takes its fallback; without a
// fallback that is a problem. The first problem is kept, so that many keys can be read in a row and
// the outcome looked at once.
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
