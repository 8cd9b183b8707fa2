// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/value.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cmath>

namespace ep::json {
namespace {

constexpr std::size_t kQuotedCharacters = 40;
constexpr const char* kWhole = "the document";

// Whether a key can be read without quotes.
bool isPlain(std::string_view key)
{
    return !key.empty() && key.size() <= kQuotedCharacters
        && std::all_of(key.begin(), key.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                   || c == '_' || c == '-' || c == '$';
           });
}

// A key of an object as a step of a place.
std::string asStep(const std::string& key)
{
    return isPlain(key) ? "." + key : "[" + inQuotes(key) + "]";
}

// An integer; absent if it is not one or does not fit into 64 bits.
template <typename Document>
std::optional<std::int64_t> wholeNumber(const Document& json)
{
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    if (json.is_number_unsigned()) {
        const auto number = json.template get<std::uint64_t>();
        return number <= kMax ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }
    if (json.is_number_integer())
        return json.template get<std::int64_t>();
    constexpr double kExact = 9007199254740992.0; // 2^53
    const double number = json.is_number() ? json.template get<double>() : 0.5;
    const bool whole = number == std::floor(number) && std::abs(number) <= kExact;
    return whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

// Written as in JSON, in every locale.
std::string inNumbers(double value)
{
    const auto whole = wholeNumber(Json(value));
    return whole ? std::to_string(*whole) : textOf(Json(value));
}

// Whether the value is this part of the document, or lies in it; `place` receives where.
template <typename Document>
bool findPlace(const Document& part, const Document* value, std::string& place)
{
    if (&part == value)
        return true;
    if (!part.is_structured())
        return false;
    std::size_t index = 0;
    for (auto member = part.begin(); member != part.end(); ++member, ++index) {
        if (!findPlace(*member, value, place))
            continue;
        place.insert(0, part.is_array() ? "[" + std::to_string(index) + "]" : asStep(member.key()));
        return true;
    }
    return false;
}

} // namespace

ReadError ReadError::within(const std::string& place) const
{
    if (m_place.empty())
        return *this;
    if (m_place == kWhole)
        return {m_error.code, place, m_problem};
    return {m_error.code, place + (m_place.front() == '[' ? "" : ".") + m_place, m_problem};
}

template <typename Document>
std::string described(const Document& value)
{
    using Type = typename Document::value_t;
    switch (value.type()) {
    case Type::object:
        return "an object";
    case Type::array:
        return "a list";
    case Type::string:
        return "a string";
    case Type::number_float:
        if (const auto number = value.template get<double>(); !std::isfinite(number))
            return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        return textOf(value);
    default:
        return textOf(value); // an integer, true, false or null
    }
}

std::string inQuotes(std::string_view text)
{
    return "\"" + previewUtf8(text, kQuotedCharacters) + "\"";
}

template <typename Document>
std::string BasicValue<Document>::place() const
{
    std::string text;
    findPlace(*m_document, m_json, text);
    return text.starts_with('.') ? text.substr(1) : text;
}

template <typename Document>
bool BasicValue<Document>::contains(std::string_view key) const
{
    return m_json->contains(key);
}

template <typename Document>
bool BasicValue<Document>::has(std::string_view key) const
{
    return find(key).has_value();
}

template <typename Document>
std::optional<BasicValue<Document>> BasicValue<Document>::findOrNull(std::string_view key) const
{
    requireObject();
    const auto found = m_json->find(key);
    return found == m_json->end() ? std::nullopt : std::optional(part(*found));
}

template <typename Document>
std::optional<BasicValue<Document>> BasicValue<Document>::find(std::string_view key) const
{
    std::optional<BasicValue<Document>> found = findOrNull(key);
    return found && found->isNull() ? std::nullopt : found;
}

template <typename Document>
BasicValue<Document> BasicValue<Document>::at(std::string_view key) const
{
    if (std::optional<BasicValue<Document>> found = find(key))
        return *std::move(found);
    fail(key, "is missing");
}

template <typename Document>
std::vector<BasicValue<Document>> BasicValue<Document>::elements() const
{
    requireArray();
    std::vector<BasicValue<Document>> all;
    all.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        all.push_back(at(i));
    return all;
}

template <typename Document>
const BasicValue<Document>& BasicValue<Document>::requireArray() const
{
    if (!isArray())
        fail(Message("must be a list, not %1", described(*m_json)));
    return *this;
}

template <typename Document>
const BasicValue<Document>& BasicValue<Document>::requireObject() const
{
    if (!isObject())
        fail(Message("must be an object, not %1", described(*m_json)));
    return *this;
}

template <typename Document>
const std::string& BasicValue<Document>::asString() const
{
    if (!isString())
        fail(Message("must be a string, not %1", described(*m_json)));
    return m_json->template get_ref<const std::string&>();
}

template <typename Document>
std::string BasicValue<Document>::asCharacter() const
{
    const std::string& text = asString(); // valid UTF-8, like the whole JSON document
    const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
    });
    if (characters != 1)
        fail(Message("must be a single character, not %1", inQuotes(text)));
    return text;
}

