// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/window_assembler.h"

#include <limits>
#include <utility>

namespace ep::power {
namespace {

constexpr Nanoseconds kTail = 50'000'000;

constexpr std::size_t indexOf(Rail rail)
{
    return static_cast<std::size_t>(rail);
}

double secondsOf(Nanoseconds duration)
{
    return static_cast<double>(duration) * 1e-9;
}

// The part of a window that lies within one batch.
struct Part {
    std::size_t window = 0; // index
    double seconds = 0.0;
    double power = 0.0; // estimated by the load of the whole window, mW
    bool cut = false; // the window belongs to two batches
};

// Only a window's mean load is known. If two batches share a window in which the load changes,
// each has a part with a load of its own. So the difference between a batch's energy and the
// expected one first goes to its parts of such windows, as long as their power stays between those
// of the window and of its neighbour in the batch. Returns how much was assigned, mJ.
double settleCuts(std::vector<Part>& parts, double surplus_mj)
{
    if (parts.size() < 2)
        return 0.0;
    const auto roomOf = [&](const Part& part, const Part& neighbour) {
        const double change = (neighbour.power - part.power) * part.seconds;
        return part.cut && change * surplus_mj > 0.0 ? change : 0.0;
    };
    const double first = roomOf(parts.front(), parts[1]);
    const double last = roomOf(parts.back(), parts[parts.size() - 2]);
    const double room = first + last;
    if (room == 0.0)
        return 0.0;
    const double used = std::min(1.0, surplus_mj / room);
    parts.front().power += first * used / parts.front().seconds;
    parts.back().power += last * used / parts.back().seconds;
    return room * used;
}

constexpr std::size_t kCount = LoadFeatures::kCount;
using Vector = std::array<double, kCount>;
using Matrix = std::array<Vector, kCount>;

// A further term must reduce the error by this fraction.
constexpr double kWorthIt = 0.7;
// Power within a batch is assumed to be at least this fraction of the mean.
constexpr double kFloor = 0.01;

// Solves for the chosen terms; the others are 0. Absent if the terms cannot be told apart, or if
// one would be negative.
std::optional<Vector> solved(const Matrix& squares, const Vector& products,
                             const std::vector<std::size_t>& terms)
{
    const std::size_t n = terms.size();
    std::array<std::array<double, kCount + 1>, kCount> rows{};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            rows[i][j] = squares[terms[i]][terms[j]];
        rows[i][n] = products[terms[i]];
    }
    // Gaussian elimination; the matrix is symmetric and positive definite, so no pivoting is
    // needed.
    constexpr double kMin = 1e-6; // fraction of a term that is independent of the others
    for (std::size_t i = 0; i < n; ++i) {
        if (!(rows[i][i] > kMin * squares[terms[i]][terms[i]]))
            return std::nullopt;
        for (std::size_t k = 0; k < n; ++k) {
            if (k == i)
                continue;
            const double factor = rows[k][i] / rows[i][i];
            for (std::size_t j = i; j <= n; ++j)
                rows[k][j] -= factor * rows[i][j];
        }
    }
    Vector factors{};
    for (std::size_t i = 0; i < n; ++i) {
        factors[terms[i]] = rows[i][n] / rows[i][i];
        if (factors[terms[i]] < 0.0)
            return std::nullopt;
    }
    return factors;
}

double product(const Vector& a, const Vector& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < kCount; ++i)
        sum += a[i] * b[i];
    return sum;
}

constexpr Nanoseconds kAhead = 1'000'000'000; // maximum difference between the clocks
// A counter whose timestamps are never older than this is live: its value belongs to the time of
// the reading.
constexpr Nanoseconds kLive = 5'000'000;
// A single batch may be this recent by chance, but not so many in a row.
constexpr int kLiveInARow = 4;

} // namespace

