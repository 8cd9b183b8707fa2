// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_tree.h"

#include "ep/core/known_energy.h"

#include <algorithm>
#include <cmath>

namespace ep {
namespace {

Phase phaseOf(std::int32_t token)
{
    return token == 0 ? Phase::Prefill : Phase::Decode;
}

} // namespace

void WorkSum::add(const std::optional<SpanWork>& work)
{
    complete = complete && work;
    if (!work)
        return;
    flops += static_cast<double>(work->flops);
    bytes += static_cast<double>(work->bytes);
}

void SectionSums::add(const std::vector<Span>& sections)
{
    for (const Span& span : sections) {
        auto& sums = m_phases[static_cast<std::size_t>(span.phase)];
        auto own = std::ranges::find(sums, span.section, &SectionSum::section);
        if (own == sums.end())
            own = sums.insert(own, SectionSum{.section = span.section});
        own->sum.add(tallyOf(span));
        own->work.add(span.work);
    }
}

const std::vector<SectionSum>& SectionSums::of(Phase phase) const
{
    return m_phases[static_cast<std::size_t>(phase)];
}

std::vector<PhaseSum> sumsOfPhases(const RunTrace& trace)
{
    std::vector<PhaseSum> sums;
    for (const PhaseSpan& span : trace.phases) {
        if (span.phase == Phase::Idle)
            continue;
        auto found = std::ranges::find(sums, span.phase, &PhaseSum::phase);
        if (found == sums.end())
            found = sums.insert(found, PhaseSum{.phase = span.phase});
        found->sum.add(knownEnergy(trace, span));
        found->stored.add(tallyOf(span.time, span.energy));
    }
    SectionSums sections;
    sections.add(trace.sections);
    for (PhaseSum& sum : sums) {
        sum.sections = sections.of(sum.phase);
        std::ranges::sort(sum.sections, {}, &SectionSum::section);
    }
    return sums;
}

namespace {

// Whether the rest has more than this share of the energy of the whole.
bool isEnergyOf(const Tally& rest, const Tally& whole, double share)
{
    return rest.energy_mj && whole.energy_mj
        && std::abs(rest.energy_mj->value) > share * std::abs(whole.energy_mj->value);
}

} // namespace

Tally remainderOf(const Tally& whole, const Tally& parts)
{
    Tally rest = whole - parts;
    rest.duration_ns = std::max<Nanoseconds>(0, rest.duration_ns);
    constexpr double kRounding = 1e-9;
    if (rest.energy_mj && !isEnergyOf(rest, whole, kRounding))
        rest.energy_mj = Millijoules{0.0};
    return rest;
}

bool isRemainder(const Tally& rest, const Tally& whole)
{
    constexpr double kRounding = 1e-6; // of sums of parts, whose energies have single precision
    return isEnergyOf(rest, whole, kRounding)
        || static_cast<double>(rest.duration_ns)
        > kRounding * static_cast<double>(std::max<Nanoseconds>(1, whole.duration_ns));
}

Tally remainderOfRun(const Run& run)
{
    Tally parts;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase != Phase::Idle)
            parts.add(tallyOf(phase.time, phase.energy));
    }
    return remainderOf(tallyOf(run.trace.time, run.metrics.energy), parts);
}

void OutsideLayers::add(const std::vector<Span>& sections)
{
    for (const Span& section : sections) {
        const bool divided = section.section == Section::Layers && m_componentsKnown;
        if (divided || section.phase == Phase::Idle)
            continue;
        m_sums[section.section].add(tallyOf(section));
        m_inside[static_cast<std::size_t>(section.phase)].add(tallyOf(section));
    }
}

void OutsideLayers::addComponent(const Span& component)
{
    m_inside[static_cast<std::size_t>(phaseOf(component.token))].add(tallyOf(component));
}

std::map<RunPart, Tally> OutsideLayers::remainders(const Run& head) const
{
    std::map<RunPart, Tally> sums;
    for (const PhaseSum& phase : sumsOfPhases(head.trace)) {
        sums[remainderOf(phase.phase)].add(phase.stored
                                           - m_inside[static_cast<std::size_t>(phase.phase)]);
    }
    sums[RunPart::Outside].add(remainderOfRun(head));
    return sums;
}

std::vector<std::pair<Section, Tally>> OutsideLayers::sections() const
{
    return {m_sums.begin(), m_sums.end()};
}

Tally OutsideLayers::remainder(const Run& head, const Tally& components) const
{
    Tally parts = components;
    for (const auto& [section, sum] : m_sums)
        parts.add(sum);
    return tallyOf(head.trace.time, head.metrics.energy) - parts;
}

