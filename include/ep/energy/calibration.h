// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/message.h"
#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Plans and evaluates a calibration, without touching the machine: which blocks of work are
// measured in which order, and what follows from their power. Any thread.
//
// A block repeats the same work for some seconds. With P the mean power of its windows, P_0 that of
// the idle machine, and t the time of one repetition, e = (P - P_0) t is the dynamic energy of one
// repetition. A control block repeats whole tokens. The share of kind k in a token is
//     s_k = e_k / e_token,
// where e_token is interpolated between the control blocks before and after, so that slow changes
// of the machine and errors of the sensor's gain cancel. Kinds that cover a token completely have
//     kappa = sum of s_k = 1.
namespace ep::energy {

struct CalibrationSettings {
    double block_seconds = 2.0;
    double idle_seconds = 3.0; // at the start, and again at the end
    int rounds = 5;
    int check_rounds = 2; // rounds with blocks for the cross-check
    int least_windows = 15; // windows in each block
    std::int64_t cache_bytes = 0; // size of the processor's last cache; 0: unknown
    bool while_disturbed = false; // also while other programs use the processors
    std::uint32_t seed = 1; // seed of the order
};

// One block.
struct CalibrationBlock {
    enum class What { Idle, Control, Replay, Multiplied };
    What what = What::Control;
    // Replay: repetitions of each kind in a pass. Multiplied: additional executions of the
    // multiplied kind in each token, with the weights of other layers.
    std::vector<int> passes{};
    int round = 0;

    bool operator==(const CalibrationBlock&) const = default;
};

// Idle, then rounds in random order with a control block before, after every fourth block, and at
// the end, then idle. A kind with less than a hundredth of a token's time is not measured alone:
// each block for such kinds mixes all of them, with three times as many repetitions of one, so
// that their energies follow by least squares. A kind with more than a twenty-fifth of the time
// (which stands for the still unknown energy) is cross-checked: it is executed additional times
// in whole tokens, so many that these take about half as long again, because the noise of the
// sensor is that of a whole token. Fewer times, but at least once, if weights would otherwise be
// read again while they are still in the cache; not at all for a section whose weights stay
// there.
std::vector<CalibrationBlock> planCalibration(std::span<const CalibratedKind> kinds,
                                              const CalibrationSettings& settings);
// The kind that a Multiplied block repeats.
std::size_t multipliedKind(const CalibrationBlock& block);
// Expected duration of the blocks.
double secondsOf(std::span<const CalibrationBlock> blocks, const CalibrationSettings& settings);

struct MeasuredBlock {
    CalibrationBlock block;
    TimeRange time;
    std::int64_t repetitions = 0; // passes or tokens in that time; unused for idle blocks
};

// Conditions of the machine during the calibration.
struct CalibrationConditions {
    bool on_battery = false;
    bool low_power = false;
    ThermalPressure thermal = ThermalPressure::Unknown; // highest thermal pressure
    std::optional<double> other_cpu_share{}; // share of all cores used by other processes
    std::int64_t processors = 0; // 0: unknown
};

// Why no calibration is possible now, as a sentence; empty: it is.
Message refusalOf(const CalibrationConditions& conditions, std::span<const PowerSample> samples,
                  const CalibrationSettings& settings);

struct Calibration {
    CalibrationRecord record; // numbers and kinds; the caller adds the conditions
    Message refusal; // why it must not be used, as a sentence; empty: it may be
};

// kinds: as planned, with footprint and work. Each kind of the record has its share, and a problem
// if it is refused because
//  - the shares by replay and by the cross-check differ by more than 3.5 deviations, which include
//    both errors and the difference to be expected when a kind is executed alone, or
//  - the share is not above its own deviation.
// The whole calibration is refused on battery, in low-power mode, under thermal pressure or foreign
// load, with a modelled source, with too few windows in a block, when the control's drift exceeds
// 3 % by more than two deviations (from the scatter of its windows), and when |kappa - 1| is above
// 2 % and above three deviations.
Calibration estimateCalibration(std::span<const CalibratedKind> kinds,
                                std::span<const MeasuredBlock> blocks,
                                std::span<const PowerSample> samples,
                                const CalibrationConditions& conditions,
                                const CalibrationSettings& settings);

} // namespace ep::energy
