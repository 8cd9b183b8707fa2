// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind_prior.h"

#include "ep/energy/cost_fit.h"

#include <vector>

namespace ep::energy {

namespace {

// +-15 %, evenly distributed.
constexpr double kUncalibrated = 0.15 / 1.7320508075688772;
constexpr double kTimeOnly = 0.33;

WorkCurve::Work workOf(const CalibratedKind& kind)
{
    return {kind.bytes, kind.flops, kind.seconds * 1e9};
}

KindPrior priorOf(double sd)
{
    KindPrior prior;
    prior.sd.fill(sd);
    prior.prefill_sd = sd;
    return prior;
}

} // namespace

double modelledBy(const UnitCosts& costs, const WorkCurve::Work& work)
{
    return (costs.pj_per_byte * work.bytes + costs.pj_per_flop * work.flops)
        / kPicojoulesPerMillijoule
        + costs.time_mw * work.busy_ns * 1e-9;
}

KindPrior uncalibratedPrior()
{
    return priorOf(kUncalibrated);
}

KindPrior timeOnlyPrior()
{
    KindPrior prior = priorOf(kTimeOnly);
    prior.by_phase = true;
    prior.prefill_common_sd = kTimeOnly;
    return prior;
}

UnitCosts costsOf(const CalibrationRecord& calibration)
{
    // Errors are relative to the energy of a kind, so that each kind counts the same.
    std::vector<CostRow> rows;
    for (const CalibratedKind& kind : calibration.kinds) {
        const double energy = kind.share * calibration.token_joules;
        if (!kind.problem.empty() || !(energy > 0.0))
            continue;
        rows.push_back({.x = {kind.bytes / energy, kind.flops / energy, kind.seconds / energy},
                        .energy_pj = 1.0});
    }
    const auto fit = fitNonNegative(rows);
    if (!fit)
        return {.time_mw = 1.0};
    constexpr double kPicojoules = 1e12; // in a joule
    return {.pj_per_byte = fit->k[0] * kPicojoules,
            .pj_per_flop = fit->k[1] * kPicojoules,
            .time_mw = fit->k[2] * kMillijoulesPerJoule};
}

KindPrior calibratedPrior(const KindPrior& prior, const CalibrationRecord& calibration,
                          const UnitCosts& costs)
{
    const auto modelled = [&](const CalibratedKind& kind) {
        return modelledBy(costs, workOf(kind));
    };
    double shares = 0.0;
    double all = 0.0;
    const auto known = [&](const CalibratedKind& kind) {
        return kind.problem.empty() && workKindFromName(kind.kind) && modelled(kind) > 0.0;
    };
    for (const CalibratedKind& kind : calibration.kinds) {
        if (!known(kind))
            continue;
        shares += kind.share;
        all += modelled(kind);
    }
    KindPrior result = prior;
    result.by_phase = true;
    for (const CalibratedKind& kind : calibration.kinds) {
        if (!known(kind))
            continue;
        const WorkKind own = *workKindFromName(kind.kind);
        const double factor = (kind.share / shares) / (modelled(kind) / all);
        result.mean.values[own] = factor;
        result.sd[own] = kind.tau * factor;
        result.calibrated[own] = true;
    }
    return result;
}

} // namespace ep::energy
