// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_view.h"

#include "ep/core/clock.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/tally.h"
#include "ep/core/trace_lookup.h"
#include "ep/session/comparison.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ep::api {

namespace {

Json energyJson(const EnergyValue& energy)
{
    Json json{{"energy_mj", energy.total_mj},
              {"energy_provenance", std::string(name(energy.provenance))}};
    for (const Rail rail : kRails)
        json[std::string(name(rail)) + "_energy_mj"] = energy.rails_mj[rail];
    return json;
}

// Adds the energy of the time that samples cover, and the time that they do not cover.
Json energyJson(const EnergyValue& energy, const Tally& known)
{
    Json json = energyJson(energy);
    json["known_energy_mj"] = known.energy_mj;
    json["energy_uncovered_ms"] = toMilliseconds(known.uncovered_ns());
    return json;
}

std::map<Component, Tally> byComponent(const Run& run)
{
    std::map<Component, Tally> sums;
    for (const Span& span : run.trace.components)
        sums[span.component].add(tallyOf(span));
    return sums;
}

} // namespace

Json runItem(const RunSummary& run)
{
    const RunInfo& info = run.info;
    Json json{{"id", info.id},
              {"run_id", info.id},
              {"title", info.title},
              {"status", std::string(name(info.status))},
              {"status_message", info.status_message},
              {"created_at", isoTimestamp(info.created_at_ms)},
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
              {"input_tokens", inputTokens(info)},
              {"output_tokens", outputTokens(info)},
              {"energy_provenance", std::string(name(run.metrics.energy.provenance))},
              {"known_energy_mj", knownEnergy(run).energy_mj}};
    for (const RunFigureFacts& facts : kRunFigures)
        json[facts.api] = apiValueOf(facts.figure, run);
    return json;
}

Json runSummary(const Run& run)
{
    Json json = runItem({run.info, run.metrics});
    json["rails"] = energyJson(run.metrics.energy, knownEnergy(run));
    json["phases"] = Json::array();
    for (const PhaseSpan& phase : run.trace.phases) {
        Json one{{"phase", std::string(name(phase.phase))},
                 {"duration_ms", toMilliseconds(phase.time.duration_ns())}};
        one.update(energyJson(phase.energy, knownEnergy(run.trace, phase)));
        json["phases"].push_back(std::move(one));
    }
    json["components"] = Json::array();
    for (const auto& [component, sum] : byComponent(run)) {
        json["components"].push_back({{"component_name", std::string(name(component))},
                                      {"time_ms", toMilliseconds(sum.duration_ns)},
                                      {"energy_mj", sum.complete()},
                                      {"known_energy_mj", sum.energy_mj},
                                      {"energy_uncovered_ms", toMilliseconds(sum.uncovered_ns())}});
    }
    // Counts the samples of the run itself, without those of the baseline before it.
    const auto& quality = run.info.power.quality;
    json["power_samples"] = quality ? quality->samples : 0;
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
        for (const Span& section : run.trace.sections) {
            if (section.phase != phase.phase)
                continue;
            Json part{{"section_name", std::string(name(section.section))},
                      {"token", section.token == kNoToken ? Json() : Json(section.token)}};
            one["sections"].push_back(timed(std::move(part), section.time, section.energy()));
        }
        phases.push_back(std::move(one));
    }
    return {{"run_id", run.info.id},
            {"total_duration_ms", toMilliseconds(run.metrics.duration_ns)},
            {"total_energy_mj", run.metrics.energy.total_mj},
            {"phases", std::move(phases)}};
}

Json runComparison(const std::vector<energy::RunGroup>& groups)
{
    const energy::Comparison comparison = energy::compare(groups);
    Json items = Json::array();
    for (const energy::RunGroup& group : groups) {
        const Run& run = *group.runs.front().run;
        items.push_back(runItem({run.info, run.metrics}));
    }
    Json differences = Json::array();
    for (std::size_t i = 1; i < groups.size(); ++i) {
        Json metrics = Json::object();
        for (const RunFigureFacts& facts : kRunFigures) {
            const energy::MetricRow* row = comparison.row(facts.figure);
            const auto test = row ? row->groups[i].test : std::nullopt;
            metrics[facts.api] = {
                {"absolute", test ? Json(toApiUnit(facts.figure, test->difference)) : Json()},
                {"relative", test ? Json(test->relative) : Json()}};
        }
        differences.push_back({{"run_id", items[i].at("id")}, {"metrics", std::move(metrics)}});
    }
    Json cautions = Json::array();
    for (const energy::ComparisonWarning& warning : comparison.warnings)
        cautions.push_back(warning.text);
    Json quality = Json::array();
    for (std::size_t i = 0; i < groups.size(); ++i)
        quality.push_back(qualitySentence(comparison, i));
    const Json whole = Json::parse(session::comparisonToJson(comparison, -1));
    return {{"baseline", items[0].at("id")},         {"runs", std::move(items)},
            {"differences", std::move(differences)}, {"cautions", std::move(cautions)},
            {"comparison", whole.at("comparison")},  {"tree", whole.at("tree")},
            {"tree_tests", whole.at("tree_tests")},  {"quality", std::move(quality)}};
}

} // namespace ep::api
