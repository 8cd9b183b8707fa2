// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy_record_json.h"

#include <cmath>

namespace ep::store {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Parsed = nlohmann::json;

// Writing

template <typename Quantity>
OrderedJson railsJson(const PerRail<Quantity>& rails)
{
    OrderedJson json = OrderedJson::object();
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (rails.values[i])
            json[std::string(name(static_cast<Rail>(i)))] = rails.values[i]->value;
    }
    return json;
}

template <typename Value>
void put(OrderedJson& json, const char* key, const std::optional<Value>& value)
{
    if (!value)
        return;
    if constexpr (requires { value->value; })
        json[key] = value->value;
    else
        json[key] = *value;
}

OrderedJson railNames(const std::vector<Rail>& rails)
{
    OrderedJson list = OrderedJson::array();
    for (const Rail rail : rails)
        list.push_back(std::string(name(rail)));
    return list;
}

OrderedJson qualityJson(const PowerQuality& quality)
{
    OrderedJson json = {{"max_interval_ms", quality.max_interval_ms},
                        {"gaps", quality.gaps},
                        {"dropped", quality.dropped},
                        {"stuck", railNames(quality.stuck)},
                        {"batched", railNames(quality.batched)},
                        {"incomplete", railNames(quality.incomplete)},
                        {"thermal_pressure", std::string(name(quality.thermal))},
                        {"verdict", std::string(name(quality.verdict))},
                        {"reasons", quality.reasons}};
    put(json, "on_battery", quality.on_battery);
    if (quality.power_mode)
        json["power_mode"] = std::string(name(*quality.power_mode));
    put(json, "other_cpu_share", quality.other_cpu_share);
    return json;
}

OrderedJson baselineJson(const BaselineRecord& baseline)
{
    OrderedJson json = {{"moment", std::string(name(baseline.moment))},
                        {"power_mw", railsJson(baseline.power_mw)},
                        {"sd_mw", railsJson(baseline.sd_mw)},
                        {"duration_ns", baseline.duration_ns},
                        {"samples", baseline.samples},
                        {"age_ns", baseline.age_ns}};
    put(json, "total_mw", baseline.total_mw);
    put(json, "total_sd_mw", baseline.total_sd_mw);
    put(json, "effective_samples", baseline.effective_samples);
    return json;
}

OrderedJson costsJson(const UnitCosts& costs)
{
    return {{"pj_per_byte", costs.pj_per_byte},
            {"pj_per_flop", costs.pj_per_flop},
            {"time_mw", costs.time_mw},
            {"pj_per_byte_sd", costs.pj_per_byte_sd},
            {"pj_per_flop_sd", costs.pj_per_flop_sd},
            {"time_mw_sd", costs.time_mw_sd},
            {"relative_residual", costs.relative_residual}};
}

OrderedJson attributionJson(const AttributionRecord& record)
{
    OrderedJson json = {{"asked", std::string(name(record.asked))},
                        {"method", std::string(name(record.method))},
                        {"note", record.note},
                        {"offset_ns", record.offset_ns},
                        {"offset_sd_ns", record.offset_sd_ns},
                        {"offset_applied", record.offset_applied},
                        {"closure", record.closure}};
    if (!record.fit)
        return json;
    OrderedJson rails = OrderedJson::object();
    for (std::size_t i = 0; i < kRailCount; ++i) {
        if (const auto& costs = record.fit->rails.values[i])
            rails[std::string(name(static_cast<Rail>(i)))] = costsJson(*costs);
    }
    json["fit"] = {{"windows", record.fit->windows},
                   {"condition", record.fit->condition},
                   {"rails", std::move(rails)}};
    return json;
}

OrderedJson sourceJson(const SecondarySource& source, Nanoseconds clockStart)
{
    OrderedJson samples = OrderedJson::array();
    for (const PowerSample& sample : source.samples) {
        samples.push_back({{"start_ns", sample.window.begin_ns - clockStart},
                           {"duration_ns", sample.window.duration_ns()},
                           {"power_mw", railsJson(sample.power_mw)},
                           {"energy_mj", railsJson(sample.energy_mj)},
                           {"modelled", sample.modelled}});
    }
    return {{"source", source.source},
            {"detail", source.detail},
            {"notice", source.notice},
            {"samples", std::move(samples)}};
}

// Reading

