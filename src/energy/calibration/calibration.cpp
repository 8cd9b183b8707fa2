// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/calibration.h"

#include "inverse.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/core/words.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace ep::energy {
namespace {

struct Shares {
    std::vector<double> shares;
    SquareMatrix covariance;
};

// A few rounds say little about one kind, so the pooled deviation counts as this many more rounds.
constexpr double kPooledCount = 4.0;

// Energies of repeated blocks relative to the control.
struct Series {
    std::vector<double> ratios;

    double mean() const
    {
        double sum = 0.0;
        for (const double ratio : ratios)
            sum += ratio;
        return sum / static_cast<double>(ratios.size());
    }

    // Sum of the squared relative deviations.
    double squares() const
    {
        const double middle = mean();
        double sum = 0.0;
        for (const double ratio : ratios)
            sum += (ratio / middle - 1.0) * (ratio / middle - 1.0);
        return sum;
    }
};

using SeriesOf = std::map<std::vector<int>, Series>; // by number of passes of each kind

// Relative standard deviation of the mean of each series. The noise of windows and of the control
// affects all series alike, so it is estimated from all of them.
class Scatter {
public:
    Scatter(const SeriesOf& replays, const SeriesOf& multiplied)
    {
        double squares = 0.0;
        double freedom = 0.0;
        for (const SeriesOf* all : {&replays, &multiplied}) {
            for (const auto& [passes, series] : *all) {
                squares += series.squares();
                freedom += static_cast<double>(series.ratios.size()) - 1.0;
            }
        }
        m_pooled = freedom > 0.0 ? squares / freedom : 0.0;
    }

