// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector.h"

#include "log.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"

#include <algorithm>

namespace ep::powerlog {
namespace {

constexpr std::size_t kMaxRows = 10'000; // most rows in one finding
constexpr std::size_t kMaxGaps = 1'000;

bool isThere(const Reading& reading)
{
    return !std::isnan(reading.value);
}

bool byTime(const Reading& a, const Reading& b)
{
    return a.at_ns < b.at_ns;
}

bool isSame(const Reading& a, const Reading& b)
{
    return a.at_ns == b.at_ns && (a.value == b.value || (!isThere(a) && !isThere(b)))
        && a.length_s == b.length_s;
}

// A stretch of readings whose times never decrease.
struct Piece {
    std::size_t first = 0;
    std::size_t last = 0; // one past the last
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
};

std::vector<Piece> piecesOf(const std::vector<Reading>& readings)
{
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (i == 0 || readings[i].at_ns < readings[i - 1].at_ns)
            pieces.push_back({i, i, readings[i].at_ns, readings[i].at_ns});
        pieces.back().last = i + 1;
        pieces.back().end = readings[i].at_ns;
    }
    return pieces;
}

// Whether pieces alternate in time. A piece that only fills a gap in another does not count.
bool alternate(const std::vector<Reading>& readings, const std::vector<Piece>& pieces)
{
    std::vector<std::pair<Nanoseconds, std::size_t>> order;
    order.reserve(readings.size());
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        for (std::size_t i = pieces[piece].first; i < pieces[piece].last; ++i)
            order.emplace_back(readings[i].at_ns, piece);
    }
    std::ranges::sort(order);
    std::size_t changes = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
        changes += order[i].second != order[i - 1].second ? 1 : 0;
    return changes > 2 * (pieces.size() - 1);
}

Nanoseconds medianStep(const std::vector<Reading>& readings)
{
    std::vector<Nanoseconds> steps;
    for (std::size_t i = 1; i < readings.size(); ++i) {
        if (readings[i].at_ns > readings[i - 1].at_ns)
            steps.push_back(readings[i].at_ns - readings[i - 1].at_ns);
    }
    return medianDuration(std::move(steps));
}

// The values at which counters wrap around, in joules: 32 bits in units of 2^-14 and 2^-16 J, as
// model-specific registers have them, max_energy_range_uj of powercap, and 32 bits in uJ and mJ.
constexpr std::array kRegisterRanges{4'294.967296,  65'536.0,       262'144.0,    65'532.610987,
                                     65'712.999613, 262'143.328850, 4'294'967.296};
constexpr std::array kMicrojouleRanges{4'294.967296, 65'532.610987, 65'712.999613, 262'143.328850,
                                       4'294'967.296};

// Joins neighbours, pair by pair, keeping the energy.
void thin(std::vector<Window>& windows)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        Window window = windows[i];
        if (i + 1 < windows.size() && windows[i + 1].begin_ns == window.end_ns) {
            const Window& next = windows[++i];
            window.end_ns = next.end_ns;
            window.joules += next.joules;
            window.begin_w = window.end_w =
                static_cast<float>(window.joules / toSeconds(window.end_ns - window.begin_ns));
        }
        windows[kept++] = window;
    }
    windows.resize(kept);
}

// Units are a thousand or more apart, but the load may change as well.
constexpr double kUnits = 95.0;

constexpr double kApart = 30.0; // between the largest of one group and the smallest of the other

} // namespace

void Collector::Rows::add(std::int64_t row)
{
    ++count;
    if (rows.size() < kMaxRows)
        rows.push_back(row);
}

std::string Collector::Rows::text() const
{
    std::vector<std::int64_t> sorted = rows;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    energy::RowList list;
    for (const std::int64_t row : sorted)
        list.add(row);
    return list.text();
}

Result<std::size_t> Collector::rail(const RailSpec& spec, std::int64_t row)
{
    const auto known = m_names.find(spec.name);
    if (known != m_names.end())
        return known->second;
    if (m_rails.size() >= kMaxRails)
        return rowError(row,
                        Message("the log has more than %1 rails; keep the columns that are needed.",
                                kMaxRails));
    if (spec.name.size() > kLongestName)
        return rowError(row,
                        Message("the name %1 of a rail has more than %2 bytes.",
                                quoteCell(spec.name), kLongestName));
    m_names.emplace(spec.name, m_rails.size());
    m_rails.push_back(
        {.spec = spec, .watch = {spec.name, spec.measured}, .readings = {}, .windows = {}});
    return m_rails.size() - 1;
}

