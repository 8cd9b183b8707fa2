// SPDX-License-Identifier: GPL-3.0-or-later
#include "split_model.h"

#include "inverse.h"
#include "uncertainty.h"

#include "ep/core/quantile.h"
#include "ep/energy/cost_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace ep::energy {

namespace {

constexpr double kAgreeSigmas = 3.0; // windows that differ by less agree
// Possible excess of power beyond the windows, in units of the largest excursion.
constexpr double kBeyond = 0.5;
constexpr double kBeyondAlone = 2.0; // for a single window, whose excursion may have been short

class Course {
public:
    explicit Course(const std::vector<WindowPower>& windows)
        : m_windows(windows)
    {
        m_quiet.assign(windows.size(), false);
        for (std::size_t first = 0; first < windows.size();) {
            std::size_t last = first;
            while (agrees(last, last + 1))
                ++last;
            std::fill(m_quiet.begin() + static_cast<std::ptrdiff_t>(first),
                      m_quiet.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                      isLevel(first, last));
            first = last + 1;
        }
    }

    double unevenness(std::size_t i) const
    {
        if (!m_windows[i].known || m_quiet[i])
            return 0.0;
        if (followsLine(i))
            return std::abs(power(i + 1) - power(i - 1)) / 2.0 / std::sqrt(12.0);
        const auto [low, high] = boundsOf(i);
        return std::sqrt(std::max(0.0, (power(i) - low) * (high - power(i))));
    }

private:
    struct Bounds {
        double low = 0.0;
        double high = 0.0;
    };

    double power(std::size_t i) const { return m_windows[i].mw; }
    bool touch(std::size_t i, std::size_t next) const
    {
        return next < m_windows.size() && m_windows[i].known && m_windows[next].known
            && m_windows[i].time.end_ns == m_windows[next].time.begin_ns;
    }
    double tolerance(std::size_t i, std::size_t next) const
    {
        return kAgreeSigmas * std::hypot(m_windows[i].sd_mw, m_windows[next].sd_mw);
    }
    bool agrees(std::size_t i, std::size_t next) const
    {
        return touch(i, next) && std::abs(power(next) - power(i)) <= tolerance(i, next);
    }

    // Whether the windows show a level that power keeps. Two windows may agree by chance while
    // power changes, unless both of their neighbours are higher, or both lower.
    bool isLevel(std::size_t first, std::size_t last) const
    {
        if (last - first != 1)
            return last > first;
        if (first == 0 || !touch(first - 1, first) || !touch(last, last + 1))
            return true;
        return (power(first - 1) - power(first)) * (power(last + 1) - power(last)) > 0.0;
    }

    // Whether the step before window i and the one after it are alike.
    bool isEven(std::size_t i) const
    {
        constexpr double kAlike = 0.3; // relative to the mean of both steps
        if (i == 0 || !touch(i - 1, i) || !touch(i, i + 1))
            return false;
        const double before = power(i) - power(i - 1);
        const double after = power(i + 1) - power(i);
        return before * after > 0.0
            && std::abs(after - before)
            <= kAlike * std::abs(after + before) / 2.0 + tolerance(i - 1, i + 1);
    }
    // A single change of level sometimes makes two equal steps, too, but not three.
    bool followsLine(std::size_t i) const { return isEven(i) && (isEven(i - 1) || isEven(i + 1)); }

