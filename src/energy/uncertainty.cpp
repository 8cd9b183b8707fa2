// SPDX-License-Identifier: GPL-3.0-or-later
#include "uncertainty.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::energy {
namespace {

constexpr double kMinUnevenness = 0.03;

double square(double value)
{
    return value * value;
}

// Power of an adjacent window, if known.
double powerBeside(const EnergyTimeline::Window& window, const EnergyTimeline::Window& neighbour)
{
    const bool touch = neighbour.time.end_ns == window.time.begin_ns
        || window.time.end_ns == neighbour.time.begin_ns;
    return windowPower(touch && neighbour.total_pj ? neighbour : window);
}

constexpr double kGainNoise = 0.005; // relative, of one window
constexpr double kMinTimestampNs = 50'000.0; // arrival times are never better

// 1 mJ if all energies are multiples of a millijoule, 1 uJ if of a microjoule; otherwise 0.
double stepOf(const EnergyTimeline& timeline)
{
    for (const double step : {1.0, 1e-3}) {
        const auto pj = static_cast<Picojoules>(step * kPicojoulesPerMillijoule);
        if (std::ranges::all_of(timeline.windows(), [&](const EnergyTimeline::Window& window) {
                return window.total_pj.value_or(0) % pj == 0;
            }))
            return step;
    }
    return 0.0;
}

// Returns the noise in mJ. Each rail has its own sensor, so the errors add up in squares.
double gainNoiseOf(const EnergyTimeline::Window& window, const std::vector<Rail>& rails)
{
    double squares = 0.0;
    for (const Rail rail : rails) {
        const double energy = toDouble(window.rails_pj[rail].value_or(0));
        squares += energy * energy;
    }
    const double energy =
        squares > 0.0 ? std::sqrt(squares) : toDouble(window.total_pj.value_or(0));
    return kGainNoise * energy / kPicojoulesPerMillijoule;
}

double timestampsOf(const EnergyTimeline& timeline)
{
    double squares = 0.0;
    for (const EnergyTimeline::Window& window : timeline.windows())
        squares += static_cast<double>(window.bridged_ns) * static_cast<double>(window.bridged_ns);
    const auto count = static_cast<double>(std::max<std::size_t>(1, timeline.windows().size()));
    return std::max(kMinTimestampNs, std::sqrt(squares / count / 2.0));
}

} // namespace

Uncertainty::Uncertainty(const EnergyTimeline& timeline, const SplitModel* model, double offsetSdNs)
    : m_timeline(timeline)
    , m_model(model)
    , m_errors(timeline)
    , m_noise(model != nullptr ? model->noise() : 1.0)
    , m_offsetSdNs(offsetSdNs)
    , m_timestampNs(model != nullptr ? model->timestampNs() : m_errors.timestamp_ns)
{
    const auto& windows = timeline.windows();
    if (model != nullptr)
        m_unevenMw = unevenness(model->unexplained());
    m_bridged.push_back(0);
    m_variance.push_back(0.0);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        m_bridged.push_back(m_bridged.back() + windows[i].bridged_ns);
        // Errors of counter steps and timestamps cancel between adjacent windows; noise does not.
        const double telescoping =
            std::hypot(m_errors.step_mj / std::sqrt(6.0),
                       windowPower(windows[i]) * std::sqrt(2.0) * m_errors.timestamp_ns * 1e-9);
        m_variance.push_back(
            m_variance.back()
            + std::max(0.0, square(m_noise) * (square(m_errors.sd_mj[i]) - square(telescoping))));
    }
}

double Uncertainty::shareOf(const TimeRange& range, std::size_t window) const
{
    const TimeRange& time = m_timeline.windows()[window].time;
    return static_cast<double>(intersection(time, range).duration_ns())
        / static_cast<double>(time.duration_ns());
}

double Uncertainty::unevenDivision(const TimeRange& range, std::size_t first,
                                   std::size_t last) const
{
    const auto& windows = m_timeline.windows();
    double variance = 0.0;
    const auto edge = [&](std::size_t i) {
        const double here = windowPower(windows[i]);
        const double before = i > 0 ? powerBeside(windows[i], windows[i - 1]) : here;
        const double after =
            i + 1 < windows.size() ? powerBeside(windows[i], windows[i + 1]) : here;
        const double uneven = here > 0.0 ? std::abs(after - before) / (2.0 * here) : 0.0;
        const double share = shareOf(range, i);
        variance +=
            square(std::min(share, 1.0 - share) * here * toSeconds(windows[i].time.duration_ns())
                   * std::clamp(uneven, kMinUnevenness, 1.0));
    };
    edge(first);
    if (last - first > 1)
        edge(last - 1);
    return variance;
}

// If the two ends of a window have timestamps that are d0 and d1 late, the energy up to the
// fraction s of it is off by power x (d0 (1 - s) + d1 s).
double Uncertainty::timestampVariance(const TimeRange& range, std::size_t first, std::size_t last,
                                      double before, double after) const
{
    const auto& windows = m_timeline.windows();
    const auto place = [&](std::size_t i, Nanoseconds time) {
        const TimeRange& own = windows[i].time;
        return std::clamp(static_cast<double>(time - own.begin_ns)
                              / static_cast<double>(own.duration_ns()),
                          0.0, 1.0);
    };
    const double begin = place(first, range.begin_ns);
    const double end = place(last, range.end_ns);
    // Energy per second of delay of each timestamp: both ends of `first`, then both ends of `last`.
    std::array<double, 4> d{before * (1.0 - begin), before * begin, -after * (1.0 - end),
                            -after * end};
    if (first == last) {
        d[0] += d[2];
        d[1] += d[3];
        d[2] = d[3] = 0.0;
    } else if (first + 1 == last) {
        d[1] += d[2];
        d[2] = 0.0;
    }
    double squares = 0.0;
    for (const double power : d)
        squares += square(power);
    return squares * square(m_timestampNs * 1e-9);
}

