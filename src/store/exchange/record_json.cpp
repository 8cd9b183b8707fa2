// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/record_json.h"

#include "tables/packed_span.h"
#include "tables/record_fields.h"

#include "ep/json/record.h"

#include <vector>

namespace ep::store {

namespace {

using json::MemberReader;
using json::MemberWriter;
using json::OrderedJson;
using json::OrderedValue;

OrderedJson powerJson(const PowerInfo& power)
{
    OrderedJson json = OrderedJson::object();
    if (power.quality && *power.quality != PowerQuality{})
        visitDetails(*power.quality, MemberWriter{json["quality"]});
    const MemberWriter write{json};
    write("sample_kind", power.sample_kind);
    write("baseline", power.baseline);
    write("attribution", power.attribution);
    write("rated_mw", power.rated_mw);
    write("battery_mj", power.battery_mj);
    return json;
}

void readPower(const OrderedValue& record, PowerInfo& power)
{
    if (!record.isObject())
        return;
    const auto quality = record.find("quality");
    if (power.quality && quality && quality->isObject()) {
        // Files of version 0.1 distinguish only low and automatic.
        std::optional<bool> low;
        MemberReader{*quality}("low_power_mode", low);
        if (low)
            power.quality->power_mode = *low ? PowerMode::Low : PowerMode::Automatic;
        visitDetails(*power.quality, MemberReader{*quality});
    }
    const MemberReader read{record};
    read("sample_kind", power.sample_kind);
    read("baseline", power.baseline);
    read("attribution", power.attribution);
    read("rated_mw", power.rated_mw);
    read("battery_mj", power.battery_mj);
}

// Times are relative to the start of the run.
OrderedJson sampleJson(const PowerSample& sample, Nanoseconds clockStart)
{
    OrderedJson json;
    const MemberWriter write{json};
    write("start_ns", sample.window.begin_ns - clockStart);
    write("duration_ns", sample.window.duration_ns());
    write("power_mw", sample.power_mw);
    write("energy_mj", sample.energy_mj);
    write("modelled", sample.modelled);
    return json;
}

PowerSample readSample(const OrderedValue& json, Nanoseconds clockStart)
{
    PowerSample sample;
    Nanoseconds start = 0;
    Nanoseconds duration = 0;
    const MemberReader read{json};
    read("start_ns", start);
    read("duration_ns", duration);
    read("power_mw", sample.power_mw);
    read("energy_mj", sample.energy_mj);
    read("modelled", sample.modelled);
    sample.window = {start + clockStart, start + clockStart + duration};
    sample.arrival_ns = sample.window.end_ns;
    sample.total_mw = totalOf(sample.power_mw);
    return sample;
}

OrderedJson secondaryJson(const RunTrace& trace)
{
    OrderedJson list = OrderedJson::array();
    for (const SecondarySource& source : trace.secondary) {
        OrderedJson json;
        const MemberWriter write{json};
        write("source", source.source);
        write("detail", source.detail);
        write("notice", source.notice);
        json["samples"] = OrderedJson::array();
        for (const PowerSample& sample : source.samples)
            json["samples"].push_back(sampleJson(sample, trace.time.begin_ns));
        list.push_back(std::move(json));
    }
    return list;
}

void readSecondary(const OrderedValue& list, RunTrace& trace)
{
    if (!list.isArray())
        return;
    for (const OrderedValue& json : list.elements()) {
        if (!json.isObject())
            continue;
        SecondarySource& source = trace.secondary.emplace_back();
        const MemberReader read{json};
        read("source", source.source);
        read("detail", source.detail);
        read("notice", source.notice);
        const auto samples = json.find("samples");
        if (!samples || !samples->isArray())
            continue;
        for (const OrderedValue& sample : samples->elements()) {
            if (sample.isObject())
                source.samples.push_back(readSample(sample, trace.time.begin_ns));
        }
    }
}

} // namespace

OrderedJson energyRecordJson(const Run& run)
{
    OrderedJson json = powerJson(run.info.power);
    if (!run.trace.secondary.empty())
        json["secondary"] = secondaryJson(run.trace);
    return json;
}

void readEnergyRecord(const OrderedJson& record, Run& run)
{
    const OrderedValue value(record);
    readPower(value, run.info.power);
    if (const auto secondary = value.isObject() ? value.find("secondary") : std::nullopt)
        readSecondary(*secondary, run.trace);
}

std::string energyRecordText(const PowerInfo& power)
{
    return json::textOf(powerJson(power));
}

void readEnergyRecordText(const std::string& text, PowerInfo& power)
{
    if (text != "{}")
        readPower(OrderedValue(json::parsedOrNull(text)), power);
}

std::string secondaryText(const RunTrace& trace)
{
    return trace.secondary.empty() ? "[]" : json::textOf(secondaryJson(trace));
}

void readSecondaryText(const std::string& text, RunTrace& trace)
{
    if (text != "[]")
        readSecondary(OrderedValue(json::parsedOrNull(text)), trace);
}

namespace {

std::string headsKey(const char* key)
{
    return std::string(key) + "_heads";
}

} // namespace

OrderedJson profilingJson(const ProfilingRecord& record)
{
    return MemberWriter::valueOf(record);
}

void readProfiling(const OrderedJson& json, ProfilingRecord& record)
{
    MemberReader::read(OrderedValue(json), record);
}

std::string profilingText(const ProfilingRecord& record)
{
    return record == ProfilingRecord() ? "{}" : json::textOf(profilingJson(record));
}

void readProfilingText(const std::string& text, ProfilingRecord& record)
{
    if (text != "{}")
        readProfiling(json::parsedOrNull(text), record);
}

OrderedJson extrasJson(const OperationExtras& extras)
{
    OrderedJson heads = OrderedJson::object();
    OrderedJson json = OrderedJson::object();
    visitExtras(extras, [&](PackField, const char* key, const auto& value) {
        if constexpr (!std::is_same_v<decltype(value), const std::vector<float>&>) {
            MemberWriter{json}(key, value);
        } else if (!value.empty()) {
            heads[key] = *meanOf(value);
            heads[headsKey(key)] = value;
        }
    });
    heads.update(json); // the heads come first
    return heads;
}

OperationExtras readExtras(const OrderedJson& json)
{
    OperationExtras extras;
    if (!json.is_object())
        return extras;
    const OrderedValue object(json);
    visitExtras(extras, [&](PackField, const char* key, auto& value) {
        if constexpr (!std::is_same_v<decltype(value), std::vector<float>&>) {
            MemberReader{object}(key, value);
        } else if (const auto found = json.find(headsKey(key));
                   found != json.end() && found->is_array()) {
            for (const OrderedJson& head : *found)
                value.push_back(head.is_number() ? head.template get<float>() : 0.0F);
        }
    });
    return extras;
}

std::optional<std::string> extrasText(const SharedExtras& extras)
{
    if (!extras)
        return std::nullopt;
    return json::textOf(extrasJson(*extras));
}

} // namespace ep::store