template <typename Document>
bool BasicValue<Document>::asBoolean() const
{
    if (!m_json->is_boolean())
        fail(Message("must be true or false, not %1", described(*m_json)));
    return m_json->template get<bool>();
}

template <typename Document>
double BasicValue<Document>::asNumber(double least, double most) const
{
    if (!isNumber())
        fail(Message("must be a number, not %1", described(*m_json)));
    const auto number = m_json->template get<double>();
    if (!(number >= least && number <= most)) {
        if (least == std::numeric_limits<double>::lowest())
            fail(Message("must be finite, not %1", described(*m_json)));
        fail(Message("must be a number from %1 to %2, not %3", inNumbers(least), inNumbers(most),
                     described(*m_json)));
    }
    return number;
}

template <typename Document>
std::int64_t BasicValue<Document>::asInteger(std::int64_t least, std::int64_t most) const
{
    return inRange(m_json->is_number_integer() ? wholeNumber(*m_json) : std::nullopt, least, most);
}

template <typename Document>
std::int64_t BasicValue<Document>::asWholeNumber(std::int64_t least, std::int64_t most) const
{
    return inRange(wholeNumber(*m_json), least, most);
}

template <typename Document>
std::int64_t BasicValue<Document>::inRange(std::optional<std::int64_t> number, std::int64_t least,
                                           std::int64_t most) const
{
    if (!number || *number < least || *number > most) {
        fail(Message("must be a whole number from %1 to %2, not %3", least, most,
                     described(*m_json)));
    }
    return *number;
}

template <typename Document>
std::string BasicValue<Document>::string(std::string_view key, const std::string& fallback) const
{
    const std::optional<BasicValue<Document>> found = find(key);
    return found ? found->asString() : fallback;
}

template <typename Document>
bool BasicValue<Document>::boolean(std::string_view key, bool fallback) const
{
    const std::optional<BasicValue<Document>> found = find(key);
    return found ? found->asBoolean() : fallback;
}

template <typename Document>
double BasicValue<Document>::number(std::string_view key, std::optional<double> fallback,
                                    double least, double most) const
{
    const std::optional<BasicValue<Document>> found = fallback ? find(key) : at(key);
    return found ? found->asNumber(least, most) : *fallback;
}

template <typename Document>
int BasicValue<Document>::integer(std::string_view key, std::optional<int> fallback, int least,
                                  int most) const
{
    const std::optional<BasicValue<Document>> found = fallback ? find(key) : at(key);
    return found ? static_cast<int>(found->inRange(wholeNumber(*found->m_json), least, most))
                 : *fallback;
}

template <typename Document>
void BasicValue<Document>::fail(const Message& problem) const
{
    const std::string where = place();
    throw ReadError(ErrorCode::InvalidInput, where.empty() ? kWhole : where, problem);
}

template <typename Document>
void BasicValue<Document>::fail(std::string_view key, const Message& problem) const
{
    const std::string where = place() + asStep(std::string(key));
    throw ReadError(ErrorCode::InvalidInput, where.starts_with('.') ? where.substr(1) : where,
                    problem);
}

template <typename Document>
void BasicValue<Document>::unsupported(const Message& problem) const
{
    const std::string where = place();
    throw ReadError(ErrorCode::Unsupported, where.empty() ? kWhole : where, problem);
}

template class BasicValue<Json>;
template class BasicValue<OrderedJson>;
template std::string described(const Json&);
template std::string described(const OrderedJson&);

StrictObject::StrictObject(const OrderedValue& object)
    : m_object(object.requireObject())
{
}

std::optional<OrderedValue> StrictObject::findOrNull(std::string_view key)
{
    std::optional<OrderedValue> found = m_object.findOrNull(key);
    if (found)
        m_known.push_back(&found->json());
    return found;
}

std::optional<OrderedValue> StrictObject::find(std::string_view key)
{
    std::optional<OrderedValue> found = findOrNull(key);
    return found && found->isNull() ? std::nullopt : found;
}

OrderedValue StrictObject::at(std::string_view key)
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
    for (const OrderedJson& member : m_object.json()) {
        if (std::find(m_known.begin(), m_known.end(), &member) == m_known.end())
            m_object.part(member).fail(problem);
    }
}

} // namespace ep::json
