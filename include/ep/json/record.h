// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/field_types.h"
#include "ep/core/profiling_record.h"
#include "ep/core/units.h"
#include "ep/json/conversation.h"
#include "ep/json/message.h"
#include "ep/json/value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// Reads and writes records as JSON objects, by the lists of their fields (core/field_types.h).
namespace ep::json {

// Writes fields as members; an absent field is left out: visitFields(record, MemberWriter{json}).
struct MemberWriter {
    OrderedJson& json;

    template <typename Field>
    void operator()(const char* name, const Field& field, const auto&... /*range*/) const
    {
        if constexpr (kIsA<Field, std::optional>) {
            if (field)
                json[name] = valueOf(*field);
        } else if constexpr (std::is_same_v<Field, Conversation>) {
            if (!field.empty())
                json[name] = conversationJson(field);
        } else {
            json[name] = valueOf(field);
        }
    }

    template <typename Field>
    static OrderedJson valueOf(const Field& field)
    {
        if constexpr (std::is_same_v<Field, Message>) {
            return messageJson(field);
        } else if constexpr (std::is_same_v<Field, RecordedSettings>) {
            auto settings = OrderedJson::object();
            for (const RecordedSetting& setting : field)
                std::visit([&](const auto& value) { settings[setting.name] = value; },
                           setting.value);
            return settings;
        } else if constexpr (kIsA<Field, Quantity>) {
            return field.value;
        } else if constexpr (std::is_enum_v<Field>) {
            return std::string(name(field));
        } else if constexpr (kIsA<Field, PerRail>) {
            auto rails = OrderedJson::object();
            for (const Rail rail : kRails)
                MemberWriter{rails}(name(rail).data(), field[rail]);
            return rails;
        } else if constexpr (HasFields<Field>) {
            auto object = OrderedJson::object();
            visitFields(field, MemberWriter{object});
            return object;
        } else if constexpr (requires { elementsOf(field); }) { // a record as a list
            return std::apply(
                [](const auto&... elements) { return OrderedJson::array({elements...}); },
                elementsOf(field));
        } else if constexpr (std::is_arithmetic_v<Field> || std::is_same_v<Field, std::string>) {
            return field;
        } else { // a list
            auto list = OrderedJson::array();
            for (const auto& element : field)
                list.push_back(valueOf(element));
            return list;
        }
    }
};

template <typename Number>
Number integerOf(const OrderedValue& value)
{
    using Limits = std::numeric_limits<Number>;
    const OrderedJson& json = value.json();
    if (!json.is_number_integer())
        value.fail("must be an integer");
    const bool isUnsigned = json.is_number_unsigned();
    if (isUnsigned && json.get<std::uint64_t>() > static_cast<std::uint64_t>(Limits::max()))
        value.fail("is too large");
    if (!isUnsigned
        && (!Limits::is_signed
            || json.get<std::int64_t>() < static_cast<std::int64_t>(Limits::min())))
        value.fail("is too small");
    return json.get<Number>();
}

// Null is NaN, which is written so.
template <typename Number>
Number numberOf(const OrderedValue& value)
{
    if (value.isNull())
        return std::numeric_limits<Number>::quiet_NaN();
    if (!value.isNumber())
        value.fail("must be a number or null");
    const auto number = value.json().get<double>();
    constexpr double kMax = std::numeric_limits<Number>::max();
    if (number > kMax || number < -kMax)
        value.fail("is too large");
    return static_cast<Number>(number);
}

// Reads a value; throws ReadError if it is wrong. readParts(value, field) reads fields that consist
// of members or elements.
template <typename Field, typename ReadParts>
void readField(const OrderedValue& value, Field& field, const ReadParts& readParts)
{
    if constexpr (requires { readParts(value, field); }) {
        readParts(value, field);
    } else if constexpr (kIsA<Field, std::optional>) {
        field.reset();
        if (!value.isNull()) {
            typename Field::value_type content{};
            readField(value, content, readParts);
            field = std::move(content);
        }
    } else if constexpr (kIsA<Field, Quantity>) {
        readField(value, field.value, readParts);
    } else if constexpr (std::is_enum_v<Field>) {
        std::optional<Field> parsed;
        if (!value.isString() || !parseWord(value.asString(), parsed))
            value.fail("is not a value known to this version");
        field = *parsed;
    } else if constexpr (std::is_same_v<Field, bool>) {
        field = value.asBoolean();
    } else if constexpr (std::is_integral_v<Field>) {
        field = integerOf<Field>(value);
    } else if constexpr (std::is_floating_point_v<Field>) {
        field = numberOf<Field>(value);
    } else if constexpr (std::is_same_v<Field, std::string>) {
        field = value.asString();
    } else if constexpr (std::is_same_v<Field, Message>) {
        if (!readMessage(value.json(), field))
            value.fail("must have a pattern and arguments");
    } else if constexpr (std::is_same_v<Field, Conversation>) {
        field = {};
        if (value.isNull())
            return;
        auto read = conversationOf(value.json());
        if (!read)
            value.fail("is no conversation, as " + read.error().message.english());
        field = *std::move(read);
    } else { // a list
        field.clear();
        for (const OrderedValue& element : value.elements())
            readField(element, field.emplace_back(), readParts);
    }
}

// Reads members of an object: visitFields(record, MemberReader{value}). A missing, null or wrong
// member leaves its field unchanged, and a wrong element of a list is left out, so that records can
// grow.
struct MemberReader {
    const OrderedValue& object;

    template <typename Field>
    void operator()(const char* name, Field& field) const
    {
        if (const auto value = object.find(name))
            read(*value, field);
    }

    // Returns false if the value is wrong.
    template <typename Field>
    static bool read(const OrderedValue& value, Field& field)
    {
        try {
            Field content = field;
            readField(value, content, Parts());
            field = std::move(content);
            return true;
        } catch (const ReadError&) {
            return false;
        }
    }

private:
    struct Parts {
        template <HasFields Fields>
        void operator()(const OrderedValue& value, Fields& record) const
        {
            visitFields(record, MemberReader{value.requireObject()});
        }
        template <typename T>
        void operator()(const OrderedValue& value, PerRail<T>& rails) const
        {
            for (const Rail rail : kRails)
                MemberReader{value.requireObject()}(name(rail).data(), rails[rail]);
        }
        // A setting of another type is left out.
        void operator()(const OrderedValue& value, RecordedSettings& settings) const
        {
            settings.clear();
            for (const auto& item : value.requireObject().json().items()) {
                const OrderedJson& json = item.value();
                RecordedSetting setting{.name = item.key(), .value = {}};
                if (json.is_boolean())
                    setting.value = json.get<bool>();
                else if (json.is_number_integer())
                    setting.value = json.get<std::int64_t>();
                else if (json.is_number())
                    setting.value = json.get<double>();
                else if (json.is_string())
                    setting.value = json.get<std::string>();
                else
                    continue;
                settings.push_back(std::move(setting));
            }
        }
        template <typename T>
        void operator()(const OrderedValue& value, std::vector<T>& list) const
        {
            list.clear();
            for (const OrderedValue& element : value.elements()) {
                T content{};
                if (read(element, content))
                    list.push_back(std::move(content));
            }
        }
    };
};

} // namespace ep::json
