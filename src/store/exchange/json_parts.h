// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/record_fields.h"
#include "tables/trace_columns.h"

#include "ep/core/run.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/tally.h"
#include "ep/json/conversation.h"
#include "ep/json/writer.h"

// Parts shared by the JSON of a run and of its summary. Times are relative to the start of the run,
// each as exact nanoseconds and as milliseconds.
namespace ep::store {

using ep::json::exactNumber;
using ep::json::jsonText;
using ep::json::JsonWriter;

// Rounded once, so that 560000 ns are written as 0.56.
constexpr double milliseconds(Nanoseconds duration)
{
    return static_cast<double>(duration) / 1e6;
}

// Writes a record with all its fields, each followed by the fields derived from it.
template <HasFields Fields>
void writeRecord(JsonWriter& json, const Fields& record);
// {total_mj, rails: {cpu, ...}, provenance, sd_mj, alternative_mj}
void writeEnergy(JsonWriter& json, const EnergyValue& energy);
// Writes start_ns, duration_ns, start_ms and duration_ms into the current object.
void writeTime(JsonWriter& json, const TimeRange& time, Nanoseconds runBegin);
void writeNoTime(JsonWriter& json); // writes the same members as null
// Writes the two members of a duration without a start.
void writeDuration(JsonWriter& json, Nanoseconds duration);

// Writes flops and bytes; null if unknown.
void writeWork(JsonWriter& json, const std::optional<SpanWork>& work);
// {mean_abs, std, max_abs, sparsity}, or null
void writeStats(JsonWriter& json, const std::optional<ActivationStats>& stats);
void writeExtras(JsonWriter& json, const SharedExtras& extras);

template <typename Quantity>
void writeRails(JsonWriter& json, const PerRail<Quantity>& rails)
{
    json.beginObject(JsonWriter::Layout::Inline);
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        json.member(name(static_cast<Rail>(rail)), rails.values[rail]);
    json.endObject();
}

// For partly covered energy: the known part and the uncovered time.
void writeKnown(JsonWriter& json, const Tally& known);

namespace detail {

// Writes created_at for created_at_ms, and x_ms for x_ns; nothing for other fields.
void writeDerived(JsonWriter& json, std::string_view field, std::optional<std::int64_t> value);

template <typename Field>
void writeField(JsonWriter& json, const Field& field)
{
    if constexpr (std::is_same_v<Field, EnergyValue>) {
        writeEnergy(json, field);
    } else if constexpr (std::is_same_v<Field, Message>) {
        json.value(field.english());
    } else if constexpr (std::is_same_v<Field, Conversation>) {
        json.valueText(field.empty() ? "null" : ep::json::conversationText(field));
    } else if constexpr (HasFields<Field>) {
        writeRecord(json, field);
    } else if constexpr (kIsA<Field, std::vector>) {
        json.beginArray(JsonWriter::Layout::Inline);
        for (const auto& element : field)
            writeField(json, element);
        json.endArray();
    } else if constexpr (std::is_same_v<Field, std::optional<PowerQuality>>) {
        if (field)
            writeRecord(json, *field);
        else
            json.value(std::optional<int>());
    } else {
        json.value(field);
    }
}

template <typename Value>
void writeSpanMember(JsonWriter& json, const char* name, const Value& value, Nanoseconds runBegin)
{
    if constexpr (std::is_same_v<Value, TimeRange>) {
        writeTime(json, value, runBegin);
    } else if constexpr (kIsA<Value, EnergyNotes>) {
        value.visitBoth([&](const char* one, const auto& note) {
            json.member(one, note ? std::optional(static_cast<double>(*note)) : std::nullopt);
        });
    } else if constexpr (std::is_same_v<Value, std::optional<SpanWork>>) {
        writeWork(json, value);
    } else if constexpr (kIsA<Value, Instant>) {
        json.member(name, wrappingDifference(value.ns, runBegin));
    } else {
        json.key(name);
        if constexpr (std::is_same_v<Value, EnergyValue>)
            writeEnergy(json, value);
        else if constexpr (kIsA<Value, PerRail>)
            writeRails(json, value);
        else if constexpr (std::is_same_v<Value, std::optional<ActivationStats>>)
            writeStats(json, value);
        else if constexpr (std::is_same_v<Value, SharedExtras>)
            writeExtras(json, value);
        else
            json.value(value);
    }
}

} // namespace detail

// Writes the fields of a span or a sample (span_fields.h) as members of the current object.
template <typename Span>
void writeSpan(JsonWriter& json, const Span& span, Nanoseconds runBegin, bool interrupted = false)
{
    for (const auto order : {SpanField::Order::First, SpanField::Order::Second}) {
        visitSpanFields(span, [&](const SpanField& field, const auto& value) {
            if (*field.member == '\0' || field.order != order)
                return;
            if (interrupted && std::is_same_v<std::remove_cvref_t<decltype(value)>, TimeRange>)
                writeNoTime(json);
            else
                detail::writeSpanMember(json, field.member, value, runBegin);
        });
    }
}

template <HasFields Fields>
void writeRecord(JsonWriter& json, const Fields& record)
{
    json.beginObject();
    visitFields(record, [&](const char* name, const auto& field) {
        json.key(name);
        if constexpr (std::is_same_v<Fields, RunInfo>) {
            if (isUnstated(record, name)) {
                json.value(std::optional<int>());
                return;
            }
        }
        detail::writeField(json, field);
        using Field = std::remove_cvref_t<decltype(field)>;
        if constexpr (std::is_same_v<
                          Field,
                          std::int64_t> || std::is_same_v<Field, std::optional<std::int64_t>>)
            detail::writeDerived(json, name, std::optional<std::int64_t>(field));
    });
    json.endObject();
}

} // namespace ep::store