void Collector::rename(std::size_t rail, const std::string& name)
{
    m_rails[rail].spec.name = name;
    m_rails[rail].watch.setName(name);
}

Status Collector::add(std::size_t rail, const Reading& reading)
{
    if (reading.at_ns < m_flushedUntil)
        return Error{ErrorCode::InvalidInput,
                     {"row %1 is earlier than rows long before it; sort a log of this length by "
                      "time before it is read.",
                      reading.row}};
    // No sum of such values overflows.
    constexpr double kLargest = 1e15;
    if (std::abs(reading.value) > kLargest || !(reading.length_s < toSeconds(kLongestLength)))
        return rowError(reading.row,
                        "it has a value that is too large for a power, an energy or a length.");
    m_rails[rail].readings.push_back(reading);
    m_first = std::min(m_first, reading.at_ns);
    m_last = std::max(m_last, reading.at_ns);
    ++m_total;
    if (++m_held < kMaxReadings)
        return {};
    return flush();
}

void Collector::note(Weight weight, Message text)
{
    const Finding finding{weight, std::move(text)};
    if (std::ranges::find(m_notes, finding) == m_notes.end() && m_notes.size() < 100)
        m_notes.push_back(finding);
}

Status Collector::flush()
{
    for (Rail& rail : m_rails) {
        if (const Status times = checkTimes(rail); !times)
            return times;
        if (const Status ordered = putInOrder(rail); !ordered)
            return ordered;
        dropRepeats(rail);
        findGapLength(rail);
        if (!rail.readings.empty())
            m_flushedUntil = std::max(m_flushedUntil, rail.readings.back().at_ns);
        sum(rail);
        rail.readings.clear();
    }
    m_held = 0;
    return {};
}

// Times that change from one unit to another make a sum wrong by orders of magnitude.
Status Collector::checkTimes(const Rail& rail)
{
    std::vector<double> steps;
    std::vector<std::int64_t> rows;
    for (std::size_t i = 1; i < rail.readings.size(); ++i) {
        const Nanoseconds step = rail.readings[i].at_ns - rail.readings[i - 1].at_ns;
        if (step == 0)
            continue;
        steps.push_back(std::abs(static_cast<double>(step)));
        rows.push_back(rail.readings[i].row);
    }
    if (const auto change = unitChangeIn(steps))
        return rowError(rows[*change - 1],
                        "from here on, the times advance by a thousand times, or a thousandth of, "
                        "the steps before; give all rows times in one unit.");
    return {};
}

// Swapped buffers, packets that overlap a little, duplicate rows and a clock that was set back all
// look alike at first: times decrease.
Status Collector::putInOrder(Rail& rail)
{
    std::vector<Reading>& readings = rail.readings;
    if (std::ranges::is_sorted(readings, byTime))
        return {};
    const std::vector<Piece> pieces = piecesOf(readings);
    if (!alternate(readings, pieces)) {
        m_sorted = true;
        std::ranges::stable_sort(readings, byTime);
        return {};
    }
    // Handles rows that are duplicates of existing ones.
    const auto key = [](const Reading& r) {
        return std::pair(r.at_ns, isThere(r) ? r.value : -1e300);
    };
    std::set<std::pair<Nanoseconds, double>> seen;
    std::vector<Reading> kept;
    bool allRepeated = true;
    Nanoseconds from = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds until = std::numeric_limits<Nanoseconds>::min();
    for (const Piece& piece : pieces) {
        for (std::size_t i = piece.first; i < piece.last && allRepeated; ++i) {
            const bool inside = readings[i].at_ns >= from && readings[i].at_ns <= until;
            const bool there = seen.contains(key(readings[i]));
            if (inside && there)
                m_repeated.add(readings[i].row);
            else if (inside)
                allRepeated = false;
            else
                kept.push_back(readings[i]);
        }
        if (!allRepeated)
            break;
        for (std::size_t i = piece.first; i < piece.last; ++i)
            seen.insert(key(readings[i]));
        from = std::min(from, piece.begin);
        until = std::max(until, piece.end);
    }
    if (allRepeated) {
        readings = std::move(kept);
        std::ranges::stable_sort(readings, byTime);
        return {};
    }
    m_repeated = {};
    constexpr int kJitterSteps = 4;
    Nanoseconds largestBack = 0;
    for (std::size_t i = 1; i < readings.size(); ++i)
        largestBack = std::max(largestBack, readings[i - 1].at_ns - readings[i].at_ns);
    if (largestBack <= kJitterSteps * std::min(medianStep(readings), kLongestLength)) {
        m_jitter = true;
        std::ranges::stable_sort(readings, byTime);
        return {};
    }
    // The clock was set back, so only the longest piece is on one clock.
    const Piece& longest = *std::ranges::max_element(
        pieces, {}, [](const Piece& piece) { return piece.last - piece.first; });
    m_setBackBy = std::max(m_setBackBy, largestBack);
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (i < longest.first || i >= longest.last)
            m_setBack.add(readings[i].row);
    }
    m_setBackFrom = readings[pieces[1].first].row;
    readings = std::vector<Reading>(readings.begin() + static_cast<std::ptrdiff_t>(longest.first),
                                    readings.begin() + static_cast<std::ptrdiff_t>(longest.last));
    return {};
}