    Bounds boundsOf(std::size_t i) const
    {
        std::size_t first = i;
        std::size_t last = i;
        while (first > 0 && touch(first - 1, first) && !m_quiet[first - 1])
            --first;
        while (touch(last, last + 1) && !m_quiet[last + 1])
            ++last;
        const bool knowsBefore = first > 0 && touch(first - 1, first);
        const bool knowsAfter = touch(last, last + 1);
        const double before = power(knowsBefore ? first - 1 : knowsAfter ? last + 1 : i);
        const double after = power(knowsAfter ? last + 1 : knowsBefore ? first - 1 : i);
        const Bounds levels{std::min(before, after), std::max(before, after)};
        Bounds bounds = levels;
        for (std::size_t k = first; k <= last; ++k) {
            bounds.low = std::min(bounds.low, power(k));
            bounds.high = std::max(bounds.high, power(k));
        }
        const double beyond = first == last ? kBeyondAlone : kBeyond;
        bounds.low -= beyond * (levels.low - bounds.low);
        bounds.high += beyond * (bounds.high - levels.high);
        // Beside a line, power does not jump to its far end.
        if (i > 0 && i > first && followsLine(i - 1))
            limit(bounds, i, i - 1);
        if (i < last && followsLine(i + 1))
            limit(bounds, i, i + 1);
        return bounds;
    }
    void limit(Bounds& bounds, std::size_t i, std::size_t line) const
    {
        const double edge = (power(i) + power(line)) / 2.0;
        if (power(line) > power(i))
            bounds.high = edge;
        else
            bounds.low = edge;
    }

    const std::vector<WindowPower>& m_windows;
    std::vector<bool> m_quiet; // agrees with a neighbour
};

} // namespace

std::vector<double> unevenness(const std::vector<WindowPower>& windows)
{
    const Course course(windows);
    std::vector<double> result;
    for (std::size_t i = 0; i < windows.size(); ++i)
        result.push_back(course.unevenness(i));
    return result;
}

double variancePart(double unevenMw, double seconds, double share)
{
    const double both = share * (1.0 - share);
    const double energy = unevenMw * seconds * both;
    return energy * energy * (1.0 + 4.0 * both);
}

namespace {

// Prior of the machine outside the run if its idle power is unknown: zero to twice the estimate.
constexpr double kOutside = 1.0;
// Prior of the unit costs, as shares of the run's dynamic energy: weak where windows tell them
// apart, and all that is known where they do not. The fitted costs would be the wrong mean, because
// the same windows decided which of them are zero.
struct CostShare {
    double mean;
    double sd;
};
constexpr std::array<CostShare, 3> kCostShares{{{0.4, 0.5}, {0.3, 0.25}, {0.3, 0.25}}};
constexpr double kLevelShare = 0.5; // prior sd of the common level of calibrated kinds

constexpr double kMinFactor = 0.2;
constexpr double kRobust = 3.0; // residuals with more standard deviations count less

// Truncates the normal distribution of an unknown that cannot be below `least`, and updates mean
// and covariance accordingly.
void cutOff(std::size_t unknown, double least, std::vector<double>& mean, SquareMatrix& covariance)
{
    constexpr double kFarAway = -8.0; // standard deviations
    constexpr double kFarBeyond = 30.0; // beyond this both tails underflow
    constexpr double kNormalDensity = 0.3989422804014327;
    const double variance = covariance[unknown][unknown];
    const double sd = std::sqrt(variance);
    const double at = (least - mean[unknown]) / sd;
    if (!(at > kFarAway))
        return;
    const double tail = 0.5 * std::erfc(at / std::sqrt(2.0));
    const double rise =
        at < kFarBeyond ? kNormalDensity * std::exp(-0.5 * at * at) / tail : at + 1.0 / at;
    const double left = std::clamp(1.0 + at * rise - rise * rise, 1e-6, 1.0);
    const std::vector<double> column = covariance[unknown];
    for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += column[i] / sd * rise;
        for (std::size_t k = 0; k < mean.size(); ++k)
            covariance[i][k] -= column[i] * column[k] / variance * (1.0 - left);
    }
}

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

SplitModel::SplitModel(const Input& input)
    : m_timeline(input.timeline)
    , m_work(input.work)
    , m_first_costs(input.costs)
    , m_costs(input.costs)
    , m_factors(input.prior.mean)
    , m_prior(input.prior)
    , m_idle(input.idle)
    , m_idleSd(input.idle_sd_mw)
{
    setUp(input);
    if (input.learn)
        learn();
    remember();
    noteUnexplained();
}

