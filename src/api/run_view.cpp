// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_view.h"

#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace ep::api {

namespace {

Json msOrNull(const std::optional<Nanoseconds>& duration)
{
    return duration ? Json(toMilliseconds(*duration)) : Json();
}

std::string isoTime(std::int64_t wallClockMs, bool utc)
{
    const auto seconds = static_cast<std::time_t>(wallClockMs / 1000);
    std::tm time = {};
    if (utc)
        ::gmtime_r(&seconds, &time);
    else
        ::localtime_r(&seconds, &time);
    std::array<char, 40> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &time);
    std::string fraction = std::to_string(1000 + wallClockMs % 1000);
    fraction[0] = '.';
    return std::string(text.data(), length) + fraction + (utc ? "Z" : "");
}

Json energyJson(const EnergyValue& energy)
{
    Json json{{"energy_mj", orNull(energy.total_mj)},
              {"energy_provenance", std::string(name(energy.provenance))}};
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System})
        json[std::string(name(rail)) + "_energy_mj"] = orNull(energy.rails_mj[rail]);
    return json;
}

std::map<Component, Tally> byComponent(const Run& run)
{
    std::map<Component, Tally> sums;
    for (const ComponentSpan& span : run.trace.components)
        sums[span.component].add(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
    return sums;
}

} // namespace

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json runItem(const RunSummary& run)
{
    const RunInfo& info = run.info;
    const RunMetrics& metrics = run.metrics;
    return {{"id", info.id},
            {"run_id", info.id},
            {"title", info.title},
            {"status", std::string(name(info.status))},
            {"status_message", info.status_message},
            // Local and without a zone, as scripts compare it with datetime.now().
            {"created_at", isoTime(info.created_at_ms, false)},
            {"created_at_utc", isoTime(info.created_at_ms, true)},
            {"created_at_ms", info.created_at_ms},
            {"model_name", info.model.name},
            {"model_path", info.model.path},
            {"prompt", info.prompt},
            {"response", info.response},
            {"tags", info.tags},
            {"experiment_name", info.experiment},
            {"profiling_depth", std::string(name(info.depth))},
            {"device", info.device},
            {"dtype", info.dtype},
            {"batch_size", std::max<std::size_t>(1, info.batch.size())},
            {"power_source", info.power.source},
            {"quality",
             info.power.quality ? Json(std::string(name(info.power.quality->verdict))) : Json()},
            {"input_tokens", info.input_tokens},
            {"output_tokens", info.output_tokens},
            {"total_duration_ms", toMilliseconds(metrics.duration_ns)},
            {"total_energy_mj", orNull(metrics.energy.total_mj)},
            {"energy_provenance", std::string(name(metrics.energy.provenance))},
            {"joules_per_token", orNull(metrics.joules_per_token)},
            {"joules_per_input_token", orNull(metrics.joules_per_input_token)},
            {"joules_per_output_token", orNull(metrics.joules_per_output_token)},
            {"tokens_per_joule", orNull(metrics.tokens_per_joule)},
            {"tokens_per_second", orNull(metrics.tokens_per_second)},
            {"time_to_first_token_ms", msOrNull(metrics.time_to_first_token_ns)},
            {"mean_power_mw", orNull(metrics.mean_power_mw)},
            {"peak_power_mw", orNull(metrics.peak_power_mw)},
            {"edp_joule_seconds", orNull(metrics.edp_joule_seconds)}};
}

Json runSummary(const Run& run)
{
    Json json = runItem({run.info, run.metrics});
    json["rails"] = energyJson(run.metrics.energy);
    json["phases"] = Json::array();
    for (const PhaseSpan& phase : run.trace.phases) {
        Json one{{"phase", std::string(name(phase.phase))},
                 {"duration_ms", toMilliseconds(phase.time.duration_ns())}};
        one.update(energyJson(phase.energy));
        json["phases"].push_back(std::move(one));
    }
    json["components"] = Json::array();
    for (const auto& [component, sum] : byComponent(run)) {
        json["components"].push_back({{"component_name", std::string(name(component))},
                                      {"time_ms", toMilliseconds(sum.duration_ns)},
                                      {"energy_mj", orNull(sum.energy_mj)},
                                      {"energy_uncovered_ms", toMilliseconds(sum.uncovered_ns())}});
    }
    json["power_samples"] = run.trace.samples.size();
    return json;
}