void take(const Parsed& json, const char* key, double& value)
{
    if (const auto found = json.find(key); found != json.end() && found->is_number())
        value = found->get<double>();
}
void take(const Parsed& json, const char* key, std::int64_t& value)
{
    if (const auto found = json.find(key); found != json.end() && found->is_number_integer())
        value = found->get<std::int64_t>();
}
void take(const Parsed& json, const char* key, bool& value)
{
    if (const auto found = json.find(key); found != json.end() && found->is_boolean())
        value = found->get<bool>();
}
void take(const Parsed& json, const char* key, std::string& value)
{
    if (const auto found = json.find(key); found != json.end() && found->is_string())
        value = found->get<std::string>();
}
template <typename Enum, typename FromName>
void takeWord(const Parsed& json, const char* key, Enum& value, FromName fromName)
{
    std::string word;
    take(json, key, word);
    value = fromName(word).value_or(value);
}
template <typename Value>
void takeOptional(const Parsed& json, const char* key, std::optional<Value>& value)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return;
    if constexpr (requires { value->value; })
        take(json, key, value.emplace().value);
    else
        take(json, key, value.emplace());
}
template <typename Quantity>
void takeRails(const Parsed& json, const char* key, PerRail<Quantity>& rails)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object())
        return;
    for (std::size_t i = 0; i < kRailCount; ++i)
        takeOptional(*found, std::string(name(static_cast<Rail>(i))).c_str(), rails.values[i]);
}
void takeRailNames(const Parsed& json, const char* key, std::vector<Rail>& rails)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array())
        return;
    for (const Parsed& word : *found) {
        const auto rail = word.is_string() ? railFromName(word.get<std::string>()) : std::nullopt;
        if (rail)
            rails.push_back(*rail);
    }
}

void readQuality(const Parsed& json, PowerQuality& quality)
{
    take(json, "max_interval_ms", quality.max_interval_ms);
    take(json, "gaps", quality.gaps);
    take(json, "dropped", quality.dropped);
    takeRailNames(json, "stuck", quality.stuck);
    takeRailNames(json, "batched", quality.batched);
    takeRailNames(json, "incomplete", quality.incomplete);
    takeWord(json, "thermal_pressure", quality.thermal, thermalPressureFromName);
    takeWord(json, "verdict", quality.verdict, qualityVerdictFromName);
    takeOptional(json, "on_battery", quality.on_battery);
    // Files of version 0.1 tell low from automatic only.
    if (std::optional<bool> low; takeOptional(json, "low_power_mode", low), low)
        quality.power_mode = *low ? PowerMode::Low : PowerMode::Automatic;
    if (std::string word; take(json, "power_mode", word), !word.empty())
        quality.power_mode = powerModeFromName(word);
    takeOptional(json, "other_cpu_share", quality.other_cpu_share);
    if (const auto found = json.find("reasons"); found != json.end() && found->is_array()) {
        for (const Parsed& reason : *found) {
            if (reason.is_string())
                quality.reasons.push_back(reason.get<std::string>());
        }
    }
}

BaselineRecord readBaseline(const Parsed& json)
{
    BaselineRecord baseline;
    takeWord(json, "moment", baseline.moment, baselineMomentFromName);
    takeRails(json, "power_mw", baseline.power_mw);
    takeRails(json, "sd_mw", baseline.sd_mw);
    takeOptional(json, "total_mw", baseline.total_mw);
    takeOptional(json, "total_sd_mw", baseline.total_sd_mw);
    takeOptional(json, "effective_samples", baseline.effective_samples);
    take(json, "duration_ns", baseline.duration_ns);
    take(json, "samples", baseline.samples);
    take(json, "age_ns", baseline.age_ns);
    return baseline;
}

CostFit readFit(const Parsed& json)
{
    CostFit fit;
    take(json, "windows", fit.windows);
    take(json, "condition", fit.condition);
    const auto rails = json.find("rails");
    for (std::size_t i = 0; rails != json.end() && rails->is_object() && i < kRailCount; ++i) {
        const auto found = rails->find(std::string(name(static_cast<Rail>(i))));
        if (found == rails->end() || !found->is_object())
            continue;
        UnitCosts& costs = fit.rails.values[i].emplace();
        take(*found, "pj_per_byte", costs.pj_per_byte);
        take(*found, "pj_per_flop", costs.pj_per_flop);
        take(*found, "time_mw", costs.time_mw);
        take(*found, "pj_per_byte_sd", costs.pj_per_byte_sd);
        take(*found, "pj_per_flop_sd", costs.pj_per_flop_sd);
        take(*found, "time_mw_sd", costs.time_mw_sd);
        take(*found, "relative_residual", costs.relative_residual);
    }
    return fit;
}