void SplitModel::setUp(const Input& input)
{
    std::tie(m_first, m_last) = m_timeline.touching(m_work.run());
    const WindowErrors errors(m_timeline);
    m_expected = errors.sd_mj;
    m_timestampNs = errors.timestamp_ns;

    std::vector<double> mean(kKinds, 0.0);
    std::vector<double> sd{kCostShares[kBytes].sd, kCostShares[kFlops].sd, kCostShares[kTime].sd,
                           m_idle && m_idle->value > 0.0 ? m_idleSd / m_idle->value : 0.0};
    if (!input.learn)
        sd[kBytes] = sd[kFlops] = sd[kTime] = 0.0;
    const auto unknown = [&](double value, double deviation) {
        mean.push_back(value);
        sd.push_back(deviation);
        return mean.size() - 1;
    };
    std::array<std::size_t, kWorkKinds> ofKind{};
    for (const KindWork::Part& part : m_work.parts()) {
        std::size_t& own = ofKind[part.kind];
        const bool apart = m_prior.by_phase && part.prefill;
        if (own == 0 || m_prior.by_phase) {
            own = unknown(m_prior.mean.of(part.kind, apart) - 1.0,
                          apart ? m_prior.prefill_sd : m_prior.sd[part.kind]);
        }
        m_unknownOfPart.push_back(own);
    }
    m_otherUnknown = unknown(m_prior.mean.values[kOtherWork] - 1.0, m_prior.sd[kOtherWork]);
    m_outsideUnknown = unknown(0.0, m_idle ? 0.0 : kOutside);
    m_prefillUnknown = unknown(0.0, m_prior.prefill_common_sd);
    m_levelUnknown = unknown(0.0, input.learn ? kLevelShare : 0.0);
    m_count = mean.size();
    constexpr double kLeastDeviation = 1e-9;
    for (double& deviation : sd)
        deviation = std::max(deviation, kLeastDeviation);
    m_priorMean = mean;
    m_priorSd = sd;
    m_mean = std::move(mean);
    m_covariance.assign(m_count, Vector(m_count, 0.0));
    for (std::size_t i = 0; i < m_count; ++i)
        m_covariance[i][i] = m_priorSd[i] * m_priorSd[i];

    WorkCurve::Work all;
    double energy = 0.0;
    for (const KindWork::Part& part : m_work.parts()) {
        const WorkCurve::Work work = part.work.over(m_work.run());
        all.bytes += work.bytes;
        all.flops += work.flops;
    }
    for (std::size_t i = m_first; i < m_last; ++i)
        energy += dynamicOf(i);
    const double seconds = toSeconds(m_work.run().duration_ns());
    const auto per = [&](double amount) { return amount > 0.0 ? energy / amount : 0.0; };
    m_reference = {per(all.bytes), per(all.flops), per(seconds)};
    const Vector fitted = inReferences(m_costs);
    for (std::size_t i = 0; i < fitted.size(); ++i)
        m_priorMean[i] = kCostShares[i].mean - fitted[i];
}

double SplitModel::dynamicOf(std::size_t window) const
{
    const EnergyTimeline::Window& own = m_timeline.windows()[window];
    const double seconds = toSeconds(own.time.duration_ns());
    const double energy = toDouble(own.total_pj.value_or(0)) / kPicojoulesPerMillijoule;
    return std::max(0.0, energy - m_idle.value_or(Milliwatts{}).value * seconds);
}

// In mJ, without the factor of the kind.
double SplitModel::modelled(const WorkCurve::Work& work) const
{
    return modelledBy(m_costs, work);
}

double SplitModel::atFirst(const WorkCurve::Work& work) const
{
    return modelledBy(m_first_costs, work);
}

