// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/phase_errors.h"

#include <algorithm>
#include <cmath>

namespace ep {

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
