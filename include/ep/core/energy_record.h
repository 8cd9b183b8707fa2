// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/energy_value.h"
#include "ep/core/message.h"
#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"
#include "ep/core/words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// How the energies of a run were obtained: plain values that are stored with the run.
namespace ep {

// Idle power of the machine. The energy of a node beyond it is its net (dynamic) energy.
struct BaselineRecord {
    BaselineMoment moment = BaselineMoment::AfterLoad;
    PerRail<Milliwatts> power_mw{}; // mean, weighted by time
    PerRail<Milliwatts> sd_mw{}; // standard deviation over the windows
    std::optional<Milliwatts> total_mw{}; // totalOf(power_mw), or from the samples' totals
    std::optional<Milliwatts> total_sd_mw{};
    Nanoseconds duration_ns = 0;
    std::int64_t samples = 0;
    // Effective number of independent windows, since neighbouring windows are correlated; absent in
    // runs of earlier versions.
    std::optional<double> effective_samples{};
    Nanoseconds age_ns = 0; // from the end of the baseline to the start of the run

    bool operator==(const BaselineRecord&) const = default;
};

// Energy that the idle machine would use in the same time: the static part of a node's energy.
std::optional<Millijoules> staticEnergy(Nanoseconds duration,
                                        const std::optional<BaselineRecord>& baseline);
// Gross minus static: the net (dynamic) energy. Absent without energy or baseline, and if the
// baseline is higher: then the machine was not idle when it was measured.
std::optional<Millijoules> netEnergy(std::optional<Millijoules> gross, Nanoseconds duration,
                                     const std::optional<BaselineRecord>& baseline);

// dynamic energy of a window = bytes x pj_per_byte + flops x pj_per_flop + duration x time_mw
struct UnitCosts {
    double pj_per_byte = 0.0; // each at least 0
    double pj_per_flop = 0.0;
    double time_mw = 0.0;
    double pj_per_byte_sd = 0.0;
    double pj_per_flop_sd = 0.0;
    double time_mw_sd = 0.0;
    double relative_residual = 0.0; // rms residual / mean dynamic energy of a window

    bool operator==(const UnitCosts&) const = default;
};

struct CostFit {
    PerRail<UnitCosts> rails{}; // for the rails that add up to the total
    std::int64_t windows = 0; // windows used by the fit
    double condition = 0.0; // condition number of the columns scaled to length 1; large: they
                            // cannot be distinguished

    bool operator==(const CostFit&) const = default;
};

struct AttributionRecord {
    AttributionMethod asked = AttributionMethod::Time;
    AttributionMethod method = AttributionMethod::Time; // method of all energies; `alternative`
                                                        // holds the results of the other one
    Message note; // to be shown in brackets: why the requested method was not used, and how
                  // many energies are too uncertain to be shown; empty if all is well
    std::optional<CostFit> fit{}; // present even if it was unusable
    Nanoseconds offset_ns = 0; // offset found between load and power; positive: power is late
    double offset_sd_ns = 0.0;
    bool offset_applied = false; // whether all energies use windows shifted by offset_ns
    std::optional<CalibrationRecord> calibration{}; // used by the method `calibrated`
    double closure = 0.0; // largest |sum of parts - whole| / whole over the tree
    // If samples do not cover the whole run: energy and time of the parts that they cover.
    std::optional<Millijoules> known_mj{};
    Nanoseconds known_ns = 0;

    bool operator==(const AttributionRecord&) const = default;
};

// Samples of a source recorded besides the primary one, only for comparison.
struct SecondarySource {
    std::string source; // "rapl"
    Message detail;
    Message notice; // problem with this source; may be empty
    std::vector<PowerSample> samples{};

    bool operator==(const SecondarySource&) const = default;
};

} // namespace ep