// Like add(), but independent of the current unit costs.
double SplitModel::addCalibrated(Part& part, std::size_t kind, const WorkCurve::Work& work) const
{
    const double level = 1.0 + m_mean[m_levelUnknown];
    const double factor = 1.0 + m_mean[kind];
    const double base = atFirst(work);
    part.j[kind] += base * level;
    part.j[m_levelUnknown] += base * factor;
    part.m += base * factor * level;
    return base * factor * level;
}

// Returns the energy added.
double SplitModel::add(Part& part, std::size_t kind, const WorkCurve::Work& work) const
{
    const double factor = 1.0 + m_mean[kind];
    const double base = modelled(work);
    part.j[kBytes] += m_reference[kBytes] * work.bytes * factor;
    part.j[kFlops] += m_reference[kFlops] * work.flops * factor;
    part.j[kTime] += m_reference[kTime] * work.busy_ns * 1e-9 * factor;
    part.j[kind] += base;
    part.m += base * factor;
    return base * factor;
}

SplitModel::Part SplitModel::partOf(const TimeRange& range) const
{
    Part part{Vector(m_count, 0.0), 0.0};
    const auto inside = static_cast<double>(intersection(range, m_work.run()).duration_ns());
    WorkCurve::Work other{0.0, 0.0, inside};
    for (std::size_t i = 0; i < m_work.parts().size(); ++i) {
        const WorkCurve::Work work = m_work.parts()[i].work.over(range);
        if (work.busy_ns <= 0.0 && work.bytes <= 0.0 && work.flops <= 0.0)
            continue;
        const double energy = isCalibrated(m_work.parts()[i])
            ? addCalibrated(part, m_unknownOfPart[i], work)
            : add(part, m_unknownOfPart[i], work);
        if (m_work.parts()[i].prefill)
            part.j[m_prefillUnknown] += energy;
        other.busy_ns -= work.busy_ns;
    }
    other.busy_ns = std::max(0.0, other.busy_ns);
    add(part, m_otherUnknown, other);
    if (!m_idle)
        add(part, m_outsideUnknown, {0.0, 0.0, static_cast<double>(range.duration_ns()) - inside});
    part.j[kIdle] = m_idle.value_or(Milliwatts{}).value * toSeconds(range.duration_ns());
    return part;
}

SplitModel::Vector SplitModel::inReferences(const UnitCosts& costs) const
{
    Vector result{costs.pj_per_byte / kPicojoulesPerMillijoule,
                  costs.pj_per_flop / kPicojoulesPerMillijoule, costs.time_mw};
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = m_reference[i] > 0.0 ? result[i] / m_reference[i] : 0.0;
    return result;
}

// Truncates the distribution at zero, since no unit cost is negative.
void SplitModel::cutOffCosts(const UnitCosts& fitted)
{
    const Vector costs = inReferences(fitted);
    for (std::size_t i = 0; i < costs.size(); ++i)
        cutOff(i, -costs[i], m_mean, m_covariance);
}

// Least squares with the prior. Returns how many unknowns the prior alone decides; absent if the
// equations have no solution. scale: factor of the rows' variances.
std::optional<double> SplitModel::solve(const std::vector<FitRow>& rows, double scale)
{
    SquareMatrix a(m_count, Vector(m_count, 0.0));
    Vector right(m_count, 0.0);
    for (const FitRow& row : rows) {
        const double weight = row.weight / (row.sd * row.sd * scale);
        const double target = row.residual + dot(row.j, m_mean) - dot(row.j, m_priorMean);
        for (std::size_t i = 0; i < m_count; ++i) {
            if (row.j[i] == 0.0)
                continue;
            right[i] += weight * row.j[i] * target;
            for (std::size_t k = 0; k < m_count; ++k)
                a[i][k] += weight * row.j[i] * row.j[k];
        }
    }
    for (std::size_t i = 0; i < m_count; ++i)
        a[i][i] += 1.0 / (m_priorSd[i] * m_priorSd[i]);
    const auto inverse = inverseOf(a);
    if (!inverse)
        return std::nullopt;
    a = *inverse;
    const Vector shift = product(a, right);
    double known = 0.0;
    for (std::size_t i = 0; i < m_count; ++i) {
        m_mean[i] = m_priorMean[i] + shift[i];
        if (i >= kKinds)
            m_mean[i] = std::max(m_mean[i], kMinFactor - 1.0);
        known += a[i][i] / (m_priorSd[i] * m_priorSd[i]);
    }
    m_covariance = std::move(a);
    return known;
}

