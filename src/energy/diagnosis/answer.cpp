// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that answer why a run took what it took.
#include "evidence.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::size_t kAnswerParts = 3; // parts that the first sentence names at most
constexpr double kNamedShare = 0.02; // share from which it names a second or third part

struct Spent {
    const char* on; // "reading weights"
    double amount = 0.0; // J or s
};

double unitsOf(Picojoules part)
{
    return toDouble(part) * kPico;
}

const char* readingOf(const WorkNode& node)
{
    switch (trafficOf(node)) {
    case Traffic::Weights:
    case Traffic::Experts:
    case Traffic::Head:
        return "reading weights";
    case Traffic::Context:
        return "reading keys and values";
    case Traffic::Activations:
        break;
    }
    return "moving activations";
}

// What one phase spent its share on, largest amount first.
std::vector<Spent> spentIn(const Diagnosis& diagnosis, Phase phase)
{
    std::map<std::string, Spent> sums;
    const auto add = [&](const char* on, double amount) {
        Spent& sum = sums[on];
        sum.on = on;
        sum.amount += amount;
    };
    for (const DividedNode& divided : diagnosis.nodes) {
        if (divided.node.phase != phase || !divided.division)
            continue;
        const Division& division = *divided.division;
        const bool works = divided.node.kind == WorkNode::Kind::Work;
        add("computing", unitsOf(division.compute));
        add(readingOf(divided.node), unitsOf(division.memory));
        add("static power", unitsOf(division.idle));
        add(!diagnosis.of_time ? "nothing that the model of the machine explains"
                : works        ? "waiting within parts"
                               : "time between parts",
            unitsOf(division.rest));
    }
    std::vector<Spent> list;
    for (const auto& [on, spent] : sums)
        list.push_back(spent);
    std::ranges::sort(list, std::ranges::greater(), &Spent::amount);
    return list;
}

const char* phaseWords(Phase phase)
{
    switch (phase) {
    case Phase::PreInference:
        return "preparation";
    case Phase::Prefill:
        return "prefill";
    case Phase::Decode:
        return "decode";
    case Phase::PostInference:
        return "work after the last token";
    case Phase::Load:
        return "loading the model";
    case Phase::Queue:
        return "waiting for other requests";
    case Phase::Idle:
        break;
    }
    return "time between phases";
}

std::string amountText(bool ofTime, double value)
{
    constexpr double kNanoseconds = 1e9;
    return ofTime ? formatDuration(std::llround(value * kNanoseconds))
                  : formatEnergy(Millijoules{value * kMillijoulesPerJoule});
}

void conclude(const Diagnosis& diagnosis, AnswerParts& parts)
{
    constexpr double kMain = 0.3; // share of the run from which a cause is what the run is about
    const auto named = diagnosis.named();
    if (!named.empty()) {
        const Finding& first = *named.front();
        parts.conclusion = factsOf(first.cause).verdict;
        if (first.share.value < kMain)
            parts.cause_share = formatPercent(first.share.value);
        return;
    }
    parts.conclusion = "nothing unusual";
    if (diagnosis.inside == Inside::OfServer)
        parts.conclusion = "what a server does inside is not visible from outside";
    else if (diagnosis.inside == Inside::OfCommand)
        parts.conclusion = "the command did not say what it computed";
    else if (std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
                 return finding.judgement == Judgement::CannotTell;
             }))
        parts.conclusion = "there is not enough data to say why";
}

} // namespace

RestWords restOf(const Diagnosis& diagnosis)
{
    if (!diagnosis.of_time)
        return {"Not explained", "what the model does not explain"};
    if (diagnosis.costs.ceilings == CostOrigin::Unknown || diagnosis.inside != Inside::Known)
        return {"Not divided", "what cannot be divided"};
    return {"Waiting", "waiting"};
}

std::string formatAmount(const Diagnosis& diagnosis, double value)
{
    return amountText(diagnosis.of_time, value);
}

std::string formatAmount(const Spending& spending, double value)
{
    return amountText(spending.of_time, value);
}

std::string formatShare(const Estimate& share)
{
    const Interval ci = share.ci95();
    return formatPercent(share.value) + " (" + formatPercent(std::max(0.0, ci.low)) + " to "
        + formatPercent(std::max(0.0, ci.high)) + ')';
}

