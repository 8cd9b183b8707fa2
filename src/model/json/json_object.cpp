// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_reader.h"

#include "ep/core/format.h"

#include <cmath>
#include <utility>

namespace ep::model {

using Json = nlohmann::json;

JsonObject::JsonObject(const Json& object, std::string where)
    : m_object(object)
    , m_where(std::move(where))
{
}

bool JsonObject::contains(const char* key) const
{
    return m_object.contains(key);
}

bool JsonObject::has(const char* key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

const Json& JsonObject::at(const char* key) const
{
    return *m_object.find(key);
}

int JsonObject::integer(const char* key, std::optional<int> fallback, int least, int most)
{
    const double value =
        number(key, fallback ? std::optional<double>(*fallback) : std::nullopt, least, most);
    if (value != std::floor(value)) {
        fail(std::string(key) + " must be a whole number.");
        return least;
    }
    return static_cast<int>(value);
}

double JsonObject::number(const char* key, std::optional<double> fallback, double least,
                          double most)
{
    if (!has(key)) {
        if (!fallback)
            fail(std::string("the key ") + key + " is missing.");
        return fallback.value_or(least);
    }
    if (!at(key).is_number()) {
        fail(std::string(key) + " must be a number.");
        return least;
    }
    const auto value = at(key).get<double>();
    if (!(value >= least && value <= most)) {
        fail(std::string(key) + " is " + at(key).dump() + ", but must lie between "
             + formatSignificant(least, 10) + " and " + formatSignificant(most, 10) + ".");
        return least;
    }
    return value;
}

bool JsonObject::boolean(const char* key, bool fallback)
{
    if (!has(key))
        return fallback;
    if (!at(key).is_boolean()) {
        fail(std::string(key) + " must be true or false.");
        return fallback;
    }
    return at(key).get<bool>();
}

std::string JsonObject::string(const char* key, const std::string& fallback)
{
    if (!has(key))
        return fallback;
    if (!at(key).is_string()) {
        fail(std::string(key) + " must be a string.");
        return fallback;
    }
    return at(key).get<std::string>();
}

void JsonObject::fail(const std::string& what)
{
    if (!m_problem)
        m_problem = Error{ErrorCode::InvalidInput, m_where + ": " + what};
}

void JsonObject::fail(const Error& problem)
{
    if (!m_problem)
        m_problem = problem;
}

} // namespace ep::model