void SplitModel::takeCosts(const UnitCosts& fitted)
{
    m_costs.pj_per_byte = std::max(
        0.0, fitted.pj_per_byte + m_mean[kBytes] * m_reference[kBytes] * kPicojoulesPerMillijoule);
    m_costs.pj_per_flop = std::max(
        0.0, fitted.pj_per_flop + m_mean[kFlops] * m_reference[kFlops] * kPicojoulesPerMillijoule);
    m_costs.time_mw = std::max(0.0, fitted.time_mw + m_mean[kTime] * m_reference[kTime]);
}

void SplitModel::learn()
{
    std::vector<FitRow> rows;
    for (std::size_t i = m_first; i < m_last; ++i) {
        const EnergyTimeline::Window& window = m_timeline.windows()[i];
        if (m_work.run().contains(window.time) && window.total_pj)
            rows.push_back({.window = i, .j = {}, .residual = 0.0, .sd = m_expected[i]});
    }
    if (rows.empty())
        return;
    const UnitCosts fitted = m_costs;
    const auto evaluate = [&] {
        for (FitRow& row : rows) {
            Part part = partOf(m_timeline.windows()[row.window].time);
            row.j = std::move(part.j);
            // The idle power was subtracted at its mean.
            row.residual = dynamicOf(row.window) - part.m - row.j[kIdle] * m_mean[kIdle];
        }
    };
    evaluate();
    const bool exact = followsExactly(rows);
    if (exact)
        std::fill_n(m_priorMean.begin(), kIdle, 0.0);
    double scale = 1.0; // factor of the variances
    Noise noise;
    constexpr int kIterations = 4;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        const auto known = solve(rows, scale);
        if (!known)
            return;
        if (!exact)
            cutOffCosts(fitted);
        takeCosts(fitted);

        evaluate();
        const double used = static_cast<double>(m_count) - *known;
        noise = noiseOf(rows, used);
        m_noise = noise.scale;
        double squares = 0.0;
        for (FitRow& row : rows) {
            const double z = std::abs(row.residual) / (m_noise * row.sd);
            row.weight = z > kRobust ? kRobust / z : 1.0;
            squares += row.weight * row.residual * row.residual / (row.sd * row.sd);
        }
        const double freedom = std::max(1.0, static_cast<double>(rows.size()) - used);
        scale = std::max(m_noise * m_noise, squares / freedom) * dependenceOf(rows);
    }
    if (const double ends = sharedEnds(rows, m_noise); ends > 0.0) {
        double sum = 0.0;
        for (const FitRow& row : rows)
            sum += ends * row.sd * 1e9 / windowPower(m_timeline.windows()[row.window]);
        m_timestampNs = std::hypot(m_timestampNs, sum / static_cast<double>(rows.size()));
        // The rest is a small difference of two uncertain figures, so no less than 1 is assumed.
        m_noise = std::sqrt(std::max(1.0, m_noise * m_noise - 3.0 * ends * ends));
    }
    m_noise *= studentFactor(noise.freedom);
    m_learned = true;
    takeFactors();
}