// If a window reaches beyond the run, its energy inside the run is uncertain; a part of the run has
// a share of that deviation by time.
double Uncertainty::outsideVariance(const TimeRange& range) const
{
    double variance = 0.0;
    for (const EnergyTimeline::Outside& outside : m_timeline.outside()) {
        const TimeRange& window = m_timeline.windows()[outside.window].time;
        const TimeRange run = intersection(window, m_timeline.run());
        const TimeRange part = intersection(run, range);
        if (!part.empty())
            variance += square(outside.sd_mj * static_cast<double>(part.duration_ns())
                               / static_cast<double>(run.duration_ns()));
    }
    return variance;
}

template <typename Division>
std::optional<double> Uncertainty::sum(const TimeRange& range, Division division) const
{
    const auto [first, last] = m_timeline.touching(range);
    if (first == last || m_timeline.coveredNs(range) < range.duration_ns())
        return std::nullopt;
    const auto& windows = m_timeline.windows();
    double variance = division(first, last);
    double shares = 0.0;
    const auto edge = [&](std::size_t i) {
        const double share = shareOf(range, i);
        shares += share;
        variance += square(share) * (m_variance[i + 1] - m_variance[i]);
        if (m_model != nullptr)
            variance +=
                variancePart(m_unevenMw[i], toSeconds(windows[i].time.duration_ns()), share);
    };
    edge(first);
    if (last - first > 1) {
        edge(last - 1);
        shares += static_cast<double>(last - first - 2);
        variance += m_variance[last - 1] - m_variance[first + 1];
    }
    const double rails = static_cast<double>(std::max<std::size_t>(1, m_timeline.rails().size()));
    variance += square(m_errors.step_mj) * rails / 6.0 * square(std::min(1.0, shares));
    double begin = windowPower(windows[first]);
    double end = windowPower(windows[last - 1]);
    const auto length = static_cast<double>(range.duration_ns());
    const auto shorter = static_cast<double>(
        std::min(windows[first].time.duration_ns(), windows[last - 1].time.duration_ns()));
    // Within a short range, power is assumed even across the edge of a window: any change of power
    // is elsewhere in the two windows.
    if (last - first == 2 && length < shorter)
        begin = end = (begin + end) / 2.0;
    constexpr double kSecond = 1e-9;
    variance += square((begin - end) * m_offsetSdNs * kSecond);
    variance += timestampVariance(range, first, last - 1, begin, end);
    variance += outsideVariance(range);
    const std::size_t joined = first + (windows[first].time.begin_ns < range.begin_ns ? 1 : 0);
    const auto bridged = std::abs(static_cast<double>(m_bridged[last] - m_bridged[joined]));
    // A short range has its share of the time by which its windows were stretched.
    variance += square((begin + end) / 2.0 * bridged * std::min(1.0, length / shorter) * kSecond);
    return std::sqrt(variance);
}

std::optional<double> Uncertainty::of(const TimeRange& range) const
{
    return sum(range, [&](std::size_t first, std::size_t last) {
        return m_model != nullptr ? m_model->variance(range) : unevenDivision(range, first, last);
    });
}

std::optional<double> Uncertainty::of(const TimeRange& range, WorkKind kind, bool prefill) const
{
    if (m_model == nullptr)
        return of(range);
    return sum(range,
               [&](std::size_t, std::size_t) { return m_model->variance(range, kind, prefill); });
}

// The 95 % point of |N(bias, sd)|: bias + 1.645 sd, or 1.96 sd without a bias; within 0.5 % of
// the exact value.
double withBias(double sd, double bias)
{
    constexpr double kOneSided = 1.6448536269514722;
    constexpr double kFade = 4.4;
    if (!(sd > 0.0))
        return std::abs(bias) / kHalfInterval95;
    const double u = std::abs(bias) / sd;
    return sd * (u + kOneSided + (kHalfInterval95 - kOneSided) * std::exp(-kFade * u))
        / kHalfInterval95;
}

double windowPower(const EnergyTimeline::Window& window)
{
    return toDouble(window.total_pj.value_or(0)) / static_cast<double>(window.time.duration_ns());
}

WindowErrors::WindowErrors(const EnergyTimeline& timeline)
    : step_mj(stepOf(timeline))
    , timestamp_ns(timestampsOf(timeline))
{
    sd_mj.reserve(timeline.windows().size());
    const double rails = static_cast<double>(std::max<std::size_t>(1, timeline.rails().size()));
    for (const EnergyTimeline::Window& window : timeline.windows()) {
        sd_mj.push_back(std::hypot(gainNoiseOf(window, timeline.rails()),
                                   step_mj * std::sqrt(rails / 6.0),
                                   windowPower(window) * std::sqrt(2.0) * timestamp_ns * 1e-9));
    }
}

} // namespace ep::energy
