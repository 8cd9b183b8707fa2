// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/energy_record.h"
#include "ep/energy/work_curve.h"

#include <array>

namespace ep::energy {

// What is assumed about a kind's factor before the run's windows are seen.
struct KindPrior {
    KindFactors mean;
    std::array<double, kWorkKinds> sd{};
    bool by_phase = false; // prefill has separate factors
    double prefill_sd = 0.0; // of the prefill factors; unused otherwise
    double prefill_common_sd = 0.0; // of a factor that all of prefill shares
    // Kinds whose factors in decoding, together with these unit costs, reproduce the shares that a
    // calibration measured.
    std::array<bool, kWorkKinds> calibrated{};
};
// Without any measurement: kinds differ by 8.7 % (+-15 %, evenly distributed) from what bytes,
// FLOPs and time explain.
KindPrior uncalibratedPrior();
// Without known unit costs: the power of a kind differs by 40 % from its phase's mean.
KindPrior timeOnlyPrior();
// Costs of bytes, FLOPs and time in the tokens of a calibration, as far as its kinds distinguish
// them; otherwise time alone. Used if a run's own windows are too similar, since a kind's share
// says nothing about how its cost grows with the context.
UnitCosts costsOf(const CalibrationRecord& calibration);
// Applies the decoding shares that a calibration measured to a prior: each kind gets the factor
// with which these unit costs yield its share of a token. Prefill, which other kernels compute,
// and kinds that the calibration refused stay as uncertain as before.
KindPrior calibratedPrior(const KindPrior& prior, const CalibrationRecord& calibration,
                          const UnitCosts& costs);

// What work costs in mJ, without its kind's factor.
double modelledBy(const UnitCosts& costs, const WorkCurve::Work& work);

} // namespace ep::energy
