// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/energy_record.h"
#include "ep/energy/work_curve.h"

#include <array>

namespace ep::energy {

// What is believed about a kind's factor before the run's windows are looked at.
struct KindPrior {
    KindFactors mean;
    std::array<double, kWorkKinds> sd{};
    bool by_phase = false; // prefill has factors of its own
    double prefill_sd = 0.0; // of those; unused otherwise
    double prefill_common_sd = 0.0; // of one that all of prefill has in common
    // Kinds whose factors in decoding give them the shares that a calibration measured, with these
    // unit costs.
    std::array<bool, kWorkKinds> calibrated{};
};
// Nothing measured: kinds differ by 8.7 % (+-15 %, evenly distributed) from what bytes, FLOPs and
// time explain.
KindPrior uncalibratedPrior();
// Not even unit costs are known: the power of a kind differs by 40 % from its phase's mean.
KindPrior timeOnlyPrior();
// What bytes, FLOPs and time cost in the tokens of a calibration, as far as its kinds tell them
// apart; time alone if they do not. A run whose own windows are too similar has no better ones: a
// kind's share says nothing about how its cost grows with the context.
UnitCosts costsOf(const CalibrationRecord& calibration);
// Changes a prior by what a calibration measured in decoding: the factors with which these unit
// costs give each kind its share of a token. Prefill, which other kernels compute, and kinds that
// the calibration refused, stay as uncertain as they were.
KindPrior calibratedPrior(const KindPrior& prior, const CalibrationRecord& calibration,
                          const UnitCosts& costs);

// What work costs in mJ, without its kind's factor.
double modelledBy(const UnitCosts& costs, const WorkCurve::Work& work);

} // namespace ep::energy