AttributionRecord readAttribution(const Parsed& json)
{
    AttributionRecord record;
    takeWord(json, "asked", record.asked, attributionMethodFromName);
    takeWord(json, "method", record.method, attributionMethodFromName);
    take(json, "note", record.note);
    take(json, "offset_ns", record.offset_ns);
    take(json, "offset_sd_ns", record.offset_sd_ns);
    take(json, "offset_applied", record.offset_applied);
    take(json, "closure", record.closure);
    if (const auto fit = json.find("fit"); fit != json.end() && fit->is_object())
        record.fit = readFit(*fit);
    return record;
}

SecondarySource readSource(const Parsed& json, Nanoseconds clockStart)
{
    SecondarySource source;
    take(json, "source", source.source);
    take(json, "detail", source.detail);
    take(json, "notice", source.notice);
    const auto samples = json.find("samples");
    if (samples == json.end() || !samples->is_array())
        return source;
    for (const Parsed& one : *samples) {
        if (!one.is_object())
            continue;
        PowerSample sample;
        std::int64_t start = 0;
        std::int64_t duration = 0;
        take(one, "start_ns", start);
        take(one, "duration_ns", duration);
        sample.window = {start + clockStart, start + clockStart + duration};
        sample.arrival_ns = sample.window.end_ns;
        takeRails(one, "power_mw", sample.power_mw);
        takeRails(one, "energy_mj", sample.energy_mj);
        take(one, "modelled", sample.modelled);
        sample.total_mw = totalOf(sample.power_mw);
        source.samples.push_back(sample);
    }
    return source;
}

OrderedJson powerJson(const PowerInfo& power)
{
    OrderedJson json = OrderedJson::object();
    if (power.quality && *power.quality != PowerQuality{})
        json["quality"] = qualityJson(*power.quality);
    if (power.sample_kind)
        json["sample_kind"] = std::string(name(*power.sample_kind));
    if (power.baseline)
        json["baseline"] = baselineJson(*power.baseline);
    if (power.attribution)
        json["attribution"] = attributionJson(*power.attribution);
    put(json, "rated_mw", power.rated_mw);
    put(json, "battery_mj", power.battery_mj);
    return json;
}

OrderedJson secondaryJson(const RunTrace& trace)
{
    OrderedJson list = OrderedJson::array();
    for (const SecondarySource& source : trace.secondary)
        list.push_back(sourceJson(source, trace.time.begin_ns));
    return list;
}

void readPower(const Parsed& record, PowerInfo& power)
{
    if (!record.is_object())
        return;
    const auto object = [&](const char* key) -> const Parsed* {
        const auto found = record.find(key);
        return found != record.end() && found->is_object() ? &*found : nullptr;
    };
    if (const Parsed* quality = object("quality"); quality != nullptr && power.quality)
        readQuality(*quality, *power.quality);
    std::string kind;
    take(record, "sample_kind", kind);
    power.sample_kind = sampleKindFromName(kind);
    if (const Parsed* baseline = object("baseline"))
        power.baseline = readBaseline(*baseline);
    if (const Parsed* attribution = object("attribution"))
        power.attribution = readAttribution(*attribution);
    takeOptional(record, "rated_mw", power.rated_mw);
    takeOptional(record, "battery_mj", power.battery_mj);
}

void readSecondary(const Parsed& list, RunTrace& trace)
{
    if (!list.is_array())
        return;
    for (const Parsed& source : list) {
        if (source.is_object())
            trace.secondary.push_back(readSource(source, trace.time.begin_ns));
    }
}

std::string dumped(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace

OrderedJson energyRecordJson(const Run& run)
{
    OrderedJson json = powerJson(run.info.power);
    if (!run.trace.secondary.empty())
        json["secondary"] = secondaryJson(run.trace);
    return json;
}

void readEnergyRecord(const Parsed& record, Run& run)
{
    readPower(record, run.info.power);
    if (!record.is_object())
        return;
    if (const auto secondary = record.find("secondary"); secondary != record.end())
        readSecondary(*secondary, run.trace);
}

std::string energyRecordText(const PowerInfo& power)
{
    return dumped(powerJson(power));
}

void readEnergyRecordText(const std::string& text, PowerInfo& power)
{
    if (text != "{}")
        readPower(Parsed::parse(text, nullptr, false), power);
}

std::string secondaryText(const RunTrace& trace)
{
    return trace.secondary.empty() ? "[]" : dumped(secondaryJson(trace));
}

void readSecondaryText(const std::string& text, RunTrace& trace)
{
    if (text != "[]")
        readSecondary(Parsed::parse(text, nullptr, false), trace);
}

} // namespace ep::store
