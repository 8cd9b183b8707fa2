// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/energy_record.h"
#include "ep/core/time_range.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/work_curve.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace ep::energy {

// How far power may depart from its mean inside a window, judged by the windows beside it.
//
// A value that moves between two bounds and has the mean p deviates from it by at most
// sqrt((p - low)(high - p)), which is reached if it is always at one of the bounds, as the power of
// a program that starts or stops (Bhatia and Davis 2000). The bounds of a window that differs from
// both of its neighbours are the levels of the nearest windows that do not, on both sides, and the
// extremes in between; if these lie beyond both levels, the power itself may go half as far again,
// because no window need have been at its extreme all the time, and three times as far in a window
// that departs alone. Where power changes by the same
// amount r from window to window, it follows a line: r / sqrt(12). In windows that agree with a
// neighbour it is even.
struct WindowPower {
    TimeRange time;
    double mw = 0.0; // power that nothing explains
    double sd_mw = 0.0; // error of the reading
    bool known = true;
};
std::vector<double> unevenness(const std::vector<WindowPower>& windows); // in mW

// Variance of the energy of a part of a window, in mJ^2, if power changes level once, anywhere in
// it; share: of the window's time.
double variancePart(double unevenMw, double seconds, double share);

// One window. Energies in mJ.
struct FitRow {
    std::size_t window = 0; // index in the timeline
    std::vector<double> j; // derivatives of its energy with respect to the unknowns
    double residual = 0.0;
    double sd = 0.0; // expected
    double weight = 1.0; // below 1: an outlier that counts only partly
};

// Whether the windows follow the fitted costs far more closely than the errors of a sensor would
// allow. Then no small cost can be mistaken for zero.
bool followsExactly(const std::vector<FitRow>& rows);

// Scale of the random part of the residuals. Differences of neighbours cancel slow drift, and the
// median ignores bursts. The fit has absorbed a part of the noise, and a few windows say little, so
// the expected scale of 1 counts as some additional windows.
struct Noise {
    double scale = 1.0;
    double freedom = 0.0; // degrees of freedom of the scale
};
// `used`: number of unknowns that the rows determine.
Noise noiseOf(const std::vector<FitRow>& rows, double used);

// Standard deviation of the energy that a late timestamp moves to a window from the next one,
// relative to the expected deviation; 0 if the residuals of neighbours do not show it.
double sharedEnds(const std::vector<FitRow>& rows, double noise);

// Factor by which the correlation of neighbouring residuals increases a variance; 1 if they are
// independent.
double dependenceOf(const std::vector<FitRow>& rows);

// The assumption about a kind's factor before the run's windows are seen.
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
// The prior without any measurement: kinds differ by 8.7 % (+-15 %, evenly distributed) from what
// bytes, FLOPs and time explain.
KindPrior uncalibratedPrior();
// The prior without known unit costs: the power of a kind differs by 40 % from its phase's mean.
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

// The cost of work in mJ, without its kind's factor.
double modelledBy(const UnitCosts& costs, const WorkCurve::Work& work);

// How far errors of dividing windows by cost move the energy of any part of the run.
//
// The dynamic energy of a window is the sum over the kinds of work k of
//     (a bytes + b FLOPs + c time)(1 + d_k)  +  noise,     d_k ~ N(prior mean, prior sd),
// where d_k is the same in all spans of a kind. With a, b, c and the idle power (prior: the
// baseline's deviation), the d_k form a vector of some twenty unknowns. They are estimated from the
// whole windows inside the run by least squares with the prior (Gauss-Newton; the posterior of a
// linear Gaussian model, e.g. Rasmussen & Williams, Gaussian Processes for Machine Learning, 2.1),
// which also gives their covariance C.
//
// In decoding, the calibrated kinds divide their common energy in the shares that the calibration
// measured, whatever a, b and c turn out to be. Then a, b and c apply only to the other work, and
// one more unknown is the level of all these shares.
//
// The energy of a window is known, so an error of the unknowns only moves energy between its
// parts: with J the derivative of a part's modelled energy with respect to the unknowns and m its
// share of the window's, the error of the part is g = J - m J_window, and its variance g' C g. The
// errors of the parts of a window add up to zero, as their energies add up to the window's.
class SplitModel {
public:
    // `timeline`: by time, only its windows are used. It and `work` must outlive this object.
    // `costs`: of the total; its standard deviations are not used. `idle`: absent if unknown; then
    // costs.time_mw applies to all time, also outside the run. `learn`: false keeps the prior.
    struct Input {
        const EnergyTimeline& timeline;
        const KindWork& work;
        UnitCosts costs;
        std::optional<Milliwatts> idle{};
        double idle_sd_mw = 0.0;
        KindPrior prior;
        bool learn = true;
    };
    explicit SplitModel(const Input& input);