void Collector::dropRepeats(Rail& rail)
{
    if (rail.spec.coarse_stamps)
        return;
    std::vector<Reading>& readings = rail.readings;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (kept > 0 && readings[i].at_ns == readings[kept - 1].at_ns) {
            if (isSame(readings[i], readings[kept - 1])) {
                m_repeated.add(readings[i].row);
                continue;
            }
            if (rail.spec.rule == Rule::Trapezoid || rail.spec.rule == Rule::Hold)
                m_sameTime.add(readings[i].row);
        }
        readings[kept++] = readings[i];
    }
    readings.resize(kept);
}

// Ten usual steps, but at least two seconds: loggers pause, while a machine that sleeps or a clock
// that jumps makes far longer steps.
void Collector::findGapLength(Rail& rail)
{
    constexpr Nanoseconds kShortest = 2'000'000'000;
    constexpr Nanoseconds kUsualSteps = 10;
    if (rail.longest_step > 0 || rail.readings.size() < 2)
        return;
    rail.usual_step = std::min(medianStep(rail.readings), kLongestLength);
    rail.longest_step = std::max(kShortest, kUsualSteps * rail.usual_step);
}

void Collector::addGap(Rail& rail, Nanoseconds begin, Nanoseconds end, bool unavailable)
{
    rail.gaps_s += toSeconds(end - begin);
    if (end > begin && m_gaps.size() < kMaxGaps)
        m_gaps.try_emplace({begin, end}, unavailable);
}

// Running totals: counters that begin again at zero, and energies that may be running totals.

// A counter that falls has wrapped around or was restarted. It has wrapped around if a known range
// gives that step a power like that of the other steps.
void Collector::joinWraps(Rail& rail)
{
    constexpr double kMicrojoule = 1.5e-6;
    const std::span<const double> ranges = rail.spec.unit_j < kMicrojoule
        ? std::span<const double>(kMicrojouleRanges)
        : std::span<const double>(kRegisterRanges);
    for (const auto& drop : rail.drops) {
        const Reading& before = drop.first;
        const Reading& now = drop.second;
        const double seconds = toSeconds(now.at_ns - before.at_ns);
        const auto fits = [&](double range) {
            const double watts = (range - before.value + now.value) / seconds;
            return before.value <= range && watts <= 3.0 * rail.most_w
                && watts >= rail.least_w / 3.0;
        };
        std::vector<double> fitting;
        if (seconds > 0.0 && rail.most_w > 0.0)
            std::ranges::copy_if(ranges, std::back_inserter(fitting), fits);
        if (fitting.empty() || (rail.range_j > 0.0 && fitting.front() != rail.range_j)) {
            rail.restarts.add(now.row);
            addGap(rail, before.at_ns, now.at_ns, true);
            continue;
        }
        const auto [least, most] = std::ranges::minmax(fitting);
        rail.range_j = fitting.front();
        rail.wrapped.add(now.row);
        constexpr double kMatters = 0.005;
        rail.wrap_unsure = rail.wrap_unsure || most - least > kMatters * rail.joules;
        const double joules = rail.range_j - before.value + now.value;
        const auto watts = static_cast<float>(joules / seconds);
        const Window window{before.at_ns, now.at_ns, joules, watts, watts};
        rail.joules += joules;
        rail.covered_s += seconds;
        rail.windows.insert(
            std::ranges::lower_bound(rail.windows, window.begin_ns, {}, &Window::begin_ns), window);
    }
    rail.drops.clear();
}

// Energies without a length may be a running total; only values that fall rule that out.
Status Collector::checkMeaning(const Rail& rail, const ReadOptions& options)
{
    constexpr std::int64_t kSometimes = 10;
    const bool wanted = options.rails.empty()
        || std::ranges::find(options.rails, rail.spec.name) != options.rails.end();
    if (!rail.spec.unsure || !wanted || rail.falls * kSometimes >= rail.samples)
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"%1 may be a running total or the energy of each row; state which "
                  "(--energies).",
                  rail.spec.name}};
}

