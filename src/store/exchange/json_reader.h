// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/record_fields.h"

#include "ep/json/record.h"

#include <string>
#include <string_view>
#include <type_traits>

// Reads the values of a run's JSON. Problems are thrown as json::ReadError with their place:
// "tokens[3].energy.total_mj must be a number or null".
namespace ep::store {

using Json = json::OrderedJson;
using JsonValue = json::OrderedValue;

// An object of a run's JSON, with all members of which writeRecord() may have written it.
class JsonObject : public json::StrictObject {
public:
    using StrictObject::StrictObject;

    bool isNull(const char* name)
    {
        const auto member = findOrNull(name);
        return member && member->isNull();
    }
    // Returns false if the member is missing; the field is then unchanged.
    template <typename Field>
    bool read(const char* name, Field& field);
    template <typename Field>
    void require(const char* name, Field& field)
    {
        if (!read(name, field))
            value().fail(name, "is missing");
    }
    // Calls readElement(element) for each element of a list.
    template <typename ReadElement>
    void readList(const char* name, const ReadElement& readElement)
    {
        const auto list = findOrNull(name);
        for (const JsonValue& element : list ? list->elements() : std::vector<JsonValue>())
            readElement(element);
    }
    // For members added by writeRecord(): x_ms, derived from the field x_ns.
    void ignoreMilliseconds(std::string_view field)
    {
        constexpr std::string_view kNanoseconds = "_ns";
        if (field.ends_with(kNanoseconds))
            ignore(std::string(field.substr(0, field.size() - kNanoseconds.size())) + "_ms");
    }
    void finish() const { refuseOthers("is not a member of the format"); }
};

// Reads fields that consist of members.
struct ReadParts {
    template <HasFields Fields>
    void operator()(const JsonValue& value, Fields& record) const
    {
        JsonObject object(value);
        visitFields(record, [&](const char* name, auto& field) {
            // A count that the server did not state is null.
            constexpr bool kCount =
                std::is_same_v<
                    Fields, RunInfo> && std::is_same_v<std::remove_cvref_t<decltype(field)>, int>;
            if (!kCount || !object.isNull(name))
                object.read(name, field);
            object.ignoreMilliseconds(name);
        });
        if constexpr (std::is_same_v<Fields, RunInfo>)
            object.ignore("created_at");
        object.finish();
    }
    template <typename Quantities>
    void operator()(const JsonValue& value, PerRail<Quantities>& rails) const
    {
        JsonObject object(value);
        for (const Rail rail : kRails)
            object.read(name(rail).data(), rails[rail]);
        object.finish();
    }
    template <typename Tag>
    void operator()(const JsonValue& value, Quantity<Tag>& quantity) const
    {
        json::readField(value, quantity.value, *this);
        if (quantity.value < 0.0)
            value.fail("must not be negative");
    }
    // RunBuilder gives it its pattern later.
    void operator()(const JsonValue& value, Message& message) const { message = value.asString(); }
    void operator()(const JsonValue& value, EnergyValue& energy) const
    {
        energy = {};
        JsonObject object(value);
        object.read("total_mj", energy.total_mj);
        object.read("provenance", energy.provenance);
        object.read("sd_mj", energy.sd_mj);
        object.read("alternative_mj", energy.alternative_mj);
        object.read("rails", energy.rails_mj);
        object.finish();
    }
};

template <typename Field>
bool JsonObject::read(const char* name, Field& field)
{
    const auto member = findOrNull(name);
    if (member)
        json::readField(*member, field, ReadParts());
    return member.has_value();
}

} // namespace ep::store
