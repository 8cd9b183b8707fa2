// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/value.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ep::json {
namespace {

constexpr std::size_t kQuotedCharacters = 40;

// Whether a key can be read without quotes.
bool isPlain(std::string_view key)
{
    return !key.empty() && key.size() <= kQuotedCharacters
        && std::all_of(key.begin(), key.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                   || c == '_' || c == '-' || c == '$';
           });
}

// An integer; absent if it is not one or does not fit into 64 bits.
std::optional<std::int64_t> wholeNumber(const Json& json)
{
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        return number <= kMax ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    constexpr double kExact = 9007199254740992.0; // 2^53
    const double number = json.is_number() ? json.get<double>() : 0.5;
    const bool whole = number == std::floor(number) && std::abs(number) <= kExact;
    return whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

// Written as in JSON, in every locale.
std::string inNumbers(double value)
{
    const auto whole = wholeNumber(Json(value));
    return whole ? std::to_string(*whole) : Json(value).dump();
}

} // namespace

std::string described(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "a list";
    case Json::value_t::string:
        return "a string";
    case Json::value_t::number_float:
        if (const auto number = value.get<double>(); !std::isfinite(number))
            return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        return value.dump();
    default:
        return value.dump(); // an integer, true, false or null
    }
}

std::string inQuotes(std::string_view text)
{
    return "\"" + previewUtf8(text, kQuotedCharacters) + "\"";
}

void Value::append(const Place* place, std::string& text)
{
    if (!place)
        return;
    append(place->parent.get(), text);
    if (place->listed) {
        text += "[" + std::to_string(place->index) + "]";
    } else if (isPlain(place->key)) {
        text += (text.empty() ? "" : ".") + place->key;
    } else {
        text += "[" + inQuotes(place->key) + "]";
    }
}

std::string Value::place() const
{
    std::string text;
    append(m_place.get(), text);
    return text;
}

bool Value::contains(std::string_view key) const
{
    return m_json->contains(key);
}

bool Value::has(std::string_view key) const
{
    return find(key).has_value();
}

std::optional<Value> Value::findOrNull(std::string_view key) const
{
    requireObject();
    const auto found = m_json->find(key);
    return found == m_json->end() ? std::nullopt : std::optional(member(key, *found));
}

std::optional<Value> Value::find(std::string_view key) const
{
    std::optional<Value> found = findOrNull(key);
    return found && found->isNull() ? std::nullopt : found;
}

Value Value::at(std::string_view key) const
{
    if (std::optional<Value> found = find(key))
        return *std::move(found);
    fail(key, "is missing");
}

Value Value::member(std::string_view key, const Json& value) const
{
    return {value, std::make_shared<Place>(Place{m_place, std::string(key), 0, false})};
}

Value Value::at(std::size_t index) const
{
    return {(*m_json)[index], std::make_shared<Place>(Place{m_place, {}, index, true})};
}

std::vector<Value> Value::elements() const
{
    requireArray();
    std::vector<Value> all;
    all.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        all.push_back(at(i));
    return all;
}

const Value& Value::requireArray() const
{
    if (!isArray())
        fail(Message("must be a list, not %1", described(*m_json)));
    return *this;
}

const Value& Value::requireObject() const
{
    if (!isObject())
        fail(Message("must be an object, not %1", described(*m_json)));
    return *this;
}

const std::string& Value::asString() const
{
    if (!isString())
        fail(Message("must be a string, not %1", described(*m_json)));
    return m_json->get_ref<const std::string&>();
}

std::string Value::asCharacter() const
{
    const std::string& text = asString(); // valid UTF-8, like the whole JSON document
    const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
    });
    if (characters != 1)
        fail(Message("must be a single character, not %1", inQuotes(text)));
    return text;
}

bool Value::asBoolean() const
{
    if (!m_json->is_boolean())
        fail(Message("must be true or false, not %1", described(*m_json)));
    return m_json->get<bool>();
}

