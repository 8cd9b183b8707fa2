// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/without_pauses.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

template <typename Visit>
void visitSpans(RunTrace& trace, const Visit& visit)
{
    const auto all = [&](auto& spans) {
        for (auto& span : spans)
            visit(span.time);
    };
    all(trace.phases);
    all(trace.tokens);
    for (const SpanLevel level : kSpanLevels)
        all(trace.spans(level));
}

// The longest time within the range in which no span begins or ends.
TimeRange longestRest(RunTrace& trace, const TimeRange& range)
{
    std::vector<Nanoseconds> events{range.begin_ns, range.end_ns};
    visitSpans(trace, [&](const TimeRange& time) {
        for (const Nanoseconds at : {time.begin_ns, time.end_ns}) {
            if (range.contains(at))
                events.push_back(at);
        }
    });
    std::ranges::sort(events);
    TimeRange longest;
    for (std::size_t i = 1; i < events.size(); ++i) {
        const TimeRange rest{events[i - 1], events[i]};
        if (rest.duration_ns() > longest.duration_ns())
            longest = rest;
    }
    return longest;
}

struct Pauses {
    std::vector<TimeRange> cut; // in order
    std::vector<Interruption> kept; // the run's clock stood still: there is nothing to cut
};

Pauses pausesOf(const std::vector<Interruption>& interruptions, RunTrace& trace)
{
    Pauses pauses;
    for (const Interruption& one : interruptions) {
        const Nanoseconds length = std::max(one.asleep_ns, one.stopped_ns);
        const TimeRange rest = longestRest(trace, intersection(one.time, trace.time));
        if (length > 0 && rest.duration_ns() > length / 2)
            pauses.cut.push_back(rest);
        else
            pauses.kept.push_back(one);
    }
    std::ranges::sort(pauses.cut, {}, &TimeRange::begin_ns);
    return pauses;
}

} // namespace

void cutPauses(const std::vector<Interruption>& interruptions, RunTrace& trace,
               std::vector<Annotation>& annotations)
{
    const Pauses found = pausesOf(interruptions, trace);
    excludeSleep(trace.samples, found.kept);
    const std::vector<TimeRange>& pauses = found.cut;
    if (pauses.empty())
        return;
    const auto moved = [&](Nanoseconds at) {
        Nanoseconds cut = 0;
        for (const TimeRange& pause : pauses) {
            if (at > pause.begin_ns)
                cut += std::min(at, pause.end_ns) - pause.begin_ns;
        }
        return at - cut;
    };
    const auto move = [&](TimeRange& time) { time = {moved(time.begin_ns), moved(time.end_ns)}; };
    const auto moveSamples = [&](std::vector<PowerSample>& samples) {
        std::erase_if(samples, [&](const PowerSample& sample) {
            return std::ranges::any_of(pauses, [&](const TimeRange& pause) {
                return !intersection(sample.window, pause).empty();
            });
        });
        for (PowerSample& sample : samples) {
            move(sample.window);
            sample.arrival_ns = moved(sample.arrival_ns);
        }
    };
    moveSamples(trace.samples);
    for (SecondarySource& other : trace.secondary)
        moveSamples(other.samples);
    visitSpans(trace, move);
    move(trace.time);
    for (Annotation& annotation : annotations) {
        annotation.begin_ns = moved(annotation.begin_ns);
        annotation.end_ns = moved(annotation.end_ns);
    }
}

} // namespace ep::session
