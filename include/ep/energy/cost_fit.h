// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/energy/energy_timeline.h"

#include <array>
#include <optional>
#include <span>
#include <string>

namespace ep::energy {

// One equation of a fit: bytes, FLOPs and seconds of a window, and its dynamic energy.
struct CostRow {
    std::array<double, 3> x{}; // bytes, flops, seconds
    double energy_pj = 0.0;
};

// Least squares of energy = k . x with all k >= 0. With three unknowns, every choice of zero
// coefficients is tried, and an unknown is kept only if it improves the fit clearly (n
// ln(residual^2) by more than 3 ln n); if bytes and time explain the windows equally well, bytes
// are preferred. Standard deviations are computed from the residuals and the inverse of the normal
// matrix of the remaining unknowns.
struct NonNegativeFit {
    std::array<double, 3> k{};
    std::array<double, 3> sd{};
    double relative_residual = 0.0; // rms residual / mean energy
    double condition = 0.0; // largest / smallest singular value of the columns scaled to length 1
};
std::optional<NonNegativeFit> fitNonNegative(std::span<const CostRow> rows);

// The unit costs of a run, rail by rail, fitted to the whole windows inside `time`.
struct CostFinding {
    std::optional<CostFit> fit; // even if it is unusable
    Message problem; // why costs cannot be told apart; empty: usable
};
CostFinding findCosts(const EnergyTimeline& byTime, const WorkCurve& work, const TimeRange& time,
                      const PerRail<Milliwatts>& static_mw);

} // namespace ep::energy