    double of(const Series& series) const
    {
        const auto count = static_cast<double>(series.ratios.size());
        const double variance =
            (series.squares() + kPooledCount * m_pooled) / (count - 1.0 + kPooledCount);
        return std::sqrt(variance / count);
    }

private:
    double m_pooled = 0.0;
};

// Weighted least squares; absent if a kind was in no block.
std::optional<Shares> sharesOf(const SeriesOf& replays, const Scatter& scatter, std::size_t kinds)
{
    SquareMatrix normal(kinds, std::vector<double>(kinds, 0.0));
    std::vector<double> right(kinds, 0.0);
    for (const auto& [passes, series] : replays) {
        const double mean = series.mean();
        // A single round has no scatter; then all blocks count the same.
        const double sd = std::max(1e-9, scatter.of(series) * std::abs(mean));
        for (std::size_t i = 0; i < kinds; ++i) {
            right[i] += passes[i] * mean / (sd * sd);
            for (std::size_t k = 0; k < kinds; ++k)
                normal[i][k] += passes[i] * passes[k] / (sd * sd);
        }
    }
    auto covariance = inverseOf(normal);
    if (!covariance)
        return std::nullopt;
    Shares solution{std::vector<double>(kinds, 0.0), *std::move(covariance)};
    for (std::size_t i = 0; i < kinds; ++i) {
        for (std::size_t k = 0; k < kinds; ++k)
            solution.shares[i] += solution.covariance[i][k] * right[k];
    }
    return solution;
}

// Mean power of the windows inside a block, without the highest and lowest tenth and without
// outliers that other processes caused.
struct BlockPower {
    double watts = 0.0;
    double sd = 0.0; // of the mean, from the scatter of the windows
    int windows = 0;
};

// Drops values that differ from the median by more than the scatter of the others explains.
void dropOutliers(std::vector<std::pair<double, double>>& powers, double middle, double scatter)
{
    constexpr double kOutlier = 6.0; // standard deviations
    constexpr double kMinScatter = 0.002; // of the middle; counter readings differ by 0 or 1 step
    const double most = kOutlier * std::max(scatter, kMinScatter * std::abs(middle));
    std::erase_if(powers, [&](const auto& power) { return std::abs(power.first - middle) > most; });
}

// repetition: how long one repetition takes, in seconds. Windows are expected to have equal power
// only if each contains a whole repetition.
BlockPower powerIn(const EnergyTimeline& timeline, const TimeRange& time, double repetition)
{
    constexpr double kTrimmed = 0.1;
    std::vector<std::pair<double, double>> powers; // each with its duration
    const auto [first, last] = timeline.touching(time);
    for (std::size_t i = first; i < last; ++i) {
        const EnergyTimeline::Window& window = timeline.windows()[i];
        if (!time.contains(window.time) || !window.total_pj)
            continue;
        const double seconds = toSeconds(window.time.duration_ns());
        powers.emplace_back(toDouble(*window.total_pj)
                                / (kPicojoulesPerMillijoule * kMillijoulesPerJoule) / seconds,
                            seconds);
    }
    const auto windows = static_cast<int>(powers.size());
    if (powers.empty())
        return {};
    std::vector<double> values;
    double length = 0.0;
    for (const auto& [power, own] : powers) {
        values.push_back(power);
        length += own / static_cast<double>(windows);
    }
    const double middle = medianOf(values);
    for (double& value : values)
        value = std::abs(value - middle);
    const double scatter = robustSd(values);
    if (repetition <= length)
        dropOutliers(powers, middle, scatter);
    std::ranges::sort(powers);
    const auto cut = static_cast<std::size_t>(kTrimmed * static_cast<double>(powers.size()));
    double energy = 0.0;
    double seconds = 0.0;
    for (std::size_t i = cut; i + cut < powers.size(); ++i) {
        energy += powers[i].first * powers[i].second;
        seconds += powers[i].second;
    }
    return {seconds > 0.0 ? energy / seconds : 0.0,
            scatter / std::sqrt(static_cast<double>(windows)), windows};
}

using What = CalibrationBlock::What;

constexpr double kMaxDrift = 0.03;
constexpr double kDriftSd = 2.0; // the drift must exceed kMaxDrift by this many deviations
constexpr double kMaxMissing = 0.02; // |kappa - 1|
constexpr double kMissingSd = 3.0;
// Largest difference of a replay and its cross-check, in deviations: a dozen kinds are compared,
// and none of them may be refused by chance.
constexpr double kDisagreement = 3.5;
constexpr double kWhollyHot = 1.0; // in cache sizes; a larger token does not stay in the cache
constexpr double kCold = 4.0; // in cache sizes; a larger replay does not stay in the cache
// Relative error of a replay, because it lacks the kind's neighbours in a token.
constexpr double kTransfer = 0.005;
constexpr double kUncalibratedTau = 0.087;
constexpr std::size_t kSmoothed = 3; // control blocks in a moving median

struct Point {
    double at = 0.0; // middle of the block, in seconds of the clock
    double joules = 0.0;
    double sd = 0.0; // of the joules, from the scatter of the windows
};

double interpolated(const std::vector<Point>& points, double at)
{
    const auto after = std::ranges::lower_bound(points, at, {}, &Point::at);
    if (after == points.begin())
        return points.front().joules;
    if (after == points.end())
        return points.back().joules;
    const Point& before = *(after - 1);
    const double share = (at - before.at) / (after->at - before.at);
    return before.joules + share * (after->joules - before.joules);
}

// Relative change of the control, without the noise of single blocks.
struct Drift {
    double share = 0.0;
    double sd = 0.0; // of the share, from the noise of the windows
};

Drift driftOf(const std::vector<Point>& control)
{
    std::vector<double> smooth;
    for (std::size_t i = 0; i + kSmoothed <= control.size(); ++i) {
        std::vector<double> some;
        for (std::size_t k = i; k < i + kSmoothed; ++k)
            some.push_back(control[k].joules);
        smooth.push_back(medianOf(some));
    }
    if (smooth.empty()) {
        for (const Point& point : control)
            smooth.push_back(point.joules);
    }
    const auto [least, most] = std::ranges::minmax(smooth);
    if (!(least > 0.0))
        return {};
    // Standard error of a median of three, and the factor for the difference of two medians.
    constexpr double kOfMedian = 0.67;
    constexpr double kOfDifference = 1.4142135623730951;
    double squares = 0.0;
    for (const Point& point : control)
        squares += point.sd * point.sd;
    const double sd = std::sqrt(squares / static_cast<double>(control.size()));
    return {most / least - 1.0, kOfDifference * kOfMedian * sd / least};
}

using What = CalibrationBlock::What;

constexpr double kAlone = 0.01; // share of a token's time below which a kind joins the mixture
constexpr double kChecked = 0.04;
constexpr int kOften = 3; // passes of a kind in the mixture that measures it
constexpr std::size_t kControlEvery = 4;
constexpr double kMoreTime = 0.5; // share of a token's time for the extra passes of a check
constexpr double kMaxExtra = 8.0;
constexpr double kColdAgain = 4.0; // in cache sizes; read before a layer's weights are used again

std::vector<int> passesOf(std::size_t kinds, std::size_t one, int times = 1)
{
    std::vector<int> passes(kinds, 0);
    passes[one] = times;
    return passes;
}

// Extra passes in a cross-check; 0: a cross-check would not be informative.
int extraOf(const CalibratedKind& kind, double tokenSeconds, double tokenBytes,
            const CalibrationSettings& settings)
{
    const auto cache = static_cast<double>(settings.cache_bytes);
    const bool cold = cache > 0.0 && tokenBytes > cache; // in a token, weights come from memory
    double most = kMaxExtra;
    if (sectionFromName(kind.kind)) {
        // A section outside of layers reads the same weights again immediately. They must not fit
        // into the cache, or the check would be as wrong as the replay.
        if (cold && static_cast<double>(kind.footprint_bytes) < kColdAgain * cache)
            return 0;
    } else {
        most = std::min(most, static_cast<double>(kind.calls) - 1.0);
        if (cold)
            most = std::min(most, tokenBytes / (kColdAgain * cache) - 1.0);
    }
    const double wanted = kMoreTime * tokenSeconds / kind.seconds;
    return std::max(1, static_cast<int>(std::min(wanted, most)));
}

// Like std::shuffle, but with the same result in every standard library.
void shuffle(std::vector<CalibrationBlock>& blocks, std::mt19937& random)
{
    for (std::size_t i = blocks.size(); i > 1; --i)
        std::swap(blocks[i - 1], blocks[random() % i]);
}

struct PlannedParts {
    std::vector<std::vector<int>> replays;
    std::vector<std::vector<int>> checks;
};

PlannedParts plannedParts(std::span<const CalibratedKind> kinds,
                          const CalibrationSettings& settings)
{
    double token = 0.0;
    double bytes = 0.0;
    for (const CalibratedKind& kind : kinds) {
        token += kind.seconds;
        bytes += static_cast<double>(kind.footprint_bytes);
    }
    PlannedParts parts;
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].seconds < kAlone * token)
            small.push_back(i);
        else
            parts.replays.push_back(passesOf(kinds.size(), i));
        const int extra =
            kinds[i].seconds > kChecked * token ? extraOf(kinds[i], token, bytes, settings) : 0;
        if (extra > 0)
            parts.checks.push_back(passesOf(kinds.size(), i, extra));
    }
    for (const std::size_t about : small) {
        std::vector<int> passes(kinds.size(), 0);
        for (const std::size_t one : small)
            passes[one] = one == about && small.size() > 1 ? kOften : 1;
        parts.replays.push_back(std::move(passes));
    }
    return parts;
}

} // namespace