void SplitModel::takeFactors()
{
    for (std::size_t i = 0; i < m_work.parts().size(); ++i) {
        const KindWork::Part& part = m_work.parts()[i];
        double factor = 1.0 + m_mean[m_unknownOfPart[i]];
        if (isCalibrated(part)) {
            // Relative to the current unit costs.
            const WorkCurve::Work work = part.work.over(m_work.run());
            const double now = modelled(work);
            factor *= (1.0 + m_mean[m_levelUnknown]) * (now > 0.0 ? atFirst(work) / now : 1.0);
        }
        if (part.prefill || !m_prior.by_phase)
            m_factors.prefill[part.kind] = factor;
        if (!part.prefill || !m_prior.by_phase)
            m_factors.values[part.kind] = factor;
    }
    m_factors.values[kOtherWork] = 1.0 + m_mean[m_otherUnknown];
}

void SplitModel::remember()
{
    m_windows.resize(m_last - m_first);
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        WindowPart& own = m_windows[i];
        Part part = partOf(m_timeline.windows()[m_first + i].time);
        if (!(part.m > 0.0))
            continue;
        own.known = true;
        own.scale = std::max(dynamicOf(m_first + i), 1e-12) / part.m;
        own.p = std::move(part.j);
        own.p[kIdle] /= own.scale;
        for (double& value : own.p)
            value /= part.m;
        own.cp = product(m_covariance, own.p);
        own.pcp = dot(own.p, own.cp);
    }
}

void SplitModel::noteUnexplained()
{
    for (std::size_t i = 0; i < m_expected.size(); ++i) {
        const EnergyTimeline::Window& window = m_timeline.windows()[i];
        const double seconds = toSeconds(window.time.duration_ns());
        WindowPower& power = m_unexplained.emplace_back(WindowPower{.time = window.time});
        power.known = window.total_pj && i >= m_first && i < m_last;
        if (!power.known)
            continue;
        power.sd_mw = std::hypot(m_noise * m_expected[i],
                                 windowPower(window) * std::sqrt(2.0) * m_timestampNs * 1e-9)
            / seconds;
        if (m_learned) {
            power.mw = (dynamicOf(i) - partOf(window.time).m) / seconds;
            continue;
        }
        // Beyond the run, the machine is idle.
        const double inside = toSeconds(intersection(window.time, m_work.run()).duration_ns());
        power.mw = m_idle ? dynamicOf(i) / std::max(inside, 1e-9) : dynamicOf(i) / seconds;
    }
}

double SplitModel::quadratic(const Vector& g) const
{
    return std::max(0.0, dot(g, product(m_covariance, g)));
}

double SplitModel::variance(const TimeRange& range) const
{
    const auto [first, last] = m_timeline.touching(range);
    Vector g(m_count, 0.0);
    bool any = false;
    const auto edge = [&](std::size_t i) {
        const TimeRange& time = m_timeline.windows()[i].time;
        if (range.contains(time) || i < m_first || i >= m_last || !m_windows[i - m_first].known)
            return;
        const WindowPart& window = m_windows[i - m_first];
        Part part = partOf(intersection(range, time));
        part.j[kIdle] /= window.scale;
        for (std::size_t k = 0; k < m_count; ++k)
            g[k] += window.scale * (part.j[k] - part.m * window.p[k]);
        any = true;
    };
    if (first != last)
        edge(first);
    if (last - first > 1)
        edge(last - 1);
    return any ? quadratic(g) : 0.0;
}