AnswerParts answerPartsOf(const Diagnosis& diagnosis)
{
    AnswerParts parts;
    const double total = diagnosis.total();
    if (!(total > 0.0)) {
        parts.nothing = "Nothing was recorded that could be explained.";
        return parts;
    }
    std::map<Phase, double> phases;
    for (const DividedNode& divided : diagnosis.nodes) {
        if (divided.division)
            phases[divided.node.phase] += unitsOf(divided.division->whole);
    }
    const Spending spending = spendingOf(diagnosis);
    parts.amount = formatAmount(spending, spending.total);
    for (const SpentPart& part : spending.parts) {
        if (parts.parts.size() < kAnswerParts && (parts.parts.empty() || part.share >= kNamedShare))
            parts.parts.push_back({formatPercent(part.share), part.phrase});
    }
    if (!spending.of_phases) {
        parts.main_share = formatPercent(spending.main_share);
        parts.main_phase = phaseWords(spending.main_phase);
    }
    const auto most = std::ranges::max_element(
        phases, {}, [](const std::pair<const Phase, double>& entry) { return entry.second; });
    if (most == phases.end() || !(most->second > 0.0)) {
        parts.nothing = "The energy of this run's parts is not known.";
        return parts;
    }
    parts.phase = phaseWords(most->first);
    const auto spent = spentIn(diagnosis, most->first);
    const bool divided = diagnosis.of_time ? diagnosis.costs.ceilings != CostOrigin::Unknown
                                           : diagnosis.costs.energies != CostOrigin::Unknown;
    if (divided && diagnosis.inside != Inside::OfCommand && !spent.empty()
        && spent.front().amount > 0.0) {
        parts.spent_share = formatPercent(spent.front().amount / most->second);
        parts.spent_on = spent.front().on;
    }
    conclude(diagnosis, parts);
    return parts;
}

std::string answerOf(const Diagnosis& diagnosis)
{
    const AnswerParts parts = answerPartsOf(diagnosis);
    if (parts.nothing)
        return parts.nothing;
    std::string text;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        const AnswerParts::Share& part = parts.parts[i];
        text += i == 0
            ? part.share + " of " + parts.amount + " went into " + part.on
            : (i + 1 < parts.parts.size() ? ", " : " and ") + part.share + " into " + part.on;
    }
    if (!parts.main_share.empty())
        text += "; " + parts.main_share + " was spent in " + parts.main_phase;
    return text + '.';
}

std::string reasonOf(const Diagnosis& diagnosis)
{
    const AnswerParts parts = answerPartsOf(diagnosis);
    if (parts.nothing)
        return {};
    std::string text;
    if (parts.spent_on)
        text = parts.spent_share + " of " + parts.phase + " is " + parts.spent_on + ": ";
    if (!parts.cause_share.empty())
        text += "for " + parts.cause_share + " of the run, ";
    text += std::string(parts.conclusion) + '.';
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string lineOf(const Diagnosis& diagnosis, const Finding& finding)
{
    std::string text = factsOf(finding.cause).title;
    if (finding.explained.value > 0.0)
        text += ": " + formatAmount(diagnosis, finding.explained.value) + ", "
            + formatShare(finding.share);
    if (finding.judgement == Judgement::CannotTell)
        return text + ". Not enough data (probability " + formatPercent(finding.probability) + "). "
            + finding.missing;
    return text + ". " + finding.evidence;
}

std::vector<std::string> doubtsOf(const Diagnosis& diagnosis)
{
    std::vector<std::string> lines;
    std::vector<std::pair<std::string, std::vector<std::string>>> unknown; // missing fact, causes
    for (const Finding& finding : diagnosis.findings) {
        if (finding.judgement != Judgement::CannotTell)
            continue;
        if (finding.explained.value > 0.0) {
            lines.push_back(lineOf(diagnosis, finding));
            continue;
        }
        auto same = std::ranges::find(unknown, finding.missing,
                                      &std::pair<std::string, std::vector<std::string>>::first);
        if (same == unknown.end())
            same = unknown.insert(same, {finding.missing, {}});
        same->second.emplace_back(factsOf(finding.cause).title);
    }
    for (const auto& [missing, causes] : unknown)
        lines.push_back(joined(causes) + ". " + missing);
    return lines;
}

} // namespace ep::energy
