// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/work_nodes.h"

#include "ep/core/run_tree.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <array>
#include <map>

namespace ep::energy {

namespace {

constexpr std::array kRunPhases{Phase::PreInference, Phase::Prefill, Phase::Decode,
                                Phase::PostInference};

Provenance provenanceOfToken(const Run& run, std::int32_t token)
{
    const auto& tokens = run.trace.tokens;
    const auto found = std::ranges::find(tokens, token, &TokenSpan::index);
    return found == tokens.end() ? Provenance::Missing : found->energy.provenance;
}

struct ComponentSum {
    Tally sum;
    WorkSum work;
};
using ComponentSums = std::map<Component, ComponentSum>;

Amount amountOf(const WorkSum& work)
{
    return {.flops = work.flops, .bytes = work.bytes};
}

ComponentSums sumsOfAll(const std::vector<ComponentTotal>& totals)
{
    ComponentSums sums;
    for (const ComponentTotal& total : totals) {
        ComponentSum& sum = sums[total.component];
        sum.sum.add(total.sum);
        sum.work.add(total.work);
    }
    return sums;
}

ComponentSums sumsOfFirst(const RunParts& parts)
{
    ComponentSums sums;
    const Provenance how = provenanceOfToken(parts.run, 0);
    for (const Span& span : componentsOf(parts.first_step, 0)) {
        ComponentSum& sum = sums[span.component];
        sum.sum.add(span.time.duration_ns(), span.energy_mj, how);
        sum.work.add(span.work);
    }
    return sums;
}

// Decode work after the first step.
ComponentSum minus(const ComponentSum& all, const ComponentSum& first)
{
    ComponentSum rest{.sum = all.sum - first.sum,
                      .work = {.flops = all.work.flops - first.work.flops,
                               .bytes = all.work.bytes - first.work.bytes,
                               .complete = all.work.complete && first.work.complete}};
    rest.sum.provenance = all.sum.provenance;
    return rest;
}

class NodeList {
public:
    explicit NodeList(const RunParts& parts)
        : m_parts(parts)
        , m_all(sumsOfAll(parts.totals))
        , m_first(sumsOfFirst(parts))
    {
    }

    std::vector<WorkNode> build()
    {
        const Run& run = m_parts.run;
        Tally outside = tallyOf(run.trace.time, run.metrics.energy);
        const std::vector<PhaseSum> sums = sumsOfPhases(run.trace);
        for (const Phase phase : kRunPhases) {
            const auto own = std::ranges::find(sums, phase, &PhaseSum::phase);
            if (own == sums.end())
                continue;
            outside = outside - own->stored;
            addPhase(*own);
        }
        addGap(Phase::Idle, outside);
        return std::move(m_nodes);
    }

private:
    void addPhase(const PhaseSum& of)
    {
        Tally rest = of.stored;
        for (const SectionSum& own : of.sections) {
            rest = rest - own.sum;
            WorkNode node{.kind = WorkNode::Kind::Host,
                          .phase = of.phase,
                          .section = own.section,
                          .sum = own.sum,
                          .amount = amountOf(own.work)};
            if (own.section == Section::Layers)
                rest.add(addLayers(of.phase, node));
            else
                add(std::move(node), true);
        }
        addGap(of.phase, rest);
    }

    // Returns what the components do not account for.
    Tally addLayers(Phase phase, const WorkNode& layers)
    {
        if (m_all.empty()) { // components were not recorded
            add(layers, true);
            return {};
        }
        Tally rest = layers.sum;
        for (const auto& [component, all] : m_all) {
            const auto first = m_first.find(component);
            const ComponentSum none;
            const ComponentSum& prefill = first == m_first.end() ? none : first->second;
            const ComponentSum sum = phase == Phase::Prefill ? prefill : minus(all, prefill);
            if (sum.sum.duration_ns <= 0)
                continue;
            WorkNode node{.phase = phase, .component = component, .sum = sum.sum};
            node.amount = sum.work.complete ? amountOf(sum.work) : Amount{};
            rest = rest - node.sum;
            add(std::move(node), sum.work.complete);
        }
        return rest;
    }

