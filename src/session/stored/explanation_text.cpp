// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/session/explain.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::session {

namespace {

using Json = json::OrderedJson;
using energy::Diagnosis;
using energy::Division;
using energy::Estimate;
using energy::Finding;
using energy::Picojoules;

Json estimateJson(const Estimate& estimate)
{
    const energy::Interval ci = estimate.ci95();
    return {{"value", estimate.value}, {"low", ci.low}, {"high", ci.high}};
}

Json optionalJson(const std::optional<Estimate>& estimate)
{
    return estimate ? estimateJson(*estimate) : Json();
}

// A predicted saving is an upper bound: effects that the prediction omits can only reduce it.
Json upToJson(std::optional<Estimate> saving)
{
    if (!saving)
        return {};
    Json json = estimateJson(*saving);
    json["low"] = std::min(0.0, json["low"].get<double>());
    return json;
}

Json partJson(Picojoules part, double sd)
{
    return estimateJson({energy::toDouble(part) * energy::kPico, sd});
}

Json divisionJson(const Division& division)
{
    return {{"whole", energy::toDouble(division.whole) * energy::kPico},
            {"compute", partJson(division.compute, division.compute_sd)},
            {"memory", partJson(division.memory, division.memory_sd)},
            {"static", partJson(division.idle, division.idle_sd)},
            {"rest", partJson(division.rest, division.rest_sd)}};
}

// In the order of WorkNode::Kind and of Trial.
constexpr std::array kKindWords{"work", "host", "gap"};
constexpr std::array kTrialWords{"study", "options", "elsewhere"};

Json costsJson(const energy::MachineCosts& costs)
{
    using energy::CostOrigin;
    using energy::Prices;
    const auto constant = [&](double Prices::*which, CostOrigin origin) {
        return origin == CostOrigin::Unknown ? Json() : estimateJson(costs.of(which));
    };
    return {{"energies", name(costs.energies)},
            {"ceilings", name(costs.ceilings)},
            {"joules_per_flop", constant(&Prices::joules_per_flop, costs.energies)},
            {"joules_per_byte", constant(&Prices::joules_per_byte, costs.energies)},
            {"static_watts", constant(&Prices::watts, costs.energies)},
            {"seconds_per_flop", constant(&Prices::seconds_per_flop, costs.ceilings)},
            {"seconds_per_byte", constant(&Prices::seconds_per_byte, costs.ceilings)}};
}

Json nodeJson(const energy::DividedNode& divided)
{
    const energy::WorkNode& node = divided.node;
    return {{"phase", name(node.phase)},
            {"part", node.word()},
            {"kind", wordOf(kKindWords, node.kind)},
            {"seconds", node.amount.seconds},
            {"flops", node.amount.flops},
            {"bytes", node.amount.bytes},
            {"division", divided.division ? divisionJson(*divided.division) : Json()}};
}

Json causeJson(const Finding& finding)
{
    const energy::CauseFacts& facts = energy::factsOf(finding.cause);
    const bool known = finding.explained.value > 0.0; // a guess has no amount
    return {{"id", facts.id},
            {"title", facts.title},
            {"judgement", name(finding.judgement)},
            {"probability", finding.probability},
            {"explained", known ? estimateJson(finding.explained) : Json()},
            {"share", known ? estimateJson(finding.share) : Json()},
            {"evidence", finding.evidence},
            {"settled_by", finding.missing}};
}

Json remedyJson(const energy::Remedy& remedy)
{
    return {{"lever", name(remedy.lever)},
            {"cause", energy::factsOf(remedy.cause).id},
            {"what", remedy.what},
            {"setting", remedy.setting},
            {"trial", wordOf(kTrialWords, remedy.trial)},
            {"how", remedy.how},
            {"saving", upToJson(remedy.saving)},
            {"share", upToJson(remedy.share)}};
}

Json triedJson(const TriedRemedy& tried)
{
    const AdviceRecord& advice = tried.advice;
    return {{"experiment", advice.experiment},
            {"lever", advice.lever},
            {"setting", advice.setting},
            {"quantity", advice.of_time ? "time" : "energy"},
            {"predicted", estimateJson({advice.share.value, advice.share.sd})},
            {"observed", optionalJson(tried.observed)},
            {"held", tried.observed ? Json(tried.held) : Json()}};
}

Json unusualJson(const Explanation& explanation)
{
    if (const auto& unusual = explanation.unusual)
        return {{"sentence", energy::lineOf(*unusual)},
                {"joules_per_token", unusual->joules_per_token},
                {"median_joules_per_token", unusual->median},
                {"other_runs", unusual->others}};
    if (const auto& part = explanation.unusual_part)
        return {{"sentence", energy::lineOf(*part)},
                {"part", part->phrase},
                {"quantity", part->of_time ? "time" : "energy"},
                {"share", part->share},
                {"expected_share", part->expected}};
    return {};
}

std::string barText(double share)
{
    constexpr double kCells = 24.0;
    const auto full = static_cast<int>(std::lround(kCells * share));
    std::string text;
    for (int i = 0; i < static_cast<int>(kCells); ++i)
        text += i < full ? "█" : "·";
    return text;
}

} // namespace

