// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/statement.h"
#include "tables/message_json.h"
#include "tables/record_fields.h"

#include "ep/json/conversation.h"
#include "ep/json/document.h"

#include <nlohmann/json.hpp>

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

// Reads and writes the fields of records as JSON members. An absent field has no member; a missing
// or mistyped member leaves its field unchanged, so that records can grow.
//
//     visitFields(record, MemberWriter{json});
//     visitFields(record, MemberReader{json});
namespace ep::store {

namespace detail {

template <typename T>
struct IsPerRail : std::false_type {
};
template <typename T>
struct IsPerRail<PerRail<T>> : std::true_type {
    using Value = T;
};

inline std::string railKey(std::size_t rail)
{
    return std::string(name(static_cast<Rail>(rail)));
}

} // namespace detail

struct MemberWriter {
    nlohmann::ordered_json& json;

    template <typename Field>
    void operator()(const char* name, const Field& field) const
    {
        if constexpr (detail::IsOptional<Field>::value) {
            if (field)
                json[name] = valueOf(*field);
        } else if constexpr (std::is_same_v<Field, Conversation>) {
            if (!field.empty())
                json[name] = ep::json::conversationJson(field);
        } else {
            json[name] = valueOf(field);
        }
    }

    template <typename Field>
    static nlohmann::ordered_json valueOf(const Field& field)
    {
        if constexpr (std::is_same_v<Field, Message>) {
            return messageJson(field);
        } else if constexpr (detail::IsQuantity<Field>::value) {
            return field.value;
        } else if constexpr (std::is_enum_v<Field>) {
            return std::string(ep::name(field));
        } else if constexpr (detail::IsPerRail<Field>::value) {
            auto rails = nlohmann::ordered_json::object();
            for (std::size_t i = 0; i < kRailCount; ++i) {
                if (field.values[i])
                    rails[detail::railKey(i)] = valueOf(*field.values[i]);
            }
            return rails;
        } else if constexpr (std::is_same_v<Field, RecordedSettings>) {
            auto settings = nlohmann::ordered_json::object();
            for (const RecordedSetting& setting : field)
                std::visit([&](const auto& value) { settings[setting.name] = value; },
                           setting.value);
            return settings;
        } else if constexpr (HasFields<Field>) {
            auto object = nlohmann::ordered_json::object();
            visitFields(field, MemberWriter{object});
            return object;
        } else if constexpr (std::is_arithmetic_v<Field> || std::is_same_v<Field, std::string>) {
            return field;
        } else { // a list
            auto list = nlohmann::ordered_json::array();
            for (const auto& element : field)
                list.push_back(valueOf(element));
            return list;
        }
    }
};

struct MemberReader {
    const nlohmann::ordered_json& json; // an object

    template <typename Field>
    void operator()(const char* name, Field& field) const
    {
        if (const auto found = json.find(name); found != json.end())
            read(*found, field);
    }

    // Returns false if the member has a wrong type.
    template <typename Field>
    static bool read(const nlohmann::ordered_json& value, Field& field)
    {
        if constexpr (detail::IsOptional<Field>::value) {
            typename Field::value_type content{};
            if (!read(value, content))
                return false;
            field = std::move(content);
        } else if constexpr (std::is_same_v<Field, Message>) {
            return readMessage(value, field);
        } else if constexpr (detail::IsQuantity<Field>::value) {
            return read(value, field.value);
        } else if constexpr (std::is_enum_v<Field>) {
            std::optional<Field> parsed;
            if (!value.is_string() || !parseWord(value.get_ref<const std::string&>(), parsed))
                return false;
            field = *parsed;
        } else if constexpr (std::is_same_v<Field, bool>) {
            return value.is_boolean() && (field = value.get<bool>(), true);
        } else if constexpr (std::is_integral_v<Field>) {
            return value.is_number_integer() && (field = value.get<Field>(), true);
        } else if constexpr (std::is_floating_point_v<Field>) {
            return value.is_number() && (field = value.get<Field>(), true);
        } else if constexpr (std::is_same_v<Field, std::string>) {
            return value.is_string() && (field = value.get<std::string>(), true);
        } else if constexpr (detail::IsPerRail<Field>::value) {
            if (!value.is_object())
                return false;
            for (std::size_t i = 0; i < kRailCount; ++i)
                MemberReader{value}(detail::railKey(i).c_str(), field.values[i]);
        } else if constexpr (std::is_same_v<Field, RecordedSettings>) {
            if (!value.is_object())
                return false;
            field.clear();
            for (const auto& item : value.items()) {
                RecordedSetting setting{.name = item.key(), .value = {}};
                if (readOneOf(item.value(), setting.value))
                    field.push_back(std::move(setting));
            }
        } else if constexpr (std::is_same_v<Field, Conversation>) {
            auto read = ep::json::conversationOf(value);
            return read && (field = *std::move(read), true);
        } else if constexpr (HasFields<Field>) {
            if (!value.is_object())
                return false;
            visitFields(field, MemberReader{value});
        } else { // a list; elements of a wrong type are left out
            if (!value.is_array())
                return false;
            field.clear();
            for (const nlohmann::ordered_json& element : value) {
                typename Field::value_type content{};
                if (read(element, content))
                    field.push_back(std::move(content));
            }
        }
        return true;
    }

    // Reads the first of these types that the value has.
    template <typename... Types>
    static bool readOneOf(const nlohmann::ordered_json& value, std::variant<Types...>& field)
    {
        const auto as = [&](auto content) {
            return read(value, content) && (field = std::move(content), true);
        };
        return (as(Types{}) || ...);
    }
};

inline std::string dumped(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The content of a column as JSON; null if it is invalid, since files may come from elsewhere.
inline nlohmann::ordered_json parsed(const std::string& text)
{
    auto json = ep::json::parseOrdered(text);
    return json ? *std::move(json) : nlohmann::ordered_json();
}

} // namespace ep::store