    void addGap(Phase phase, const Tally& rest)
    {
        if (rest.duration_ns == 0 && (!rest.energy_mj || rest.energy_mj->value == 0.0))
            return;
        add({.kind = WorkNode::Kind::Gap, .phase = phase, .sum = rest}, false);
    }

    void add(WorkNode node, bool counted)
    {
        const bool works = counted && (node.amount.flops > 0.0 || node.amount.bytes > 0.0);
        if (works)
            node.kind = WorkNode::Kind::Work;
        else if (node.component)
            node.kind = WorkNode::Kind::Host;
        node.amount.seconds = toSeconds(node.sum.duration_ns);
        m_nodes.push_back(std::move(node));
    }

    const RunParts& m_parts;
    ComponentSums m_all;
    ComponentSums m_first;
    std::vector<WorkNode> m_nodes;
};

Picojoules pico(double value)
{
    return roundedPicojoules(value / kPico);
}

} // namespace

std::string WorkNode::word() const
{
    if (component)
        return std::string(name(*component));
    if (kind == Kind::Gap)
        return inText(
            title(phase == Phase::Idle ? Remainder::BetweenPhases : Remainder::BetweenParts));
    return section ? std::string(name(*section)) : std::string(name(phase));
}

RunPart WorkNode::part() const
{
    return component ? partOf(*component) : section ? partOf(*section) : remainderOf(phase);
}

std::vector<WorkNode> nodesOf(const RunParts& parts)
{
    return NodeList(parts).build();
}

Division divideEnergy(const Tally& sum, const Amount& amount, const MachineCosts& costs)
{
    Division division;
    const auto energy = sum.complete();
    division.whole = energy ? toPicojoules(*energy) : 0;
    if (sum.sd_mj)
        division.whole_sd = sum.sd_mj->value / kMillijoulesPerJoule;
    const Estimate flop = costs.of(&Prices::joules_per_flop);
    const Estimate byte = costs.of(&Prices::joules_per_byte);
    const Estimate watts = costs.of(&Prices::watts);
    division.compute = pico(amount.flops * flop.value);
    division.memory = pico(amount.bytes * byte.value);
    division.idle = pico(amount.seconds * watts.value);
    division.rest = division.whole - division.compute - division.memory - division.idle;
    division.compute_sd = amount.flops * flop.sd;
    division.memory_sd = amount.bytes * byte.sd;
    division.idle_sd = amount.seconds * watts.sd;
    const double model =
        costs.propagate([&](const Prices& prices) { return prices.of(amount); }).sd;
    division.rest_sd = std::hypot(division.whole_sd, model);
    return division;
}

Division divideTime(const Amount& amount, const MachineCosts& costs)
{
    Division division;
    division.whole = pico(amount.seconds);
    const bool memory = costs.mean.memoryBound(amount);
    const auto limit = memory ? &Prices::seconds_per_byte : &Prices::seconds_per_flop;
    const double work = memory ? amount.bytes : amount.flops;
    const Estimate each = costs.of(limit);
    // The work cannot have taken longer than the node did.
    const double least = std::min(work * each.value, amount.seconds);
    const double sd = work * each.value > amount.seconds ? 0.0 : work * each.sd;
    (memory ? division.memory : division.compute) = pico(least);
    (memory ? division.memory_sd : division.compute_sd) = sd;
    division.rest = division.whole - division.compute - division.memory;
    division.rest_sd = sd;
    return division;
}

Division operator+(const Division& a, const Division& b)
{
    return {.whole = a.whole + b.whole,
            .compute = a.compute + b.compute,
            .memory = a.memory + b.memory,
            .idle = a.idle + b.idle,
            .rest = a.rest + b.rest,
            .whole_sd = a.whole_sd + b.whole_sd,
            .compute_sd = a.compute_sd + b.compute_sd,
            .memory_sd = a.memory_sd + b.memory_sd,
            .idle_sd = a.idle_sd + b.idle_sd,
            .rest_sd = a.rest_sd + b.rest_sd};
}

} // namespace ep::energy