WindowAssembler::WindowAssembler(const std::vector<CounterReading>& first, Nanoseconds now,
                                 Nanoseconds interval)
    : m_last(now)
    , m_interval(interval)
{
    const Nanoseconds fold = std::min(kTail, interval / 2);
    for (const CounterReading& reading : first) {
        m_counters.push_back(
            {reading.rail, PublicationClock(reading.timestamp, now, fold), {}, false});
        if (std::ranges::find(m_rails, reading.rail) == m_rails.end())
            m_rails.push_back(reading.rail);
    }
}

Nanoseconds WindowAssembler::settledUntil(Rail rail) const
{
    Nanoseconds until = std::numeric_limits<Nanoseconds>::max();
    for (const Counter& counter : m_counters) {
        if (counter.rail == rail)
            until = std::min(until, counter.clock.until());
    }
    return until;
}

// Distributes the energy over the windows in which it was used, by time and load. Energy from
// before the first window becomes a separate sample, since its windows have waited long enough.
void WindowAssembler::take(Counter& counter, const Publication& publication, Nanoseconds now,
                           std::vector<PowerSample>& late)
{
    const TimeRange& time = publication.time;
    constexpr Nanoseconds kBatch = 3;
    if (publication.energy_mj > 0.0 && time.duration_ns() > kBatch * m_interval)
        counter.in_batches = true;
    const bool gpuKnown = counter.rail != Rail::Gpu
        && std::ranges::find(m_rails, Rail::Gpu) != m_rails.end()
        && settledUntil(Rail::Gpu) >= time.end_ns;
    const auto loadOf = [&](const Window& window) {
        LoadFeatures load;
        load.cores_busy = window.sample.cores_busy.value_or(0.0F);
        if (gpuKnown)
            load.gpu_mw = meanPower(Millijoules{window.energy_mj[indexOf(Rail::Gpu)]},
                                    window.sample.window.duration_ns())
                              .value;
        return load;
    };

    LoadFeatures mean;
    double inside = 0.0; // seconds
    for (const Window& window : m_windows) {
        const double part = secondsOf(intersection(window.sample.window, time).duration_ns());
        const LoadFeatures load = loadOf(window);
        mean.cores_busy += load.cores_busy * part;
        mean.gpu_mw += load.gpu_mw * part;
        inside += part;
    }
    const double whole = secondsOf(time.duration_ns());
    const double outside = std::max(0.0, whole - inside);
    if (inside > 0.0) {
        mean.cores_busy /= inside;
        mean.gpu_mw /= inside;
    }
    constexpr double kMostlyKnown = 0.5;
    if (inside > kMostlyKnown * whole)
        counter.shape.learn(mean, publication.energy_mj / whole, whole);

    std::vector<Part> parts;
    double expected = counter.shape.weight(mean) * outside;
    for (std::size_t i = 0; i < m_windows.size(); ++i) {
        const TimeRange& window = m_windows[i].sample.window;
        const Nanoseconds duration = intersection(window, time).duration_ns();
        if (duration <= 0)
            continue;
        const double power = counter.shape.weight(loadOf(m_windows[i]));
        parts.push_back({.window = i,
                         .seconds = secondsOf(duration),
                         .power = power,
                         .cut = duration < window.duration_ns()});
        expected += power * parts.back().seconds;
    }
    expected += settleCuts(parts, publication.energy_mj - expected);
    if (!(expected > 0.0))
        return;
    double shared = 0.0;
    for (const Part& part : parts) {
        const double energy = publication.energy_mj * part.power * part.seconds / expected;
        m_windows[part.window].energy_mj[indexOf(counter.rail)] += energy;
        shared += energy;
    }
    const Nanoseconds begin = m_windows.empty() ? m_last : m_windows.front().sample.window.begin_ns;
    if (begin - time.begin_ns < kPatience) // this is before the very first window
        return;
    PowerSample sample;
    sample.window = {time.begin_ns, begin};
    sample.energy_mj[counter.rail] = Millijoules{publication.energy_mj - shared};
    sample = completed(sample);
    sample.arrival_ns = now;
    late.push_back(sample);
}