Message refusalOf(const CalibrationConditions& conditions, std::span<const PowerSample> samples,
                  const CalibrationSettings& settings)
{
    if (std::ranges::any_of(samples, &PowerSample::modelled))
        return "A modelled power source measures nothing: calibrate with a sensor.";
    if (conditions.on_battery)
        return "The machine ran on battery: connect it to its power supply and calibrate again.";
    if (conditions.low_power)
        return "The machine was in low-power mode: switch it off and calibrate again.";
    if (conditions.thermal != ThermalPressure::Unknown
        && conditions.thermal != ThermalPressure::Nominal)
        return "The machine was too hot and slowed down: let it cool down and calibrate again.";
    if (!settings.while_disturbed && disturbs(conditions.other_cpu_share, conditions.processors)) {
        return Message("Other programs used %1 of the processor: close them and calibrate again.",
                       formatPercent(*conditions.other_cpu_share));
    }
    return {};
}

namespace {

// Whether a kind stays in the cache when it is replayed, but not in a token.
bool isHot(const CalibratedKind& kind, double token, const CalibrationSettings& settings)
{
    const auto cache = static_cast<double>(settings.cache_bytes);
    return cache > 0.0 && token > kWhollyHot * cache
        && static_cast<double>(kind.footprint_bytes) < kCold * cache;
}

class Estimation {
public:
    Estimation(std::span<const CalibratedKind> kinds, std::span<const PowerSample> samples,
               const CalibrationSettings& settings)
        : m_settings(settings)
        , m_timeline(samples)
    {
        m_result.record.kinds.assign(kinds.begin(), kinds.end());
    }

    Calibration estimate(std::span<const MeasuredBlock> blocks)
    {
        if (!readPowers(blocks))
            return std::move(m_result);
        readControl(blocks);
        if (!readRatios(blocks))
            return std::move(m_result);
        share();
        crossCheck();
        judge();
        return std::move(m_result);
    }

private:
    bool refuse(const Message& why)
    {
        if (m_result.refusal.empty())
            m_result.refusal = why;
        return false;
    }