Json runPipeline(const Run& run)
{
    const Nanoseconds zero = run.trace.time.begin_ns;
    const auto timed = [&](Json json, const TimeRange& time, const EnergyValue& energy) {
        json["start_ms"] = toMilliseconds(time.begin_ns - zero);
        json["end_ms"] = toMilliseconds(time.end_ns - zero);
        json["duration_ms"] = toMilliseconds(time.duration_ns());
        json.update(energyJson(energy));
        return json;
    };
    Json phases = Json::array();
    for (const PhaseSpan& phase : run.trace.phases) {
        Json one = timed({{"phase", std::string(name(phase.phase))}}, phase.time, phase.energy);
        one["sections"] = Json::array();
        for (const SectionSpan& section : run.trace.sections) {
            if (section.phase != phase.phase)
                continue;
            Json part{{"section_name", std::string(name(section.section))},
                      {"token", section.token == kNoToken ? Json() : Json(section.token)}};
            one["sections"].push_back(timed(std::move(part), section.time, section.energy));
        }
        phases.push_back(std::move(one));
    }
    return {{"run_id", run.info.id},
            {"total_duration_ms", toMilliseconds(run.metrics.duration_ns)},
            {"total_energy_mj", orNull(run.metrics.energy.total_mj)},
            {"phases", std::move(phases)}};
}

Json runComparison(const std::vector<RunSummary>& runs)
{
    constexpr std::array kMetrics = {
        "total_duration_ms",      "total_energy_mj",         "joules_per_token",
        "joules_per_input_token", "joules_per_output_token", "tokens_per_joule",
        "tokens_per_second",      "time_to_first_token_ms",  "mean_power_mw",
        "peak_power_mw",          "edp_joule_seconds"};
    Json items = Json::array();
    for (const RunSummary& run : runs)
        items.push_back(runItem(run));
    Json differences = Json::array();
    for (std::size_t i = 1; i < items.size(); ++i) {
        Json metrics = Json::object();
        for (const char* metric : kMetrics) {
            const Json& first = items[0].at(metric);
            const Json& other = items[i].at(metric);
            if (first.is_null() || other.is_null()) {
                metrics[metric] = {{"absolute", nullptr}, {"relative", nullptr}};
                continue;
            }
            const double from = first.get<double>();
            const double absolute = other.get<double>() - from;
            metrics[metric] = {{"absolute", absolute},
                               {"relative", from != 0.0 ? Json(absolute / from) : Json()}};
        }
        differences.push_back({{"run_id", items[i].at("id")}, {"metrics", std::move(metrics)}});
    }
    Json cautions = Json::array();
    const std::array<std::pair<const char*, const char*>, 6> sameness = {
        {{"device", "devices"},
         {"dtype", "dtypes"},
         {"power_source", "power sources"},
         {"profiling_depth", "profiling depths"},
         {"input_tokens", "prompt lengths"},
         {"batch_size", "batch sizes"}}};
    for (const auto& [key, words] : sameness) {
        const bool same = std::all_of(items.begin(), items.end(), [&, key = key](const Json& item) {
            return item.at(key) == items[0].at(key);
        });
        if (!same)
            cautions.push_back(std::string("The runs differ in their ") + words + ".");
    }
    cautions.push_back("Single runs carry no test of significance; repeat each configuration at "
                       "least three times to compare them.");
    return {{"baseline", items[0].at("id")},
            {"runs", std::move(items)},
            {"differences", std::move(differences)},
            {"cautions", std::move(cautions)}};
}

} // namespace ep::api
