// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/tally.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep {

void Tally::add(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how)
{
    sd_mj.reset();
    duration_ns = wrappingSum(duration_ns, duration);
    ++spans;
    if (!energy)
        return;
    provenance = energy_mj ? std::max(provenance, how) : how;
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
    sd_mj.reset();
    duration_ns = wrappingSum(duration_ns, other.duration_ns);
    spans += other.spans;
    energy_spans += other.energy_spans;
    energy_duration_ns = wrappingSum(energy_duration_ns, other.energy_duration_ns);
    if (!other.energy_mj)
        return;
    provenance = energy_mj ? std::max(provenance, other.provenance) : other.provenance;
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

Tally tallyOf(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how)
{
    Tally tally;
    tally.add(duration, energy, how);
    return tally;
}

std::string formatEnergy(const Tally& sum)
{
    return (sum.partial() ? "≥ " : "") + formatEnergy(sum.energy_mj);
}

Tally tallyOf(const TimeRange& time, const EnergyValue& energy)
{
    Tally tally = tallyOf(time.duration_ns(), energy.total_mj, energy.provenance);
    if (energy.total_mj)
        tally.sd_mj = energy.sd_mj;
    return tally;
}

} // namespace ep
