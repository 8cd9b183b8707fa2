// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "split_model.h"

#include "ep/core/trace.h"
#include "ep/energy/energy_timeline.h"

#include <optional>
#include <vector>

namespace ep::energy {

// Expected errors of a sensor's readings, estimated from the windows themselves.
struct WindowErrors {
    double step_mj = 0.0; // resolution of the energies; 0: none
    double timestamp_ns = 0.0; // deviation of a window's end; its square is half that of the gaps
    // Standard deviation of each window's energy: gain noise of 0.5 % of each rail, the step of a
    // counter at both ends, and the power at the ends during `timestamp_ns`.
    std::vector<double> sd_mj;

    explicit WindowErrors(const EnergyTimeline& timeline);
};

// Mean power of a window in milliwatts; 0 if it has no total.
double windowPower(const EnergyTimeline::Window& window);

// Standard deviation of the energy of a range. It has independent parts:
//  division: the error of dividing the windows that the range cuts (split_model.h). Without a model
//    it is, for each of them, the smaller share x the window's energy x how unevenly power runs
//    there (half the relative difference of its neighbours, at least 3 %).
//  noise: the error of the energies of the windows inside, as large as the residuals show it. The
//    step of a counter counts once, since the errors of adjacent windows cancel.
//  timestamps: the error of the ends of the windows that the range cuts, x the power there; the
//    joined gaps less the joined overlaps, x the power; and offset_sd x the difference of power
//    between both ends.
//  unevenness: power that the model does not explain may change inside a window that the range cuts
//    (split_model.h).
//  outside: the power of a window that reaches beyond the run, in the time outside it
//    (EnergyTimeline::Outside).
class Uncertainty {
public:
    // `model` may be null; model and timeline must outlive this object.
    Uncertainty(const EnergyTimeline& timeline, const SplitModel* model, double offsetSdNs);

    // Absent if the energy is missing.
    std::optional<double> of(const TimeRange& range) const;
    // A faster version for a range inside a span of one kind.
    std::optional<double> of(const TimeRange& range, WorkKind kind, bool prefill) const;

private:
    template <typename Division>
    std::optional<double> sum(const TimeRange& range, Division division) const;
    double unevenDivision(const TimeRange& range, std::size_t first, std::size_t last) const;
    double timestampVariance(const TimeRange& range, std::size_t first, std::size_t last,
                             double before,
                             double after) const; // powers at the two ends
    double outsideVariance(const TimeRange& range) const;
    double shareOf(const TimeRange& range, std::size_t window) const;

    const EnergyTimeline& m_timeline;
    const SplitModel* m_model;
    WindowErrors m_errors;
    double m_noise = 1.0;
    double m_offsetSdNs;
    double m_timestampNs;
    std::vector<Nanoseconds> m_bridged; // sum of joined gaps up to each window
    std::vector<double> m_unevenMw; // of each window
    std::vector<double> m_variance; // sum of gain noise up to each window
};

// The standard deviation of a normal error with the same 95 % interval as a value that is off by a
// known `bias` and has the deviation sd besides.
double withBias(double sd, double bias);

// An energy whose relative standard deviation is larger is not shown.
inline constexpr double kMaxUncertain = 0.5;

} // namespace ep::energy
