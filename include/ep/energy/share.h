// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"
#include "ep/core/units.h"

#include <optional>
#include <span>
#include <vector>

namespace ep::energy {

// The costs of a token while the server handles no other request, from runs of single requests.
struct SoloCosts {
    double input_mj = 0.0; // per uncached token of the prompt
    double output_mj = 0.0; // per decoded token

    bool operator==(const SoloCosts&) const = default;
};

// A phase of one of several overlapping requests: its tokens are in flight evenly over its time.
struct SharedPhase {
    std::size_t request = 0; // index
    TimeRange time;
    double tokens = 0.0;
    double solo_mj = 0.0; // energy of one token of a lone request
};

// The energy of each phase in mJ, in the order given, and the energy of times when no token was in
// flight. Between two boundaries of phases, the energy is divided in proportion to the tokens in
// flight x their solo energy; all parts add up to the energy of `time`. Absent if samples do not
// cover all of it. Both ends of a phase lie inside `time`.
struct SharedEnergy {
    std::vector<double> phases_mj;
    double rest_mj = 0.0;
    double total_mj = 0.0;
    bool modelled = false;
};
std::optional<SharedEnergy> shareEnergy(std::span<const PowerSample> samples, const TimeRange& time,
                                        std::span<const SharedPhase> phases);

} // namespace ep::energy
