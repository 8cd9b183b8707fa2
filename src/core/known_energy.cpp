// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/known_energy.h"

#include <algorithm>

namespace ep {

namespace {

// The parts of one node as a node, whose duration may be longer than theirs.
Tally asNode(Tally parts, Nanoseconds duration)
{
    parts.duration_ns = std::max(parts.duration_ns, duration);
    parts.spans = 1;
    parts.energy_spans = parts.energy_mj ? 1 : 0;
    return parts;
}

bool isPart(const TokenSpan& token, const PhaseSpan& phase)
{
    return token.phase == phase.phase && phase.time.contains(token.time);
}

} // namespace

Tally knownEnergy(const RunTrace& trace, const PhaseSpan& phase)
{
    if (phase.energy.total_mj)
        return tallyOf(phase.time, phase.energy);
    Tally sum;
    for (const TokenSpan& token : trace.tokens) {
        if (isPart(token, phase))
            sum.add(tallyOf(token.time, token.energy));
    }
    return asNode(sum, phase.time.duration_ns());
}

Tally knownEnergy(const Run& run)
{
    KnownEnergies energies(run);
    energies.add(run.trace.tokens);
    return energies.ofRun();
}

Tally knownEnergy(const RunSummary& run)
{
    const auto& attribution = run.info.power.attribution;
    if (run.metrics.energy.total_mj || !attribution || !attribution->known_mj)
        return tallyOf(TimeRange{0, run.metrics.duration_ns}, run.metrics.energy);
    Tally known = tallyOf(run.metrics.duration_ns, attribution->known_mj, Provenance::Attributed);
    known.energy_duration_ns = std::min(attribution->known_ns, known.duration_ns);
    return known;
}

std::optional<double> joulesPerTokenUnrecorded(const RunInfo& info, const RunMetrics& metrics)
{
    const auto& twin = info.profiling.twin;
    const auto& perToken = metrics.joules_per_token;
    const auto& energy = metrics.energy.total_mj;
    if (!twin || !twin->clean_mj || !twin->instrumented_mj || info.profiling.command || !perToken
        || !energy || energy->value <= 0.0)
        return std::nullopt;
    return *perToken * (1.0 - (*twin->instrumented_mj - *twin->clean_mj) / energy->value);
}

KnownEnergies::KnownEnergies(const Run& head)
    : m_head(head)
    , m_tokens(head.trace.phases.size())
{
}

void KnownEnergies::add(const std::vector<TokenSpan>& tokens)
{
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        const PhaseSpan& phase = m_head.trace.phases[i];
        if (phase.energy.total_mj)
            continue;
        for (const TokenSpan& token : tokens) {
            if (isPart(token, phase))
                m_tokens[i].add(tallyOf(token.time, token.energy));
        }
    }
}

Tally KnownEnergies::ofPhase(std::size_t phase) const
{
    const PhaseSpan& span = m_head.trace.phases[phase];
    return span.energy.total_mj ? tallyOf(span.time, span.energy)
                                : asNode(m_tokens[phase], span.time.duration_ns());
}

Tally KnownEnergies::ofRun() const
{
    const TimeRange& time = m_head.trace.time;
    if (m_head.metrics.energy.total_mj)
        return tallyOf(time, m_head.metrics.energy);
    Tally sum;
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        if (m_head.trace.phases[i].phase != Phase::Idle)
            sum.add(ofPhase(i));
    }
    return asNode(sum, time.duration_ns());
}

} // namespace ep