std::vector<PowerSample> WindowAssembler::add(const std::vector<CounterReading>& counters,
                                              const MachineReading& machine, Nanoseconds now)
{
    std::vector<PowerSample> samples;
    if (now <= m_last || counters.size() != m_counters.size())
        return samples;
    Window window;
    window.sample.window = {m_last, now};
    window.sample.power_mw[Rail::System] = machine.system_mw;
    window.sample.cores_busy = machine.cores_busy;
    window.sample.thermal = machine.thermal;
    m_last = now;
    m_windows.push_back(window);

    // The GPU comes first, because the load of the others depends on it.
    std::vector<PowerSample> late;
    for (const bool gpu : {true, false}) {
        for (std::size_t i = 0; i < counters.size(); ++i) {
            Counter& counter = m_counters[i];
            if ((counter.rail == Rail::Gpu) != gpu)
                continue;
            if (!counters[i].advance_mj)
                loseValue(counter, counters[i], now);
            else if (const auto published =
                         counter.clock.observe(*counters[i].advance_mj, counters[i].timestamp, now))
                take(counter, *published, now, late);
        }
    }
    while (!m_windows.empty() && ready(m_windows.front(), now)) {
        // A quiet counter counts as zero only up to this point: energy that it publishes later is
        // distributed over all windows that still wait for other counters.
        for (Counter& counter : m_counters) {
            if (quiet(counter, now))
                counter.clock.passOver(m_windows.front().sample.window.end_ns);
        }
        samples.push_back(completedSample(m_windows.front(), now));
        m_windows.pop_front();
    }
    samples.insert(samples.end(), late.begin(), late.end());
    return samples;
}

std::vector<PowerSample> WindowAssembler::finish(Nanoseconds now)
{
    std::vector<PowerSample> samples;
    std::vector<PowerSample> late;
    for (Counter& counter : m_counters) {
        if (const auto published = counter.clock.flush())
            take(counter, *published, now, late);
    }
    for (const Window& window : m_windows)
        samples.push_back(completedSample(window, now));
    m_windows.clear();
    samples.insert(samples.end(), late.begin(), late.end());
    return samples;
}

std::vector<Rail> WindowAssembler::railsInBatches() const
{
    std::vector<Rail> rails;
    for (const Rail rail : m_rails) {
        if (std::ranges::any_of(m_counters, [&](const Counter& counter) {
                return counter.rail == rail && counter.in_batches;
            }))
            rails.push_back(rail);
    }
    return rails;
}

// Values that are not published yet are lost for all windows that wait for them.
void WindowAssembler::loseValue(Counter& counter, const CounterReading& reading, Nanoseconds now)
{
    for (Window& window : m_windows) {
        if (window.sample.window.end_ns > counter.clock.until())
            window.lost[indexOf(counter.rail)] = true;
    }
    counter.clock.lose(reading.timestamp, now);
}

bool WindowAssembler::quiet(const Counter& counter, Nanoseconds now) const
{
    const bool mayIdle = counter.rail == Rail::Gpu || counter.rail == Rail::Ane;
    return mayIdle && now - counter.clock.published() > PublicationClock::kLongestBatch;
}

bool WindowAssembler::ready(const Window& window, Nanoseconds now) const
{
    return std::ranges::all_of(m_counters, [&](const Counter& counter) {
        const Nanoseconds until = counter.clock.until();
        return until >= window.sample.window.end_ns || now - until > kPatience
            || quiet(counter, now);
    });
}

PowerSample WindowAssembler::completedSample(const Window& window, Nanoseconds now) const
{
    PowerSample sample = window.sample;
    for (const Rail rail : m_rails) {
        if (!window.lost[indexOf(rail)] && settledUntil(rail) >= sample.window.end_ns)
            sample.energy_mj[rail] = Millijoules{window.energy_mj[indexOf(rail)]};
    }
    sample = completed(sample);
    sample.arrival_ns = now;
    return sample;
}

void LoadShape::learn(const LoadFeatures& load, double power_mw, double seconds)
{
    const Vector f = load.values();
    for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t j = 0; j < kCount; ++j)
            m_squares[i][j] += f[i] * f[j] * seconds;
        m_matmul[i] += f[i] * power_mw * seconds;
    }
    m_power += power_mw * power_mw * seconds;
    fit();
}

