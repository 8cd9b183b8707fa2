// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector.h"

#include "log.h"

#include "ep/core/format.h"

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
    if (steps.empty())
        return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

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

} // namespace ep::powerlog