double SplitModel::variance(const TimeRange& range, WorkKind kind, bool prefill) const
{
    const auto [first, last] = m_timeline.touching(range);
    const auto& parts = m_work.parts();
    const auto found = std::ranges::find_if(parts, [&](const KindWork::Part& part) {
        return part.kind == kind && part.prefill == prefill;
    });
    if (last - first != 1 || found == parts.end() || first < m_first || first >= m_last
        || !m_windows[first - m_first].known)
        return variance(range);
    const WindowPart& window = m_windows[first - m_first];
    const WorkCurve::Work work = found->work.over(range);
    const std::size_t unknown = m_unknownOfPart[static_cast<std::size_t>(found - parts.begin())];
    const bool calibrated = isCalibrated(*found);
    const double level = calibrated ? 1.0 + m_mean[m_levelUnknown] : 1.0;
    const double factor = 1.0 + m_mean[unknown];
    const double base = calibrated ? atFirst(work) : modelled(work);
    const double m = base * factor * level;
    const double byCosts = calibrated ? 0.0 : factor;
    const std::array<std::size_t, 7> at{kBytes,  kFlops,           kTime,         kIdle,
                                        unknown, m_prefillUnknown, m_levelUnknown};
    const std::array<double, 7> j{m_reference[kBytes] * work.bytes * byCosts,
                                  m_reference[kFlops] * work.flops * byCosts,
                                  m_reference[kTime] * work.busy_ns * 1e-9 * byCosts,
                                  m_idle.value_or(Milliwatts{}).value
                                      * toSeconds(range.duration_ns()) / window.scale,
                                  base * level,
                                  prefill ? m : 0.0,
                                  calibrated ? base * factor : 0.0};
    double result = m * m * window.pcp;
    for (std::size_t i = 0; i < at.size(); ++i) {
        result -= 2.0 * m * j[i] * window.cp[at[i]];
        for (std::size_t k = 0; k < at.size(); ++k)
            result += j[i] * j[k] * m_covariance[at[i]][at[k]];
    }
    return std::max(0.0, result) * window.scale * window.scale;
}

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

bool followsExactly(const std::vector<FitRow>& rows)
{
    constexpr double kFarCloser = 0.1; // share of the expected errors
    double squares = 0.0;
    for (const FitRow& row : rows)
        squares += row.residual * row.residual / (row.sd * row.sd);
    return squares < kFarCloser * kFarCloser * static_cast<double>(rows.size());
}

Noise noiseOf(const std::vector<FitRow>& rows, double used)
{
    constexpr double kMinNoise = 0.1;
    constexpr double kPriorCount = 6.0;
    // Efficiency of the median of neighbours' differences, relative to a mean of squares.
    constexpr double kEfficiency = 0.4;
    std::vector<double> steps;
    for (std::size_t i = 1; i < rows.size(); ++i)
        steps.push_back(std::abs(rows[i].residual - rows[i - 1].residual)
                        / std::hypot(rows[i].sd, rows[i - 1].sd));
    if (steps.empty())
        return {1.0, kPriorCount};
    const auto count = static_cast<double>(rows.size());
    const double left = std::max(1.0, count - used);
    const double scale = robustSd(steps);
    const double known = kEfficiency * left;
    return {std::max(kMinNoise,
                     std::sqrt((known * scale * scale * count / left + kPriorCount)
                               / (known + kPriorCount))),
            known + kPriorCount};
}

double sharedEnds(const std::vector<FitRow>& rows, double noise)
{
    constexpr double kSignificant = 1.5;
    double products = 0.0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        products += rows[i].weight * rows[i].residual / rows[i].sd * rows[i - 1].weight
            * rows[i - 1].residual / rows[i - 1].sd;
    const auto count = static_cast<double>(rows.size());
    const double opposed = -products / std::max(1.0, count - 1.0);
    return opposed > kSignificant * noise * noise / std::sqrt(count) ? std::sqrt(opposed) : 0.0;
}

double dependenceOf(const std::vector<FitRow>& rows)
{
    constexpr double kMaxAlike = 0.9;
    double squares = 0.0;
    double products = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double own = rows[i].weight * rows[i].residual / rows[i].sd;
        squares += own * own;
        if (i > 0)
            products += own * rows[i - 1].weight * rows[i - 1].residual / rows[i - 1].sd;
    }
    const double rho = squares > 0.0 ? std::clamp(products / squares, 0.0, kMaxAlike) : 0.0;
    return (1.0 + rho) / (1.0 - rho);
}

} // namespace ep::energy
