// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/without_pauses.h"
#include "support/milliseconds.h"

#include <gmock/gmock.h>

#include <vector>

namespace {

using namespace ep;
using session::Interruption;
using test::kMs;

TimeRange ms(Nanoseconds begin, Nanoseconds end)
{
    return {begin * kMs, end * kMs};
}

PowerSample sampleOf(const TimeRange& window)
{
    PowerSample sample;
    sample.window = window;
    sample.arrival_ns = window.end_ns;
    return sample;
}

// Four tokens of 50 ms; the program sleeps for 20 s in a layer of the third.
RunTrace pausedTrace()
{
    RunTrace trace;
    trace.time = ms(1000, 21'200);
    trace.phases = {{.phase = Phase::Prefill, .time = ms(1000, 1050), .energy = {}},
                    {.phase = Phase::Decode, .time = ms(1050, 21'200), .energy = {}}};
    for (const TimeRange& time :
         {ms(1000, 1050), ms(1050, 1100), ms(1100, 21'150), ms(21'150, 21'200)}) {
        TokenSpan token;
        token.index = static_cast<std::int32_t>(trace.tokens.size());
        token.time = time;
        trace.tokens.push_back(token);
    }
    trace.layers = {Span::ofLayer(2, 0, ms(1100, 1110)), Span::ofLayer(2, 1, ms(1110, 21'115)),
                    Span::ofLayer(2, 2, ms(21'115, 21'150))};
    for (const TimeRange& window :
         {ms(950, 1050), ms(1050, 21'120), ms(21'120, 21'180), ms(21'180, 21'280)})
        trace.samples.push_back(sampleOf(window));
    return trace;
}

TEST(CutPauses, LeavesAStopOutOfEveryPart)
{
    RunTrace trace = pausedTrace();
    std::vector<Annotation> notes{{.begin_ns = 1100 * kMs, .end_ns = 21'200 * kMs, .text = "x"}};
    // The heart beats every 100 ms, so that it saw the stop begin a little early.
    const Interruption stop{.time = ms(1040, 21'116), .stopped_ns = 20'000 * kMs};
    session::cutPauses({stop}, trace, notes);
    EXPECT_EQ(trace.time, ms(1000, 1195));
    EXPECT_EQ(trace.phases[1].time, ms(1050, 1195));
    EXPECT_EQ(trace.tokens[1].time, ms(1050, 1100)) << "it ended before the stop";
    EXPECT_EQ(trace.tokens[2].time, ms(1100, 1145));
    EXPECT_EQ(trace.tokens[3].time, ms(1145, 1195));
    EXPECT_EQ(trace.layers[0].time, ms(1100, 1110));
    EXPECT_EQ(trace.layers[1].time, ms(1110, 1110));
    EXPECT_EQ(trace.layers[2].time, ms(1110, 1145));
    ASSERT_EQ(trace.samples.size(), 3U) << "one overlaps the stop";
    EXPECT_EQ(trace.samples[1].window, ms(1115, 1175));
    EXPECT_EQ(notes.front().end_ns, 1195 * kMs);
}

TEST(CutPauses, LeavesARunWithoutPausesAsItIs)
{
    RunTrace trace = pausedTrace();
    std::vector<Annotation> notes;
    session::cutPauses({{.time = ms(1040, 21'116), .wall_shift_ns = 5000 * kMs}}, trace, notes);
    EXPECT_EQ(trace, pausedTrace());
    // The run's clock stood still while the machine slept: nothing to cut but the samples.
    session::cutPauses({{.time = ms(1010, 1040), .asleep_ns = 20'000 * kMs}}, trace, notes);
    EXPECT_EQ(trace.tokens, pausedTrace().tokens);
    EXPECT_EQ(trace.samples.size(), 3U);
}

} // namespace