    bool readPowers(std::span<const MeasuredBlock> blocks)
    {
        double idle = 0.0;
        double seconds = 0.0;
        for (const MeasuredBlock& block : blocks) {
            const double repetition = toSeconds(block.time.duration_ns())
                / static_cast<double>(std::max<std::int64_t>(1, block.repetitions));
            const bool isIdle = block.block.what == What::Idle;
            const BlockPower power = powerIn(m_timeline, block.time, isIdle ? 0.0 : repetition);
            m_powers.push_back(power);
            if (!isIdle && block.repetitions <= 0) {
                return refuse("A block ended before its work was done once: calibrate with longer "
                              "blocks.");
            }
            if (power.windows < (isIdle ? 1 : m_settings.least_windows)) {
                return refuse(Message("A block has %1 whole windows of the power source instead of "
                                      "%2: calibrate with longer blocks.",
                                      power.windows, isIdle ? 1 : m_settings.least_windows));
            }
            if (!isIdle)
                continue;
            const double own = toSeconds(block.time.duration_ns());
            idle += power.watts * own;
            seconds += own;
        }
        if (seconds <= 0.0)
            return refuse("The idle machine was not measured: calibrate again.");
        m_result.record.idle_watts = idle / seconds;
        return true;
    }

    // Dynamic energy of one repetition.
    Point pointOf(const MeasuredBlock& block, const BlockPower& power) const
    {
        const double seconds =
            toSeconds(block.time.duration_ns()) / static_cast<double>(block.repetitions);
        return {toSeconds(block.time.begin_ns) + 0.5 * toSeconds(block.time.duration_ns()),
                (power.watts - m_result.record.idle_watts) * seconds, power.sd * seconds};
    }

    void readControl(std::span<const MeasuredBlock> blocks)
    {
        CalibrationRecord& record = m_result.record;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].block.what != What::Control)
                continue;
            m_control.push_back(pointOf(blocks[i], m_powers[i]));
            record.token_joules += m_control.back().joules;
            record.token_seconds += toSeconds(blocks[i].time.duration_ns())
                / static_cast<double>(blocks[i].repetitions);
        }
        const auto count = static_cast<double>(std::max<std::size_t>(1, m_control.size()));
        record.token_joules /= count;
        record.token_seconds /= count;
    }

    bool readRatios(std::span<const MeasuredBlock> blocks)
    {
        if (m_control.empty() || m_result.record.token_joules <= 0.0) {
            return refuse(
                "Whole tokens used no more power than the idle machine: this power source "
                "does not see the work.");
        }
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const What what = blocks[i].block.what;
            if (what != What::Replay && what != What::Multiplied)
                continue;
            const Point point = pointOf(blocks[i], m_powers[i]);
            const double ratio = point.joules / interpolated(m_control, point.at);
            (what == What::Replay ? m_replays : m_multiplied)[blocks[i].block.passes]
                .ratios.push_back(ratio);
        }
        return true;
    }

    void share()
    {
        CalibrationRecord& record = m_result.record;
        const std::size_t count = record.kinds.size();
        const auto solution = sharesOf(m_replays, Scatter(m_replays, m_multiplied), count);
        if (!solution) {
            refuse("A kind of component was not measured: calibrate again.");
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            record.kinds[i].share = solution->shares[i];
            record.kinds[i].share_sd = std::sqrt(solution->covariance[i][i]);
            record.kappa += solution->shares[i];
            for (std::size_t k = 0; k < count; ++k)
                record.kappa_sd += solution->covariance[i][k];
        }
        // Adds the uncertainty of the control, which all shares have in common.
        Series control;
        for (const Point& point : m_control)
            control.ratios.push_back(point.joules);
        const auto blocks = static_cast<double>(m_control.size());
        const double common = control.squares() / std::max(1.0, blocks - 1.0) / blocks;
        record.kappa_sd = std::sqrt(record.kappa_sd + common * record.kappa * record.kappa);
    }

    void crossCheck()
    {
        // The block is a whole token with extra passes, so its error is relative to that whole.
        const Scatter scatter(m_replays, m_multiplied);
        for (const auto& [passes, series] : m_multiplied) {
            const std::size_t one = multipliedKind({.what = What::Multiplied, .passes = passes});
            CalibratedKind& kind = m_result.record.kinds[one];
            const double times = passes[one];
            kind.doubled_share = (series.mean() - 1.0) / times;
            kind.doubled_share_sd = scatter.of(series) * series.mean() / times;
            const double apart = *kind.doubled_share - kind.share;
            const double transfer = kTransfer * kind.share;
            const double sd = std::sqrt(kind.share_sd * kind.share_sd + transfer * transfer
                                        + *kind.doubled_share_sd * *kind.doubled_share_sd);
            if (std::abs(apart) > kDisagreement * sd) {
                kind.problem =
                    Message("Replayed alone it uses %1 of a token's energy, executed more often in "
                            "a token %2.",
                            formatPercent(kind.share), formatPercent(*kind.doubled_share));
            }
        }
    }

    void judge()
    {
        CalibrationRecord& record = m_result.record;
        double token = 0.0;
        for (const CalibratedKind& kind : record.kinds)
            token += static_cast<double>(kind.footprint_bytes);
        // Deviation of kappa from 1 beyond its own noise, which the shares already include.
        const double off = std::abs(record.kappa - 1.0);
        const double unexplained = std::max(0.0, off * off - record.kappa_sd * record.kappa_sd);
        for (CalibratedKind& kind : record.kinds) {
            if (kind.problem.empty() && kind.share <= kind.share_sd)
                kind.problem = "Its energy is too small to be measured.";
            const double own = kind.share > 0.0 ? kind.share_sd / kind.share : 1.0;
            kind.tau = std::sqrt(own * own + kTransfer * kTransfer + unexplained);
            if (!kind.doubled_share && isHot(kind, token, m_settings))
                kind.tau = std::max(kind.tau, kUncalibratedTau);
        }
        const Drift drift = driftOf(m_control);
        record.drift = drift.share;
        if (drift.share > kMaxDrift + kDriftSd * drift.sd) {
            refuse(Message("The energy of a token changed by %1 during the calibration: let the "
                           "machine settle and calibrate again.",
                           formatPercent(record.drift)));
        }
        if (off > std::max(kMaxMissing, kMissingSd * record.kappa_sd)) {
            refuse(Message("The kinds of components replayed alone add up to %1 of a token's "
                           "energy: what they cost alone is not what they cost in a token.",
                           formatPercent(record.kappa)));
        }
    }

    const CalibrationSettings& m_settings;
    EnergyTimeline m_timeline;
    Calibration m_result;
    std::vector<BlockPower> m_powers; // one for each block
    std::vector<Point> m_control;
    SeriesOf m_replays;
    SeriesOf m_multiplied;
};

} // namespace

