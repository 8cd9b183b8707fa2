// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/statement.h"
#include "tables/record_fields.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Reads values from parsed JSON and keeps the first problem with its place:
// "run.tokens[3].energy.total_mj must be a number or null". An invalid value leaves the field
// unchanged.
namespace ep::store {

using Json = nlohmann::ordered_json;

// Place of a value; converted to text only for a message. Its parents must outlive it.
struct JsonPlace {
    const JsonPlace* parent = nullptr;
    std::string_view key{}; // empty: an element of a list
    std::size_t index = 0;

    std::string text() const;
};

class JsonProblem {
public:
    void report(const JsonPlace& place, const std::string& what);
    bool found() const { return m_text.has_value(); }
    const std::string& text() const { return *m_text; }

private:
    std::optional<std::string> m_text;
};

// One object of the document. Members that nobody asks for are a problem, since they may be
// misspelt.
class JsonObject {
public:
    JsonObject(const Json& value, const JsonPlace& place, JsonProblem& problem);
    ~JsonObject(); // reports the remaining members
    JsonObject(const JsonObject&) = delete;
    JsonObject& operator=(const JsonObject&) = delete;

    // Null if there is no such member.
    const Json* find(const char* name);
    bool isNull(const char* name)
    {
        const Json* value = find(name);
        return value != nullptr && value->is_null();
    }
    // For a member whose content is derived from others.
    void ignore(const char* name) { static_cast<void>(find(name)); }
    // For members added by writeRecord(): x_ms, derived from the field x_ns.
    void ignoreMilliseconds(std::string_view field);
    // Returns false if the member is missing; the field is then unchanged.
    template <typename Field>
    bool read(const char* name, Field& field);
    template <typename Field>
    void require(const char* name, Field& field);
    // Calls readElement(element, place) for each element of a list.
    template <typename ReadElement>
    bool readList(const char* name, const ReadElement& readElement);

    const JsonPlace& place() const { return m_place; }
    JsonProblem& problem() { return m_problem; }

private:
    const Json* m_object; // null if the value is not an object
    const JsonPlace& m_place;
    JsonProblem& m_problem;
    std::vector<std::string_view> m_known;
    std::vector<std::string> m_derived; // derived members, also accepted
    std::size_t m_present = 0; // number of derived members present
};

void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, bool& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, double& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, float& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, std::string& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, Message& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, EnergyValue& field);
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem,
               Conversation& field);
template <typename Quantity>
void readRails(const Json& value, const JsonPlace& place, JsonProblem& problem,
               PerRail<Quantity>& rails);
template <HasFields Fields>
void readRecord(const Json& value, const JsonPlace& place, JsonProblem& problem, Fields& record);

template <typename Field>
void readValue(const Json& value, const JsonPlace& place, JsonProblem& problem, Field& field)
{
    if constexpr (detail::IsOptional<Field>::value) {
        field.reset();
        if (!value.is_null())
            readValue(value, place, problem, field.emplace());
    } else if constexpr (detail::IsQuantity<Field>::value) {
        readValue(value, place, problem, field.value);
        if (field.value < 0.0)
            problem.report(place, "must not be negative");
    } else if constexpr (std::is_enum_v<Field>) {
        std::optional<Field> parsed;
        if (value.is_string() && parseWord(value.get_ref<const std::string&>(), parsed))
            field = *parsed;
        else
            problem.report(place, "is not a value known to this version");
    } else if constexpr (std::is_integral_v<Field>) {
        if (value.is_number_unsigned()) {
            const auto number = value.get<std::uint64_t>();
            if (number <= static_cast<std::uint64_t>(std::numeric_limits<Field>::max()))
                field = static_cast<Field>(number);
            else
                problem.report(place, "is too large");
        } else if (value.is_number_integer()) {
            const auto number = value.get<std::int64_t>();
            if (std::is_signed_v<
                    Field> && number >= static_cast<std::int64_t>(std::numeric_limits<Field>::min()))
                field = static_cast<Field>(number);
            else
                problem.report(place, "is too small");
        } else {
            problem.report(place, "must be an integer");
        }
    } else if constexpr (HasFields<Field>) {
        readRecord(value, place, problem, field);
    } else { // a list
        field.clear();
        if (!value.is_array()) {
            problem.report(place, "must be a list");
            return;
        }
        for (std::size_t i = 0; i < value.size(); ++i)
            readValue(value[i], {&place, {}, i}, problem, field.emplace_back());
    }
}

template <typename Field>
bool JsonObject::read(const char* name, Field& field)
{
    const Json* value = find(name);
    if (value)
        readValue(*value, {&m_place, name}, m_problem, field);
    return value != nullptr;
}

template <typename Field>
void JsonObject::require(const char* name, Field& field)
{
    if (!read(name, field))
        m_problem.report({&m_place, name}, "is missing");
}

template <typename ReadElement>
bool JsonObject::readList(const char* name, const ReadElement& readElement)
{
    const Json* list = find(name);
    if (!list)
        return false;
    const JsonPlace place{&m_place, name};
    if (!list->is_array()) {
        m_problem.report(place, "must be a list");
        return true;
    }
    for (std::size_t i = 0; i < list->size() && !m_problem.found(); ++i)
        readElement((*list)[i], JsonPlace{&place, {}, i});
    return true;
}

template <typename Quantity>
void readRails(const Json& value, const JsonPlace& place, JsonProblem& problem,
               PerRail<Quantity>& rails)
{
    JsonObject object(value, place, problem);
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        object.read(name(static_cast<Rail>(rail)).data(), rails.values[rail]);
}

template <HasFields Fields>
void readRecord(const Json& value, const JsonPlace& place, JsonProblem& problem, Fields& record)
{
    JsonObject object(value, place, problem);
    visitFields(record, [&](const char* name, auto& field) {
        if constexpr (std::is_same_v<
                          Fields,
                          RunInfo> && std::is_same_v<std::remove_cvref_t<decltype(field)>, int>) {
            if (object.isNull(name)) // a count that the server did not state
                return;
        }
        object.read(name, field);
        object.ignoreMilliseconds(name);
    });
    if constexpr (std::is_same_v<Fields, RunInfo>)
        object.ignore("created_at");
}

} // namespace ep::store
