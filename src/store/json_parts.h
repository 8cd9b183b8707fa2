// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "json_writer.h"

#include "ep/core/run.h"

// Pieces that the JSON of a run and of its summary share. Times are written relative to the begin
// of the run, each as exact nanoseconds and as milliseconds.
namespace ep::store {

void writeInfo(JsonWriter& json, const RunInfo& info);
void writeMetrics(JsonWriter& json, const RunMetrics& metrics);
void writePowerQuality(JsonWriter& json, const std::optional<PowerQuality>& quality);
// {total_mj, rails: {cpu, ...}, provenance}
void writeEnergy(JsonWriter& json, const EnergyValue& energy);
// Members start_ns, duration_ns, start_ms, duration_ms of the object that is open.
void writeTime(JsonWriter& json, const TimeRange& time, Nanoseconds runBegin);
// The two members of a length without a place.
void writeDuration(JsonWriter& json, Nanoseconds duration);

template <typename Quantity>
void writeRails(JsonWriter& json, const PerRail<Quantity>& rails)
{
    json.beginObject(JsonWriter::Layout::Inline);
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        json.member(name(static_cast<Rail>(rail)), rails.values[rail]);
    json.endObject();
}

} // namespace ep::store
