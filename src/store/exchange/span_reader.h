// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_reader.h"
#include "tables/span_fields.h"

#include <optional>
#include <type_traits>

// Reads the fields of spans and samples (tables/span_fields.h) from their JSON. Times are relative
// to the start of the run, as in the JSON.
namespace ep::store {

enum class MayBeCut { No, Yes }; // interrupted: its times are null

// Refuses extreme times, so that sums of times cannot overflow.
void checkTime(Nanoseconds time, const JsonPlace& place, JsonProblem& problem);

namespace detail {

// False: the span was interrupted.
bool readTime(JsonObject& object, TimeRange& time, MayBeCut mayBeCut);

// For fields that are more than one member's value.
void readGroup(JsonObject& object, const char* member, std::optional<SpanWork>& work);
void readGroup(JsonObject& object, const char* member, SpanEnergyNotes& notes);
void readGroup(JsonObject& object, const char* member, std::optional<ActivationStats>& stats);
void readGroup(JsonObject& object, const char* member, SharedExtras& extras);
void readGroup(JsonObject& object, const char* member, Instant<Nanoseconds> instant);
template <typename Quantity>
void readGroup(JsonObject& object, const char* member, PerRail<Quantity>& rails)
{
    if (const Json* value = object.find(member))
        readRails(*value, {&object.place(), member}, object.problem(), rails);
}

template <typename Value>
void readSpanMember(JsonObject& object, const SpanField& field, Value& value)
{
    if constexpr (requires { readGroup(object, field.member, value); })
        readGroup(object, field.member, value);
    else if (field.required)
        object.require(field.member, value);
    else
        object.read(field.member, value);
}

} // namespace detail

// False: the span was interrupted.
template <typename Span>
bool readSpan(JsonObject& object, Span& span, MayBeCut mayBeCut = MayBeCut::No)
{
    bool whole = true;
    visitSpanFields(span, [&](const SpanField& field, auto&& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if (*field.member == '\0')
            return;
        if constexpr (std::is_same_v<Value, TimeRange>)
            whole = detail::readTime(object, value, mayBeCut);
        else
            detail::readSpanMember(object, field, value);
    });
    return whole;
}

} // namespace ep::store
