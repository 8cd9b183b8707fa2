// SPDX-License-Identifier: GPL-3.0-or-later
#include "clock_check.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>

namespace ep::model {
namespace {

constexpr int kClockRounds = 5;
// Minimum duration of one piece of work, so that the cost of a mark itself (on Apple's GPUs some
// tens of microseconds) does not matter.
constexpr Nanoseconds kMinPiece = 4'000'000;
constexpr int kMaxTimes = 1 << 14;
constexpr int kTimesMore = 4;
constexpr double kMinRatio = 3.6;
constexpr double kMaxRatio = 4.4;
constexpr double kWallTolerance = 1.02; // the two clocks are read one after the other

// Number of repetitions of the work in a piece. Finding it also warms up the device.
int timesOfPiece(const ClockSubject& subject)
{
    for (int times = 1;; times *= 2) {
        const Nanoseconds begin = subject.now();
        subject.work(times);
        subject.wait();
        if (subject.now() - begin >= kMinPiece || times >= kMaxTimes)
            return times;
    }
}

} // namespace

std::string checkMarks(SpanTimer& timer, const ClockSubject& subject)
{
    const int times = timesOfPiece(subject);
    std::array<double, kClockRounds> ratios{};
    for (double& ratio : ratios) {
        subject.wait();
        const Nanoseconds begin = subject.now();
        timer.mark();
        subject.work(times);
        timer.mark();
        subject.work(kTimesMore * times);
        timer.mark();
        std::vector<Nanoseconds> at;
        const std::int64_t lost = timer.lost();
        if (const Status read = timer.read(at); !read)
            return read.error().message;
        const Nanoseconds wall = subject.now() - begin;
        if (at.size() != 3 || timer.lost() != lost)
            return "marks got lost";
        const Nanoseconds once = at[1] - at[0];
        const Nanoseconds more = at[2] - at[1];
        if (once < 0 || more < 0)
            return "marks come out of order";
        if (static_cast<double>(once + more) > kWallTolerance * static_cast<double>(wall)) {
            return "its spans last " + formatDuration(once + more) + " in a wall time of "
                + formatDuration(wall);
        }
        ratio = static_cast<double>(more) / static_cast<double>(std::max<Nanoseconds>(1, once));
    }
    std::ranges::sort(ratios);
    const double median = ratios[kClockRounds / 2];
    if (median >= kMinRatio && median <= kMaxRatio)
        return {};
    return "four times the work lasts " + formatSignificant(median) + " times as long";
}

} // namespace ep::model