double Value::asNumber(double least, double most) const
{
    if (!isNumber())
        fail(Message("must be a number, not %1", described(*m_json)));
    const auto number = m_json->get<double>();
    if (!(number >= least && number <= most)) {
        if (least == std::numeric_limits<double>::lowest())
            fail(Message("must be finite, not %1", described(*m_json)));
        fail(Message("must be a number from %1 to %2, not %3", inNumbers(least), inNumbers(most),
                     described(*m_json)));
    }
    return number;
}

std::int64_t Value::asInteger(std::int64_t least, std::int64_t most) const
{
    return inRange(m_json->is_number_integer() ? wholeNumber(*m_json) : std::nullopt, least, most);
}

std::int64_t Value::asWholeNumber(std::int64_t least, std::int64_t most) const
{
    return inRange(wholeNumber(*m_json), least, most);
}

std::int64_t Value::inRange(std::optional<std::int64_t> number, std::int64_t least,
                            std::int64_t most) const
{
    if (!number || *number < least || *number > most) {
        fail(Message("must be a whole number from %1 to %2, not %3", least, most,
                     described(*m_json)));
    }
    return *number;
}

std::string Value::string(std::string_view key, const std::string& fallback) const
{
    const std::optional<Value> found = find(key);
    return found ? found->asString() : fallback;
}

bool Value::boolean(std::string_view key, bool fallback) const
{
    const std::optional<Value> found = find(key);
    return found ? found->asBoolean() : fallback;
}

double Value::number(std::string_view key, std::optional<double> fallback, double least,
                     double most) const
{
    const std::optional<Value> found = fallback ? find(key) : at(key);
    return found ? found->asNumber(least, most) : *fallback;
}

int Value::integer(std::string_view key, std::optional<int> fallback, int least, int most) const
{
    const std::optional<Value> found = fallback ? find(key) : at(key);
    return found ? static_cast<int>(found->inRange(wholeNumber(*found->m_json), least, most))
                 : *fallback;
}

void Value::fail(const Message& problem) const
{
    const std::string where = place();
    throw ReadError(ErrorCode::InvalidInput,
                    {"%1 %2", where.empty() ? "the document" : where, problem});
}

void Value::fail(std::string_view key, const Message& problem) const
{
    member(key, *m_json).fail(problem);
}

void Value::unsupported(const Message& problem) const
{
    const std::string where = place();
    throw ReadError(ErrorCode::Unsupported,
                    {"%1 %2", where.empty() ? "the document" : where, problem});
}

StrictObject::StrictObject(const Value& object)
    : m_object(object.requireObject())
{
}

std::optional<Value> StrictObject::findOrNull(std::string_view key)
{
    std::optional<Value> found = m_object.findOrNull(key);
    m_known.emplace_back(key);
    return found;
}

std::optional<Value> StrictObject::find(std::string_view key)
{
    std::optional<Value> found = findOrNull(key);
    return found && found->isNull() ? std::nullopt : found;
}

Value StrictObject::at(std::string_view key)
{
    static_cast<void>(findOrNull(key));
    return m_object.at(key);
}

std::string StrictObject::string(std::string_view key, const std::string& fallback)
{
    ignore(key);
    return m_object.string(key, fallback);
}

bool StrictObject::boolean(std::string_view key, bool fallback)
{
    ignore(key);
    return m_object.boolean(key, fallback);
}

double StrictObject::number(std::string_view key, double fallback, double least, double most)
{
    ignore(key);
    return m_object.number(key, fallback, least, most);
}

int StrictObject::integer(std::string_view key, int fallback, int least, int most)
{
    ignore(key);
    return m_object.integer(key, fallback, least, most);
}

void StrictObject::refuseOthers(const Message& problem) const
{
    for (const auto& [key, value] : m_object.json().items()) {
        if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
            m_object.member(key, value).fail(problem);
    }
}

} // namespace ep::json
