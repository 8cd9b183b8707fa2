// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run's energy (or time) went, by the parts that a user of transformers names.
#include "ep/core/layer_block.h"
#include "ep/core/own_part.h"
#include "ep/energy/diagnosis.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace ep::energy {

namespace {

constexpr SpentPart kMlps{"the MLPs", "MLPs", {"heatmap", {}, Component::DownProj}};
constexpr SpentPart kExperts{"the experts", "Experts", {"heatmap", {}, Component::Experts}};
constexpr SpentPart kAttention{"attention", "Attention", {"heatmap", {}, Component::OProj}};
constexpr SpentPart kNorms{
    "norms and residuals", "Norms and residuals", {"heatmap", {}, Component::Residual}};
constexpr SpentPart kHead{"the output head", "Output head", {"phases", Phase::Decode}};
constexpr SpentPart kEmbedding{"the embedding", "Embedding", {"phases", Phase::Decode}};
constexpr SpentPart kSampling{"sampling", "Sampling", {"phases", Phase::Decode}};
constexpr SpentPart kTokenizer{"the tokenizer", "Tokenizer", {"phases", Phase::PreInference}};
constexpr SpentPart kOtherWork{"other work", "Other work", {"phases"}};
constexpr SpentPart kGaps{"the time between parts", "Between parts", {"phases"}};
constexpr SpentPart kOutside{"the time between phases", "Between phases", {"power"}};
constexpr SpentPart kCommand{"the command as a whole", "The command as a whole", {"power"}};

SpentPart partOf(Section section)
{
    switch (section) {
    case Section::FinalNorm:
    case Section::LmHead:
        return kHead;
    case Section::Embedding:
    case Section::PositionEmbedding:
        return kEmbedding;
    case Section::Sampling:
        return kSampling;
    case Section::Tokenization:
    case Section::Detokenization:
        return kTokenizer;
    default:
        return kOtherWork;
    }
}

SpentPart partOf(Phase phase);

SpentPart partOf(const WorkNode& node)
{
    if (node.phase == Phase::Idle)
        return kOutside;
    if (node.kind == WorkNode::Kind::Gap)
        return node.phase == Phase::Prefill || node.phase == Phase::Decode ? kGaps
                                                                           : partOf(node.phase);
    if (node.component) {
        switch (blockOf(*node.component)) {
        case LayerBlock::Attention:
            return kAttention;
        case LayerBlock::Mlp:
            return *node.component == Component::Experts || *node.component == Component::Router
                    || *node.component == Component::SharedExpert
                ? kExperts
                : kMlps;
        case LayerBlock::Neither:
            return isOwn(*node.component) ? kOtherWork : kNorms;
        }
    }
    return node.section ? partOf(*node.section) : kOtherWork;
}

SpentPart partOf(Phase phase)
{
    switch (phase) {
    case Phase::PreInference:
        return {"preparing", "Preparation", {"phases", phase}};
    case Phase::Prefill:
        return {"reading the prompt", "Prefill", {"phases", phase}};
    case Phase::Decode:
        return {"decoding", "Decode", {"phases", phase}};
    case Phase::PostInference:
        return {"work after the last token", "After the last token", {"phases", phase}};
    case Phase::Load:
        return {"loading the model", "Loading the model", {"phases", phase}};
    case Phase::Queue:
        return {"waiting for other requests", "Queue", {"phases", phase}};
    case Phase::Idle:
        break;
    }
    return kOutside;
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
    // A command that sent no spans has no phases, so nothing lies between them.
    const bool undivided = diagnosis.inside == Inside::OfCommand
        && std::ranges::all_of(diagnosis.nodes, [](const DividedNode& divided) {
                               return divided.node.phase == Phase::Idle;
                           });
    std::map<Phase, double> phases;
    for (const auto& [node, division] : diagnosis.nodes) {
        const double amount = amountOf(node, spending.of_time);
        spending.total += amount;
        phases[node.phase] += amount;
        const SpentPart part = undivided ? kCommand
            : spending.of_phases         ? partOf(node.phase)
                                         : partOf(node);
        auto same =
            std::ranges::find(spending.parts, std::string_view(part.phrase), &SpentPart::phrase);
        if (same == spending.parts.end())
            same = spending.parts.insert(same, part);
        same->amount += amount;
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

} // namespace ep::energy