void LoadShape::fit()
{
    // Fewest terms first: the constant alone, then the constant with one other term, ...
    static const std::vector<std::vector<std::size_t>> kChoices = {{0},    {1},    {2},      {0, 1},
                                                                   {0, 2}, {1, 2}, {0, 1, 2}};
    std::optional<double> least;
    for (const auto& terms : kChoices) {
        const auto factors = solved(m_squares, m_matmul, terms);
        if (!factors)
            continue;
        Vector fitted{};
        for (std::size_t i = 0; i < kCount; ++i)
            fitted[i] = product(m_squares[i], *factors);
        const double error =
            std::max(0.0, m_power - 2.0 * product(*factors, m_matmul) + product(*factors, fitted));
        if (least && error >= kWorthIt * *least)
            continue;
        least = error;
        m_factors = *factors;
    }
    m_mean = m_squares[0][0] > 0.0 ? product(m_factors, m_squares[0]) / m_squares[0][0] : 0.0;
}

double LoadShape::weight(const LoadFeatures& load) const
{
    if (!(m_mean > 0.0))
        return 1.0;
    return std::max(kFloor * m_mean, product(m_factors, load.values()));
}

PublicationClock::PublicationClock(std::optional<Nanoseconds> timestamp, Nanoseconds now,
                                   Nanoseconds fold)
    : m_fold(fold)
    , m_until(timestamp ? std::min(*timestamp, now) : now)
    , m_published(m_until)
    , m_timestamp(timestamp)
    , m_liveInARow(timestamp && now - *timestamp < kLive ? kLiveInARow : 0)
{
    if (!timestamp || *timestamp > now + kAhead)
        m_by = By::Reading;
}

std::optional<Nanoseconds>
PublicationClock::endOf(double advance_mj, std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    if (m_by == By::Timestamp && (!timestamp || *timestamp > now + kAhead))
        m_by = By::Reading;
    const bool sameTimestamp = std::exchange(m_timestamp, timestamp) == timestamp;
    if (m_by == By::Timestamp && sameTimestamp && advance_mj > 0.0)
        m_by = By::Change;
    if (m_by == By::Reading)
        return now;
    if (m_by == By::Change) {
        if (advance_mj > 0.0 || now - m_until >= kLongestBatch)
            return now;
        return std::nullopt;
    }
    if (sameTimestamp)
        return std::nullopt;
    return now - *timestamp < kLive ? now : *timestamp;
}

std::optional<Publication>
PublicationClock::observe(double advance_mj, std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    const auto end = endOf(advance_mj, timestamp, now);
    std::optional<Publication> before;
    bool live = false;
    // A counter timed by every reading has no tails.
    if (end && (m_by == By::Reading || *end - m_held.value_or(m_until) >= m_fold)) {
        before = flush();
        m_held = *end;
        m_published = *end;
        live = now == *end && m_liveInARow == kLiveInARow;
        m_liveInARow = now == *end ? std::min(m_liveInARow + 1, kLiveInARow) : 0;
    }
    m_pending += advance_mj;
    const bool complete = m_by != By::Timestamp || live || (m_held && now - *m_held >= m_fold);
    if (!m_held || !complete)
        return before;
    auto last = flush();
    if (before) {
        last->time.begin_ns = before->time.begin_ns;
        last->energy_mj += before->energy_mj;
    }
    return last;
}

std::optional<Publication> PublicationClock::flush()
{
    if (!m_held)
        return std::nullopt;
    const Nanoseconds end = *std::exchange(m_held, std::nullopt);
    return Publication{{std::exchange(m_until, end), end}, std::exchange(m_pending, 0.0)};
}

void PublicationClock::lose(std::optional<Nanoseconds> timestamp, Nanoseconds now)
{
    m_held.reset();
    m_pending = 0.0;
    m_until = now;
    m_published = now;
    m_timestamp = timestamp;
}

} // namespace ep::power
