// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_breakdown.h"

#include <algorithm>
#include <cmath>

namespace ep {

namespace {

Phase phaseOf(std::int32_t token)
{
    return token == 0 ? Phase::Prefill : Phase::Decode;
}

} // namespace

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

Provenance BreakdownBuilder::provenanceOf(std::int32_t token) const
{
    const auto found = m_provenance.find(token);
    return found == m_provenance.end() ? Provenance::Attributed
                                       : std::max(found->second, Provenance::Attributed);
}

void BreakdownBuilder::addLayer(std::int32_t token, std::int32_t layer, Nanoseconds duration,
                                std::optional<Millijoules> energy, std::optional<Millijoules> sd)
{
    const Tally own = tallyOf(duration, energy, provenanceOf(token), sd);
    m_layers[{phaseOf(token), layer}].add(own);
    m_tokenLayers[{token, layer}].add(own);
}

void BreakdownBuilder::addComponent(std::int32_t token, std::int32_t layer, Component component,
                                    Nanoseconds duration, std::optional<Millijoules> energy,
                                    std::optional<Millijoules> sd)
{
    const Tally own = tallyOf(duration, energy, provenanceOf(token), sd);
    m_components[{phaseOf(token), layer, component}].add(own);
    m_tokenLayerParts[{token, layer}].add(own);
    m_tokenComponents[{token, component}].add(own);
}

void BreakdownBuilder::addOperation(std::int32_t token, std::int32_t layer, Component component,
                                    Operation operation, Nanoseconds duration,
                                    std::optional<Millijoules> energy,
                                    std::optional<Millijoules> sd)
{
    m_operations[{phaseOf(token), layer, component, operation}].add(
        tallyOf(duration, energy, provenanceOf(token), sd));
}

void BreakdownBuilder::addExtras(std::int32_t layer, Component component, const ExtrasSum& extras)
{
    if (!extras.empty())
        m_extras[{layer, component}].add(extras);
}

void BreakdownBuilder::add(const RunTrace& trace)
{
    for (const LayerSpan& span : trace.layers)
        addLayer(span.token, span.layer, span.time.duration_ns(), span.energy_mj,
                 span.energy_notes.deviation());
    for (const ComponentSpan& span : trace.components)
        addComponent(span.token, span.layer, span.component, span.time.duration_ns(),
                     span.energy_mj, span.energy_notes.deviation());
    for (const OperationSpan& span : trace.operations) {
        addOperation(span.token, span.layer, span.component, span.operation,
                     span.time.duration_ns(), span.energy_mj, span.energy_notes.deviation());
        if (span.extras) {
            ExtrasSum extras;
            extras.add(*span.extras);
            addExtras(span.layer, span.component, extras);
        }
    }
}

RunBreakdown BreakdownBuilder::finish(const PhaseErrors& errors) const
{
    RunBreakdown result;
    for (const auto& [key, sum] : m_layers)
        result.layers.push_back(
            {std::get<0>(key), std::get<1>(key), errors.averaged(sum, std::get<0>(key))});
    for (const auto& [key, sum] : m_components)
        result.components.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                                     errors.averaged(sum, std::get<0>(key))});
    for (const auto& [key, sum] : m_operations)
        result.operations.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                                     std::get<3>(key), errors.averaged(sum, std::get<0>(key))});
    for (const auto& [key, sum] : m_extras)
        result.extras.push_back({std::get<0>(key), std::get<1>(key), sum});
    auto layers = m_tokenLayerParts;
    for (const auto& [key, sum] : m_tokenLayers)
        layers[key] = sum;
    for (const auto& [key, sum] : layers)
        result.token_layers.push_back({std::get<0>(key), std::get<1>(key), sum});
    for (const auto& [key, sum] : m_tokenComponents)
        result.token_components.push_back({std::get<0>(key), std::get<1>(key), sum});
    return result;
}

RunBreakdown breakDown(const RunTrace& trace)
{
    BreakdownBuilder builder;
    for (const TokenSpan& token : trace.tokens)
        builder.setProvenance(token.index, token.energy.provenance);
    builder.add(trace);
    return builder.finish(PhaseErrors(trace.tokens, trace.phases));
}

} // namespace ep