Message lineOf(const TriedRemedy& tried)
{
    const AdviceRecord& advice = tried.advice;
    return {"Tried %1: predicted %2, observed %3", advice.lever + ' ' + advice.setting,
            energy::formatShare({advice.share.value, advice.share.sd}),
            tried.observed ? energy::formatShare(*tried.observed) : Message("nothing yet")};
}

std::string explanationToJson(const Explanation& explanation, int indent)
{
    const Diagnosis& diagnosis = explanation.diagnosis;
    Json nodes = Json::array();
    for (const energy::DividedNode& divided : diagnosis.nodes)
        nodes.push_back(nodeJson(divided));
    Json causes = Json::array();
    for (const Finding& finding : diagnosis.findings)
        causes.push_back(causeJson(finding));
    Json bars = Json::array();
    for (const AnswerBar& bar : explanation.bars)
        bars.push_back({{"title", bar.title},
                        {"amount", bar.amount},
                        {"share", bar.share},
                        {"place", bar.place.chart}});
    Json remedies = Json::array();
    for (const energy::Remedy& remedy : explanation.remedies)
        remedies.push_back(remedyJson(remedy));
    Json tried = Json::array();
    for (const TriedRemedy& one : explanation.tried)
        tried.push_back(triedJson(one));
    const Json json{{"format", "energy-profiler-explanation"},
                    {"version", 1},
                    {"run", explanation.run},
                    {"answer", diagnosis.answer},
                    {"unusual", unusualJson(explanation)},
                    {"reason", diagnosis.reason},
                    {"quantity", diagnosis.of_time ? "time" : "energy"},
                    {"unit", diagnosis.unit()},
                    {"bars", bars},
                    {"machine", costsJson(diagnosis.costs)},
                    {"division", divisionJson(diagnosis.whole)},
                    {"nodes", nodes},
                    {"causes", causes},
                    {"actions", remedies},
                    {"tried", tried},
                    {"notes", diagnosis.notes}};
    return json::textOf(json, indent);
}

std::string explanationToText(const Explanation& explanation)
{
    const Diagnosis& diagnosis = explanation.diagnosis;
    std::string text = diagnosis.answer + '\n';
    if (const Message unusual = explanation.unusualLine(); !unusual.empty())
        text += unusual.english() + '\n';
    if (!diagnosis.reason.empty())
        text += diagnosis.reason + '\n';
    text += '\n';
    for (const AnswerBar& bar : explanation.bars)
        text += barText(bar.share) + "  " + formatPercent(bar.share) + "  " + bar.amount + "  "
            + bar.title + '\n';
    const auto named = diagnosis.named();
    if (!named.empty())
        text += "\nCauses\n";
    for (const Finding* finding : named)
        text += "  " + energy::lineOf(diagnosis, *finding).english() + '\n';
    const auto doubts = energy::doubtsOf(diagnosis);
    if (!doubts.empty())
        text += "\nNot enough data\n";
    for (const Message& doubt : doubts)
        text += "  " + doubt.english() + '\n';
    if (!explanation.remedies.empty())
        text += "\nWhat to do\n";
    for (std::size_t i = 0; i < explanation.remedies.size(); ++i)
        text += "  " + std::to_string(i + 1) + "  "
            + energy::lineOf(diagnosis, explanation.remedies[i]).english() + '\n';
    for (const TriedRemedy& tried : explanation.tried) {
        if (tried.observed)
            text += "  " + lineOf(tried).english() + '\n';
    }
    if (const Message record = trackRecordOf(explanation.tried); !record.empty())
        text += "  " + record.english() + '\n';
    for (const std::string& note : diagnosis.notes)
        text += "\nNote: " + note;
    return diagnosis.notes.empty() ? text : text + '\n';
}

} // namespace ep::session
