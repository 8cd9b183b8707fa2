// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/json_parts.h"

#include "exchange/record_json.h"

#include "ep/core/clock.h"

namespace ep::store {

namespace detail {

void writeDerived(JsonWriter& json, std::string_view field, std::optional<std::int64_t> value)
{
    constexpr std::string_view kNanoseconds = "_ns";
    if (field == "created_at_ms") {
        json.member("created_at", isoTimestamp(*value));
    } else if (field.ends_with(kNanoseconds)) {
        field.remove_suffix(kNanoseconds.size());
        json.member(std::string(field) + "_ms",
                    value ? std::optional(milliseconds(*value)) : std::nullopt);
    }
}

} // namespace detail

void writeEnergy(JsonWriter& json, const EnergyValue& energy)
{
    json.beginObject(JsonWriter::Layout::Inline);
    json.member("total_mj", energy.total_mj);
    json.key("rails");
    writeRails(json, energy.rails_mj);
    json.member("provenance", energy.provenance);
    json.member("sd_mj", energy.sd_mj);
    json.member("alternative_mj", energy.alternative_mj);
    json.endObject();
}

void writeKnown(JsonWriter& json, const Tally& known)
{
    if (!known.partial())
        return;
    json.member("known_energy_mj", known.energy_mj);
    json.member("energy_uncovered_ns", known.uncovered_ns());
}

void writeTime(JsonWriter& json, const TimeRange& time, Nanoseconds runBegin)
{
    const Nanoseconds start = wrappingDifference(time.begin_ns, runBegin);
    json.member("start_ns", start);
    json.member("duration_ns", time.duration_ns());
    json.member("start_ms", milliseconds(start));
    json.member("duration_ms", milliseconds(time.duration_ns()));
}

void writeNoTime(JsonWriter& json)
{
    for (const char* part : {"start_ns", "duration_ns", "start_ms", "duration_ms"})
        json.member(part, std::optional<int>());
}

void writeDuration(JsonWriter& json, Nanoseconds duration)
{
    json.member("duration_ns", duration);
    json.member("duration_ms", milliseconds(duration));
}

void writeWork(JsonWriter& json, const std::optional<SpanWork>& work)
{
    json.member("flops", work ? std::optional(work->flops) : std::nullopt);
    json.member("bytes", work ? std::optional(work->bytes) : std::nullopt);
}

void writeStats(JsonWriter& json, const std::optional<ActivationStats>& stats)
{
    if (!stats) {
        json.value(std::optional<int>());
        return;
    }
    json.beginObject(JsonWriter::Layout::Inline);
    json.member("mean_abs", stats->mean_abs);
    json.member("std", stats->std);
    json.member("max_abs", stats->max_abs);
    json.member("sparsity", stats->sparsity);
    json.endObject();
}

void writeExtras(JsonWriter& json, const SharedExtras& extras)
{
    json.tree(extras ? extrasJson(*extras) : ep::json::OrderedJson());
}

} // namespace ep::store
