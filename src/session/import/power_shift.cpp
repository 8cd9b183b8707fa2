// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/power_shift.h"

#include "ep/core/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::session {

using powerlog::Clock;
using powerlog::Request;
using powerlog::RequestLog;

namespace {

Nanoseconds toNs(double seconds)
{
    return std::llround(seconds * 1e9);
}

std::string zoneText(int quarters)
{
    // Adding the shift turns local time into UTC, so the zone's offset is its negative.
    const int minutes = -15 * quarters;
    const int size = std::abs(minutes);
    const auto two = [](int value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return "UTC" + std::string(minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60);
}

// The zone of a log that states none: the only one for which it overlaps the requests.
Result<Nanoseconds> findZone(const TimeRange& power, const TimeRange& requests,
                             std::vector<Message>& notes)
{
    constexpr int kFarthest = 56; // quarters of an hour
    constexpr Nanoseconds kQuarter = 900'000'000'000;
    constexpr double kMinInside = 0.8;
    const double shorter =
        static_cast<double>(std::min(power.duration_ns(), requests.duration_ns()));
    std::vector<int> fitting;
    for (int quarters = -kFarthest; quarters <= kFarthest; ++quarters) {
        const auto both = intersection(moved(power, quarters * kQuarter), requests);
        if (static_cast<double>(both.duration_ns()) >= kMinInside * shorter && shorter > 0.0)
            fitting.push_back(quarters);
    }
    if (fitting.size() != 1)
        return Error{
            ErrorCode::InvalidInput,
            fitting.empty()
                ? "The requests lie outside the recording of power in every time zone; "
                  "state the difference of the clocks (--offset)."
                : "The recording of power states no time zone, and the requests lie inside "
                  "it in several; state the time zone (--zone)."};
    if (fitting.front() != 0)
        notes.push_back(Message("The times of the power have no zone; they lie over the requests "
                                "only in %1, which was used.",
                                zoneText(fitting.front())));
    return fitting.front() * kQuarter;
}

// The load of the requests, for the alignment of the clocks.
std::vector<TimeRange> loadOf(const RequestLog& log)
{
    std::vector<TimeRange> load;
    for (const Request& request : log.requests)
        load.push_back({request.begin_ns, request.end_ns});
    return load;
}

} // namespace

TimeRange hullOf(const std::vector<RunRail>& rails)
{
    TimeRange hull{std::numeric_limits<Nanoseconds>::max(),
                   std::numeric_limits<Nanoseconds>::min()};
    for (const RunRail& rail : rails) {
        hull.begin_ns = std::min(hull.begin_ns, rail.recorded->windows.front().begin_ns);
        hull.end_ns = std::max(hull.end_ns, rail.recorded->windows.back().end_ns);
    }
    return hull;
}

TimeRange hullOf(const RequestLog& log)
{
    TimeRange hull{log.requests.front().begin_ns, log.requests.front().end_ns};
    for (const Request& request : log.requests) {
        hull.begin_ns = std::min(hull.begin_ns, request.begin_ns);
        hull.end_ns = std::max(hull.end_ns, request.end_ns);
    }
    return hull;
}

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return {range.begin_ns + by, range.end_ns + by};
}

Result<Nanoseconds> findShift(const PowerImportOptions& options, const std::vector<RunRail>& rails,
                              PowerImport& result)
{
    Nanoseconds stated = 0;
    if (options.offset_s) {
        result.offset = powerlog::ClockOffset{
            .seconds = *options.offset_s, .low_s = *options.offset_s, .high_s = *options.offset_s};
        stated = toNs(*options.offset_s);
    }
    if (!result.requests)
        return stated;
    const TimeRange power = moved(hullOf(rails), stated);
    const TimeRange requests = hullOf(*result.requests);
    if (options.find_offset) {
        const auto offset =
            powerlog::findClockOffset(rails.front().recorded->windows, loadOf(*result.requests));
        if (!offset)
            return offset.error();
        result.offset = *offset;
        result.notes.push_back(Message(
            "The clock of the power was aligned with the requests by %1 s (95 %: %2 to %3 s, "
            "correlation %4).",
            formatSignificant(offset->seconds, 6), formatSignificant(offset->low_s, 6),
            formatSignificant(offset->high_s, 6), formatSignificant(offset->correlation, 2)));
        return toNs(offset->seconds);
    }
    const bool overlap = !intersection(power, requests).empty();
    // A difference that the user states may include the difference of the zones.
    if (result.recording.clock == Clock::Local && result.requests->clock == Clock::Epoch
        && !(options.offset_s && overlap)) {
        const auto zone = findZone(power, requests, result.notes);
        if (!zone)
            return zone.error();
        result.zone_ns = *zone;
        if (*zone != 0)
            std::erase(result.notes, powerlog::readAsUtc());
        return *zone + stated;
    }
    if (!overlap)
        return Error{ErrorCode::InvalidInput,
                     "The requests lie outside the recording of power: their clocks differ; align "
                     "them with --offset auto, or state the difference with --offset SECONDS."};
    return stated;
}

} // namespace ep::session
