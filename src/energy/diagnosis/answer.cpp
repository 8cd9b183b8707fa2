// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that explain why a run used its energy or time.
#include "evidence.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::size_t kAnswerParts = 3; // parts that the first sentence names at most
constexpr double kNamedShare = 0.02; // share from which a second or third part is named
// Two amounts this close change places from one repeat to the next.
constexpr double kAlike = 0.8;

struct Spent {
    const char* on; // "reading weights"
    double amount = 0.0; // J or s
};

double unitsOf(Picojoules part)
{
    return toDouble(part) * kPico;
}

// The purposes of reading memory, by kind of traffic.
constexpr std::array kReadings{"reading weights", "reading keys and values", "reading weights",
                               "reading weights", "moving activations"};

// What the time is for that the work of a node does not need, by kind of node.
constexpr std::array kRests{"waiting within parts", "work that is not counted",
                            "time between parts"};

// The parts of one phase and their shares, largest amount first.
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
        add("computing", unitsOf(division.compute));
        add(wordOf(kReadings, trafficOf(divided.node)), unitsOf(division.memory));
        add("static power", unitsOf(division.idle));
        add(!diagnosis.of_time ? "nothing that the model of the machine explains"
                               : wordOf(kRests, divided.node.kind),
            unitsOf(division.rest));
    }
    std::vector<Spent> list;
    for (const auto& [on, spent] : sums)
        list.push_back(spent);
    std::ranges::sort(list, std::ranges::greater(), &Spent::amount);
    return list;
}

std::string amountText(bool ofTime, double value)
{
    constexpr double kNanoseconds = 1e9;
    return ofTime ? formatDuration(std::llround(value * kNanoseconds))
                  : formatEnergy(Millijoules{value * kMillijoulesPerJoule});
}

struct Conclusion {
    std::string share; // share of the run; empty: the conclusion is about all of it
    const char* text; // "the memory is the limit"
};

Conclusion conclusionOf(const Diagnosis& diagnosis)
{
    constexpr double kMain = 0.3; // share of the run from which a conclusion is about all of it
    const auto named = diagnosis.named();
    if (!named.empty()) {
        const Finding& first = *named.front();
        const double second = named.size() > 1 ? named[1]->explained.value : 0.0;
        if (second > kAlike * first.explained.value && first.explained.value > 0.0)
            return {{}, "which of the causes below is the largest is undecided"};
        const bool part = first.share.value > 0.0 && first.share.value < kMain;
        return {part ? formatPercent(first.share.value) : std::string(),
                factsOf(first.cause).verdict};
    }
    if (diagnosis.inside == Inside::OfServer)
        return {{}, "what a server does inside is not visible from outside"};
    if (diagnosis.inside == Inside::OfCommand)
        return {{}, "the command did not say what it computed"};
    const bool doubtful = std::ranges::any_of(diagnosis.findings, [](const Finding& finding) {
        return finding.judgement == Judgement::CannotTell;
    });
    return {{}, doubtful ? "there is not enough data to say why" : "nothing unusual"};
}

// The phase that most of the explained amount falls into, and its amount in J or s.
std::pair<Phase, double> mainPhaseOf(const Diagnosis& diagnosis)
{
    std::map<Phase, double> phases;
    for (const DividedNode& divided : diagnosis.nodes) {
        if (divided.division)
            phases[divided.node.phase] += unitsOf(divided.division->whole);
    }
    const auto most = std::ranges::max_element(
        phases, {}, [](const std::pair<const Phase, double>& entry) { return entry.second; });
    return most == phases.end() ? std::pair(Phase::Idle, 0.0)
                                : std::pair(most->first, most->second);
}

// The reason why nothing can be explained; null if something can.
const char* nothingOf(const Diagnosis& diagnosis)
{
    if (!(diagnosis.total() > 0.0))
        return "Nothing was recorded that could be explained.";
    return mainPhaseOf(diagnosis).second > 0.0 ? nullptr
                                               : "The energy of this run's parts is not known.";
}

} // namespace

const char* phraseOf(Phase phase)
{
    constexpr std::array<const char*, kPhaseCount> kPhrases{
        "the time between phases", "pre-inference",     "prefill",  "decode",
        "post-inference",          "loading the model", "the queue"};
    return wordOf(kPhrases, phase);
}

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

Message formatShare(const Estimate& share)
{
    const Interval ci = share.ci95();
    return {"%1 (%2 to %3)", formatPercent(share.value), formatPercent(std::max(0.0, ci.low)),
            formatPercent(std::max(0.0, ci.high))};
}