void Collector::sum(Rail& rail)
{
    const bool lengths = rail.spec.rule == Rule::Interval || rail.spec.rule == Rule::Joules;
    std::vector<Reading>& last = rail.last; // the last reading, needed for the next step
    bool broken = false; // unavailable values precede the reading
    for (const Reading& now : rail.readings) {
        if (!isThere(now)) {
            ++rail.unavailable;
            m_unavailable.add(now.row);
            broken = true;
            continue;
        }
        ++rail.samples;
        rail.groups.add(now.value, now.row);
        if (!lengths && rail.spec.rule != Rule::Counter) {
            rail.least_w = std::min(rail.least_w, now.value);
            rail.most_w = std::max(rail.most_w, now.value);
            rail.watch.addPower(now.value, now.row,
                                std::isnan(now.use) ? std::nullopt
                                                    : std::optional<double>(now.use));
        }
        if (lengths) {
            Reading own = now;
            if (own.length_s <= 0.0 && rail.spec.rule == Rule::Joules && !last.empty())
                own.length_s = toSeconds(now.at_ns - last.front().at_ns);
            else if (own.length_s <= 0.0 && rail.spec.rule == Rule::Joules)
                own.length_s = toSeconds(rail.usual_step);
            rail.falls += !last.empty() && now.value < last.front().value ? 1 : 0;
            sumLength(rail, own);
        } else if (!last.empty() && rail.spec.rule == Rule::Counter) {
            sumCounter(rail, last.front(), now);
        } else if (!last.empty()) {
            sumPower(rail, last.front(), now, broken);
        }
        last.assign(1, now);
        broken = false;
    }
}

void Collector::sumPower(Rail& rail, const Reading& before, const Reading& now, bool broken)
{
    const Nanoseconds step = now.at_ns - before.at_ns;
    if (step <= 0)
        return;
    if (broken || (!rail.spec.changes_only && rail.longest_step > 0 && step > rail.longest_step))
        return addGap(rail, before.at_ns, now.at_ns, broken);
    if (rail.usual_step > 0
        && (m_usualStep == 0 || step / rail.usual_step > m_largestBridged / m_usualStep)) {
        m_largestBridged = step;
        m_usualStep = rail.usual_step;
    }
    const bool hold = rail.spec.rule == Rule::Hold;
    const double end = hold ? before.value : now.value;
    addWindow(rail,
              {before.at_ns, now.at_ns, (before.value + end) / 2.0 * toSeconds(step),
               static_cast<float>(before.value), static_cast<float>(end)});
}

void Collector::sumLength(Rail& rail, const Reading& now)
{
    const bool energies = rail.spec.rule == Rule::Joules;
    const double joules = energies ? now.value : now.value * now.length_s;
    const double watts = energies ? (now.length_s > 0.0 ? joules / now.length_s : 0.0) : now.value;
    rail.least_w = std::min(rail.least_w, watts);
    rail.most_w = std::max(rail.most_w, watts);
    energies ? rail.watch.addEnergy(joules, now.length_s, now.row)
             : rail.watch.addPower(watts, now.row, {});
    const double lengthNs = now.length_s * 1e9;
    if (!(lengthNs > 0.0) || !(lengthNs < static_cast<double>(kLongestLength))) {
        rail.joules += energies ? joules : 0.0;
        return;
    }
    const auto length = static_cast<Nanoseconds>(std::llround(lengthNs));
    Nanoseconds begin = rail.spec.from_start ? now.at_ns : now.at_ns - length;
    const Nanoseconds before = rail.windows.empty() ? begin : rail.windows.back().end_ns;
    if (!rail.windows.empty()) {
        // Whole seconds only roughly say when a window ended, so the windows are laid end to end.
        constexpr Nanoseconds kCoarse = 1'500'000'000;
        const Nanoseconds off = begin - before;
        if (rail.spec.coarse_stamps && std::abs(off) <= kCoarse) {
            begin = before;
        } else if (begin < before) {
            rail.overlap_s += toSeconds(std::min(before - begin, length));
            begin = before;
        } else if (rail.usual_step > 0 && off > std::max(rail.longest_step, 10 * length)) {
            addGap(rail, before, begin, false);
        }
    }
    const Nanoseconds end = std::max(begin,
                                     (rail.spec.from_start          ? now.at_ns + length
                                          : rail.spec.coarse_stamps ? begin + length
                                                                    : now.at_ns));
    rail.stated_s += now.length_s;
    if (end > begin) {
        addWindow(rail, {begin, end, joules, static_cast<float>(watts), static_cast<float>(watts)});
        rail.covered_s += now.length_s - toSeconds(end - begin);
    } else {
        rail.joules += joules;
        rail.covered_s += now.length_s;
    }
}

