// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/tally.h"

#include "ep/core/format.h"
#include "ep/core/trace.h"

#include <algorithm>

namespace ep {

namespace {

// Combines the deviation of the known part so far with one more.
std::optional<Millijoules> sumOf(std::optional<Millijoules> knownEnergy,
                                 std::optional<Millijoules> sd, std::optional<Millijoules> more)
{
    if (!knownEnergy)
        return more;
    return sd && more ? std::optional(*sd + *more) : std::nullopt;
}

} // namespace

void Tally::add(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how,
                std::optional<Millijoules> sd)
{
    duration_ns = wrappingSum(duration_ns, duration);
    ++spans;
    if (!energy)
        return;
    provenance = energy_mj ? std::max(provenance, how) : how;
    sd_mj = sumOf(energy_mj, sd_mj, sd);
    energy_mj = energy_mj.value_or(Millijoules{}) + *energy;
    ++energy_spans;
    energy_duration_ns = wrappingSum(energy_duration_ns, duration);
}

void Tally::add(const Tally& other)
{
    if (spans == 0) {
        *this = other;
        return;
    }
    duration_ns = wrappingSum(duration_ns, other.duration_ns);
    spans += other.spans;
    energy_spans += other.energy_spans;
    energy_duration_ns = wrappingSum(energy_duration_ns, other.energy_duration_ns);
    if (!other.energy_mj)
        return;
    provenance = energy_mj ? std::max(provenance, other.provenance) : other.provenance;
    sd_mj = sumOf(energy_mj, sd_mj, other.sd_mj);
    energy_mj = energy_mj.value_or(Millijoules{}) + *other.energy_mj;
}

Tally Tally::operator-(const Tally& parts) const
{
    const Nanoseconds rest = wrappingDifference(duration_ns, parts.duration_ns);
    const bool known = complete() && (parts.spans == 0 || parts.complete());
    if (!known)
        return tallyOf(rest, std::nullopt, Provenance::Missing);
    return tallyOf(rest, *energy_mj - parts.energy_mj.value_or(Millijoules{}),
                   parts.energy_mj ? std::max(provenance, parts.provenance) : provenance);
}

Tally tallyOf(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how,
              std::optional<Millijoules> sd)
{
    Tally tally;
    tally.add(duration, energy, how, sd);
    return tally;
}

std::string formatEnergy(const Tally& sum)
{
    return (sum.partial() ? "≥ " : "") + formatEnergy(sum.energy_mj);
}

Tally tallyOf(const TimeRange& time, const EnergyValue& energy)
{
    return tallyOf(time.duration_ns(), energy.total_mj, energy.provenance, energy.sd_mj);
}

Tally tallyOf(const Span& span, Provenance ofToken)
{
    const Provenance how = span.level == SpanLevel::Section
        ? span.provenance
        : std::max(ofToken, Provenance::Attributed);
    return tallyOf(span.time.duration_ns(), span.energy_mj, how, span.sd_mj);
}

} // namespace ep
