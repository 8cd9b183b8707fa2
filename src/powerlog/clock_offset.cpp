// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/clock_offset.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace ep::powerlog {

namespace {

using Complex = std::complex<double>;

// In place; the size must be a power of two.
void fourier(std::vector<Complex>& values, bool inverse)
{
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    for (std::size_t length = 2; length <= n; length <<= 1) {
        const double angle =
            (inverse ? -2.0 : 2.0) * std::numbers::pi / static_cast<double>(length);
        const Complex root(std::cos(angle), std::sin(angle));
        for (std::size_t i = 0; i < n; i += length) {
            Complex turn(1.0);
            for (std::size_t k = 0; k < length / 2; ++k) {
                const Complex even = values[i + k];
                const Complex odd = values[i + k + length / 2] * turn;
                values[i + k] = even + odd;
                values[i + k + length / 2] = even - odd;
                turn *= root;
            }
        }
    }
    if (inverse) {
        for (Complex& value : values)
            value /= static_cast<double>(n);
    }
}

// Time under load up to any instant, from which follows the mean load of any window.
class LoadCurve {
public:
    explicit LoadCurve(std::vector<TimeRange> load)
    {
        std::ranges::sort(load, {}, &TimeRange::begin_ns);
        for (const TimeRange& range : load) {
            if (!m_ranges.empty() && range.begin_ns <= m_ranges.back().end_ns)
                m_ranges.back().end_ns = std::max(m_ranges.back().end_ns, range.end_ns);
            else if (!range.empty())
                m_ranges.push_back(range);
        }
        for (const TimeRange& range : m_ranges) {
            m_before.push_back(m_total);
            m_total += static_cast<double>(range.duration_ns());
        }
    }
    bool empty() const { return m_ranges.empty(); }
    double total() const { return m_total; }
    Nanoseconds begin() const { return m_ranges.front().begin_ns; }
    Nanoseconds end() const { return m_ranges.back().end_ns; }
    double until(Nanoseconds time) const
    {
        const auto after = std::ranges::upper_bound(m_ranges, time, {}, &TimeRange::begin_ns);
        if (after == m_ranges.begin())
            return 0.0;
        const auto i = static_cast<std::size_t>(after - m_ranges.begin()) - 1;
        return m_before[i]
            + static_cast<double>(std::min(time, m_ranges[i].end_ns) - m_ranges[i].begin_ns);
    }
    double mean(Nanoseconds begin, Nanoseconds end) const
    {
        return end > begin ? (until(end) - until(begin)) / static_cast<double>(end - begin) : 0.0;
    }

private:
    std::vector<TimeRange> m_ranges;
    std::vector<double> m_before;
    double m_total = 0.0;
};

// Regression of the power on the load at one offset.
struct Fit {
    double residual = 0.0; // sum of squared residuals
    double correlation = 0.0; // negative if power decreases under load
    double autocorrelation = 0.0; // correlation of neighbouring residuals
};

Fit fitAt(std::span<const Window> power, const LoadCurve& load, Nanoseconds offset)
{
    double n = 0.0;
    double sx = 0.0;
    double sy = 0.0;
    double sxx = 0.0;
    double sxy = 0.0;
    double syy = 0.0;
    std::vector<std::pair<double, double>> points;
    points.reserve(power.size());
    for (const Window& window : power) {
        const double length = static_cast<double>(window.end_ns - window.begin_ns);
        const double y = window.joules / (length * 1e-9);
        const double x = load.mean(window.begin_ns + offset, window.end_ns + offset);
        points.emplace_back(x, y);
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    Fit fit;
    const double cxx = sxx - sx * sx / n;
    const double cyy = syy - sy * sy / n;
    const double cxy = sxy - sx * sy / n;
    if (!(cxx > 0.0) || !(cyy > 0.0)) {
        fit.residual = std::max(cyy, 0.0);
        return fit;
    }
    const double slope = cxy / cxx;
    const double level = (sy - slope * sx) / n;
    double before = 0.0;
    double product = 0.0;
    for (const auto& [x, y] : points) {
        const double rest = y - level - slope * x;
        fit.residual += rest * rest;
        product += rest * before;
        before = rest;
    }
    fit.correlation = cxy / std::sqrt(cxx * cyy);
    fit.autocorrelation = fit.residual > 0.0 ? std::clamp(product / fit.residual, 0.0, 0.95) : 0.0;
    return fit;
}

// Merges windows of long recordings, since the fit needs only about ten thousand.
std::vector<Window> coarser(std::span<const Window> power)
{
    constexpr std::size_t kMax = 20'000;
    const std::size_t together = (power.size() + kMax - 1) / kMax;
    std::vector<Window> windows;
    for (std::size_t i = 0; i < power.size(); i += std::max<std::size_t>(1, together)) {
        Window joined = power[i];
        for (std::size_t j = i + 1; j < std::min(power.size(), i + together); ++j) {
            if (power[j].begin_ns != joined.end_ns)
                break;
            joined.end_ns = power[j].end_ns;
            joined.joules += power[j].joules;
        }
        if (joined.end_ns > joined.begin_ns)
            windows.push_back(joined);
    }
    return windows;
}

// Correlations on a grid; entry k: the load begins k - (load.size() - 1) cells after the power.
struct Scan {
    std::vector<double> correlation;
    std::int64_t first_shift = 0;
    Nanoseconds step = 0;
};

Scan scan(std::span<const Window> power, const LoadCurve& load)
{
    constexpr Nanoseconds kFinest = 20'000'000;
    constexpr Nanoseconds kCells = 100'000;
    const Nanoseconds begin = power.front().begin_ns;
    const Nanoseconds length = power.back().end_ns - begin;
    Scan result;
    result.step = std::max({kFinest, length / kCells, (load.end() - load.begin()) / kCells});
    const auto cells = static_cast<std::size_t>(length / result.step) + 1;
    const auto loadCells = static_cast<std::size_t>((load.end() - load.begin()) / result.step) + 1;
    // Mean power of each cell; cells without power get the mean, so that they have no influence.
    std::vector<double> energy(cells, 0.0);
    std::vector<double> covered(cells, 0.0);
    double joules = 0.0;
    double seconds = 0.0;
    for (const Window& window : power) {
        const double watts = window.joules / toSeconds(window.end_ns - window.begin_ns);
        joules += window.joules;
        seconds += toSeconds(window.end_ns - window.begin_ns);
        Nanoseconds at = window.begin_ns;
        while (at < window.end_ns) {
            const auto cell = static_cast<std::size_t>((at - begin) / result.step);
            const Nanoseconds next =
                std::min(window.end_ns, begin + (static_cast<Nanoseconds>(cell) + 1) * result.step);
            if (cell < cells) {
                energy[cell] += watts * toSeconds(next - at);
                covered[cell] += toSeconds(next - at);
            }
            at = next;
        }
    }
    const double mean = joules / seconds;
    std::size_t size = 1;
    while (size < cells + loadCells)
        size <<= 1;
    std::vector<Complex> p(size);
    std::vector<Complex> l(size);
    double spp = 0.0;
    for (std::size_t i = 0; i < cells; ++i) {
        const double value = covered[i] > 0.0 ? energy[i] / covered[i] - mean : 0.0;
        p[i] = value;
        spp += value * value;
    }
    std::vector<double> sums(loadCells + 1, 0.0);
    std::vector<double> squares(loadCells + 1, 0.0);
    for (std::size_t j = 0; j < loadCells; ++j) {
        const Nanoseconds at = load.begin() + static_cast<Nanoseconds>(j) * result.step;
        const double value = load.mean(at, at + result.step);
        l[j] = value;
        sums[j + 1] = sums[j] + value;
        squares[j + 1] = squares[j] + value * value;
    }
    fourier(p, false);
    fourier(l, false);
    for (std::size_t i = 0; i < size; ++i)
        p[i] *= std::conj(l[i]);
    fourier(p, true);
    const auto n = static_cast<std::int64_t>(cells);
    const auto m = static_cast<std::int64_t>(loadCells);
    result.first_shift = 1 - m;
    constexpr double kMinInside = 0.8; // share of the load that must lie inside the recording
    for (std::int64_t shift = result.first_shift; shift < n; ++shift) {
        const auto from = static_cast<std::size_t>(std::clamp<std::int64_t>(-shift, 0, m));
        const auto to = static_cast<std::size_t>(std::clamp<std::int64_t>(n - shift, 0, m));
        const double sum = to > from ? sums[to] - sums[from] : 0.0;
        const double square = to > from ? squares[to] - squares[from] : 0.0;
        const double variance = square - sum * sum / static_cast<double>(n);
        const double product = p[static_cast<std::size_t>(
                                     shift >= 0 ? shift : shift + static_cast<std::int64_t>(size))]
                                   .real();
        const bool usable = sum >= kMinInside * sums.back() && variance > 1e-9 && spp > 0.0;
        result.correlation.push_back(usable ? product / std::sqrt(spp * variance) : -1.0);
    }
    return result;
}

// The highest correlation beyond the slopes of the peak; -1 if there is nothing beyond them.
std::pair<double, std::int64_t> secondPeak(const std::vector<double>& correlation,
                                           std::int64_t peak)
{
    const auto at = [&](std::int64_t i) { return correlation[static_cast<std::size_t>(i)]; };
    const auto size = static_cast<std::int64_t>(correlation.size());
    const double half = 0.5 * at(peak);
    std::int64_t left = peak;
    std::int64_t right = peak;
    while (left > 0 && at(left) > half)
        --left;
    while (right + 1 < size && at(right) > half)
        ++right;
    std::pair<double, std::int64_t> second{-1.0, peak};
    for (std::int64_t i = 0; i < size; ++i) {
        if ((i < left || i > right) && at(i) > second.first)
            second = {at(i), i};
    }
    return second;
}

double medianSeconds(std::span<const Window> windows)
{
    std::vector<Nanoseconds> lengths;
    for (const Window& window : windows)
        lengths.push_back(window.end_ns - window.begin_ns);
    return toSeconds(medianDuration(std::move(lengths)));
}

constexpr double kChi = 3.84; // 95 % quantile, one parameter

Error refusal(const Message& why)
{
    return {ErrorCode::InvalidInput,
            {"The clocks cannot be aligned: %1 State the difference with --offset SECONDS.", why}};
}

} // namespace

Result<ClockOffset> findClockOffset(std::span<const Window> power,
                                    const std::vector<TimeRange>& load)
{
    const LoadCurve curve(load);
    const std::vector<Window> windows = coarser(power);
    constexpr std::size_t kMin = 20;
    if (curve.empty() || windows.size() < kMin)
        return refusal("there are too few samples or requests.");
    const Scan all = scan(windows, curve);
    const auto best = std::ranges::max_element(all.correlation);
    constexpr double kWeakest = 0.5;
    if (*best < kWeakest)
        return refusal(Message("the power does not follow the load at any offset (correlation %1).",
                               formatSignificant(std::max(*best, 0.0), 2)));
    // The load's clock minus the power's, which is to be added to the times of the power.
    const auto offsetOf = [&](std::int64_t index) {
        return curve.begin() - (windows.front().begin_ns + (index + all.first_shift) * all.step);
    };
    const auto peak = static_cast<std::int64_t>(best - all.correlation.begin());
    // Refines the best cell with the windows themselves.
    const auto finest = [&](Nanoseconds around, Nanoseconds reach, Nanoseconds step) {
        std::pair<double, Nanoseconds> least{std::numeric_limits<double>::infinity(), around};
        for (Nanoseconds at = around - reach; at <= around + reach; at += step) {
            const Fit fit = fitAt(windows, curve, at);
            if (fit.correlation > 0.0)
                least = std::min(least, std::pair(fit.residual, at));
        }
        return least;
    };
    const Nanoseconds coarse = finest(offsetOf(peak), 3 * all.step, all.step / 2).second;
    const auto closest = finest(coarse, all.step / 2, std::max<Nanoseconds>(all.step / 20, 1));
    const double residual = closest.first;
    const Nanoseconds offset = closest.second;
    const Fit fit = fitAt(windows, curve, offset);
    const double n = std::max(5.0,
                              static_cast<double>(windows.size()) * (1.0 - fit.autocorrelation)
                                  / (1.0 + fit.autocorrelation));
    if (const auto [second, other] = secondPeak(all.correlation, peak); second > kWeakest) {
        const auto rival = finest(offsetOf(other), all.step, all.step / 2);
        constexpr double kAsGood = 0.85; // random peaks stay below this
        if (second >= kAsGood * *best || rival.first <= residual * (1.0 + 3.0 * kChi / n))
            return refusal(Message("two offsets fit, %1 s and %2 s.",
                                   formatSignificant(toSeconds(offset), 6),
                                   formatSignificant(toSeconds(rival.second), 6)));
    }
    // The interval extends as far as the residual is not significantly larger.
    const double most = residual * (1.0 + kChi / n);
    constexpr int kSteps = 400;
    const Nanoseconds small = std::max<Nanoseconds>(all.step / 4, 1);
    const auto edge = [&](Nanoseconds direction) {
        Nanoseconds at = offset;
        for (int i = 0; i < kSteps; ++i) {
            at += direction * small;
            if (fitAt(windows, curve, at).residual > most)
                break;
        }
        return at;
    };
    // An edge of the load may be anywhere inside a window.
    const double sampling = medianSeconds(windows) / 4.0;
    return ClockOffset{.seconds = toSeconds(offset),
                       .low_s = toSeconds(edge(-1)) - sampling,
                       .high_s = toSeconds(edge(1)) + sampling,
                       .correlation = fit.correlation};
}

} // namespace ep::powerlog
