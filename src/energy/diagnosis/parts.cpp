// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run's energy (or time) went.
#include "evidence.h"

#include "ep/core/enum_words.h"
#include "ep/core/run_part.h"
#include "ep/energy/unusual_cost.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace ep::energy {

namespace {

constexpr SpentPart kCommand{"the command as a whole", "The command as a whole", {"power"}};

SpentPart spentOn(Phase phase)
{
    if (phase == Phase::Idle)
        return {phraseOf(phase), title(Remainder::BetweenPhases), {"power"}};
    return {phraseOf(phase), title(phase), {"phases", phase}};
}

// Phrases that follow "54 % went into".
constexpr std::array<const char*, kRunPartCount> kPartPhrases{"the embedding",
                                                              "attention",
                                                              "the MLPs",
                                                              "norms and residuals",
                                                              "the KV cache",
                                                              "the layers",
                                                              "the output head",
                                                              "sampling",
                                                              "the tokenizer",
                                                              "other work",
                                                              "the time between parts",
                                                              ""};

SpentPart spentOn(const WorkNode& node)
{
    const RunPart part = node.part();
    if (part == RunPart::Outside)
        return spentOn(node.phase);
    return {wordOf(kPartPhrases, part), title(part),
            node.component ? CausePlace{"heatmap", {}, node.component}
                           : CausePlace{"phases", node.phase}};
}

double amountOf(const WorkNode& node, bool ofTime)
{
    return ofTime ? node.amount.seconds : node.sum.complete()->value / kMillijoulesPerJoule;
}

} // namespace

Spending spendingOf(const Diagnosis& diagnosis)
{
    Spending spending;
    spending.of_time = !std::ranges::all_of(diagnosis.nodes, [](const DividedNode& divided) {
        return divided.node.sum.complete().has_value();
    });
    spending.of_phases = std::ranges::none_of(diagnosis.nodes, [](const DividedNode& divided) {
        return divided.node.component.has_value();
    });
    // A command that sent no spans has no phases, so there is nothing between phases.
    const bool undivided = diagnosis.inside == Inside::OfCommand
        && std::ranges::all_of(diagnosis.nodes, [](const DividedNode& divided) {
                               return divided.node.phase == Phase::Idle;
                           });
    std::map<Phase, double> phases;
    std::map<std::string_view, double> largestNodes; // by phrase
    for (const auto& [node, division] : diagnosis.nodes) {
        const double amount = amountOf(node, spending.of_time);
        spending.total += amount;
        phases[node.phase] += amount;
        const SpentPart part = undivided ? kCommand
            : spending.of_phases         ? spentOn(node.phase)
                                         : spentOn(node);
        auto same =
            std::ranges::find(spending.parts, std::string_view(part.phrase), &SpentPart::phrase);
        if (same == spending.parts.end())
            same = spending.parts.insert(same, part);
        same->amount += amount;
        double& largest = largestNodes[part.phrase];
        if (amount > largest) { // the place that shows most of the part
            largest = amount;
            same->place = part.place;
        }
    }
    for (const auto& [phase, amount] : phases) {
        const double share = spending.total > 0.0 ? amount / spending.total : 0.0;
        if (share > spending.main_share) {
            spending.main_phase = phase;
            spending.main_share = share;
        }
    }
    for (SpentPart& part : spending.parts)
        part.share = spending.total > 0.0 ? part.amount / spending.total : 0.0;
    std::ranges::stable_sort(spending.parts, std::ranges::greater(), &SpentPart::amount);
    return spending;
}

namespace {

// The cost of a part, and its counted work node by node, because limits hold for each node.
struct CountedPart {
    const char* phrase = "";
    double amount = 0.0; // J or s
    std::vector<Amount> work;

    double predicted(const Prices& prices, bool ofTime) const
    {
        double sum = 0.0;
        for (const Amount& node : work) {
            const double seconds = prices.least(node);
            sum += ofTime ? seconds : prices.of({node.flops, node.bytes, seconds});
        }
        return sum;
    }
};

std::vector<CountedPart> countedPartsOf(const Diagnosis& diagnosis, bool ofTime)
{
    std::vector<CountedPart> parts;
    for (const auto& [node, division] : diagnosis.nodes) {
        if (node.kind != WorkNode::Kind::Work || !(node.amount.flops + node.amount.bytes > 0.0))
            continue;
        const SpentPart part = spentOn(node);
        auto same = std::ranges::find(parts, std::string_view(part.phrase), &CountedPart::phrase);
        if (same == parts.end())
            same = parts.insert(same, {part.phrase, 0.0, {}});
        same->amount += amountOf(node, ofTime);
        same->work.push_back(node.amount);
    }
    return parts;
}

} // namespace

std::optional<UnusualPart> unusualPartOf(const Diagnosis& diagnosis)
{
    constexpr double kMinExcess = 0.1; // share of the run
    constexpr double kMinRatio = 1.5;
    const bool ofTime = diagnosis.of_time;
    const MachineCosts& costs = diagnosis.costs;
    if (diagnosis.inside != Inside::Known || costs.ceilings == CostOrigin::Unknown
        || (!ofTime && costs.energies == CostOrigin::Unknown)
        || (!ofTime && spendingOf(diagnosis).of_time))
        return std::nullopt;
    const std::vector<CountedPart> parts = countedPartsOf(diagnosis, ofTime);
    double counted = 0.0;
    double total = 0.0;
    for (const CountedPart& part : parts)
        counted += part.amount;
    for (const DividedNode& divided : diagnosis.nodes)
        total += amountOf(divided.node, ofTime);
    if (!(total > 0.0))
        return std::nullopt;
    std::optional<UnusualPart> furthest;
    for (const CountedPart& part : parts) {
        const Estimate predicted = costs.propagate([&](const Prices& prices) {
            double all = 0.0;
            for (const CountedPart& each : parts)
                all += each.predicted(prices, ofTime);
            return all > 0.0 ? part.predicted(prices, ofTime) / all : 0.0;
        });
        const double ofRun = counted / total;
        const UnusualPart found{part.phrase, ofTime, part.amount / total, predicted.value * ofRun};
        const bool stands = found.share - predicted.ci95().high * ofRun >= kMinExcess
            && found.expected > 0.0 && found.ratio() >= kMinRatio;
        if (stands
            && (!furthest || found.share - found.expected > furthest->share - furthest->expected))
            furthest = found;
    }
    return furthest;
}

} // namespace ep::energy