std::vector<Message> answersOf(const Diagnosis& diagnosis)
{
    if (const char* nothing = nothingOf(diagnosis))
        return {nothing};
    const Spending spending = spendingOf(diagnosis);
    std::vector<Message> answers; // shortest first
    Message parts;
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(spending.parts, [&](const SpentPart& part) {
            return &part == spending.parts.data() || part.share >= kNamedShare;
        }));
    const auto first = [&](std::size_t named) {
        Message text{"%1 of %2 went into %3", formatPercent(spending.parts[0].share),
                     formatAmount(spending, spending.total), spending.parts[0].phrase};
        for (std::size_t i = 1; i < named; ++i)
            text = Message(i + 1 < named ? "%1, %2 into %3" : "%1 and %2 into %3", text,
                           formatPercent(spending.parts[i].share), spending.parts[i].phrase);
        return text;
    };
    for (std::size_t named = 1; named <= std::min(count, kAnswerParts); ++named) {
        parts = first(named);
        answers.insert(answers.begin(), Message("%1.", parts));
    }
    if (!spending.of_phases)
        parts = Message("%1; %2 was spent in %3", parts, formatPercent(spending.main_share),
                        phraseOf(spending.main_phase));
    answers.insert(answers.begin(), Message("%1.", parts));
    return answers;
}

Message reasonOf(const Diagnosis& diagnosis)
{
    if (nothingOf(diagnosis))
        return {};
    const auto [phase, amount] = mainPhaseOf(diagnosis);
    const auto spent = spentIn(diagnosis, phase);
    const bool divided = diagnosis.of_time ? diagnosis.costs.ceilings != CostOrigin::Unknown
                                           : diagnosis.costs.energies != CostOrigin::Unknown;
    const auto [share, conclusion] = conclusionOf(diagnosis);
    Message text{"%1.", conclusion};
    if (!share.empty())
        text = Message("for %1 of the run, %2", share, text);
    if (divided && diagnosis.inside != Inside::OfCommand && !spent.empty()
        && spent.front().amount > 0.0) {
        const auto percent = [&spent, whole = amount](std::size_t i) {
            return formatPercent(spent[i].amount / whole);
        };
        Message main("%1 of %2 is %3", percent(0), phraseOf(phase), spent[0].on);
        if (spent.size() > 1 && spent[1].amount > kAlike * spent[0].amount)
            main = Message("%1 of %2 is %3, %4 %5", percent(0), phraseOf(phase), spent[0].on,
                           percent(1), spent[1].on);
        // A conclusion about a part of the run may lie outside of this phase, so a semicolon keeps
        // it from reading as a consequence.
        text = Message(share.empty() ? "%1: %2" : "%1; %2", main, text);
    }
    return text;
}

Message titleOf(const Diagnosis& diagnosis, const Finding& finding)
{
    const char* const title = factsOf(finding.cause).title;
    if (!(finding.explained.value > 0.0))
        return title;
    return {"%1: %2, %3", title, formatAmount(diagnosis, finding.explained.value),
            formatShare(finding.share)};
}

Message lineOf(const Diagnosis& diagnosis, const Finding& finding)
{
    const Message title = titleOf(diagnosis, finding);
    if (finding.judgement == Judgement::CannotTell)
        return {"%1. Not enough data. %2", title, finding.missing};
    return {"%1. %2", title, finding.evidence};
}

std::vector<Message> doubtsOf(const Diagnosis& diagnosis, const Reword& reword)
{
    std::vector<Message> lines;
    std::vector<std::pair<std::string, std::vector<Message>>> unknown; // missing fact, causes
    for (const Finding& finding : diagnosis.findings) {
        if (finding.judgement != Judgement::CannotTell)
            continue;
        if (finding.explained.value > 0.0) {
            lines.push_back(lineOf(diagnosis, finding));
            continue;
        }
        auto same = std::ranges::find(unknown, finding.missing,
                                      &std::pair<std::string, std::vector<Message>>::first);
        if (same == unknown.end())
            same = unknown.insert(same, {finding.missing, {}});
        same->second.emplace_back(factsOf(finding.cause).title);
    }
    for (auto& [missing, causes] : unknown)
        lines.emplace_back("%1. %2", sequence(std::move(causes), ", "),
                           reword ? reword(missing) : Message(missing));
    return lines;
}

} // namespace ep::energy