void Collector::sumCounter(Rail& rail, const Reading& before, const Reading& now)
{
    const Nanoseconds step = now.at_ns - before.at_ns;
    const double joules = now.value - before.value;
    if (joules < 0.0) {
        constexpr std::size_t kMaxDrops = 10'000;
        if (rail.drops.size() < kMaxDrops)
            rail.drops.emplace_back(before, now);
        else
            rail.restarts.add(now.row);
        return;
    }
    if (step <= 0) {
        rail.joules += joules;
        return;
    }
    const double watts = joules / toSeconds(step);
    rail.least_w = std::min(rail.least_w, watts);
    rail.most_w = std::max(rail.most_w, watts);
    rail.watch.addIncrement(joules, toSeconds(step), now.row);
    addWindow(
        rail,
        {before.at_ns, now.at_ns, joules, static_cast<float>(watts), static_cast<float>(watts)});
}

void Collector::addWindow(Rail& rail, const Window& window)
{
    rail.joules += window.joules;
    rail.covered_s += toSeconds(window.end_ns - window.begin_ns);
    rail.windows.push_back(window);
    if (rail.windows.size() >= std::max<std::size_t>(512, kMaxWindows / m_rails.size()))
        thin(rail.windows);
}

std::optional<std::size_t> unitChangeIn(std::span<const double> steps)
{
    constexpr std::size_t kFewest = 3; // number of steps on each side
    const std::size_t count = steps.size();
    if (count < 2 * kFewest + 1)
        return std::nullopt;
    struct Range {
        double least = std::numeric_limits<double>::infinity();
        double most = 0.0;
        void add(double value)
        {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    };
    std::vector<Range> after(count + 1);
    for (std::size_t i = count; i-- > 0;) {
        after[i] = after[i + 1];
        after[i].add(steps[i]);
    }
    Range before;
    for (std::size_t i = 0; i + 1 + kFewest <= count; before.add(steps[i]), ++i) {
        if (i < kFewest)
            continue;
        const Range& rest = after[i + 1];
        if (rest.least < kApart * before.most && before.least < kApart * rest.most)
            continue;
        const std::span<const double> all(steps);
        const double ratio = medianOf(all.subspan(i + 1)) / medianOf(all.first(i));
        if (ratio > kUnits || ratio < 1.0 / kUnits)
            return i + 1;
    }
    return std::nullopt;
}

void ValueGroups::add(double value, std::int64_t row)
{
    if (!(value > 0.0) || !std::isfinite(value))
        return;
    const int bucket = std::clamp(
        static_cast<int>(std::floor(2.0 * std::log2(value))) + kBuckets / 2, 0, kBuckets - 1);
    Bucket& own = m_buckets[static_cast<std::size_t>(bucket)];
    if (own.count++ == 0)
        own.row = row;
}

std::optional<std::int64_t> ValueGroups::otherRow() const
{
    const auto bucketOf = [&](std::int64_t rank) {
        for (std::size_t i = 0; i < m_buckets.size(); ++i) {
            rank -= m_buckets[i].count;
            if (rank < 0)
                return static_cast<double>(i);
        }
        return 0.0;
    };
    std::int64_t total = 0;
    for (const Bucket& bucket : m_buckets)
        total += bucket.count;
    const double emptyBuckets = 2.0 * std::log2(kApart);
    std::int64_t below = 0;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        if (m_buckets[i].count == 0)
            continue;
        if (last && static_cast<double>(i - *last) > emptyBuckets) {
            const double octaves =
                (bucketOf(below + (total - below) / 2) - bucketOf(below / 2)) / 2.0;
            if (std::exp2(octaves) > kUnits) {
                const bool lower = 2 * below <= total;
                const auto from = lower ? std::size_t{0} : i;
                const auto until = lower ? i : m_buckets.size();
                std::int64_t row = std::numeric_limits<std::int64_t>::max();
                for (std::size_t j = from; j < until; ++j)
                    row = m_buckets[j].count > 0 ? std::min(row, m_buckets[j].row) : row;
                return row;
            }
        }
        below += m_buckets[i].count;
        last = i;
    }
    return std::nullopt;
}

} // namespace ep::powerlog
