// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_reader.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::model {

using nlohmann::json;

namespace {

constexpr std::size_t quotedCharacters = 40;

std::string join(const std::string& place, const char* key)
{
    return place.empty() ? std::string(key) : place + "." + key;
}

} // namespace

JsonValue::JsonValue(const json& value, std::string place)
    : m_value(&value)
    , m_place(std::move(place))
{
}

bool JsonValue::isObject() const
{
    return m_value->is_object();
}

bool JsonValue::isArray() const
{
    return m_value->is_array();
}

bool JsonValue::isString() const
{
    return m_value->is_string();
}

std::size_t JsonValue::size() const
{
    return m_value->size();
}

std::optional<JsonValue> JsonValue::find(const char* key) const
{
    requireObject();
    const auto field = m_value->find(key);
    if (field == m_value->end() || field->is_null())
        return std::nullopt;
    return JsonValue(*field, join(m_place, key));
}

JsonValue JsonValue::at(const char* key) const
{
    if (std::optional<JsonValue> field = find(key))
        return *std::move(field);
    throw ReadError(ErrorCode::InvalidInput, join(m_place, key) + " is missing");
}

JsonValue JsonValue::at(std::size_t index) const
{
    return {(*m_value)[index], m_place + "[" + std::to_string(index) + "]"};
}

void JsonValue::requireArray() const
{
    if (!m_value->is_array())
        fail("must be a list");
}

void JsonValue::requireObject() const
{
    if (!m_value->is_object())
        fail("must be an object");
}

std::string JsonValue::asString() const
{
    if (!m_value->is_string())
        fail("must be a string");
    return m_value->get<std::string>();
}

bool JsonValue::asBool() const
{
    if (!m_value->is_boolean())
        fail("must be true or false");
    return m_value->get<bool>();
}

double JsonValue::asNumber() const
{
    if (!m_value->is_number())
        fail("must be a number");
    const double number = m_value->get<double>();
    if (!std::isfinite(number))
        fail("must be a finite number");
    return number;
}

std::int64_t JsonValue::asInteger(std::int64_t lowest, std::int64_t highest) const
{
    const bool integer = m_value->is_number_integer();
    const bool tooLarge = m_value->is_number_unsigned()
        && m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(highest);
    if (!integer || tooLarge || m_value->get<std::int64_t>() < lowest
        || m_value->get<std::int64_t>() > highest) {
        fail("must be an integer from " + std::to_string(lowest) + " to "
             + std::to_string(highest));
    }
    return m_value->get<std::int64_t>();
}

std::string JsonValue::asCharacter() const
{
    std::string text = asString(); // valid UTF-8, as all of a JSON document is
    const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
    });
    if (characters != 1)
        fail("must be a single character");
    return text;
}

std::string JsonValue::string(const char* key, const std::string& byDefault) const
{
    const std::optional<JsonValue> field = find(key);
    return field ? field->asString() : byDefault;
}

bool JsonValue::boolean(const char* key, bool byDefault) const
{
    const std::optional<JsonValue> field = find(key);
    return field ? field->asBool() : byDefault;
}

void JsonValue::fail(const std::string& problem) const
{
    const std::string& where = m_place.empty() ? std::string("the document") : m_place;
    throw ReadError(ErrorCode::InvalidInput, where + " " + problem);
}

void JsonValue::unsupported(const std::string& problem) const
{
    throw ReadError(ErrorCode::Unsupported, m_place + " " + problem);
}

std::string inQuotes(std::string_view text)
{
    std::string result = "\"";
    result.append(previewUtf8(text, quotedCharacters)).append("\"");
    return result;
}

} // namespace ep::model