Calibration estimateCalibration(std::span<const CalibratedKind> kinds,
                                std::span<const MeasuredBlock> blocks,
                                std::span<const PowerSample> samples,
                                const CalibrationConditions& conditions,
                                const CalibrationSettings& settings)
{
    Calibration result = Estimation(kinds, samples, settings).estimate(blocks);
    if (const Message problem = refusalOf(conditions, samples, settings); !problem.empty())
        result.refusal = problem;
    return result;
}

std::vector<CalibrationBlock> planCalibration(std::span<const CalibratedKind> kinds,
                                              const CalibrationSettings& settings)
{
    const PlannedParts parts = plannedParts(kinds, settings);
    std::mt19937 random(settings.seed);
    std::vector<CalibrationBlock> plan{{.what = What::Idle}, {.what = What::Control}};
    std::size_t since = 0; // blocks since the last control block
    for (int round = 0; round < settings.rounds; ++round) {
        std::vector<CalibrationBlock> blocks;
        for (const std::vector<int>& passes : parts.replays)
            blocks.push_back({.what = What::Replay, .passes = passes, .round = round});
        if (round < settings.check_rounds) {
            for (const std::vector<int>& passes : parts.checks)
                blocks.push_back({.what = What::Multiplied, .passes = passes, .round = round});
        }
        shuffle(blocks, random);
        for (CalibrationBlock& block : blocks) {
            plan.push_back(std::move(block));
            if (++since == kControlEvery) {
                plan.push_back({.what = What::Control, .passes = {}, .round = round});
                since = 0;
            }
        }
    }
    if (since > 0)
        plan.push_back({.what = What::Control, .passes = {}, .round = settings.rounds});
    plan.push_back({.what = What::Idle, .passes = {}, .round = settings.rounds});
    return plan;
}

std::size_t multipliedKind(const CalibrationBlock& block)
{
    return static_cast<std::size_t>(
        std::ranges::find_if(block.passes, [](int times) { return times > 0; })
        - block.passes.begin());
}

double secondsOf(std::span<const CalibrationBlock> blocks, const CalibrationSettings& settings)
{
    double seconds = 0.0;
    for (const CalibrationBlock& block : blocks)
        seconds += block.what == What::Idle ? settings.idle_seconds : settings.block_seconds;
    return seconds;
}

} // namespace ep::energy