EnergyValue valueOf(const Tally& sum)
{
    EnergyValue value;
    value.total_mj = sum.energy_mj;
    value.sd_mj = sum.sd_mj;
    value.provenance = sum.energy_mj ? sum.provenance : Provenance::Missing;
    return value;
}

void StatsSum::add(const ActivationStats& means, std::int64_t ofSpans)
{
    const auto count = static_cast<double>(ofSpans);
    spans += ofSpans;
    mean_abs += count * static_cast<double>(means.mean_abs);
    std += count * static_cast<double>(means.std);
    max_abs = std::max(max_abs, static_cast<double>(means.max_abs));
    sparsity += count * static_cast<double>(means.sparsity);
}

std::optional<ActivationStats> StatsSum::mean() const
{
    if (spans == 0)
        return std::nullopt;
    const auto n = static_cast<double>(spans);
    return ActivationStats{static_cast<float>(mean_abs / n), static_cast<float>(std / n),
                           static_cast<float>(max_abs), static_cast<float>(sparsity / n)};
}

void ExtrasSum::Figure::add(std::optional<double> value)
{
    if (!value || !std::isfinite(*value))
        return;
    sum += *value;
    ++count;
}

void ExtrasSum::Figure::add(const Figure& other)
{
    sum += other.sum;
    count += other.count;
}