    const UnitCosts& costs() const { return m_costs; } // estimated; of the total
    const KindFactors& factors() const { return m_factors; }

    // Variance in mJ^2 of the energy of a range that stems from dividing windows. With a kind: the
    // range lies within a span of that kind.
    double variance(const TimeRange& range) const;
    double variance(const TimeRange& range, WorkKind kind, bool prefill) const;

    // Random error of a window's energy relative to its expected size (uncertainty.h), estimated
    // from the differences of neighbouring residuals.
    double noise() const { return m_noise; }
    // Standard deviation of the ends of windows: from gaps, or from the part that neighbouring
    // residuals share with opposite signs, whichever is larger.
    double timestampNs() const { return m_timestampNs; }
    // The power of each window that the model does not explain; before anything was learned, all
    // power. Known for windows that touch the run.
    const std::vector<WindowPower>& unexplained() const { return m_unexplained; }

private:
    using Vector = std::vector<double>;
    // Indices of the first unknowns; factors of kinds follow from kKinds on.
    static constexpr std::size_t kBytes = 0;
    static constexpr std::size_t kFlops = 1;
    static constexpr std::size_t kTime = 2;
    static constexpr std::size_t kIdle = 3;
    static constexpr std::size_t kKinds = 4;

    // Modelled energy of a part in mJ, and its derivatives.
    struct Part {
        Vector j;
        double m = 0.0;
    };
    struct WindowPart {
        Vector p; // derivatives of the whole window / its modelled energy
        Vector cp; // C p
        double pcp = 0.0; // p' C p
        double scale = 1.0; // measured / modelled dynamic energy
        bool known = false;
    };

    void setUp(const Input& input);
    void learn();
    std::optional<double> solve(const std::vector<FitRow>& rows, double scale);
    void takeCosts(const UnitCosts& fitted);
    void takeFactors();
    Vector inReferences(const UnitCosts& costs) const; // bytes, FLOPs, time / m_reference
    void cutOffCosts(const UnitCosts& fitted);
    void remember();
    void noteUnexplained();
    Part partOf(const TimeRange& range) const;
    double modelled(const WorkCurve::Work& work) const;
    double add(Part& part, std::size_t kind, const WorkCurve::Work& work) const;
    double addCalibrated(Part& part, std::size_t kind, const WorkCurve::Work& work) const;
    double atFirst(const WorkCurve::Work& work) const;
    bool isCalibrated(const KindWork::Part& part) const
    {
        return !part.prefill && m_prior.calibrated[part.kind];
    }
    double quadratic(const Vector& g) const;
    double dynamicOf(std::size_t window) const;

    const EnergyTimeline& m_timeline;
    const KindWork& m_work;
    const UnitCosts m_first_costs; // as given in the input
    UnitCosts m_costs;
    KindFactors m_factors;
    KindPrior m_prior;
    std::optional<Milliwatts> m_idle;
    double m_idleSd = 0.0;
    // Unknowns: bytes, FLOPs, time, idle power, then a factor for each kind that occurs, one for
    // all of prefill, and one for all calibrated kinds.
    std::vector<std::size_t> m_unknownOfPart; // for each of m_work.parts()
    std::size_t m_otherUnknown = 0;
    std::size_t m_outsideUnknown = 0;
    std::size_t m_prefillUnknown = 0;
    std::size_t m_levelUnknown = 0; // the level of all calibrated kinds
    std::size_t m_count = 0;
    Vector m_reference; // unit costs at which one column alone explains the run
    Vector m_priorMean;
    Vector m_priorSd;
    Vector m_mean;
    std::vector<Vector> m_covariance;
    std::size_t m_first = 0; // windows that touch the run: [m_first, m_last)
    std::size_t m_last = 0;
    std::vector<WindowPart> m_windows;
    Vector m_expected;
    std::vector<WindowPower> m_unexplained;
    bool m_learned = false;
    double m_noise = 1.0;
    double m_timestampNs = 0.0;
};

} // namespace ep::energy