std::optional<double> ExtrasSum::Figure::mean() const
{
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

void ExtrasSum::add(const OperationExtras& extras)
{
    attention_entropy.add(meanOf(extras.attention_entropy));
    activation_kill_ratio.add(extras.activation_kill_ratio);
    variance_ratio.add(extras.variance_ratio);
}

void ExtrasSum::add(const ExtrasSum& other)
{
    attention_entropy.add(other.attention_entropy);
    activation_kill_ratio.add(other.activation_kill_ratio);
    variance_ratio.add(other.variance_ratio);
}

void BreakdownBuilder::setProvenance(std::int32_t token, Provenance ofToken)
{
    m_provenance[token] = ofToken;
}

void BreakdownBuilder::add(const Span& span)
{
    const auto found = m_provenance.find(span.token);
    const Provenance ofToken = found == m_provenance.end() ? Provenance::Attributed : found->second;
    const Tally own = tallyOf(span, ofToken);
    const Phase phase = phaseOf(span.token);
    switch (span.level) {
    case SpanLevel::Section:
        return;
    case SpanLevel::Layer:
        m_layers.add({phase, span.layer, own});
        m_tokenLayers.add({span.token, span.layer, own});
        return;
    case SpanLevel::Component:
        m_components.add(span, ofToken);
        m_tokenLayerParts.add({span.token, span.layer, own});
        m_tokenComponents.add({span.token, span.component, own});
        return;
    case SpanLevel::Operation:
        m_components.add(span, ofToken);
        m_operations.add({phase, span.layer, span.component, span.operation, own});
    }
}

void BreakdownBuilder::add(const RunTrace& trace)
{
    for (const SpanLevel level : kSpanLevels) {
        for (const Span& span : trace.spans(level))
            add(span);
    }
}

RunBreakdown BreakdownBuilder::finish(const PhaseErrors& errors) const
{
    const auto averaged = [&](auto list) {
        for (auto& of : list)
            of.sum = errors.averaged(of.sum, of.phase);
        return list;
    };
    std::vector<RunBreakdown::OfComponent> components;
    for (const Phase phase : {Phase::Prefill, Phase::Decode}) {
        for (const CellSum& cell : m_components.list()) {
            const Tally& sum = phase == Phase::Prefill ? cell.prefill : cell.decode;
            if (sum.spans > 0)
                components.push_back({phase, cell.layer, cell.component, sum});
        }
    }
    auto tokenLayers = m_tokenLayers;
    tokenLayers.fill(m_tokenLayerParts);
    return {.layers = averaged(m_layers.list()),
            .components = averaged(std::move(components)),
            .operations = averaged(m_operations.list()),
            .extras = m_components.extras(),
            .token_layers = tokenLayers.list(),
            .token_components = m_tokenComponents.list()};
}

RunBreakdown breakDown(const RunTrace& trace)
{
    BreakdownBuilder builder;
    for (const TokenSpan& token : trace.tokens)
        builder.setProvenance(token.index, token.energy.provenance);
    builder.add(trace);
    return builder.finish(PhaseErrors(trace.tokens, trace.phases));
}

void CellSum::add(const Span& span, Provenance ofToken)
{
    layer = span.layer;
    component = span.component;
    if (tokens == 0 || span.token != last_token)
        ++tokens;
    last_token = span.token;
    (phaseOf(span.token) == Phase::Prefill ? prefill : decode).add(tallyOf(span, ofToken));
    if (span.stats)
        stats.add(*span.stats);
    if (span.work) {
        ++work_spans;
        work.flops = wrappingSum(work.flops, span.work->flops);
        work.bytes = wrappingSum(work.bytes, span.work->bytes);
    }
}

Tally CellSum::sum() const
{
    Tally sum = prefill;
    sum.add(decode);
    return sum;
}

void CellSums::add(const Span& span, Provenance ofToken)
{
    if (span.level == SpanLevel::Component) {
        m_cells[{span.layer, span.component}].add(span, ofToken);
        return;
    }
    ExtrasSum extras;
    if (span.extras)
        extras.add(*span.extras);
    if (!extras.empty()) {
        CellSum& cell = m_cells[{span.layer, span.component}];
        cell.layer = span.layer;
        cell.component = span.component;
        cell.extras.add(extras);
    }
}

void CellSums::add(const RunTrace& piece)
{
    std::unordered_map<std::int32_t, Provenance> provenance;
    for (const TokenSpan& token : piece.tokens)
        provenance[token.index] = token.energy.provenance;
    for (const Span& span : piece.components) {
        const auto found = provenance.find(span.token);
        add(span, found == provenance.end() ? Provenance::Missing : found->second);
    }
}

std::vector<ComponentTotal> CellSums::totals(const PhaseErrors& errors) const
{
    std::vector<ComponentTotal> totals;
    for (CellSum& cell : m_cells.list()) {
        if (cell.tokens == 0)
            continue;
        cell.prefill = errors.averaged(cell.prefill, Phase::Prefill);
        cell.decode = errors.averaged(cell.decode, Phase::Decode);
        ComponentTotal& total = totals.emplace_back();
        total.layer = cell.layer;
        total.component = cell.component;
        total.tokens = cell.tokens;
        total.sum = cell.sum();
        total.stats_spans = cell.stats.spans;
        total.stats = cell.stats.mean();
        if (cell.work_spans == total.sum.spans)
            total.work = cell.work;
    }
    return totals;
}

std::vector<RunBreakdown::OfExtras> CellSums::extras() const
{
    std::vector<RunBreakdown::OfExtras> extras;
    for (const CellSum& cell : m_cells.list()) {
        if (!cell.extras.empty())
            extras.push_back({cell.layer, cell.component, cell.extras});
    }
    return extras;
}

std::vector<ComponentTotal> totalsOf(const RunTrace& trace)
{
    CellSums sums;
    sums.add(trace);
    return sums.totals(PhaseErrors(trace.tokens, trace.phases));
}

PhaseErrors::PhaseErrors(std::span<const TokenSpan> tokens, std::span<const PhaseSpan> phases)
    : m_prefill(relativeOf(tokens, phases, Phase::Prefill))
    , m_decode(relativeOf(tokens, phases, Phase::Decode))
{
}

std::optional<PhaseErrors::Relative> PhaseErrors::relativeOf(std::span<const TokenSpan> tokens,
                                                             std::span<const PhaseSpan> phases,
                                                             Phase phase)
{
    Tally added;
    for (const TokenSpan& token : tokens) {
        if ((token.index == 0) == (phase == Phase::Prefill))
            added.add(tallyOf(token.time, token.energy));
    }
    Tally left;
    for (const PhaseSpan& span : phases) {
        if (span.phase == phase)
            left.add(tallyOf(span.time, span.energy));
    }
    const auto relative = [](const Tally& sum) -> std::optional<double> {
        const auto energy = sum.complete();
        if (!energy || !sum.sd_mj || !(energy->value > 0.0))
            return std::nullopt;
        return sum.sd_mj->value / energy->value;
    };
    const auto ofTokens = relative(added);
    const auto ofPhase = relative(left);
    if (!ofTokens || !ofPhase || *ofPhase >= *ofTokens)
        return std::nullopt;
    return Relative{*ofTokens, *ofPhase};
}

Tally PhaseErrors::averaged(const Tally& sum, Phase phase) const
{
    const auto& known = phase == Phase::Prefill ? m_prefill : m_decode;
    Tally result = sum;
    if (!known || !sum.energy_mj || !sum.sd_mj)
        return result;
    const double energy = std::abs(sum.energy_mj->value);
    const double added = known->added * energy;
    const double common = sum.sd_mj->value * sum.sd_mj->value - added * added;
    const double sd = std::hypot(std::sqrt(std::max(0.0, common)), known->left * energy);
    result.sd_mj->value = std::min(result.sd_mj->value, sd);
    return result;
}

} // namespace ep
